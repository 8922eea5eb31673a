"""Fits the model of `local_grounding`: a logistic regression of a sentence's features, with its thresholds.

    TRACE_INSPECTOR_GROUNDING=FOLDER python -m benchmarks.grounding_model [--write]

It is fitted to the part `fit` of our own set, its sentences by strangers as a set of their own, the sentences of the
tests and the sets of other projects; calibration and thresholds also use the part `tune`, and for each other set, and
for situations by strangers, a model that never saw it. The same input gives the same file. It needs nothing but
Python, so that whoever has the sentences can do it again.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from benchmarks.grounding_sets import LabelledUnit, authored, drawn, examples, of_others, own, with_evidence
from benchmarks.regression import newton
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.decision.judge import Decision, cannot_know, examine
from trace_inspector.engine.grounding.decision.model import PROSE, RECORDS, logistic
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import read_claim
from trace_inspector.engine.grounding.text.sentences import split

_FILE = Path(__file__).parents[1] / "resources" / "grounding" / "model.json"
# Two sets with the same conversations and the same source; one may not be measured with the other's help.
RELATED = {"begin-wow-dev": {"q2-wow"}, "q2-wow": {"begin-wow-dev"}}
STRANGERS = "strangers"
OWN = frozenset({"fit", STRANGERS, "examples"})  # sets of this project that are fitted to
_SET_WEIGHT = 600.0
_STRANGERS_WEIGHT = 2_400.0  # they are more, and what the metric is for: drawn sentences should not drown them
_ROUNDS = 3
_FLAGGED = frozenset({SentenceSupport.UNSUPPORTED, SentenceSupport.CONTRADICTORY})
_EAGER = 0.15  # how much lower the threshold of `eager` is
_FOLDS = 4
_SAMPLE_STEP = 10
_UNSEEN = ("stranger", "apart")
_AROUND = 4  # thresholds on either side
_GRID = [round(step / 100, 2) for step in range(20, 81)]


class Candidate(Struct, frozen=True):
    """A sentence that the model decides: its features, and whether it would be flagged at all."""

    features: Mapping[str, float]
    can_be_flagged: bool


class Unit(Struct, frozen=True):
    """A labelled unit with the sentences of it that the model decides, and whether another one is surely wrong."""

    labelled: LabelledUnit
    candidates: tuple[Candidate, ...]
    surely_flagged: bool

    def probability(self, weights: Weights) -> float:
        """How probable it is that one of its sentences is unsupported; 1 where one is for sure."""
        if self.surely_flagged:
            return 1.0
        flaggable = (weights.probability(c.features) for c in self.candidates if c.can_be_flagged)
        return max(flaggable, default=0.0)


class Weights(Struct, frozen=True):
    """A fitted logistic regression of standardised features."""

    names: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float

    def score(self, features: Mapping[str, float]) -> float:
        return self.intercept + sum(
            weight * (features[name] - mean) / scale
            for name, mean, scale, weight in zip(self.names, self.means, self.scales, self.weights, strict=True)
        )

    def probability(self, features: Mapping[str, float]) -> float:
        return logistic(self.score(features))


def read_units(units: Iterable[LabelledUnit]) -> list[Unit]:
    """Judge what is sure of each unit, and take the features of the other sentences."""
    return [_read_unit(unit, evidence) for unit, evidence in with_evidence(units)]


def _read_unit(labelled: LabelledUnit, evidence: Evidence) -> Unit:
    candidates, surely_flagged = [], False
    for span in split(labelled.text):
        claim = read_claim(labelled.text[span.start : span.end], span.form)
        examined = examine(claim, evidence)
        if isinstance(examined, Decision):
            surely_flagged = surely_flagged or examined.support in _FLAGGED
        else:
            candidates.append(Candidate(examined.features, not cannot_know(claim, examined, evidence)))
    return Unit(labelled, tuple(candidates), surely_flagged)


def fit(sets: Mapping[str, Sequence[Unit]]) -> Weights:
    """Fit to labelled units of several sets, each with the same weight, and wrong and right ones alike in each.

    A wrong unit of several sentences does not say which one is wrong: after the first round it is the one that the
    round before found most probable.
    """
    rows, labels, units, shares = _table(sets)
    names = tuple(rows[0])
    columns = [[row[name] for row in rows] for name in names]
    means = tuple(sum(column) / len(column) for column in columns)
    scales = tuple(
        math.sqrt(sum((value - mean) ** 2 for value in column) / len(column)) or 1.0
        for column, mean in zip(columns, means, strict=True)
    )
    table = [
        [1.0, *((row[name] - mean) / scale for name, mean, scale in zip(names, means, scales, strict=True))]
        for row in rows
    ]
    weights = list(shares)
    coefficients = [0.0] * (len(names) + 1)
    for _ in range(_ROUNDS):
        coefficients = newton(table, labels, weights, coefficients)
        weights = _reweighted(table, labels, units, shares, coefficients)
    return Weights(names, means, scales, tuple(coefficients[1:]), coefficients[0])


def _table(
    sets: Mapping[str, Sequence[Unit]],
) -> tuple[list[Mapping[str, float]], list[float], list[int], list[float]]:
    """A row a sentence, with its unit's label, the number of its unit and its weight."""
    rows, labels, units, shares = [], [], [], []
    number = 0
    for name, members in sets.items():
        weight = _STRANGERS_WEIGHT if name == STRANGERS else _SET_WEIGHT
        decided = [unit for unit in members if unit.candidates and not unit.surely_flagged]
        bad = sum(unit.labelled.is_bad for unit in decided)
        for unit in decided:
            alike = bad if unit.labelled.is_bad else len(decided) - bad
            for candidate in unit.candidates:
                rows.append(candidate.features)
                labels.append(float(unit.labelled.is_bad))
                units.append(number)
                shares.append(weight / 2 / alike / len(unit.candidates))
            number += 1
    return rows, labels, units, shares


