"""The audit of a verdict: where it contradicts its own parts, or hides what would change it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from trace_inspector.core.contradiction import Contradiction
from trace_inspector.core.golden import Case
from trace_inspector.core.triage import fails_without_reason
from trace_inspector.core.verdict import CaseVerdict, MetricVerdict, Provenance, Status, TurnVerdict, compose
from trace_inspector.engine.ces.conversation_metrics import USER_GOAL
from trace_inspector.engine.ces.deriving import derived
from trace_inspector.engine.ces.settings import HALLUCINATION, PARAMETERS
from trace_inspector.engine.ces.task_completed import NAME as TASK_COMPLETED

_DECIDED = (Status.PASSED, Status.FAILED)
_BROKEN = (Status.FAILED, Status.ERROR)
_NEAR = 1e-6  # CES keeps scores in single precision
_ERRORS = frozenset({"errorInfo", "error_info", "error"})
_JUDGE_FAILED = "a call of the judge failed"
_OF_CES = "ces_"


@dataclass(frozen=True, slots=True)
class _Audited:
    """A verdict with what it is about, as far as that is known."""

    verdict: CaseVerdict
    case: Case | None
    observed: int

    def metrics(self) -> Iterator[tuple[TurnVerdict | None, MetricVerdict]]:
        """Every metric, with its turn where it has one."""
        yield from ((None, metric) for metric in self.verdict.metrics)
        for turn in self.verdict.turns:
            yield from ((turn, metric) for metric in turn.metrics)


def audit(verdict: CaseVerdict, case: Case | None = None, turns: int = 0) -> tuple[Contradiction, ...]:
    """All contradictions, the gravest first. A verdict that hides nothing has none. `turns`: those of the trace."""
    audited = _Audited(verdict, case, turns)
    return tuple(found for check in _CHECKS for found in check(audited))


def _passes_with_failure(audited: _Audited) -> Iterator[Contradiction]:
    """Green on top of red."""
    if audited.verdict.status is not Status.PASSED:
        return
    for turn, metric in audited.metrics():
        if metric.status is Status.FAILED:
            said = f"The verdict is passed, and {_name(turn, metric)} failed."
            yield Contradiction("passed-with-failure", said, turn.index if turn else None, metric.metric)
    for turn in audited.verdict.turns:
        if turn.status is Status.FAILED and not any(one.status is Status.FAILED for one in turn.metrics):
            yield Contradiction("passed-with-failure", f"The verdict is passed, and {_of(turn)} failed.", turn.index)


def _fails_without_failure(audited: _Audited) -> Iterator[Contradiction]:
    """Red on top of green: all that is shown passes."""
    verdict = audited.verdict
    if verdict.status is not Status.FAILED or not fails_without_reason(verdict):
        return
    passed = sum(metric.status is Status.PASSED for _turn, metric in audited.metrics())
    hidden = [
        metric
        for _turn, metric in audited.metrics()
        if metric.metric == HALLUCINATION and metric.score in (0.0, -1.0)
    ]
    known = (
        "; the hallucination score, though it does not count, is one that CES is known to fail by" if hidden else ""
    )
    said = f"The verdict is failed, and nothing that it is made of failed ({passed} passed){known}."
    yield Contradiction("scores-pass-but-fail", said)


def _nothing_checked(audited: _Audited) -> Iterator[Contradiction]:
    """Green on top of nothing."""
    if audited.verdict.status is Status.PASSED and not any(
        metric.status in _DECIDED for _turn, metric in audited.metrics()
    ):
        yield Contradiction("nothing-checked", "The verdict is passed, and nothing was checked.")


def _turns_unchecked(audited: _Audited) -> Iterator[Contradiction]:
    """Fewer turns checked than exist."""
    verdict = audited.verdict
    checked = {turn.index for turn in verdict.turns if any(one.status in _DECIDED for one in turn.metrics)}
    golden = len(audited.case.turns) if audited.case else 0
    there = max(len(verdict.turns), audited.observed, golden)
    if verdict.status is Status.PASSED and checked and len(checked) < there:
        said = f"The verdict is passed, and {len(checked)} of {there} turns were checked."
        yield Contradiction("turns-unchecked", said)


def _crash_hidden(audited: _Audited) -> Iterator[Contradiction]:
    """What broke or stayed silent behind a verdict that does not say so."""
    if audited.verdict.status not in (Status.PASSED, Status.NOT_EVALUATED):
        return
    for turn, metric in audited.metrics():
        about = turn.index if turn else None
        if metric.crashed or metric.status is Status.ERROR:
            said = f"{_capital(_name(turn, metric))} broke, and the verdict does not show it."
            yield Contradiction("crash-hidden", said, about, metric.metric)
        elif _JUDGE_FAILED in metric.reason and metric.status is Status.NOT_EVALUATED:
            said = f"The judge failed at {_name(turn, metric)}, and the verdict does not show it."
            yield Contradiction("judge-failed", said, about, metric.metric)


def _error_hidden(audited: _Audited) -> Iterator[Contradiction]:
    """An error is stated, and the verdict is green."""
    verdict = audited.verdict
    if verdict.status is Status.PASSED and any(extra.name in _ERRORS and extra.value for extra in verdict.extras):
        yield Contradiction("error-hidden", "The verdict is passed, and an error is stated beside it.")
    for turn in verdict.turns:
        if turn.status is Status.PASSED and any(extra.name in _ERRORS and extra.value for extra in turn.extras):
            yield Contradiction(
                "error-hidden", f"{_capital(_of(turn))} is passed, and its error is stated.", turn.index
            )


def _against_threshold(audited: _Audited) -> Iterator[Contradiction]:
    """A score on the other side of its own threshold. Of CES's only turns have one: a case is not their mean."""
    for turn, metric in audited.metrics():
        per_turn = metric.metric.startswith(_OF_CES) and (turn is None or metric.metric == PARAMETERS)
        if per_turn or metric.score is None or metric.threshold is None or metric.status not in _DECIDED:
            continue
        if abs(metric.score - metric.threshold) <= _NEAR and metric.status is Status.PASSED:
            continue
        if (metric.score >= metric.threshold) is not (metric.status is Status.PASSED):
            said = (
                f"{_capital(_name(turn, metric))} is {metric.status.value.lower()} with {metric.score:g}, "
                f"and its threshold is {metric.threshold:g}."
            )
            yield Contradiction("score-against-threshold", said, turn.index if turn else None, metric.metric)


