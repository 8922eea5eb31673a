"""`ces_expectations`: every expectation of a golden turn or a scenario with its outcome, in the order of the file."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import ToolCall, ToolResult, Transfer
from trace_inspector.core.trace.summary import call_line, one_line
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import ExpectationVerdict, MetricVerdict, Status, against
from trace_inspector.engine.ces.answers import (
    CONTAINS,
    EQUALS,
    agent_texts,
    agent_words,
    answer_place,
    compared_by,
    expected_words,
)
from trace_inspector.engine.ces.arguments import ArgumentComparison
from trace_inspector.engine.ces.call_policy import extra_calls_status
from trace_inspector.engine.ces.calls import PairedCalls, first_of, pair_calls, parts_of, transfers_of
from trace_inspector.engine.ces.identity import same_name
from trace_inspector.engine.ces.options import AskedOptions, asked_options
from trace_inspector.engine.ces.parameters import NOT_CALLED, scored
from trace_inspector.engine.ces.scenario_expectations import judge_scenario
from trace_inspector.engine.ces.settings import (
    EXPECTATIONS,
    EXTRA_CALLS,
    PARAMETERS,
    SEMANTIC_SIMILARITY,
    settings_of,
)
from trace_inspector.engine.ces.turn_verdicts import MISSING_TURN, joined, of_golden_turns, overall_status
from trace_inspector.engine.ces.values import same_value
from trace_inspector.engine.ces.variables import variables_outcome
from trace_inspector.engine.scoring.matching import matchers_of
from trace_inspector.engine.scoring.metric import Inquiry, Method, PairedTurn, Subject
from trace_inspector.engine.scoring.scoring import plain_mean

_NOTHING = "the golden expects nothing"
_BY_MEANING = f"compared by meaning; {SEMANTIC_SIMILARITY} decides"


class _Turn(Struct, frozen=True):
    """One golden turn and the observed one."""

    number: int
    golden: Turn
    observed: Turn | None
    paired: PairedCalls
    subject: Subject


def _judge(subject: Subject, criterion: Criterion) -> Inquiry:
    if subject.case is not None and subject.case.scenario is not None:
        return (yield from judge_scenario(subject, criterion))
    numbers = {id(row): index for index, row in enumerate(subject.turns)}
    matchers = matchers_of(subject.case.matchers if subject.case else ())

    def say(golden: Turn, row: PairedTurn) -> MetricVerdict | None:
        if not golden.expectations:
            return None
        off = settings_of(EXPECTATIONS, subject, criterion, golden).off
        if off:
            return MetricVerdict(EXPECTATIONS, None, Status.SKIPPED, reason=off)
        paired = pair_calls(golden, row.observed, matchers)
        return _turn_verdict(_Turn(numbers[id(row)], golden, row.observed, paired, subject))

    judged = of_golden_turns(subject, criterion, say, _NOTHING)
    every = tuple(outcome for verdict in judged.turns if verdict for outcome in verdict.expectations)
    return replace(judged, overall=replace(judged.overall, expectations=every))


def _turn_verdict(turn: _Turn) -> MetricVerdict:
    outcomes = [
        _OUTCOMES[expectation.kind](turn, expectation)
        for expectation in turn.golden.expectations
        if expectation.kind in _OUTCOMES
    ] + _extra_calls(turn)
    decided = [outcome for outcome in outcomes if outcome.status in (Status.PASSED, Status.FAILED)]
    score = plain_mean(float(outcome.status is Status.PASSED) for outcome in decided)
    status = overall_status(
        outcome.status for outcome in outcomes if not outcome.extra or outcome.status is Status.FAILED
    )
    wrong = next((outcome for outcome in outcomes if outcome.status is status and status is not Status.PASSED), None)
    reason = joined("" if turn.observed else MISSING_TURN, joined_reason(wrong))
    return MetricVerdict(EXPECTATIONS, score, status, 1.0, reason, expectations=tuple(outcomes))


def joined_reason(outcome: ExpectationVerdict | None) -> str:
    """What an outcome is about, and its reason."""
    if outcome is None:
        return ""
    return f"{outcome.what}: {outcome.reason}" if outcome.reason else outcome.what


def _extra_calls(turn: _Turn) -> list[ExpectationVerdict]:
    settings = settings_of(EXTRA_CALLS, turn.subject, None, turn.golden)
    status = extra_calls_status(settings)
    return [
        ExpectationVerdict(
            f"call {call_line(call)}", status, reason="it was not expected", extra=True, place=call.place
        )
        for call in turn.paired.extra
    ]


def _outcome(expectation: Expectation, what: str, met: bool, reason: str = "", place: str = "") -> ExpectationVerdict:
    """An outcome that is met or not; skipped if the expectation is."""
    if expectation.skipped:
        return ExpectationVerdict(what, Status.SKIPPED, place=place, golden_place=expectation.place)
    status = Status.PASSED if met else Status.FAILED
    return ExpectationVerdict(
        what, status, float(met), "" if met else reason, place=place, golden_place=expectation.place
    )


def _call(turn: _Turn, expectation: Expectation) -> ExpectationVerdict:
    index = next(
        (
            index
            for index, call_expected in enumerate(turn.paired.expectations)
            if call_expected.expectation is expectation
        ),
        None,
    )
    if index is None:
        return ExpectationVerdict(
            "call", Status.NOT_EVALUATED, reason="the expectation names no call", golden_place=expectation.place
        )
    what = f"call {call_line(turn.paired.expectations[index].call)}"
    made_index = turn.paired.pairs.get(index)
    if made_index is None or expectation.skipped:
        return _outcome(expectation, what, met=False, reason=NOT_CALLED)
    made, compared = turn.paired.made[made_index], turn.paired.compared[index]
    settings = settings_of(PARAMETERS, turn.subject, None, turn.golden, expectation)
    if settings.off:
        return _outcome(expectation, what, met=True, place=made.place)
    by_judge = _outcome_by(turn, PARAMETERS, expectation) if compared.by_meaning else None
    return by_judge or _by_arguments(what, expectation, made, compared, turn)


def _by_arguments(
    what: str, expectation: Expectation, made: ToolCall, compared: ArgumentComparison, turn: _Turn
) -> ExpectationVerdict:
    score, reason = scored(compared)
    threshold = settings_of(PARAMETERS, turn.subject, None, turn.golden, expectation).threshold
    return ExpectationVerdict(
        what,
        against(score, threshold.value),
        score,
        joined(reason, threshold.text),
        place=made.place,
        golden_place=expectation.place,
    )


def _answer(turn: _Turn, expectation: Expectation) -> ExpectationVerdict:
    words = expected_words(expectation)
    what = f"answer “{one_line(words, 80)}”"
    agent_text = agent_words(turn.observed) if turn.observed else ""
    how = compared_by(expectation)
    place = answer_place(turn.observed) if turn.observed else ""
    if how == EQUALS:
        parts = agent_texts(turn.observed) if turn.observed else []
        met = words.strip() in {agent_text.strip(), *(part.strip() for part in parts)}
        return _outcome(expectation, what, met, "the agent did not say exactly this", place)
    if how == CONTAINS:
        return _outcome(expectation, what, words in agent_text, "what the agent said does not contain this", place)
    if expectation.skipped:
        return _outcome(expectation, what, met=False)
    by_judge = _outcome_by(turn, SEMANTIC_SIMILARITY, expectation)
    silent = ExpectationVerdict(what, Status.NOT_EVALUATED, reason=_BY_MEANING, golden_place=expectation.place)
    return by_judge or silent


def _outcome_by(turn: _Turn, metric: str, expectation: Expectation) -> ExpectationVerdict | None:
    """The outcome of another metric for an expectation in this turn."""
    for judged in turn.subject.earlier:
        verdict = judged.turns[turn.number] if judged.overall.metric == metric else None
        for outcome in verdict.expectations if verdict else ():
            if outcome.golden_place == expectation.place:
                return outcome
    return None


def _result(turn: _Turn, expectation: Expectation) -> ExpectationVerdict:
    expected = first_of(expectation.parts, ToolResult)
    if expected is None:
        return ExpectationVerdict("result", Status.NOT_EVALUATED, reason="the expectation names no tool")
    given = [
        part
        for part in (parts_of(turn.observed) if turn.observed else ())
        if isinstance(part, ToolResult) and same_name(expected.name, part.name)
    ]
    matching = next((part for part in given if same_value(expected.value, part.value)), None)
    reason = "the tool returned a different result" if given else "the tool returned no result"
    what = f"result of {one_line(expected.name, 60)}"
    return _outcome(expectation, what, matching is not None, reason, matching.place if matching else "")


def _transfer(turn: _Turn, expectation: Expectation) -> ExpectationVerdict:
    expected = first_of(expectation.parts, Transfer)
    target = expected.target if expected else ""
    made = list(transfers_of(turn.observed)) if turn.observed else []
    matching = next((transfer for transfer in made if same_name(target, transfer.target)), None)
    what = f"transfer to {one_line(target, 60)}"
    return _outcome(
        expectation, what, matching is not None, "this transfer was not made", matching.place if matching else ""
    )


def _variables(turn: _Turn, expectation: Expectation) -> ExpectationVerdict:
    return variables_outcome(expectation, turn.observed, turn.subject.trace)[1]


def _no_calls(turn: _Turn, expectation: Expectation) -> ExpectationVerdict:
    made = turn.paired.made
    named = ", ".join(one_line(call.name, 60) for call in made[:5])
    met = turn.observed is not None and not made
    return _outcome(expectation, "no calls", met, f"called: {named}" if made else MISSING_TURN)


_OUTCOMES: Mapping[Expects, Callable[[_Turn, Expectation], ExpectationVerdict]] = {
    Expects.CALL: _call,
    Expects.RESULT: _result,
    Expects.ANSWER: _answer,
    Expects.TRANSFER: _transfer,
    Expects.VARIABLES: _variables,
    Expects.NO_CALLS: _no_calls,
}

METHOD = Method(_judge, parameters=AskedOptions, check=asked_options)
