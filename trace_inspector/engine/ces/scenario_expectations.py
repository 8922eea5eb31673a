"""Expectations of a scenario anywhere in the conversation: calls, by comparison, and words, by a judge."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import call_line, one_line
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import ExpectationVerdict, MetricVerdict, Status, against
from trace_inspector.engine.ces.answers import expected_words
from trace_inspector.engine.ces.calls import PairedCalls, first_of, pair_calls
from trace_inspector.engine.ces.conversation_metrics import conversation_of, last_turn
from trace_inspector.engine.ces.judge_questions import YES_OR_NO, JudgeAnswer, Wording, ask_each
from trace_inspector.engine.ces.parameters import NOT_CALLED, scored
from trace_inspector.engine.ces.settings import PARAMETERS, settings_of
from trace_inspector.engine.ces.turn_verdicts import joined, of_case, overall_status
from trace_inspector.engine.judges.questions.questions import with_replies
from trace_inspector.engine.scoring.matching import matchers_of
from trace_inspector.engine.scoring.metric import MODEL, CannotJudge, Inquiry, Reply, Subject
from trace_inspector.engine.scoring.scoring import plain_mean

_WORDING = Wording(
    """You decide whether an assistant, anywhere in a conversation, said what it was expected to say. The meaning \
counts, not the wording; more may have been said.

Expected:
{expected}

Conversation:
{conversation}

Reply with one JSON object and nothing else:
{{"reasoning": "one or two sentences", "verdict": "yes" or "no"}}
""",
    YES_OR_NO,
)
_NEEDS_JUDGE = "needs a judge, because words are compared by meaning"
_KINDS = (Expects.CALL, Expects.ANSWER)


def judge_scenario(subject: Subject, criterion: Criterion) -> Inquiry:
    """Each expectation over the whole conversation; without a judge only the calls are decided."""
    stated = [
        expectation
        for expectation in (subject.case.expectations if subject.case else ())
        if expectation.kind in _KINDS
    ]
    if not stated:
        raise CannotJudge("the scenario expects no call and no words")
    off = settings_of(criterion.metric, subject, criterion).off
    if off:
        return of_case(subject, MetricVerdict(criterion.metric, None, Status.SKIPPED, reason=off))
    answers: Iterator[JudgeAnswer] = iter(())
    asked = {
        id(expectation)
        for expectation in stated
        if expectation.kind is Expects.ANSWER and not expectation.skipped and MODEL in subject.answers
    }
    if asked:
        conversation = conversation_of(subject)
        questions = [
            (last_turn(subject), (("expected", expected_words(expectation)), ("conversation", conversation)))
            for expectation in stated
            if id(expectation) in asked
        ]
        answers = iter((yield from ask_each(subject, criterion, _WORDING, questions)))
    paired = _paired_calls(stated, subject)
    replies: list[Reply] = []
    outcomes = []
    for expectation in stated:
        answer = next(answers) if id(expectation) in asked else None
        replies += answer.replies if answer else ()
        outcomes.append(
            _words(expectation, answer) if expectation.kind is Expects.ANSWER else _call(expectation, paired, subject)
        )
    decided = [
        float(outcome.status is Status.PASSED)
        for outcome in outcomes
        if outcome.status in (Status.PASSED, Status.FAILED)
    ]
    status = overall_status(outcome.status for outcome in outcomes)
    wrong = next((outcome for outcome in outcomes if outcome.status is status and status is not Status.PASSED), None)
    reason = f"{wrong.what}: {wrong.reason}" if wrong else ""
    verdict = MetricVerdict(criterion.metric, plain_mean(decided), status, 1.0, reason, expectations=tuple(outcomes))
    return of_case(subject, with_replies(verdict, replies))


def _paired_calls(stated: list[Expectation], subject: Subject) -> PairedCalls:
    """The expected calls paired with all calls of the conversation."""
    matchers = matchers_of(subject.case.matchers if subject.case else ())
    script = Turn(0, expectations=tuple(stated))
    events = tuple(event for turn in subject.trace.turns for event in turn.events)
    return pair_calls(script, Turn(0, events=events), matchers)


def _call(stated: Expectation, paired: PairedCalls, subject: Subject) -> ExpectationVerdict:
    index = next(
        (index for index, call_expected in enumerate(paired.expectations) if call_expected.expectation is stated),
        None,
    )
    call = first_of(stated.parts, ToolCall)
    what = f"call {call_line(call)}" if call else "call"
    if stated.skipped:
        return ExpectationVerdict(what, Status.SKIPPED, golden_place=stated.place)
    if index is None or index not in paired.pairs:
        return ExpectationVerdict(what, Status.FAILED, 0.0, NOT_CALLED, golden_place=stated.place)
    score, reason = scored(paired.compared[index])
    threshold = settings_of(PARAMETERS, subject, None, None, stated).threshold
    return ExpectationVerdict(
        what,
        against(score, threshold.value),
        score,
        joined(reason, threshold.text),
        place=paired.made[paired.pairs[index]].place,
        golden_place=stated.place,
    )


def _words(stated: Expectation, answer: JudgeAnswer | None) -> ExpectationVerdict:
    what = f"answer “{one_line(expected_words(stated), 80)}”"
    if stated.skipped:
        return ExpectationVerdict(what, Status.SKIPPED, golden_place=stated.place)
    if answer is None:
        return ExpectationVerdict(what, Status.NOT_EVALUATED, reason=_NEEDS_JUDGE, golden_place=stated.place)
    status = against(answer.value, 1.0)
    return ExpectationVerdict(what, status, answer.value, answer.reason, golden_place=stated.place)