def _against_parts(audited: _Audited) -> Iterator[Contradiction]:
    """A metric that says otherwise than its expectations."""
    for turn, metric in audited.metrics():
        failed = [one.what for one in metric.expectations if one.status is Status.FAILED and not one.extra]
        if metric.status is Status.PASSED and failed:
            said = f"{_capital(_name(turn, metric))} is passed, and “{failed[0]}” is not met."
            yield Contradiction("metric-against-parts", said, turn.index if turn else None, metric.metric)


def _nothing_to_assess(audited: _Audited) -> Iterator[Contradiction]:
    """−1 is no claim to assess, or a goal that cannot be told: neither can fail."""
    for turn, metric in audited.metrics():
        if metric.metric in (HALLUCINATION, USER_GOAL) and metric.score == -1 and metric.status is Status.FAILED:
            said = f"{_capital(_name(turn, metric))} is failed with −1, which means that there is nothing to assess."
            yield Contradiction("nothing-to-assess", said, turn.index if turn else None, metric.metric)


def _completed(audited: _Audited) -> Iterator[Contradiction]:
    """A completed task with a term that does not hold, or one that is not completed though all do."""
    said = {metric.metric: metric for metric in audited.verdict.metrics}
    task = said.get(TASK_COMPLETED)
    if task is None or task.provenance is not Provenance.REPORTED or task.status not in _DECIDED:
        return
    terms = derived(audited.verdict, audited.case).status
    if terms in _DECIDED and terms is not task.status:
        told = "completed" if task.status is Status.PASSED else "not completed"
        yield Contradiction(
            "task-against-terms",
            f"The task is {told}, and expectations, hallucination and goal come to {terms.value.lower()}.",
            metric=TASK_COMPLETED,
        )


def _turn_against_parts(audited: _Audited) -> Iterator[Contradiction]:
    """A turn that says otherwise than its metrics; a missing or extra turn has a reason of its own."""
    for turn in audited.verdict.turns:
        parts = compose(metric.status for metric in turn.metrics)
        if turn.status is Status.PASSED and parts in _BROKEN:
            said = f"{_capital(_of(turn))} is passed, and its metrics come to {parts.value.lower()}."
            yield Contradiction("turn-against-parts", said, turn.index)
        elif turn.status is Status.FAILED and parts is Status.PASSED and not turn.reason:
            said = f"{_capital(_of(turn))} is failed, and its metrics come to passed."
            yield Contradiction("turn-against-parts", said, turn.index)


def _derived_differs(audited: _Audited) -> Iterator[Contradiction]:
    """What a file reports of a CES case, and what its parts come to, where nothing above tells of it."""
    verdict = audited.verdict
    if any(_passes_with_failure(audited)) or any(_fails_without_failure(audited)):
        return
    if verdict.provenance is not Provenance.REPORTED or verdict.status not in _DECIDED:
        return
    if not any(metric.metric.startswith(_OF_CES) for _turn, metric in audited.metrics()):
        return
    ours = derived(verdict, audited.case).status
    if ours in _DECIDED and ours is not verdict.status:
        said = f"The file says {verdict.status.value.lower()}, and its parts come to {ours.value.lower()}."
        yield Contradiction("derived-differs", said)


_CHECKS: tuple[Callable[[_Audited], Iterator[Contradiction]], ...] = (
    _passes_with_failure,
    _fails_without_failure,
    _derived_differs,
    _nothing_checked,
    _turns_unchecked,
    _crash_hidden,
    _error_hidden,
    _against_threshold,
    _against_parts,
    _turn_against_parts,
    _nothing_to_assess,
    _completed,
)


def _of(turn: TurnVerdict) -> str:
    if turn.index is None:
        return f"golden turn {(turn.golden_index or 0) + 1}"
    return f"turn {turn.index + 1}"


def _name(turn: TurnVerdict | None, metric: MetricVerdict) -> str:
    return f"{metric.metric} in {_of(turn)}" if turn else metric.metric


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:] if not words.startswith(_OF_CES) else words
