"""What the set holds, and how far the words alone, without the evidence, give the labels away."""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import NamedTuple

from tests.project.grounding_set.writing import Line

FLAGGED = ("unsupported", "contradictory")


class Baselines(NamedTuple):
    """Accuracy of flagged against supported on the test part, of what sees the sentence only."""

    majority: float
    length_only: float
    words_only: float  # naive Bayes


def report(parts: dict[str, list[Line]]) -> str:
    lines = [line for part in parts.values() for line in part]
    rows = [table("part", Counter((part, line["label"]) for part, members in parts.items() for line in members))]
    rows += [
        table(name, Counter((line[name], line["label"]) for line in lines)) for name in ("language", "domain", "kind")
    ]
    figures = ", ".join(f"{name} {figure:.3f}" for name, figure in baselines(parts)._asdict().items())
    return "\n\n".join([*rows, figures]) + "\n"


def table(name: str, counts: Counter[tuple[str, str]]) -> str:
    labels = sorted({label for _, label in counts})
    rows = [f"{name:18}" + "".join(f"{label[:13]:>15}" for label in labels) + f"{'all':>7}"]
    for key in sorted({key for key, _ in counts}):
        cells = [counts[key, label] for label in labels]
        rows.append(f"{key:18}" + "".join(f"{cell:15}" for cell in cells) + f"{sum(cells):7}")
    return "\n".join(rows)


def baselines(parts: dict[str, list[Line]]) -> Baselines:
    fit, test = (
        [(x["text"], x["label"] in FLAGGED) for x in parts[part] if x["label"] in (*FLAGGED, "supported")]
        for part in ("fit", "test")
    )
    share = sum(flagged for _, flagged in test) / len(test)
    return Baselines(max(share, 1 - share), length_only(fit, test), naive_bayes(fit, test))


def length_only(fit: list[tuple[str, bool]], test: list[tuple[str, bool]]) -> float:
    best = max(
        ((limit, way) for limit in range(5, 200, 5) for way in (False, True)),
        key=lambda rule: sum(((len(text) > rule[0]) == rule[1]) == flagged for text, flagged in fit),
    )
    return sum(((len(text) > best[0]) == best[1]) == flagged for text, flagged in test) / len(test)


def naive_bayes(fit: list[tuple[str, bool]], test: list[tuple[str, bool]]) -> float:
    counts = {flag: Counter(w for text, flagged in fit if flagged == flag for w in words(text)) for flag in (0, 1)}
    texts = Counter(flagged for _, flagged in fit)
    vocabulary = set(counts[0]) | set(counts[1])
    sums = {flag: sum(counts[flag].values()) + len(vocabulary) for flag in (0, 1)}

    def score(text: str, flag: int) -> float:
        weights = (math.log((counts[flag][w] + 1) / sums[flag]) for w in words(text) if w in vocabulary)
        return math.log(texts[bool(flag)]) + sum(weights)

    return sum((score(text, 1) > score(text, 0)) == flagged for text, flagged in test) / len(test)


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
