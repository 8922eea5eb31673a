"""Every message and field of Vertex AI's evaluation: what a file says in it is told, in the view or as a finding.

The lines named are those of the reference on CES, Vertex AI and agent-eval.
"""

from __future__ import annotations

from typing import Any

from tests.formats.odd_members import oddly
from tests.formats.span_files import codes, opened
from tests.helpers.campaigns import is_long
from tests.helpers.marked import Marks
from tests.helpers.tables import each
from trace_inspector.core.values.values import Json
from trace_inspector.formats import recognise

CALL: dict[str, Any] = {"id": "?", "name": "?", "args": {"a": "?"}, "partialArgs": [{"jsonPath": "?"}]}
CALL |= {"willContinue": True}
RESPONSE: dict[str, Any] = {"id": "?", "name": "?", "response": {"output": "?"}, "scheduling": "?"}
RESPONSE |= {"parts": [{"inlineData": {"mimeType": "?", "data": "QUJD"}}], "willContinue": True}
PARTS: list[dict[str, Any]] = [
    {"text": "?"},
    {"text": "?", "thought": True, "thoughtSignature": "?"},
    {"inlineData": {"mimeType": "?", "data": "QUJD", "displayName": "?"}},
    {"fileData": {"fileUri": "?", "mimeType": "?", "displayName": "?"}},
    {"functionCall": CALL},
    {"functionResponse": RESPONSE},
    {"executableCode": {"language": "?", "code": "?", "id": "?"}},
    {"codeExecutionResult": {"outcome": "?", "output": "?", "id": "?"}},
    {"toolCall": {"id": "?"}},
    {"toolResponse": {"id": "?"}},
    {
        "text": "?",
        "videoMetadata": {"fps": 0},
        "mediaResolution": {"level": "?"},
        "partMetadata": {"m": "?"},
        "audioTranscription": {"text": "?"},
        "speechMetadata": {"s": "?"},
        "mediaProcessing": {"p": "?"},
    },
]
CONTENT: dict[str, Any] = {"role": "?", "parts": PARTS}
STATUS: dict[str, Any] = {"code": 0, "message": "?", "details": [{"@type": "?", "any": "?"}]}
SCHEMA: dict[str, Any] = {"type": "?", "maxItems": "?", "anyOf": [{"ref": "?"}], "propertyOrdering": ["?"]}
TOOL: dict[str, Any] = {
    "functionDeclarations": [
        {"name": "?", "description": "?", "parameters": SCHEMA, "response": SCHEMA, "behavior": "?"},
        {"name": "?", "parametersJsonSchema": {"p": "?"}, "responseJsonSchema": {"r": "?"}},
    ],
    **{kind: {"x": "?"} for kind in ("retrieval", "googleSearch", "codeExecution", "urlContext", "computerUse")},
}
DATA: dict[str, Any] = {
    "agents": {
        "one": {
            **dict.fromkeys(("agentId", "agentType", "description", "instruction"), "?"),
            "tools": [TOOL],
            "subAgents": ["?"],
        }
    },
    "turns": [
        {
            "turnIndex": 0,
            "turnId": "?",
            "events": [
                {"author": "user", "content": {"role": "user", "parts": [{"text": "?"}]}},
                {
                    "author": "?",
                    "content": CONTENT,
                    "eventTime": "?t",
                    "stateDelta": {"s": "?"},
                    "activeTools": [{"functionDeclarations": [{"name": "?", "description": "?"}]}],
                },
            ],
        }
    ],
}
RUBRIC: dict[str, Any] = {
    "rubricId": "?",
    "content": {"property": {"description": "?"}},
    "type": "?",
    "importance": "?",
}
PROMPTS: dict[str, Any] = {
    "text": {"text": "?"},
    "value": {"value": {"v": "?"}},
    "template": {"promptTemplateData": {"values": {"name": {"role": "?", "parts": [{"text": "?"}]}}}},
    "agent data": {"agentData": DATA},
    "scenario": {"userScenario": dict.fromkeys(("startingPrompt", "conversationPlan", "testCaseTitle"), "?")},
}
ITEM: dict[str, Any] = {
    "name": "projects/p/locations/l/evaluationItems/?",
    "displayName": "?",
    "metadata": {"m": {"deep": "?"}},
    "labels": {"l": "?"},
    "createTime": "?",
    "error": STATUS,
}