def _reweighted(
    table: list[list[float]], labels: list[float], units: list[int], shares: list[float], coefficients: list[float]
) -> list[float]:
    scores = [math.fsum(map(float.__mul__, row, coefficients)) for row in table]
    best: dict[int, float] = {}
    count: dict[int, int] = {}
    for unit, score in zip(units, scores, strict=True):
        best[unit] = max(best.get(unit, -math.inf), score)
        count[unit] = count.get(unit, 0) + 1
    return [
        share if not label else (share * count[unit] if score >= best[unit] else 0.0)
        for label, unit, share, score in zip(labels, units, shares, scores, strict=True)
    ]


def balanced_accuracy(flagged: Sequence[bool], bad: Sequence[bool]) -> float:
    """The mean of the shares of wrong and of right units that are recognised."""
    found = sum(f and b for f, b in zip(flagged, bad, strict=True)) / max(1, sum(bad))
    kept = sum(not f and not b for f, b in zip(flagged, bad, strict=True)) / max(1, len(bad) - sum(bad))
    return (found + kept) / 2


def best_threshold(probabilities: Mapping[str, Sequence[float]], sets: Mapping[str, Sequence[Unit]]) -> float:
    """The threshold with the best mean of the sets' balanced accuracies, its neighbours counted: no lucky peak."""

    def mean(threshold: float) -> float:
        return sum(
            balanced_accuracy([p >= threshold for p in values], [unit.labelled.is_bad for unit in sets[name]])
            for name, values in probabilities.items()
        ) / len(probabilities)

    means = [mean(threshold) for threshold in _GRID]
    around = [means[max(0, index - _AROUND) : index + _AROUND + 1] for index in range(len(_GRID))]
    return max(zip(_GRID, around, strict=True), key=lambda pair: sum(pair[1]) / len(pair[1]))[0]


def careful_threshold(probabilities: Sequence[float], units: Sequence[Unit]) -> float:
    """The highest threshold that finds half of what is wrong: flags are to be right, but not by silence."""
    wrong = [p for p, unit in zip(probabilities, units, strict=True) if unit.labelled.is_bad]
    return max(threshold for threshold in _GRID if sum(p >= threshold for p in wrong) * 2 >= len(wrong))


