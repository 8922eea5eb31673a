"""How dear it is to pair two steps: nothing for equal ones, less the more they have in common."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeAlias

from trace_inspector.core.sequence import NEVER
from trace_inspector.core.steps import Step, features

SameStep: TypeAlias = Callable[[int, int], bool]

# Two unequal pairs are never dearer than one equal pair that moved and what is left of them.
_ALIKE, _UNLIKE = 60, 120  # the same tool with nearly the same arguments, and with nothing in common
HALF_ALIKE = (_ALIKE + _UNLIKE) // 2
_RENAMED = 120  # another tool with the same arguments
_RENAMED_SHARE = 0.75  # of what two calls of different tools must have in common to be taken for one renamed


class Likeness:
    """The costs of pairing steps of two sides. `same` may say that steps are equal although their keys are not.

    Steps and what they have in common are numbered first: large arguments are hashed once and not for every pair.
    """

    def __init__(self, left: Sequence[Step], right: Sequence[Step], same: SameStep | None = None) -> None:
        self._left = left
        self._right = right
        self._same = same
        self.lenient = same is not None
        numbers: dict[Hashable, int] = {}
        self.left_codes = [numbers.setdefault((step.kind, step.key), len(numbers)) for step in left]
        self.right_codes = [numbers.setdefault((step.kind, step.key), len(numbers)) for step in right]
        self._features: dict[Hashable, int] = {}
        self._of_left: dict[int, frozenset[int]] = {}
        self._of_right: dict[int, frozenset[int]] = {}

    def costs(self, rows: Sequence[int], columns: Sequence[int]) -> list[list[int]]:
        """One row of costs for each left step."""
        left = [self._numbered(self._of_left, self._left, at) for at in rows]
        right = [self._numbered(self._of_right, self._right, to) for to in columns]
        bits = _bits(left, right)
        there = [
            (to, self._right[to], self.right_codes[to], _mask(mine, bits), len(mine))
            for to, mine in zip(columns, right, strict=True)
        ]
        return [self._row(at, _mask(mine, bits), len(mine), there) for at, mine in zip(rows, left, strict=True)]

    def cost(self, at: int, to: int) -> int:
        """What pairing one step with another costs."""
        if self.equal(at, to):
            return 0
        step, other = self._left[at], self._right[to]
        if step.kind != other.kind or (step.name != other.name and step.kind != "call"):
            return NEVER
        mine = self._numbered(self._of_left, self._left, at)
        theirs = self._numbered(self._of_right, self._right, to)
        common, both = len(mine & theirs), len(mine) + len(theirs)
        if step.name == other.name:
            return _unlike(common, both)
        return _RENAMED if _renamed(common, both) else NEVER

    def equal(self, at: int, to: int) -> bool:
        """Whether two steps are the same."""
        if self.left_codes[at] == self.right_codes[to]:
            return True
        if self._same is None:
            return False
        left, right = self._left[at], self._right[to]
        return left.kind == right.kind and left.name == right.name and self._same(at, to)

    def _numbered(self, known: dict[int, frozenset[int]], steps: Sequence[Step], at: int) -> frozenset[int]:
        found = known.get(at)
        if found is None:
            numbers = self._features
            found = frozenset([numbers.setdefault(one, len(numbers)) for one in features(steps[at])])
            known[at] = found
        return found

    def _row(self, at: int, mask: int, size: int, there: Sequence[tuple[int, Step, int, int, int]]) -> list[int]:
        step, same = self._left[at], self._same
        kind, name, code = step.kind, step.name, self.left_codes[at]
        row = []
        for to, other, other_code, other_mask, other_size in there:
            if code == other_code:
                row.append(0)
            elif kind != other.kind:
                row.append(NEVER)
            elif name == other.name:
                if same is not None and same(at, to):
                    row.append(0)
                else:
                    row.append(_unlike((mask & other_mask).bit_count(), size + other_size))
            elif kind == "call" and _renamed((mask & other_mask).bit_count(), size + other_size):
                row.append(_RENAMED)
            else:
                row.append(NEVER)
        return row


def _unlike(common: int, both: int) -> int:
    return _UNLIKE - 2 * (_UNLIKE - _ALIKE) * common // both if both else _ALIKE


def _renamed(common: int, both: int) -> bool:
    return both > 0 and 2 * common >= _RENAMED_SHARE * both


def _bits(left: Sequence[frozenset[int]], right: Sequence[frozenset[int]]) -> dict[int, int]:
    """One bit for every feature that both sides have; others are never in common."""
    both = frozenset().union(*left) & frozenset().union(*right)
    return {feature: 1 << at for at, feature in enumerate(both)}


def _mask(mine: frozenset[int], bits: dict[int, int]) -> int:
    return sum([bits[feature] for feature in mine if feature in bits])
