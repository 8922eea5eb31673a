"""What the budget metrics share: limits for turns and cases; unrecorded values never pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import MetricVerdict, Status, against
from trace_inspector.engine.judges.questions.options import BOTH_NAMES, Options, options_of
from trace_inspector.engine.scoring.metric import CannotJudge, Judged, Subject
from trace_inspector.engine.scoring.scoring import row_name


class Limits(BaseModel):
    """Options that are all limits. An unknown one is refused: a limit that is misspelled would limit nothing."""

    model_config = ConfigDict(alias_generator=BOTH_NAMES, populate_by_name=True, extra="forbid", allow_inf_nan=False)


def limit() -> float | None:
    """The declaration of an option that is a limit: a number, not negative, or nothing."""
    declared: float | None = Field(None, ge=0, strict=True)
    return declared


class Measure(Struct, frozen=True):
    """One thing that a limit is for. `of_case` limits its sum over the turns, else each turn alone."""

    option: str
    words: str  # "the turn took", "output tokens"
    unit: str
    read: Callable[[Turn], float | None]
    of_case: bool = False


class _Spent(Struct, frozen=True):
    """One limit with what was measured; None is not recorded. `at_least` where only a part is known."""

    measure: Measure
    limit: float
    value: float | None
    at_least: bool = False

    @property
    def over(self) -> bool:
        return self.value is not None and self.value > self.limit

    @property
    def unknown(self) -> bool:
        return not self.over and (self.value is None or self.at_least)

    def words(self) -> str:
        name, unit = self.measure.words, self.measure.unit
        if self.value is None:
            return f"{name} is not recorded"
        if self.unknown:
            return f"{name} is not recorded for every turn"
        return f"{name} {_number(self.value)}{unit}, more than {_number(self.limit)}{unit}"


def limits_of(model: type[Options], criterion: Criterion) -> Options:
    """The limits of a criterion, refused with one sentence when there is none."""
    options = options_of(model, criterion)
    if all(getattr(options, name) is None for name in model.model_fields):
        raise CannotJudge(f"{criterion.metric}: give a limit, one or more of {', '.join(model.model_fields)}")
    return options


def judge_limits(subject: Subject, criterion: Criterion, options: BaseModel, measures: Sequence[Measure]) -> Judged:
    """The share of turns within all limits of turns; 0 where a limit of the case is exceeded."""
    given = [(measure, most) for measure in measures if (most := getattr(options, measure.option)) is not None]
    observed = [row.observed for row in subject.turns if row.observed]
    of_turn = [(measure, most) for measure, most in given if not measure.of_case]
    of_case = [_of_case(measure, most, observed) for measure, most in given if measure.of_case]
    turns = tuple(
        _verdict([_Spent(measure, most, _recorded(measure, row.observed)) for measure, most in of_turn], criterion)
        if row.observed and of_turn
        else None
        for row in subject.turns
    )
    if not observed:
        raise CannotJudge("the trace has no turns")
    whole = _verdict(of_case, criterion)
    spoken = zip(subject.turns, turns, strict=True)
    reasons = [f"{row_name(row)}: {verdict.reason}" for row, verdict in spoken if verdict and verdict.reason]
    shown = "; ".join([whole.reason, *reasons[:1]] if whole.reason else reasons[:1])
    more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
    score, status = _overall(whole, [verdict for verdict in turns if verdict], criterion.threshold)
    return Judged(MetricVerdict(criterion.metric, score, status, criterion.threshold, shown + more), turns)


def _recorded(measure: Measure, turn: Turn) -> float | None:
    """The recorded value of a turn; negative and missing values are no record."""
    value = measure.read(turn)
    return value if value is not None and value >= 0 else None


def _of_case(measure: Measure, most: float, turns: Sequence[Turn]) -> _Spent:
    values = [_recorded(measure, turn) for turn in turns]
    recorded = [value for value in values if value is not None]
    return _Spent(measure, most, sum(recorded) if recorded else None, at_least=len(recorded) < len(values))


def _verdict(spent: Sequence[_Spent], criterion: Criterion) -> MetricVerdict:
    over = [budget for budget in spent if budget.over]
    unknown = [budget for budget in spent if budget.unknown]
    score = 0.0 if over else None if unknown else 1.0
    status = Status.NOT_EVALUATED if score is None else against(score, criterion.threshold)
    reason = "; ".join(budget.words() for budget in over or unknown)
    figures = tuple((budget.measure.option.removeprefix("max_"), budget.value) for budget in spent)
    return MetricVerdict(criterion.metric, score, status, criterion.threshold, reason, figures=figures)


def _overall(
    whole: MetricVerdict, turns: Sequence[MetricVerdict], threshold: float | None
) -> tuple[float | None, Status]:
    """The share over the turns, decided only when those that are not recorded could not change it."""
    if whole.score == 0.0:
        return 0.0, against(0.0, threshold)
    scored = [verdict.score for verdict in turns if verdict.score is not None]
    unknown = len(turns) - len(scored)
    score = sum(scored) / len(turns) if turns else 1.0
    worst = Status.NOT_EVALUATED if whole.score is None else against(score, threshold)
    best = against((sum(scored) + unknown) / len(turns) if turns else 1.0, threshold)
    if best is Status.FAILED or worst is best:
        return score, best
    return None, Status.NOT_EVALUATED


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:.6g}"