def left_out(sets: Mapping[str, Sequence[Unit]], name: str) -> dict[str, Sequence[Unit]]:
    """The sets to fit to when one is measured: neither it nor what is related to it."""
    return {other: units for other, units in sets.items() if other != name and other not in RELATED.get(name, ())}


def all_sets() -> dict[str, list[Unit]]:
    """What a model is fitted to: our own part, and every set of other projects that is there."""
    return {name: read_units(units) for name, units in _labelled().items()}


def sample_means() -> dict[str, float]:
    """What each feature is on average in a small part of what the model is fitted to.

    The model's file keeps them: where they are others, a rule or a word list was changed and the model was not fitted
    again. To see that takes a second; to fit takes half a minute.
    """
    sample = [unit for units in _labelled().values() for unit in units[::_SAMPLE_STEP]]
    rows = [candidate.features for unit in read_units(sample) for candidate in unit.candidates]
    return {name: round(math.fsum(row[name] for row in rows) / len(rows), 9) for name in rows[0]}


def _labelled() -> dict[str, list[LabelledUnit]]:
    return {"fit": drawn("fit"), STRANGERS: authored("fit"), "examples": examples(), **of_others()}


class HeldOut(Struct, frozen=True):
    """Units with the probabilities of a model that never saw them."""

    units: Sequence[Unit]
    probabilities: tuple[float, ...]


def held_out(sets: Mapping[str, Sequence[Unit]], whole: Weights) -> dict[str, HeldOut]:
    """Each set of other projects judged without it, and the part `tune` judged by the model fitted to all."""
    results = {}
    for name, units in sets.items():
        if name not in OWN:
            weights = fit(left_out(sets, name))
            results[name] = HeldOut(units, tuple(unit.probability(weights) for unit in units))
    tune = read_units(drawn("tune"))
    results["tune"] = HeldOut(tune, tuple(unit.probability(whole) for unit in tune))
    results[STRANGERS] = _by_strangers(sets, whole)
    return results


def _by_strangers(sets: Mapping[str, Sequence[Unit]], whole: Weights) -> HeldOut:
    """Situations by strangers: those fitted to by models without them, in parts, and the part `tune`."""
    situations = sorted({_situation(unit) for unit in sets[STRANGERS]})
    units: list[Unit] = []
    probabilities: list[float] = []
    for part in range(_FOLDS):
        left = set(situations[part::_FOLDS])
        weights = fit(dict(sets) | {STRANGERS: [unit for unit in sets[STRANGERS] if _situation(unit) not in left]})
        here = [unit for unit in sets[STRANGERS] if _situation(unit) in left]
        units += here
        probabilities += [unit.probability(weights) for unit in here]
    tune = read_units(authored("tune"))
    return HeldOut([*units, *tune], (*probabilities, *(unit.probability(whole) for unit in tune)))


def _situation(unit: Unit) -> str:
    return unit.labelled.id.rpartition("-")[0]


def calibrate(results: Iterable[HeldOut]) -> tuple[float, float]:
    """Slope and shift of the score, so that of a hundred sentences of probability 0.7 seventy are unsupported."""
    table, labels, weights = [], [], []
    for held in results:
        open_units = [
            (unit, probability)
            for unit, probability in zip(held.units, held.probabilities, strict=True)
            if unit.candidates and not unit.surely_flagged and 0 < probability < 1
        ]
        for unit, probability in open_units:
            table.append([1.0, math.log(probability / (1 - probability))])
            labels.append(float(unit.labelled.is_bad))
            weights.append(_SET_WEIGHT / len(open_units))
    shift, slope = newton(table, labels, weights, [0.0, 1.0])
    return slope, shift


