"""`ces_parameter_correctness`: of the arguments of each expected call the share that the call really had."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice

from msgspec import Struct

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.summary import call_line, one_line
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import ExpectationVerdict, MetricVerdict, Status, against
from trace_inspector.engine.ces.arguments import ArgumentComparison, SemanticArgument
from trace_inspector.engine.ces.calls import CallExpectation, PairedCalls, pair_calls, states_calls
from trace_inspector.engine.ces.judge_questions import YES_OR_NO, JudgeAnswer, Wording, ask_each
from trace_inspector.engine.ces.options import AskedOptions, asked_options
from trace_inspector.engine.ces.settings import PARAMETERS, settings_of
from trace_inspector.engine.ces.turn_verdicts import MISSING_TURN, joined, over_turns, overall_status
from trace_inspector.engine.judges.questions.questions import Fields, with_replies
from trace_inspector.engine.scoring.matching import matchers_of
from trace_inspector.engine.scoring.metric import MODEL, Inquiry, Method, Reply, Subject
from trace_inspector.engine.scoring.scoring import plain_mean, refuse_without_golden

NEEDS_JUDGE = "needs a judge, because it is compared by meaning: {0}"
NOT_CALLED = "the call was not made"

_WORDING = Wording(
    """An assistant called a tool. You decide whether the value that it gave for an argument means the same as the \
value that was expected. Other words, another order, another notation of the same date, name or amount are no \
difference; another fact, a missing or an added one is.

Tool: {tool}
Argument: {argument}

Expected value:
{expected}

Given value:
{given}

Reply with one JSON object and nothing else:
{{"reasoning": "one sentence", "verdict": "yes" or "no"}}
""",
    YES_OR_NO,
)


class _TurnCalls(Struct, frozen=True):
    """One golden turn with its calls; `off` is the reason where it is switched off."""

    number: int
    golden: Turn
    turn: int
    paired: PairedCalls
    missing_turn: str
    off: str = ""


def _judge(subject: Subject, criterion: Criterion) -> Inquiry:
    refuse_without_golden(subject)
    rows = _rows(subject, criterion)
    judged = [(row, index) for row in rows if row and not row.off for index in row.paired.judged]
    answers: list[JudgeAnswer] = []
    if MODEL in subject.answers:
        questions = [
            (row.turn, _fields(row.paired.expectations[index], argument))
            for row, index in judged
            for argument in _compared(row, index).by_meaning
        ]
        answers = yield from ask_each(subject, criterion, _WORDING, questions)
    rest = iter(answers)
    answers_by_call: dict[tuple[int, int], list[JudgeAnswer]] = {}
    for row, index in judged:
        answers_by_call[row.number, index] = list(islice(rest, len(_compared(row, index).by_meaning)))
    verdicts = [None if row is None else _turn_verdict(row, subject, criterion, answers_by_call) for row in rows]
    return over_turns(subject, criterion, verdicts, "the golden expects no call")


def _rows(subject: Subject, criterion: Criterion) -> list[_TurnCalls | None]:
    matchers = matchers_of(subject.case.matchers if subject.case else ())
    rows: list[_TurnCalls | None] = []
    for number, row in enumerate(subject.turns):
        if row.golden is None or not states_calls(row.golden):
            rows.append(None)
            continue
        paired = pair_calls(row.golden, row.observed, matchers)
        turn = row.observed.index if row.observed else row.golden.index
        off = settings_of(criterion.metric, subject, criterion, row.golden).off
        late = "" if row.observed else MISSING_TURN
        rows.append(_TurnCalls(number, row.golden, turn, paired, late, off) if paired.judged else None)
    return rows


def _compared(row: _TurnCalls, index: int) -> ArgumentComparison:
    return row.paired.compared.get(index, ArgumentComparison(0))


def _fields(expected: CallExpectation, argument: SemanticArgument) -> Fields:
    return (
        ("tool", expected.call.name),
        ("argument", argument.name),
        ("expected", json.dumps(argument.expected, ensure_ascii=False)),
        ("given", json.dumps(argument.given, ensure_ascii=False)),
    )


def _turn_verdict(
    row: _TurnCalls, subject: Subject, criterion: Criterion, answers_by_call: dict[tuple[int, int], list[JudgeAnswer]]
) -> MetricVerdict:
    if row.off:
        return MetricVerdict(criterion.metric, None, Status.SKIPPED, reason=row.off)
    outcomes, replies = [], list[Reply]()
    for index in row.paired.judged:
        answers = answers_by_call[row.number, index]
        replies += [reply for answer in answers for reply in answer.replies]
        outcomes.append(_outcome(row, index, subject, criterion, answers))
    score = plain_mean(outcome.score for outcome in outcomes if outcome.score is not None)
    status = overall_status(outcome.status for outcome in outcomes)
    threshold = settings_of(criterion.metric, subject, criterion, row.golden).threshold
    first = next((outcome for outcome in outcomes if outcome.status is status and status is not Status.PASSED), None)
    reason = joined(row.missing_turn, f"{first.what}: {first.reason}" if first else threshold.text)
    verdict = MetricVerdict(criterion.metric, score, status, threshold.value, reason, expectations=tuple(outcomes))
    return with_replies(verdict, replies)


def _outcome(
    row: _TurnCalls, index: int, subject: Subject, criterion: Criterion | None, answers: Sequence[JudgeAnswer]
) -> ExpectationVerdict:
    expected = row.paired.expectations[index]
    what = f"call {call_line(expected.call)}"
    if index not in row.paired.pairs:
        return ExpectationVerdict(what, Status.NOT_EVALUATED, reason=NOT_CALLED, golden_place=expected.place)
    settings = settings_of(PARAMETERS, subject, criterion, row.golden, expected.expectation)
    made = row.paired.made[row.paired.pairs[index]]
    if settings.off:
        return ExpectationVerdict(
            what, Status.SKIPPED, reason=settings.off, place=made.place, golden_place=expected.place
        )
    score, reason = scored(_compared(row, index), answers)
    threshold = settings.threshold
    return ExpectationVerdict(
        what,
        against(score, threshold.value),
        score,
        joined(reason, threshold.text),
        figures=(("arguments expected", float(_compared(row, index).expected)),),
        place=made.place,
        golden_place=expected.place,
    )


def scored(compared: ArgumentComparison, answers: Sequence[JudgeAnswer] = ()) -> tuple[float | None, str]:
    """The share of arguments that are as expected, with a reason; None where undecided."""
    if compared.problem:
        return None, compared.problem
    differ = ", ".join(f"“{one_line(name, 60)}”" for name in compared.differing[:5])
    remark = f"{differ} {'differs' if len(compared.differing) == 1 else 'differ'}" if differ else ""
    decided = [answer.value == 1.0 for answer in answers if answer.value is not None]
    if len(decided) < len(compared.by_meaning):
        waiting = "“, “".join(
            one_line(name, 60) for name in dict.fromkeys(argument.name for argument in compared.by_meaning)
        )
        why = next((answer.reason for answer in answers if answer.value is None), "")
        verb = "is" if compared.undecided == 1 else "are"
        return None, joined(remark, why or NEEDS_JUDGE.format(f"“{waiting}” {verb}"))
    means_other = [
        f"“{one_line(argument.name, 60)}” means something else{f' ({answer.reason})' if answer.reason else ''}"
        for argument, answer in zip(compared.by_meaning, answers, strict=True)
        if answer.value != 1.0
    ]
    return compared.score(decided), joined(remark, *means_other)


METHOD = Method(_judge, parameters=AskedOptions, check=asked_options)
