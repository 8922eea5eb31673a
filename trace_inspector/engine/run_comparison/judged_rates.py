"""What a judge says passes in two runs, and what people would say: corrected by labels on outputs of either."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from trace_inspector.core.review.label import Level
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.figures import percent
from trace_inspector.engine.calibration.calibration import Calibration
from trace_inspector.engine.calibration.corrected_rate import CorrectedRates, corrected_rates
from trace_inspector.engine.calibration.counts import Clusters, Counts
from trace_inspector.engine.calibration.estimate import Estimate
from trace_inspector.engine.reports.calibration.as_json import estimate_json
from trace_inspector.engine.reports.calibration.words import AS_RIGHT, RANDOM, corrected_text

_QUESTION_CHARS = 120


class JudgedRates(Struct, frozen=True):
    """The pass rate of one question in one run, as the judge says it and corrected."""

    raw: float | None
    judged: int  # outputs
    labelled: int  # of these; of the other run's where `elsewhere`
    rogan_gladen: Estimate
    ppi: Estimate
    elsewhere: bool = False


class ComparedJudge(Struct, frozen=True):
    """A judged question in two runs; None where one has no verdicts on it."""

    question: str
    level: Level
    base: JudgedRates | None
    new: JudgedRates | None


CORRECTIONS: tuple[tuple[str, str, Callable[[JudgedRates], Estimate]], ...] = (  # name, and what it assumes
    ("PPI", RANDOM, lambda side: side.ppi),
    ("Rogan–Gladen", AS_RIGHT, lambda side: side.rogan_gladen),
)


def compared_judges(base: Iterable[Calibration], new: Iterable[Calibration]) -> tuple[ComparedJudge, ...]:
    """Every question that people answered of either run, with the judge in use in each."""
    before, after = ({(each.question, each.level): each for each in run if not each.stale} for run in (base, new))
    found = []
    for key in {**before, **after}:
        own, other = before.get(key), after.get(key)
        if any(each is not None and each.compared for each in (own, other)):
            found.append(ComparedJudge(*key, _rates(own, other), _rates(other, own)))
    return tuple(found)


def _rates(own: Calibration | None, other: Calibration | None) -> JudgedRates | None:
    """By its own labels; without them by those of the other run, where the same judge decided that."""
    if own is None:
        return None
    if own.compared or other is None:
        return _stated(own.rates, own, own.compared)
    if own.judge != other.judge:
        changed = other.judge.what_changed(own.judge)
        refused = Estimate.refused(f"none of its outputs is labelled, and since the other run {changed}")
        return _stated(CorrectedRates(own.rates.raw, refused, refused, drawn_at_random=True), own, 0)
    borrowed = corrected_rates(_with_labels_of(own.clusters, other.clusters), labels_elsewhere=True)
    return _stated(borrowed, own, other.compared, elsewhere=True)


def _stated(rates: CorrectedRates, own: Calibration, labelled: int, *, elsewhere: bool = False) -> JudgedRates:
    return JudgedRates(
        rates.raw, own.agreement.counts.judged, labelled, rates.rogan_gladen, rates.ppi, elsewhere=elsewhere
    )


def _with_labels_of(own: Clusters, other: Clusters) -> Clusters:
    """The verdicts of one run as those without labels, and only what is labelled of the other one."""
    together = Counter[Counts]()
    for cluster, times in own.items():
        together[Counts(other_failed=cluster.judged_failed, other_passed=cluster.judged - cluster.judged_failed)] += (
            times
        )
    for cluster, times in other.items():
        if cluster.labelled:
            together[Counts(*cluster.cells)] += times
    return together


def judged_lines(judges: Iterable[ComparedJudge]) -> Iterator[str]:
    """Each question: what the judge says, and what people would, with the assumption."""
    for each in judges:
        name = one_line(each.question, _QUESTION_CHARS)
        raw = " → ".join("not judged" if side is None else _raw(side) for side in (each.base, each.new))
        yield f"{name}: the judge passes {raw}"
        for title, assumed, of_side in CORRECTIONS:
            sides = [None if side is None else of_side(side) for side in (each.base, each.new)]
            texts = " → ".join(map(corrected_text, sides))
            is_any = any(side is not None and side.value is not None for side in sides)
            yield f"{name}, by {title}: {texts}{f', if {assumed}' if is_any else ''}"


def _raw(side: JudgedRates) -> str:
    return "nothing" if side.raw is None else f"{percent(side.raw)} of {side.judged:,}"


def judges_json(judges: Iterable[ComparedJudge]) -> list[Json]:
    """The same for programs."""
    return [
        {
            "question": each.question,
            "level": each.level.value,
            "base": None if each.base is None else _rates_json(each.base),
            "new": None if each.new is None else _rates_json(each.new),
        }
        for each in judges
    ]


def _rates_json(side: JudgedRates) -> JsonObject:
    return {
        "raw_pass_rate": side.raw,
        "judged": side.judged,
        "labelled": side.labelled,
        "labels_of_other_run": side.elsewhere,
        "corrected": {"rogan_gladen": estimate_json(side.rogan_gladen), "ppi": estimate_json(side.ppi)},
    }