def main() -> None:
    """Fit, and print how the model does on what it never saw; with --write also write its file."""
    sets = all_sets()
    whole = fit(sets)
    results = held_out(sets, whole)
    slope, shift = calibrate(results.values())
    worth = {name: [calibrated(p, slope, shift) for p in held.probabilities] for name, held in results.items()}
    units = {name: held.units for name, held in results.items()}
    careful = careful_threshold(worth[STRANGERS], units[STRANGERS])
    for name, values in worth.items():
        bad = [unit.labelled.is_bad for unit in units[name]]
        for threshold in sorted({careful, 0.4, 0.5, 0.6, 0.7}):
            print(name, threshold, _measured([p >= threshold for p in values], bad))
    if "--write" in sys.argv[1:]:
        _FILE.parent.mkdir(exist_ok=True)
        _FILE.write_text(
            json.dumps(_as_json(whole, slope, shift, careful, worth, units), indent=1) + "\n", encoding="utf-8"
        )


def calibrated(probability: float, slope: float, shift: float) -> float:
    """A probability of the fit as what it is worth."""
    if probability in (0.0, 1.0):
        return probability
    return logistic(slope * math.log(probability / (1 - probability)) + shift)


def _measured(flagged: Sequence[bool], bad: Sequence[bool]) -> str:
    right = sum(f and b for f, b in zip(flagged, bad, strict=True))
    return (
        f"precision {right / max(1, sum(flagged)):.2f} recall {right / max(1, sum(bad)):.2f} "
        f"balanced {balanced_accuracy(flagged, bad):.3f}"
    )


def _as_json(
    weights: Weights,
    slope: float,
    shift: float,
    careful: float,
    worth: Mapping[str, Sequence[float]],
    units: Mapping[str, Sequence[Unit]],
) -> dict[str, Json]:
    return {
        "intercept": round(weights.intercept, 6),
        "weights": {
            name: {"weight": round(weight / scale, 6), "mean": round(mean, 6)}
            for name, weight, scale, mean in zip(
                weights.names, weights.weights, weights.scales, weights.means, strict=True
            )
        },
        "calibration": {"slope": round(slope, 6), "shift": round(shift, 6)},
        "thresholds": {"careful": careful, "eager": round(careful - _EAGER, 2)},
        "flags": {
            RECORDS: _flags_right(careful, *_unseen(weights, slope, shift)),
            PROSE: _flags_right(
                careful, {name: held for name, held in worth.items() if name not in (STRANGERS, "tune")}, units
            ),
        },
        "reliability": _reliability(worth, units),
        "sample": dict(sample_means()),
    }


def _unseen(weights: Weights, slope: float, shift: float) -> tuple[dict[str, list[float]], dict[str, list[Unit]]]:
    """The parts of which nobody who worked on the metric read a sentence, with what the model says of them.

    They are for what is told of flags, and nothing is chosen by them: what the rules were made with is judged better.
    """
    units = {name: read_units(own(name)) for name in _UNSEEN}
    probabilities = {
        name: [calibrated(unit.probability(weights), slope, shift) for unit in there] for name, there in units.items()
    }
    return probabilities, units


def _flags_right(
    careful: float, worth: Mapping[str, Sequence[float]], units: Mapping[str, Sequence[Unit]]
) -> list[Json]:
    """Which share of the flags of the model is right: between the thresholds of `eager` and `careful`, and above."""
    rows: list[Json] = []
    for lowest, highest in ((careful - _EAGER, careful), (careful, 1.0)):
        bad = [
            unit.labelled.is_bad
            for name, values in worth.items()
            for unit, probability in zip(units[name], values, strict=True)
            if lowest <= probability < highest
        ]
        rows.append({"from": round(lowest, 2), "units": len(bad), "right": round(sum(bad) / max(1, len(bad)), 2)})
    return rows


def _reliability(worth: Mapping[str, Sequence[float]], units: Mapping[str, Sequence[Unit]]) -> list[Json]:
    """For each tenth of probability: how many units, and which share of them is unsupported."""
    bins: list[list[bool]] = [[] for _ in range(10)]
    for name, values in worth.items():
        for unit, probability in zip(units[name], values, strict=True):
            if 0 < probability < 1:
                bins[int(probability * 10)].append(unit.labelled.is_bad)
    return [
        {"from": index / 10, "units": len(bad), "unsupported": round(sum(bad) / len(bad), 2)}
        for index, bad in enumerate(bins)
        if bad
    ]


if __name__ == "__main__":
    main()
