"""`ces_hallucination`: whether the agent's claims are justified by its context; always judged, counted if set so."""

from __future__ import annotations

import json

from msgspec.structs import replace

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.values import JsonObject
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against
from trace_inspector.engine.ces.answers import agent_words
from trace_inspector.engine.ces.judge_questions import JudgeAnswer, Wording, ask_each, scale
from trace_inspector.engine.ces.options import HallucinationOptions, asked_options
from trace_inspector.engine.ces.settings import HALLUCINATION, OptionWord, Settings, settings_of
from trace_inspector.engine.ces.turn_verdicts import joined, over_turns
from trace_inspector.engine.ces.variables import updated_variables
from trace_inspector.engine.judges.questions import turn_context as context
from trace_inspector.engine.judges.questions.dialogue import dialogue
from trace_inspector.engine.judges.questions.questions import Fields, with_replies
from trace_inspector.engine.scoring.metric import Inquiry, Method, PairedTurn, Subject

DISABLED, ENABLED = "DISABLED", "ENABLED"
BEHAVIOURS = (DISABLED, ENABLED)
_OF_GOLDEN = ("golden_hallucination_metric_behavior", "hallucination_metric_behavior")
_OF_SCENARIO = ("scenario_hallucination_metric_behavior",)
NO_CLAIM = (("score", -1.0),)
NOTHING_TO_ASSESS = "nothing to assess (−1)"

_WORDING = Wording(
    """You decide whether what an assistant said is justified by what it had to go by: its instructions, the \
variables, what was said before, and what its tools returned. What the user said counts as given. Small talk, \
questions and offers claim nothing.

What the assistant had:
{context}

Variables:
{variables}

What was said before:
{history}

What the assistant said:
{said}

Give a whole number:
1: every claim is justified
0: at least one claim is not justified
-1: it claims nothing

Reply with one JSON object and nothing else:
{{"reasoning": "one or two sentences that name the claim", "score": 1, 0 or -1}}
""",
    scale(-1, 1),
)


def _judge(subject: Subject, criterion: Criterion) -> Inquiry:
    verdicts = [_unasked(row, subject, criterion) for row in subject.turns]
    asked = [
        (index, row.observed) for index, row in enumerate(subject.turns) if row.observed and verdicts[index] is None
    ]
    questions = [(turn.index, _fields(turn, subject)) for _index, turn in asked]
    answers = yield from ask_each(subject, criterion, _WORDING, questions)
    for (index, _turn), answer in zip(asked, answers, strict=True):
        verdict = _verdict(subject.turns[index], subject, criterion, answer)
        verdicts[index] = with_replies(verdict, answer.replies)
    judged = over_turns(subject, criterion, verdicts, "there are no turns")
    silent = judged.overall.score is None and all(verdict.figures == NO_CLAIM for verdict in verdicts if verdict)
    return replace(judged, overall=replace(judged.overall, figures=NO_CLAIM)) if silent else judged


def _settings(row: PairedTurn, subject: Subject, criterion: Criterion) -> Settings:
    """The settings for a turn; an expected answer may switch the metric, too."""
    stated = row.golden.expectations if row.golden else ()
    own = next(
        (expectation for expectation in stated if any(each.metric == HALLUCINATION for each in expectation.criteria)),
        None,
    )
    return settings_of(criterion.metric, subject, criterion, row.golden, own)


def behaviour(settings: Settings, *, scenario: bool) -> OptionWord:
    """Whether hallucinations decide. The setting for this kind of conversation overrides the older common one."""
    return settings.word(BEHAVIOURS, *(_OF_SCENARIO if scenario else _OF_GOLDEN))


def _unasked(row: PairedTurn, subject: Subject, criterion: Criterion) -> MetricVerdict | None:
    if row.observed is None:
        return None
    off = _settings(row, subject, criterion).off
    if off:
        return MetricVerdict(criterion.metric, None, Status.SKIPPED, reason=off)
    if agent_words(row.observed):
        return None
    reason = f"{NOTHING_TO_ASSESS}: nothing was said"
    return MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, reason=reason, figures=NO_CLAIM)


def _fields(turn: Turn, subject: Subject) -> Fields:
    agents = turn.agents or subject.trace.agents
    before = [earlier_turn for earlier_turn in subject.trace.turns if earlier_turn.index < turn.index]
    variables: JsonObject = {}
    for earlier_turn in (*before, turn):
        variables |= updated_variables(earlier_turn)
    return (
        ("context", context.whole(turn, agents, turn.events, turn.events)),
        ("variables", json.dumps(variables, ensure_ascii=False)),
        ("history", dialogue(before)),
        ("said", agent_words(turn)),
    )


def _verdict(row: PairedTurn, subject: Subject, criterion: Criterion, answer: JudgeAnswer) -> MetricVerdict:
    settings = _settings(row, subject, criterion)
    stated = behaviour(settings, scenario=subject.case is not None and subject.case.scenario is not None)
    decides = stated.word == ENABLED or (not stated.word and settings.states_threshold)
    threshold = settings.threshold
    if answer.value == -1:
        reason = joined(NOTHING_TO_ASSESS, answer.reason)
        return MetricVerdict(
            criterion.metric, None, Status.NOT_EVALUATED, reason=reason, figures=NO_CLAIM, votes=answer.votes
        )
    if answer.value is None:
        return MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, reason=answer.reason, votes=answer.votes)
    status = against(answer.value, threshold.value) if decides else Status.INFORMATIONAL
    remark = (
        "" if decides else f"does not decide: {f'DISABLED {stated.source}' if stated.word else 'not switched on'}"
    )
    reason = joined("not justified" if answer.value == 0 else "", answer.reason, remark, stated.problem)
    return MetricVerdict(
        criterion.metric,
        answer.value,
        status,
        threshold.value if decides else None,
        joined(reason, threshold.text if decides and settings.states_threshold else ""),
        votes=answer.votes,
    )


METHOD = Method(_judge, parameters=HallucinationOptions, check=asked_options)
