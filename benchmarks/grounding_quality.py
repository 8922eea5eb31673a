"""How often `local_grounding` is right, on sentences that it was not fitted to.

Of our own sets the part `test`, and with --stranger, --apart and --fourth the parts of these names, not to be
measured often, are measured with the model as it is shipped. Each set of other projects, read where
TRACE_INSPECTOR_GROUNDING names a folder of them, is measured by a model that never saw it, beside a share of
words and ROUGE-1 recall with thresholds that were chosen on the other sets.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from benchmarks.grounding_model import (
    OWN,
    Unit,
    Weights,
    all_sets,
    balanced_accuracy,
    best_threshold,
    calibrated,
    fit,
    left_out,
)
from benchmarks.grounding_sets import LabelledUnit, authored, first_set, own
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.decision.model import Sensitivity, fitted_model
from trace_inspector.engine.grounding.text.words import find_words, keys_of
from trace_inspector.engine.metrics.local.local_grounding import METHOD
from trace_inspector.engine.scoring.metric import Judged, PairedTurn, Subject

_BAD = frozenset({SentenceSupport.UNSUPPORTED, SentenceSupport.CONTRADICTORY})
_DRAWS: Final = 400  # of the bootstrap
_HEAD: Final = (
    f"{'set':<22} {'units':>5} {'bad':>5} {'flagged':>7} {'precision':>9} {'recall':>6} {'balanced':>8} {'95 %':>13} "
    f"{'cannot tell':>11}"
)


class Judgement(Struct, frozen=True):
    """One unit with the labels of its sentences."""

    unit: LabelledUnit
    supports: tuple[SentenceSupport, ...]

    @property
    def is_flagged(self) -> bool:
        """Whether any sentence of it is called unsupported or contradictory."""
        return not _BAD.isdisjoint(self.supports)

    @property
    def cannot_tell(self) -> bool:
        """Whether nothing is said of it but that it cannot be told."""
        return not self.is_flagged and SentenceSupport.CANNOT_TELL in self.supports


def judged(unit: LabelledUnit) -> Judgement:
    """What the metric as it is shipped says of a unit."""
    turn = unit.turn()
    result = METHOD.judge(Subject((PairedTurn(None, turn),), Trace("t", (turn,))), Criterion("local_grounding"))
    if not isinstance(result, Judged) or result.turns[0] is None:
        raise TypeError("the metric gives a verdict at once")
    return Judgement(unit, tuple(sentence.support for sentence in result.turns[0].sentences))


def main() -> None:
    """Print a line for each set and kind."""
    print(_HEAD)
    for name, units in _own_sets():
        judgements = [judged(unit) for unit in units]
        flags = [judgement.is_flagged for judgement in judgements]
        print(_line(name, flags, [unit.is_bad for unit in units], sum(j.cannot_tell for j in judgements)))
        _print_contradictory(judgements)
    _print_others()


def _own_sets() -> Iterator[tuple[str, list[LabelledUnit]]]:
    """Each set with its name. Drawn sentences share phrases with the part that is fitted to; those by hand do not."""
    yield "first 325", first_set()
    test = own("test")
    yield "test", test
    yield "test, by hand", [unit for unit in test if unit.id.startswith("hand-")]
    yield "tune, by strangers", authored("tune")
    for name in ("stranger", "apart", "fourth"):
        if f"--{name}" in sys.argv[1:]:
            yield name, own(name)


def _print_contradictory(judgements: Sequence[Judgement]) -> None:
    called = [judgement for judgement in judgements if SentenceSupport.CONTRADICTORY in judgement.supports]
    labels = Counter(judgement.unit.label for judgement in called)
    right = labels["contradictory"]
    print(f"  called contradictory: {len(called)}, labelled so {right}, labelled unsupported {labels['unsupported']}")


def _print_others() -> None:
    sets = all_sets()
    pooled: dict[str, tuple[list[bool], list[bool]]] = {}
    for name, units in sets.items():
        if name in OWN:
            continue
        training = left_out(sets, name)
        weights = fit(training)
        bad = [unit.labelled.is_bad for unit in units]
        for title, flags in (
            (name, [_is_flagged(unit, weights) for unit in units]),
            ("  share of words", _flags(units, training, _words_missing)),
            ("  ROUGE-1 recall", _flags(units, training, _tokens_missing)),
        ):
            whole = pooled.setdefault(title if title.startswith("  ") else "pooled", ([], []))
            whole[0].extend(flags)
            whole[1].extend(bad)
            print(_line(title, flags, bad, 0))
    for title, (flags, bad) in pooled.items():
        print(_line(title, flags, bad, 0))


def _flags(
    units: Sequence[Unit], training: Mapping[str, Sequence[Unit]], score: Callable[[Unit], float]
) -> list[bool]:
    """Which units reach the threshold that is best for the sets that were fitted to."""
    threshold = best_threshold({name: [score(unit) for unit in there] for name, there in training.items()}, training)
    return [score(unit) >= threshold for unit in units]


def _is_flagged(unit: Unit, weights: Weights) -> bool:
    """Whether a model that never saw a unit flags it at the default setting."""
    model = fitted_model()
    probability = calibrated(unit.probability(weights), model.slope, model.shift)
    return probability >= model.thresholds[Sensitivity.CAREFUL.value]


def _words_missing(unit: Unit) -> float:
    """The share of content words that the context lacks."""
    words = keys_of(find_words(unit.labelled.text))
    context = keys_of(find_words(repr(unit.labelled.results)))
    return len(words - context) / len(words) if words else 0.0


def _tokens_missing(unit: Unit) -> float:
    """1 − the recall of ROUGE-1."""
    tokens = Counter(re.findall(r"[a-z0-9]+", unit.labelled.text.lower()))
    context = Counter(re.findall(r"[a-z0-9]+", repr(unit.labelled.results).lower()))
    return 1 - (tokens & context).total() / tokens.total() if tokens else 0.0


def _line(name: str, flags: Sequence[bool], bad: Sequence[bool], cannot_tell: int) -> str:
    right = sum(flag and wrong for flag, wrong in zip(flags, bad, strict=True))
    low, high = _interval(flags, bad)
    return (
        f"{name:<22} {len(bad):>5} {sum(bad):>5} {sum(flags):>7} {_share(right, sum(flags)):>9} "
        f"{_share(right, sum(bad)):>6} {balanced_accuracy(flags, bad):>8.3f} {f'{low:.3f}–{high:.3f}':>13} "
        f"{cannot_tell:>11}"
    )


def _interval(flags: Sequence[bool], bad: Sequence[bool]) -> tuple[float, float]:
    """The middle 95 % of the balanced accuracy over samples drawn with replacement."""
    dice = random.Random(7)
    pairs = list(zip(flags, bad, strict=True))
    draws = sorted(balanced_accuracy(*zip(*dice.choices(pairs, k=len(pairs)), strict=True)) for _ in range(_DRAWS))
    return draws[int(0.025 * _DRAWS)], draws[int(0.975 * _DRAWS)]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "–"


if __name__ == "__main__":
    main()
