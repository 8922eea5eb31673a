"""What is known of a sentence, as numbers, and the fitted model that makes them a calibrated probability.

Neither length nor punctuation is among the features. The model is a logistic regression, because each weight can be
read and each label explained by what weighed most (docs/decisions/0048).
`python -m benchmarks.grounding_model --write` fits it and writes its file.
"""

from __future__ import annotations

import enum
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from operator import itemgetter, mul, sub
from typing import Final

from msgspec import Struct

from trace_inspector.engine.grounding.decision.overlap import Overlap
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.facts.fact import FactKind
from trace_inspector.engine.grounding.rules.check import RuleFindings
from trace_inspector.engine.grounding.text.folding import may_have
from trace_inspector.resources import folder


class Sensitivity(enum.Enum):
    """What is worse: a flag that is wrong, or an error that nobody flags."""

    CAREFUL = "careful"  # flags what is surely wrong; some of what is wrong passes
    EAGER = "eager"  # flags whatever may be wrong; more of the flags are wrong


FILE: Final = "model.json"
RECORDS, PROSE = "records", "prose"  # kinds of evidence of which it was measured how many flags are right


class Weight(Struct, frozen=True):
    """What one unit of a feature adds to the score, and the feature's mean where it was fitted."""

    weight: float
    mean: float


class MeasuredFlags(Struct, frozen=True):
    """Which share of flags from a probability on was right, on sentences that the model had not seen."""

    lowest: float
    units: int
    right: float


class Model(Struct, frozen=True, dict=True):  # a dict for the cached properties
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

    @cached_property
    def _numbers(self) -> tuple[Callable[[Mapping[str, float]], Sequence[float]], Sequence[float], Sequence[float]]:
        """What takes the features in the order of the weights, the weights, and the means."""
        weights = list(self.weights.values())
        return itemgetter(*self.weights), [one.weight for one in weights], [one.mean for one in weights]

    def _added(self, features: Mapping[str, float]) -> Iterator[float]:
        """What each feature adds, in the order of the weights."""
        in_order, weights, means = self._numbers
        return map(mul, weights, map(sub, in_order(features), means))

    def score(self, features: Mapping[str, float]) -> float:
        """The sum of what each feature adds; 0 is as likely supported as not in balanced data."""
        return self.intercept + sum(self._added(features))

    def probability(self, features: Mapping[str, float]) -> float:
        """The calibrated probability that a careful reader calls the sentence unsupported."""
        return logistic(self.slope * self.score(features) + self.shift)

    def weighed(self, features: Mapping[str, float]) -> list[str]:
        """The features that speak against the sentence, the heaviest first."""
        against = [
            (added, name) for name, added in zip(self.weights, self._added(features), strict=True) if added > 0
        ]
        against.sort(key=itemgetter(0), reverse=True)
        return [name for _added, name in against]


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


_WHEN: Final = (FactKind.DATE, FactKind.TIME, FactKind.WEEKDAY)
_FACTS: Final = tuple(kind for kind in FactKind if kind is not FactKind.NAME)
_CODES: Final = (FactKind.IDENTIFIER, FactKind.ADDRESS)
_NOT: Final = re.compile(
    r"\b(?:no|not|never|none|without|nor|cannot|nicht|kein\w*|pas|sin|nunca)\b|n['’]t", re.IGNORECASE
)
_IN_DENIALS: Final = ("no", "never", "without", "nicht", "kein", "pas", "sin", "nunca", "n't")
# Of these the weight among records is another one than in prose.
_AMONG_RECORDS: Final = {
    name: f"{name}_among_records"
    for name in (
    "best", "together", "anywhere", "pairs", "clause", "absent", "absent_cause", "coverage", "missing_number",
    "missing_time", "missing_name", "missing_code", "doubtful_number", "misattributed", "found_facts",
    "found_names", "opposite", "denies", "negated_apart", "has_fact", "has_name",
)
}  # fmt: skip
_OF_BOTH: Final = itemgetter(*_AMONG_RECORDS)
_MOST: Final = 3
_MOST_WORDS: Final = 8


def features(
    claim: Claim, checked: RuleFindings, words: Overlap, evidence: Evidence, *, has_records: bool
) -> dict[str, float]:
    """The features of a sentence by name."""
    missing, located = [one.kind for one in checked.missing], [one.kind for one in checked.located]
    in_record = bool(words.passages) and evidence.passages[words.passages[0]].is_record
    among = float(has_records)
    values = {
        "best": words.best,
        "together": words.together,
        "anywhere": words.anywhere,
        "pairs": words.pairs,
        "absent": float(min(_MOST_WORDS, len(words.absent))),
        "clause": words.clause,
        "absent_cause": float(min(_MOST, len(words.caused))),
        "coverage": checked.coverage.share,
        "missing_number": _count(missing, (FactKind.NUMBER,)),
        "doubtful_number": float(min(_MOST, len(checked.doubtful))),
        "derived_number": float(min(_MOST, len(checked.derived))),
        "missing_time": _count(missing, _WHEN),
        "missing_code": _count(missing, _CODES),
        "missing_name": _count(missing, (FactKind.NAME,)),
        "missing_quotation": _count(missing, (FactKind.QUOTATION,)),
        "misattributed": float(bool(checked.misattributed)),
        "opposite": float(bool(checked.opposite[1])),
        "not_in_each": float(bool(checked.not_in_each[1])),
        "has_fact": float(bool(claim.facts)),
        "has_name": float(bool(claim.names)),
        "found_facts": _count(located, _FACTS),
        "found_names": _count(located, (FactKind.NAME,)),
        "unspaced": float(claim.unspaced),
        "denies": float(claim.denies),
        "negated_apart": _negated_apart(claim, words, evidence),
        "record": float(in_record),
        "has_records": among,
    }
    own = _OF_BOTH(values)
    values.update(zip(_AMONG_RECORDS.values(), own if has_records else [among * value for value in own], strict=True))
    return values


def _count(found: Sequence[FactKind], kinds: Iterable[FactKind]) -> float:
    return float(min(_MOST, sum(map(found.count, kinds)))) if found else 0.0


def _negated_apart(claim: Claim, words: Overlap, evidence: Evidence) -> float:
    """1 where only the sentence is negated, -1 where only the passage nearest to it is."""
    if not words.passages:
        return 0.0
    return float(_has_not(claim.wording)) - float(_has_not(evidence.passages[words.passages[0]].text))


@lru_cache(maxsize=1 << 9)
def _has_not(text: str) -> bool:
    return may_have(text, _IN_DENIALS) and _NOT.search(text) is not None
