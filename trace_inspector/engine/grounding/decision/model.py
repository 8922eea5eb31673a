"""The fitted model: weights of features, a calibrated probability, and the thresholds of the two settings.

It is a logistic regression, because each weight can be read and each label explained by what weighed most
(docs/decisions/0048). `python -m benchmarks.grounding_model --write` fits it and writes its file.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from trace_inspector.resources import folder

FILE: Final = "model.json"
RECORDS, PROSE = "records", "prose"  # kinds of evidence of which it was measured how many flags are right


@dataclass(frozen=True, slots=True)
class Weight:
    """What one unit of a feature adds to the score, and the feature's mean where it was fitted."""

    weight: float
    mean: float


@dataclass(frozen=True, slots=True)
class MeasuredFlags:
    """Which share of flags from a probability on was right, on sentences that the model had not seen."""

    lowest: float
    units: int
    right: float


@dataclass(frozen=True, slots=True)
class Model:
    """A logistic regression whose score is calibrated to the probability that a sentence is unsupported."""

    intercept: float
    weights: Mapping[str, Weight]
    slope: float
    shift: float
    thresholds: Mapping[str, float]
    flags: Mapping[str, Sequence[MeasuredFlags]]  # by the kind of text

    def right_of_ten(self, kind: str, probability: float) -> int:
        """How many of ten flags of about this probability are right on such text by strangers."""
        rows = [row for row in self.flags[kind] if row.lowest <= probability] or self.flags[kind][:1]
        return round(10 * rows[-1].right)

    def score(self, features: Mapping[str, float]) -> float:
        """The sum of what each feature adds; 0 is as likely supported as not in balanced data."""
        return self.intercept + sum(
            weight.weight * (features[name] - weight.mean) for name, weight in self.weights.items()
        )

    def probability(self, features: Mapping[str, float]) -> float:
        """The calibrated probability that a careful reader calls the sentence unsupported."""
        return logistic(self.slope * self.score(features) + self.shift)

    def weighed(self, features: Mapping[str, float]) -> list[str]:
        """The features that speak against the sentence, the heaviest first."""
        added = {name: weight.weight * (features[name] - weight.mean) for name, weight in self.weights.items()}
        return sorted((name for name in added if added[name] > 0), key=lambda name: -added[name])


def logistic(score: float) -> float:
    """The probability of a score."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@cache
def fitted_model() -> Model:
    """The model in resources/grounding."""
    value = json.loads((folder("grounding") / FILE).read_text(encoding="utf-8"))
    return Model(
        value["intercept"],
        {name: Weight(**weight) for name, weight in value["weights"].items()},
        value["calibration"]["slope"],
        value["calibration"]["shift"],
        value["thresholds"],
        {
            kind: tuple(MeasuredFlags(row["from"], row["units"], row["right"]) for row in rows)
            for kind, rows in value["flags"].items()
        },
    )
