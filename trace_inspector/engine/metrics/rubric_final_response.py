"""`rubric_based_final_response_quality_v1`: a judge decides properties of each answer, counted as ADK 2.13 does."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from trace_inspector.core.criteria import Criterion
from trace_inspector.core.parts import text_of
from trace_inspector.core.rubric import Rubric
from trace_inspector.core.summary import one_line
from trace_inspector.core.trace import Turn
from trace_inspector.core.verdict import MetricVerdict, RubricVerdict, Status, against
from trace_inspector.engine.judges import turn_context as context
from trace_inspector.engine.judges.options import RubricParameters, rubric_parameters
from trace_inspector.engine.judges.rubric_reply import answers, has_markers, vote
from trace_inspector.engine.metric import Ask, CannotJudge, Inquiry, Judged, Metric, Reply, Subject
from trace_inspector.engine.scoring import summary

NAME = "rubric_based_final_response_quality_v1"
_TYPE = "FINAL_RESPONSE_QUALITY"

_OWN_LISTS = "each turn is read with its own rubrics; google-adk reads all with those of the last turn (--rules adk)"

_PROMPT = """You review the final answer of an assistant, property by property.

Work in two steps.
1. Gather what can be trusted: the user's words, the results of tool calls that make sense for the request and were \
made properly, and grounding metadata. The assistant's own claims are not evidence.
2. For each property decide whether the final answer has it. A property that does not apply to this turn counts as \
yes. A claim that the trusted evidence does not bear out counts as no.

Instructions the assistant was given:
{developer_instructions}

Tools it had:
{tool_declarations}

User:
{user_input}

Tool calls and their results:
{response_steps}

Grounding metadata:
{grounding_metadata}

Final answer:
{final_response}

Properties:
{rubrics}