def request(prompt: Json) -> dict[str, Any]:
    return {
        "prompt": prompt,
        "goldenResponse": {"candidate": "?", "text": "?", "error": STATUS},
        "rubrics": {"group": {"groupId": "?", "displayName": "?", "rubrics": [RUBRIC]}},
        "candidateResponses": [
            {"candidate": "?", "events": [CONTENT], "text": "?"},
            {"candidate": "?", "value": {"v": "?"}},
            {"candidate": "?", "agentData": DATA},
            {"candidate": "?", "error": STATUS},
        ],
        "extraContext": {"name": {"role": "?", "parts": [{"text": "?"}]}},
    }


PATTERNS: dict[str, Any] = {
    **{
        f"B1 request, prompt is {kind}": {
            **ITEM,
            "evaluationItemType": "REQUEST",
            "evaluationRequest": request(prompt),
        }
        for kind, prompt in PROMPTS.items()
    },
    "B1 result": {
        **ITEM,
        "evaluationItemType": "RESULT",
        "evaluationResponse": {
            **dict.fromkeys(("evaluationRequest", "evaluationRequestRevision", "evaluationRun", "metric"), "?"),
            "request": {"prompt": {"text": "?"}, "candidateResponses": [{"candidate": "one", "text": "?"}]},
            "candidateResults": [
                {
                    "candidate": "one",
                    "metric": "?",
                    "explanation": "?",
                    "rubricVerdicts": [{"evaluatedRubric": RUBRIC, "verdict": True, "reasoning": "?"}],
                    "additionalResults": {"figure": 0, "words": "?"},
                    "score": 0,
                    "error": STATUS,
                }
            ],
            "metadata": {"m": "?"},
        },
    },
    "B1 place": {**ITEM, "evaluationItemType": "REQUEST", "gcsUri": "?"},
    "B1 task": {
        **ITEM,
        "evaluationItemType": "HARBOR_TASK",
        "harborTask": {"dataset": "?", "task": "?", "gcsUri": "?"},
    },
    "B5 dataset": {
        "candidate_name": "?",
        "eval_cases": [
            {
                "eval_case_id": "?",
                "prompt": {"role": "user", "parts": [{"text": "?"}]},
                "responses": [{"response": {"role": "model", "parts": [{"text": "?"}]}}],
                "reference": {"response": {"role": "model", "parts": [{"text": "?"}]}},
                "system_instruction": {"role": "system", "parts": [{"text": "?"}]},
                "conversation_history": [
                    {"turn_id": "?", "content": {"role": "user", "parts": [{"text": "?"}]}, "author": "user"},
                    {"turn_id": "?", "content": {"role": "model", "parts": [{"text": "?"}]}, "author": "?"},
                ],
                "rubric_groups": {"group": {"group_id": "?", "display_name": "?", "rubrics": [RUBRIC]}},
                "intermediate_events": [{"event_id": "?", "author": "?", "content": CONTENT}],
                "agent_info": {"name": "?", "root_agent_id": "?", "agents": {"a": {"agent_id": "a"}}},
                "interactions_data_source": {"i": "?"},
                "anything": "?",
            },
            {"eval_case_id": "?", "agent_data": DATA},
            {"eval_case_id": "?", "user_scenario": {"starting_prompt": "?", "conversation_plan": "?"}},
        ],
    },
    "B5 result": {
        "eval_case_results": [
            {
                "eval_case_index": 0,
                "response_candidate_results": [
                    {
                        "response_index": 0,
                        "metric_results": {
                            "tone": {
                                "metric_name": "tone",
                                "score": 0,
                                "explanation": "?",
                                "rubric_verdicts": [{"evaluated_rubric": RUBRIC, "verdict": True, "reasoning": "?"}],
                                "raw_output": ["?"],
                                "error_message": "?",
                            }
                        },
                    }
                ],
            }
        ],
        "summary_metrics": [
            {
                "metric_name": "tone",
                **dict.fromkeys(("num_cases_total", "num_cases_valid", "num_cases_error", "mean_score"), 0),
                **dict.fromkeys(("stdev_score", "pass_rate"), 0),
            }
        ],
        "win_rates": {"tone": {"win_rates": [0, 0], "tie_rate": 0}},
        "metadata": {
            **dict.fromkeys(("dataset_name", "dataset_id", "creation_timestamp"), "?"),
            "candidate_names": ["?"],
        },
        "agent_info": {"name": "?"},
    },
}
# What is not told, and why.
LEFT_OUT = {
    "thoughtSignature": "bytes that tell nobody anything",
    "/activeTools/0/functionDeclarations/0/description": "tools of an event are named; schemas may take megabytes",
    "/promptTemplateData/values/name/role": "all values of a template are one message of the user",
    "/eval_case_results/0/eval_case_index": "the case is found by it",
}
# An item that holds neither a request nor a result is named, with its place in Cloud Storage; Raw shows the rest.
ONLY_RAW = ("B1 place", "B1 task")


