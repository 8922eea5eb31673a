"""`final_response_match_v2`: a judge compares each answer with the golden's, counted as in ADK 2.13."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import text_of
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against
from trace_inspector.engine.judges.questions import turn_context as context
from trace_inspector.engine.judges.questions.options import AnswerParameters, answer_parameters
from trace_inspector.engine.judges.questions.questions import (
    MARKED,
    Question,
    failed,
    sampled,
    settled,
    split,
    unread,
    with_replies,
)
from trace_inspector.engine.judges.questions.valid_reply import answer_vote, has_markers, majority
from trace_inspector.engine.scoring.metric import Inquiry, Judged, Method, PairedTurn, Reply, Subject
from trace_inspector.engine.scoring.scoring import plain_mean, refuse_without_golden, summary

NAME = "final_response_match_v2"

_PROMPT = """You decide whether the answer of an assistant is valid, given what the user asked and a reference \
answer that is known to be good.

The answer is valid when it says what the reference says that matters. Other words, another format, more detail and \
rounding are no fault, unless the user asked for a certain form. Take the numbers of the reference as true. Be \
strict about units and about whatever the user demanded explicitly. An answer that leaves out, contradicts or only \
half gives what the reference gives is not valid.

User:
{prompt}

Answer of the assistant:
{response}

Reference answer:
{golden_response}

Reply with one JSON object and nothing else:
{{"reasoning": "a few sentences", "is_the_agent_response_valid": "valid" or "invalid"}}
"""


def _judge(subject: Subject, criterion: Criterion) -> Inquiry:
    parameters = answer_parameters(criterion)
    refuse_without_golden(subject)
    verdicts = [settled(row, subject, criterion) for row in subject.turns]
    rows = subject.turns
    asked = [index for index, row in enumerate(rows) if verdicts[index] is None and row.golden and row.observed]
    questions = [_question(subject.turns[index], parameters) for index in asked]
    doubted = _is_refused if parameters.confirms(subject.rules) else None
    replies = yield from sampled(NAME, _PROMPT, subject, questions, parameters.judge_model_options, doubted)
    for index, question, own in zip(asked, questions, replies, strict=True):
        verdicts[index] = with_replies(_turn_verdict(question, own, criterion), own)
    score = plain_mean(verdict.score for verdict in verdicts if verdict and verdict.score is not None)
    status = against(score, criterion.threshold)
    reason = summary(verdicts, subject.turns) if status is not Status.PASSED else ""
    return Judged(MetricVerdict(criterion.metric, score, status, criterion.threshold, reason), tuple(verdicts))


def _question(row: PairedTurn, parameters: AnswerParameters) -> Question:
    golden, observed = row.golden, row.observed
    if golden is None or observed is None:
        raise ValueError("the judge is asked only about turns that have a golden turn")
    more = parameters.include_intermediate_responses_in_final
    fields = (
        ("prompt", text_of(golden.user)),
        ("response", context.answer(observed, with_intermediate=more)),
        ("golden_response", context.answer(golden, with_intermediate=more)),
    )
    return Question(observed.index, fields)


def _is_refused(_index: int, replies: Sequence[Reply]) -> bool:
    return (
        not any(reply.failure for reply in replies)
        and majority([answer_vote(reply.text) for reply in replies]) == 0.0
    )


def _turn_verdict(question: Question, replies: Sequence[Reply], criterion: Criterion) -> MetricVerdict:
    undecided = failed(replies, criterion)
    if undecided is not None:
        return undecided
    votes = tuple(answer_vote(reply.text) for reply in replies)
    score = majority(votes)
    reasons = split(votes, score, "valid", "invalid")
    reasons.extend(unread(votes.count(None), len(votes)))
    if any(has_markers(text) for _name, text in question.fields):
        reasons.append(MARKED)
    status = against(score, criterion.threshold)
    return MetricVerdict(criterion.metric, score, status, criterion.threshold, "; ".join(reasons), votes=votes)


METHOD = Method(_judge, parameters=AnswerParameters, check=answer_parameters)
