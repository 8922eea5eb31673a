"""What a scenario expects somewhere in the conversation: calls, looked up, and words, which a judge finds."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import call_line, one_line
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import ExpectationVerdict, MetricVerdict, Status, against
from trace_inspector.engine.ces.answers import expected_words
from trace_inspector.engine.ces.asking import YES_OR_NO, Answer, Wording, ask_each
from trace_inspector.engine.ces.calls import HeldCalls, first_of, hold_calls
from trace_inspector.engine.ces.conversation_metrics import conversation_of, last_turn
from trace_inspector.engine.ces.parameters import NOT_CALLED, scored
from trace_inspector.engine.ces.settings import PARAMETERS, settings_of
from trace_inspector.engine.ces.turnwise import joined, of_case, together
from trace_inspector.engine.judges.questions.questions import told_by
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
_NEEDS_JUDGE = "needs a judge: words are compared by meaning"
_KINDS = (Expects.CALL, Expects.ANSWER)


def judge_scenario(subject: Subject, criterion: Criterion) -> Inquiry:
    """Each expectation over the whole conversation; without a judge only the calls are decided."""
    stated = [one for one in (subject.case.expectations if subject.case else ()) if one.kind in _KINDS]
    if not stated:
        raise CannotJudge("the scenario expects no call and no words")
    off = settings_of(criterion.metric, subject, criterion).off
    if off:
        return of_case(subject, MetricVerdict(criterion.metric, None, Status.SKIPPED, reason=off))
    answers: Iterator[Answer] = iter(())
    asked = {id(one) for one in stated if one.kind is Expects.ANSWER and not one.skipped and MODEL in subject.answers}
    if asked:
        told = conversation_of(subject)
        questions = [
            (last_turn(subject), (("expected", expected_words(one)), ("conversation", told)))
            for one in stated
            if id(one) in asked
        ]
        answers = iter((yield from ask_each(subject, criterion, _WORDING, questions)))
    held = _held(stated, subject)
    replies: list[Reply] = []
    outcomes = []
    for one in stated:
        answer = next(answers) if id(one) in asked else None
        replies += answer.replies if answer else ()
        outcomes.append(_words(one, answer) if one.kind is Expects.ANSWER else _call(one, held, subject))
    decided = [float(one.status is Status.PASSED) for one in outcomes if one.status in (Status.PASSED, Status.FAILED)]
    status = together(one.status for one in outcomes)
    wrong = next((one for one in outcomes if one.status is status and status is not Status.PASSED), None)
    reason = f"{wrong.what}: {wrong.reason}" if wrong else ""
    verdict = MetricVerdict(criterion.metric, plain_mean(decided), status, 1.0, reason, expectations=tuple(outcomes))
    return of_case(subject, told_by(verdict, replies))


def _held(stated: list[Expectation], subject: Subject) -> HeldCalls:
    """The expected calls beside all calls of the conversation."""
    matchers = matchers_of(subject.case.matchers if subject.case else ())
    script = Turn(0, expectations=tuple(stated))
    events = tuple(event for turn in subject.trace.turns for event in turn.events)
    return hold_calls(script, Turn(0, events=events), matchers)


def _call(stated: Expectation, held: HeldCalls, subject: Subject) -> ExpectationVerdict:
    at = next((at for at, one in enumerate(held.wanted) if one.expectation is stated), None)
    call = first_of(stated.parts, ToolCall)
    what = f"call {call_line(call)}" if call else "call"
    if stated.skipped:
        return ExpectationVerdict(what, Status.SKIPPED, golden_place=stated.place)
    if at is None or at not in held.pairs:
        return ExpectationVerdict(what, Status.FAILED, 0.0, NOT_CALLED, golden_place=stated.place)
    score, told = scored(held.compared[at])
    threshold = settings_of(PARAMETERS, subject, None, None, stated).threshold
    return ExpectationVerdict(
        what,
        against(score, threshold.value),
        score,
        joined(told, threshold.told),
        place=held.made[held.pairs[at]].place,
        golden_place=stated.place,
    )


def _words(stated: Expectation, answer: Answer | None) -> ExpectationVerdict:
    what = f"answer “{one_line(expected_words(stated), 80)}”"
    if stated.skipped:
        return ExpectationVerdict(what, Status.SKIPPED, golden_place=stated.place)
    if answer is None:
        return ExpectationVerdict(what, Status.NOT_EVALUATED, reason=_NEEDS_JUDGE, golden_place=stated.place)
    status = against(answer.value, 1.0)
    return ExpectationVerdict(what, status, answer.value, answer.reason, golden_place=stated.place)
