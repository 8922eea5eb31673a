"""What a person says instead of a verdict, and how a run reads with it. The run itself is never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Overruled,
    Provenance,
    RunVerdict,
    Status,
    TurnVerdict,
    compose,
    hidden_by,
)


class Overrule(Struct, frozen=True):
    """A person's word on one verdict of a run. Places count from 0; `metric` None is the turn or case as a whole."""

    id: str
    case: int  # which of the run's cases
    status: Status
    at_s: float
    turn: int | None = None  # which of the case's turn verdicts; None is the case
    metric: str | None = None
    note: str = ""
    withdrawn_s: float | None = None


_Place: TypeAlias = "tuple[int | None, str | None]"
_Overrules: TypeAlias = Mapping[_Place, Overrule]


def with_overrules(run: RunVerdict, overrules: Iterable[Overrule]) -> RunVerdict:
    """The run as people see it: each verdict overruled carries its original, and what rests on it is composed anew.

    Of several on one verdict the last counts. Withdrawn ones, and those that fit nothing in the run, do nothing.
    """
    by_case: dict[int, dict[_Place, Overrule]] = {}
    for overrule in overrules:
        if overrule.withdrawn_s is None:
            by_case.setdefault(overrule.case, {})[overrule.turn, overrule.metric] = overrule
    if not any(0 <= index < len(run.cases) for index in by_case):
        return run
    cases = tuple(
        _case(case, by_case[index], run.rules) if index in by_case else case for index, case in enumerate(run.cases)
    )
    return replace(run, cases=cases, status=compose(case.status for case in cases))


def overruled_lines(case: CaseVerdict) -> list[str]:
    """A sentence for each verdict of a case that a person overruled."""
    lines = [_line("the case", case.status, case.overruled)] if case.overruled else []
    lines += [
        _line(metric.metric, metric.status, metric.overruled) for metric in case.metrics if _by_hand(metric.overruled)
    ]
    for turn in case.turns:
        name = f"turn {turn.index + 1}" if turn.index is not None else f"missing turn {(turn.golden_index or 0) + 1}"
        if turn.overruled:
            lines.append(_line(name, turn.status, turn.overruled))
        lines += [
            _line(f"{metric.metric} of {name}", metric.status, metric.overruled)
            for metric in turn.metrics
            if metric.overruled
        ]
    return lines


def _by_hand(overruled: Overruled | None) -> bool:
    return overruled is not None and not overruled.follows


def _line(what: str, status: Status, overruled: Overruled | None) -> str:
    note = f": {overruled.note}" if overruled and overruled.note else ""
    was = overruled.status if overruled else status
    if was is status:
        return f"a person confirmed {what} as {status.value}{note}"
    return f"a person overruled {what} from {was.value} to {status.value}{note}"


def _case(case: CaseVerdict, overrules: _Overrules, rules: str) -> CaseVerdict:
    turns = tuple(_turn(index, turn, overrules, rules) for index, turn in enumerate(case.turns))
    metrics = tuple(_criterion(metric, turns, overrules) for metric in case.metrics)
    if turns == case.turns and metrics == case.metrics and (None, None) not in overrules:
        return case
    # Missing and extra turns fail a case by themselves, until a person says otherwise of each.
    own = [turn.status for turn in turns if _fails_alone(turn, rules)]
    composed = replace(
        case,
        turns=turns,
        metrics=metrics,
        status=compose([*own, *(metric.status for metric in metrics)]),
    )
    whole = overrules.get((None, None))
    if whole:
        composed = replace(composed, status=whole.status, overruled=_mark(case.status, whole))
    hidden = set(hidden_by(case.metrics))
    others = [line for line in case.hides if line not in hidden]
    return replace(composed, hides=(*hidden_by(metrics), *others, *overruled_lines(composed)))


def _turn(index: int, turn: TurnVerdict, overrules: _Overrules, rules: str) -> TurnVerdict:
    whole = overrules.get((index, None))
    metrics = tuple(_metric(metric, overrules.get((index, metric.metric))) for metric in turn.metrics)
    if whole:
        return replace(turn, metrics=metrics, status=whole.status, overruled=_mark(turn.status, whole))
    if metrics == turn.metrics:
        return turn
    own = [Status.FAILED] if _fails_alone(turn, rules) else []
    return replace(turn, metrics=metrics, status=compose([*own, *(metric.status for metric in metrics)]))


def _fails_alone(turn: TurnVerdict, rules: str) -> bool:
    missing_or_extra = bool(turn.reason) and rules != "adk"
    return turn.status is Status.FAILED and (missing_or_extra or turn.overruled is not None)


def _metric(verdict: MetricVerdict, overrule: Overrule | None) -> MetricVerdict:
    if overrule is None:
        return verdict
    return replace(
        verdict, status=overrule.status, provenance=Provenance.HUMAN, overruled=_mark(verdict.status, overrule)
    )


def _criterion(verdict: MetricVerdict, turns: Sequence[TurnVerdict], overrules: _Overrules) -> MetricVerdict:
    """A criterion over the whole case: what a person says of it, else what follows from the turns.

    Scores stay as they are: a person gives a verdict, no number. A turn that a person fails fails the criterion; one
    that did not pass does once nothing in its turns fails any more. So no milder word ever makes a case worse.
    """
    overrule = overrules.get((None, verdict.metric))
    if overrule:
        return _metric(verdict, overrule)
    own = [(turn, metric) for turn in turns for metric in turn.metrics if metric.metric == verdict.metric]
    if not any(_forgiven(turn) or metric.overruled for turn, metric in own):
        return verdict
    if any(metric.overruled and metric.status is Status.FAILED for _turn, metric in own):
        status = Status.FAILED
    elif verdict.status in (Status.PASSED, Status.INFORMATIONAL):
        status = verdict.status
    else:
        status = compose(turn.status if _forgiven(turn) else metric.status for turn, metric in own)
    if status is verdict.status:
        return verdict
    return replace(verdict, status=status, overruled=Overruled(verdict.status, follows=True))


def _forgiven(turn: TurnVerdict) -> bool:
    """A person said of the whole turn that it does not fail; one that does fails the case, not each criterion."""
    return turn.overruled is not None and turn.status is not Status.FAILED


def _mark(original: Status, overrule: Overrule) -> Overruled:
    return Overruled(original, overrule.note, overrule.at_s)
