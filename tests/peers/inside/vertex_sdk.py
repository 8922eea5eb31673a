"""What Vertex AI's evaluation SDK reads in its own datasets and results."""

from __future__ import annotations

from typing import Any

from agentplatform._genai import types

from tests.peers.inside.serving import read


def dataset(raw: Any) -> Any:
    """Each case with what is asked, expected and recorded."""
    return [case(one, number) for number, one in enumerate(read(types.EvaluationDataset, raw).eval_cases or [], 1)]


def case(one: Any, number: int) -> Any:
    asked = asked_in(one)
    expected = texts(one.reference.response) if one.reference is not None else []
    return {
        "id": one.eval_case_id or f"case {number}",
        "asked": asked or [[]] * (one.reference is not None),
        "expected": expected,
        "rubrics": sorted(
            [name, rubric.rubric_id or "", rubric_text(rubric), rubric.importance.value if rubric.importance else ""]
            for name, group in (one.rubric_groups or {}).items()
            for rubric in group.rubrics or []
        ),
        "history": [event(message) for message in one.conversation_history or []],
        "scenario": scenario(one.user_scenario),
        "responses": responses(one),
    }


def rubric_text(rubric: Any) -> str:
    stated = rubric.content.property if rubric.content is not None else None
    return (stated.description if stated is not None else None) or ""


def scenario(one: Any) -> Any:
    return None if one is None else [one.starting_prompt or "", one.conversation_plan or ""]


def turns_of(one: Any) -> Any:
    return (one.agent_data.turns or []) if one.agent_data is not None else []


def is_user(event: Any) -> bool:
    return bool((event.author or "").lower() == "user")


def asked_in(one: Any) -> Any:
    """What the user says turn by turn: as it was recorded, else the prompt."""
    recorded = [[event for event in turn.events or [] if is_user(event)] for turn in turns_of(one)]
    if any(parts(event.content) for events in recorded for event in events):
        return [sorted(text for event in events for text in texts(event.content)) for events in recorded]
    return [sorted(texts(one.prompt))] if parts(one.prompt) else []


def responses(one: Any) -> Any:
    """One for each response; a recorded conversation is the first, and steps without an answer are one too."""
    steps = one.intermediate_events or []
    agents = agents_of(one)
    asked = asked_in(one)
    found = [
        {
            "agents": agents,
            "asked": asked or [[]],
            "instruction": instruction(one),
            **spoken([*(step.content for step in steps), response.response]),
            "times": times(steps, "creation_timestamp"),
        }
        for response in one.responses or []
    ]
    if not found and steps and one.agent_data is None:
        found = [
            {
                "agents": agents,
                "asked": asked or [[]],
                "instruction": instruction(one),
                **spoken([step.content for step in steps]),
                "times": times(steps, "creation_timestamp"),
            }
        ]
    events = [event for turn in turns_of(one) for event in turn.events or [] if not is_user(event)]
    if events:
        recorded = {
            "agents": agents,
            "asked": [
                sorted(text for event in turn.events or [] if is_user(event) for text in texts(event.content))
                for turn in turns_of(one)
            ],
            "instruction": instruction(one),
            **spoken([event.content for event in events]),
            "times": times(events, "event_time"),
        }
        found[:1] = [recorded]
    return found


def agents_of(one: Any) -> Any:
    """The agents of the conversation, else those that are named for the case."""
    return configured(one.agent_data) or configured(one.agent_info)


def configured(owner: Any) -> Any:
    return sorted((owner.agents or {}) if owner is not None else {})


def instruction(one: Any) -> Any:
    """Words for the model; agents of the conversation have instructions of their own."""
    return "" if configured(one.agent_data) else "\n".join(text for text in texts(one.system_instruction) if text)


def event(message: Any) -> Any:
    role = message.content.role if message.content is not None else None
    return {
        "author": message.author or role or "",
        "id": message.turn_id,
        **spoken([message.content]),
        "times": times([message], "creation_timestamp"),
    }


def times(events: Any, key: str) -> Any:
    return [time.timestamp() for event in events if (time := getattr(event, key)) is not None]


def spoken(contents: Any) -> Any:
    """What contents say, call and are answered; a text that comes again counts once."""
    every = [part for content in contents for part in parts(content)]
    return {
        "texts": sorted({text for content in contents for text in texts(content)}),
        "calls": [[call.name or "", call.args, call.id] for part in every if (call := part.function_call)],
        "results": [[held.name or "", held.response, held.id] for part in every if (held := part.function_response)],
    }


def parts(content: Any) -> Any:
    """What a content holds; a part that holds nothing is none."""
    held = (content.parts or []) if content is not None else []
    return [part for part in held if part.model_dump(exclude_none=True, exclude={"thought"})]


def texts(content: Any) -> Any:
    return [part.text for part in parts(content) if part.text is not None and not part.thought]


def result(raw: Any) -> Any:
    """Each score with the response that it is about, and what is said of all of them."""
    found = read(types.EvaluationResult, raw)
    return {
        "scores": [score for at, one in enumerate(found.eval_case_results or []) for score in scores(found, one, at)],
        "summary": [
            [one.metric_name, one.num_cases_total, one.num_cases_valid, one.num_cases_error, one.mean_score]
            for one in found.summary_metrics or []
        ],
        "wins": {name: [one.win_rates, one.tie_rate] for name, one in (found.win_rates or {}).items()},
    }


def scores(found: Any, one: Any, position: int) -> Any:
    index = position if one.eval_case_index is None else one.eval_case_index
    datasets = [dataset.eval_cases or [] for dataset in found.evaluation_dataset or []]
    cases = [cases[index] for cases in datasets if index < len(cases)]
    stated = cases[0].eval_case_id if cases else None
    # `merge_evaluation_datasets` counts one response of each dataset, whether there is one or not.
    answers = [*([*responses(case), None][0] for case in cases)]
    answers += [answer for case in cases for answer in responses(case)[1:]]
    names = (found.metadata.candidate_names if found.metadata is not None else None) or [
        dataset.candidate_name or "" for dataset in found.evaluation_dataset or []
    ]
    for at, candidate in enumerate(one.response_candidate_results or []):
        number = at if candidate.response_index is None else candidate.response_index
        yield {
            "case": stated or f"case {index + 1}",
            "candidate": names[number] if number < len(names) else "",
            "answer": answers[number]["texts"] if number < len(answers) and answers[number] else [],
            "metrics": [metric(name, one) for name, one in (candidate.metric_results or {}).items()],
        }


def metric(name: str, one: Any) -> Any:
    status = "ERROR" if one.error_message else "NOT_EVALUATED" if one.score is None else "INFORMATIONAL"
    return {
        "name": one.metric_name or name,
        "score": one.score,
        "status": status,
        "reason": "\n".join(words for words in (one.error_message, one.explanation) if words),
        "rubrics": [rubric(verdict) for verdict in one.rubric_verdicts or []],
    }


def rubric(verdict: Any) -> Any:
    about = verdict.evaluated_rubric
    return [
        (about.rubric_id if about is not None else None) or "",
        rubric_text(about) if about is not None else "",
        float(bool(verdict.verdict)),
        verdict.reasoning or "",
    ]
