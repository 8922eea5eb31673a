"""A calibration in words that lines and the page share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trace_inspector.core.review.label import Split
from trace_inspector.core.verdict.figures import percent
from trace_inspector.engine.calibration.calibration import WANTED_HALF, Calibration
from trace_inspector.engine.calibration.estimate import Estimate

RANDOM = "labelled outputs are a random draw, or one by the judge’s verdict alone"
AS_RIGHT = "the judge is right as often on the labelled outputs as on the others; how many of them fail may differ"
NOT_RANDOM = (
    "The judge fails another share of the labelled outputs than of the others, so they are no random draw: believe "
    "the rate by PPI only if labels were chosen by the judge’s verdict alone, that by Rogan–Gladen only if not."
)
_LEAST_FOR_KAPPA = 20  # outputs
_FEW_OF_A_KIND = 10  # with 5 failing of 100 the intervals of κ and AC1 hold in 87 to 88 of 100, not in 95
_SPLITS = {
    Split.TEST: "Only the test part counts; the judge may be tuned on all others",
    Split.DEV: "All labels are of the dev part, on which the judge is tuned: it looks better there than it is",
}


def verdict_word(failed: bool) -> str:
    """A verdict as labels say it."""
    return "fail" if failed else "pass"


def judge_words(found: Calibration) -> str:
    """The judge in few words."""
    judge = found.judge
    parts = [judge.model or "model not stated"]
    parts += [f"{judge.samples} {'vote' if judge.samples == 1 else 'votes'}"] if judge.samples else []
    parts += [judge.provenance] if judge.provenance else []
    return f"{', '.join(parts)}; {judge.digest[:12]}"


def agreement_words(agreeing: int, compared: int, kappa: float | None) -> str:
    """How far a judge agrees with people, beside its verdicts; few outputs tell nothing of κ (of two, −0.68 to 1)."""
    words = f"agrees with people on {agreeing:,} of {compared:,}"
    return words if kappa is None or compared < _LEAST_FOR_KAPPA else f"{words} (κ {number(kappa)})"


def label_words(found: Calibration) -> str:
    """How many labels are compared, of how many people, and which are not."""
    labels = found.labels
    compared = f"{_counted(found.compared, 'output')} of {found.agreement.counts.judged:,} with a verdict and a label"
    parts = [f"{compared}, by {_counted(labels.raters, 'rater')}"]
    parts += [f"{_counted(labels.unsure, 'label')} unsure, counted nowhere"] if labels.unsure else []
    if labels.undecided:
        parts.append(f"{_counted(labels.undecided, 'output')} left out, as people are divided")
    if labels.no_number:
        parts.append(f"{_counted(labels.no_number, 'number')} left out, as nothing tells from where on they pass")
    if labels.not_blind:
        seen = _counted(labels.not_blind, "label")
        parts.append(f"{seen} not marked as blind, so that the verdict may have been in sight")
    return "; ".join(parts)


def notes(found: Calibration) -> Iterator[str]:
    """What a reader must know before the figures, in sentences."""
    if found.stale:
        yield f"Stale: {found.stale}."
    pair = found.rejudged
    if pair is not None:
        same = _counted(pair.both_right + pair.both_wrong, "output")
        chance = f"p = {pair.chance:.2g} by McNemar’s exact test"
        yield (
            f"The newest judge is right on {pair.only_after:,} where this one is wrong, wrong on "
            f"{pair.only_before:,} where it is right, and as right on {same} ({chance})."
        )
    split = _SPLITS.get(found.labels.split)
    if split:
        left = f" ({_counted(found.labels.left_out, 'output')} left out)" if found.labels.left_out else ""
        yield f"{split}{left}."
    yield from (f"{note[0].upper()}{note[1:]}." for note in found.notes)
    rarest = min(found.agreement.counts.failing, found.agreement.counts.passing)
    if 0 < rarest < _FEW_OF_A_KIND:
        kind = "failing" if found.agreement.counts.failing == rarest else "passing"
        yield (
            f"People labelled only {_counted(rarest, f'{kind} output')}: the intervals of κ and AC1 may "
            "be too narrow; look at sensitivity and specificity."
        )
    if not found.rates.drawn_at_random:
        yield NOT_RANDOM


def figures(found: Calibration) -> Iterator[tuple[str, str, str, str]]:
    """The figures in the order in which they matter: name, value, interval, and what it says."""
    agreement, counts = found.agreement, found.agreement.counts
    base = "" if agreement.base_rate is None else f"saying the same always would get {percent(agreement.base_rate)}"
    yield _share(
        "sensitivity", agreement.sensitivity, f"of {_counted(counts.failing, 'failure')} it found {counts.tp:,}"
    )
    yield _share(
        "specificity",
        agreement.specificity,
        f"of {_counted(counts.passing, 'good output')} it let {counts.tn:,} pass",
    )
    yield _share("precision", agreement.precision, f"of {counts.tp + counts.fp:,} that it failed {counts.tp:,} fail")
    yield _share("accuracy", agreement.accuracy, base)
    yield _figure("κ", agreement.kappa, "agreement beyond chance")
    yield _figure("AC1", agreement.ac1, "the same, also where nearly all pass")
    if found.alpha.value is not None:
        yield _figure("α", found.alpha, "between people: no judge can be expected to be better")


def rates(found: Calibration) -> Iterator[tuple[str, str, str, str]]:
    """The pass rate as the judge says it and as people would, in the same form."""
    if found.rates.raw is not None:
        yield "pass rate, raw", percent(found.rates.raw), "", "what the judge says"
    yield _share("by PPI", found.rates.ppi, f"if {RANDOM}")
    yield _share("by Rogan–Gladen", found.rates.rogan_gladen, f"if {AS_RIGHT}")


def plan_lines(found: Calibration) -> Iterator[str]:
    """What to do next: how many labels, and what the judge may decide alone."""
    needed, half = found.needed, f"± {WANTED_HALF * 100:.0f} points"
    if needed.at_random is None:
        yield f"The corrected rate cannot be made exact to {half}: {needed.reason}"
    elif needed.at_random == 0:
        enough = f"The labels are enough for {half}"
        yield enough if found.rates.ppi.value is not None else f"{enough}, once a rate can be corrected"
    else:
        yield (
            f"{half} take about {needed.at_random:,} more labels drawn at random, or {needed.of_failed:,} of what "
            f"the judge failed and {needed.of_passed:,} of what it passed"
        )
    each = found.escalation
    if each is None:
        return
    promise = f"{percent(each.promised)} agreement"
    if each.threshold is None:
        yield f"{promise} cannot be promised for any output: {each.reason}"
    else:
        yield (
            f"{promise} is promised (with 95 %) for the {each.decided:,} outputs where the judge is at least "
            f"{each.threshold:.3g} sure, if labelled outputs are a random draw; {each.queued:,} are left to people"
        )


def number(value: float) -> str:
    """A figure that may be below 0, with a minus sign and no hyphen."""
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def interval_text(found: Estimate) -> str:
    """The interval of a share; "" where there is none."""
    if found.low is None or found.high is None:
        return ""
    return f"{percent(found.low).removesuffix(' %')} to {percent(found.high)}"


def corrected_text(found: Estimate | None) -> str:
    """A corrected rate with its interval, or why there is none."""
    if found is None:
        return "not judged"
    if found.value is None:
        return f"not corrected ({found.reason})"
    interval = interval_text(found)
    return f"{percent(found.value)} ({interval})" if interval else percent(found.value)


def _share(name: str, found: Estimate, means: str) -> tuple[str, str, str, str]:
    return _row(name, found, means, percent)


def _figure(name: str, found: Estimate, means: str) -> tuple[str, str, str, str]:
    return _row(name, found, means, number)


def _row(name: str, found: Estimate, means: str, text: Callable[[float], str]) -> tuple[str, str, str, str]:
    value = "–" if found.value is None else text(found.value)
    if found.low is None or found.high is None:
        return name, value, "", found.reason or means
    return name, value, f"{text(found.low)} to {text(found.high)}", means


def disagreement_count(found: Calibration) -> str:
    """How many disagreements there are."""
    return _counted(len(found.disagreements), "disagreement")


def _counted(count: int, thing: str) -> str:
    return f"{count:,} {thing}{'' if count == 1 else 's'}"