Reply in plain text, neither JSON nor Markdown. For every property, in any order, write exactly these lines:
ID: the id of the property
Property: the property, word for word
Evidence: what you rely on
Rationale: one line
Verdict: yes or no
"""


@dataclass(frozen=True, slots=True)
class _Question:
    """One observed turn on its way to the judge."""

    turn: Turn
    rubrics: tuple[Rubric, ...]
    fields: tuple[tuple[str, str], ...]


def _judge(subject: Subject, criterion: Criterion) -> Inquiry:
    parameters = rubric_parameters(criterion)
    questions = [
        _question(row.observed, subject, parameters) if row.observed is not None else None for row in subject.turns
    ]
    asked = [question for question in questions if question is not None]
    samples = parameters.judge_model_options.num_samples
    replies = yield tuple(_asks(asked, subject, parameters))
    # By ADK's rules every reply is read with the rubrics of the last turn, as it keeps them in one place.
    last = asked[-1].rubrics if asked and subject.rules == "adk" else None
    verdicts: list[MetricVerdict | None] = []
    for question in questions:
        if question is None:
            verdicts.append(None)
            continue
        own, replies = replies[:samples], replies[samples:]
        verdicts.append(_turn_verdict(question, last or question.rubrics, own, criterion))
    overall = _overall(verdicts, subject, criterion)
    if subject.rules != "adk" and len({question.rubrics for question in asked}) > 1:
        overall = replace(overall, reason="; ".join(filter(None, (overall.reason, _OWN_LISTS))))
    return Judged(overall, tuple(verdicts))


def _question(turn: Turn, subject: Subject, parameters: RubricParameters) -> _Question:
    rubrics = (*parameters.own_rubrics(), *(rubric for rubric in turn.rubrics if rubric.type == _TYPE))
    if not rubrics:
        raise CannotJudge("there are no rubrics, neither in the criterion nor in the golden")
    repeated = next((name for name, count in Counter(rubric.id for rubric in rubrics).items() if count > 1), None)
    if repeated is not None:
        raise CannotJudge(f"the rubric id “{repeated}” is used twice")
    agents = turn.agents or subject.trace.agents
    fields = (
        ("developer_instructions", context.instructions(turn, agents, subject.rules)),
        ("tool_declarations", context.tool_declarations(agents)),
        ("user_input", text_of(turn.user)),
        ("response_steps", context.steps(turn, subject.rules)),
        ("grounding_metadata", context.grounding(turn)),
        (
            "final_response",
            context.answer(turn, with_intermediate=parameters.include_intermediate_responses_in_final),
        ),
        ("rubrics", context.rubric_lines(rubrics)),
    )
    return _Question(turn, rubrics, fields)


def _asks(questions: Sequence[_Question], subject: Subject, parameters: RubricParameters) -> list[Ask]:
    options = parameters.judge_model_options
    case_id = subject.case.id if subject.case else subject.trace.case_id or subject.trace.id
    return [
        Ask(
            NAME,
            case_id,
            question.turn.index,
            sample,
            options.judge_model,
            _PROMPT.format(**dict(question.fields)),
            question.fields,
        )
        for question in questions
        for sample in range(options.num_samples)
    ]


def _turn_verdict(
    question: _Question, rubrics: Sequence[Rubric], replies: Sequence[Reply], criterion: Criterion
) -> MetricVerdict:
    failure = next((reply.failure for reply in replies if reply.failure), "")
    if failure:
        reason = f"a call of the judge failed: {failure}"
        return MetricVerdict(criterion.metric, None, Status.NOT_EVALUATED, criterion.threshold, reason)
    said = [answers(reply.text, rubrics) for reply in replies]
    verdicts = vote(said, rubrics)
    decided = [verdict.score for verdict in verdicts if verdict.score is not None]
    score = statistics.mean(decided) if decided else None
    reasons = [_unmet(verdict) for verdict in verdicts if verdict.score == 0.0]
    void = sum(not sample for sample in said)
    if void:
        reasons.append(f"{void} of {len(said)} {'reply' if len(said) == 1 else 'replies'} could not be read")
    unanswered = len(rubrics) - len({verdict.rubric_id for verdict in verdicts})
    if verdicts and unanswered:
        reasons.append(f"{unanswered} of {len(rubrics)} rubrics got no answer")
    if any(has_markers(text) for name, text in question.fields if name != "rubrics"):
        reasons.append("careful: the judged text contains the markers that replies are read by")
    status = against(score, criterion.threshold)
    return MetricVerdict(criterion.metric, score, status, criterion.threshold, "; ".join(reasons), rubrics=verdicts)


def _unmet(verdict: RubricVerdict) -> str:
    votes = f"{sum(score == 0.0 for score in verdict.votes)} of {len(verdict.votes)} votes"
    return one_line(f"“{verdict.text}” no by {votes}: {verdict.rationale}")


def _overall(verdicts: Sequence[MetricVerdict | None], subject: Subject, criterion: Criterion) -> MetricVerdict:
    """The exact mean over all rubric verdicts of all turns, which is not the mean of the turns' scores."""
    listed = [rubric for verdict in verdicts if verdict for rubric in verdict.rubrics]
    decided = [rubric.score for rubric in listed if rubric.score is not None]
    score = statistics.mean(decided) if decided else None
    status = against(score, criterion.threshold)
    by_id: dict[str, list[RubricVerdict]] = {}
    for rubric in listed:
        by_id.setdefault(rubric.rubric_id, []).append(rubric)
    rubrics = tuple(_mean_of(same) for same in by_id.values())
    reason = summary(verdicts, subject.turns) if status is not Status.PASSED else ""
    return MetricVerdict(criterion.metric, score, status, criterion.threshold, reason, rubrics=rubrics)


def _mean_of(same: Sequence[RubricVerdict]) -> RubricVerdict:
    decided = [rubric.score for rubric in same if rubric.score is not None]
    score = statistics.mean(decided) if decided else None
    rationale = f"The mean of {len(decided)} {'turn' if len(decided) == 1 else 'turns'}; each has its own rationale."
    return RubricVerdict(same[0].rubric_id, score, rationale, same[0].text)


METRIC = Metric(
    name=NAME,
    title="Rubrics",
    family="adk",
    meaning="The share of rubrics that the final answers meet, decided by a judge.",
    judge=_judge,
    needs=frozenset({"judge"}),
    reads=("user message", "tool calls and results", "final answer", "instructions", "rubrics"),
    options=tuple(RubricParameters.model_fields),
    check=rubric_parameters,
)