@each("kind", PATTERNS)
def test_all_of_it_is_told(kind: str) -> None:
    marks = Marks()
    contents = opened(marks.value(PATTERNS[kind]))
    if kind in ONLY_RAW:
        assert {"stored-elsewhere", "nothing-to-show"} & set(codes(contents))
        return
    told = repr(contents)
    untold = {place for place in marks.untold(told) if not any(end in place for end in LEFT_OUT)}
    assert untold == set()


# Of every prompt the prompt alone: what stands beside it is the same in all of them.
FILES: dict[str, Json] = {
    kind: {**ITEM, "evaluationItemType": "REQUEST", "evaluationRequest": {"prompt": PROMPTS[kind]}}
    for kind in PROMPTS
    if kind != "text"
} | {kind: pattern for kind, pattern in PATTERNS.items() if not kind.startswith("B1 request") or "text" in kind}
ODD: tuple[Json, ...] = ({"od": 1}, ["od"], 7_777, "od7")
# An item of which only Raw shows what it holds says these there; their schema takes any value.
ONLY_THERE = ("/metadata", "/error/details/")


@each("kind", FILES)
def test_what_is_of_a_wrong_kind_is_named_at_its_place_or_shown(kind: str) -> None:
    silent = set()
    value = Marks().value(FILES[kind])
    for place, odd in oddly(value, ODD, is_long=is_long()):
        if recognise(value) is None:
            continue
        contents = opened(value)
        named = any(f"{finding.pointer}/".startswith(f"{place}/") for finding in contents.findings)
        if not named and repr(odd) not in repr(contents):
            silent.add(place)
    assert {place for place in silent if kind not in ONLY_RAW or not place.startswith(ONLY_THERE)} == set()


@each("kind", [kind for kind in FILES if kind not in ONLY_RAW])
def test_what_is_of_a_wrong_kind_takes_nothing_else_with_it(kind: str) -> None:
    marks = Marks()
    whole = marks.value(FILES[kind])
    before = marks.untold(repr(opened(whole)))
    lost = set()
    for place, _odd in oddly(whole, ODD[2:3], is_long=is_long()):
        if recognise(whole) is not None:
            contents = opened(whole)
            if "nothing-to-show" in codes(contents):  # then Raw alone shows it, and that is said
                continue
            untold = marks.untold(repr(contents)) - before
            lost |= {f"{place}: {one}" for one in untold if not f"{one}/".startswith(f"{place}/")}
    assert lost == set()
