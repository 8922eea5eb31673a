"""Sides compared with each other, each pair of sides with its conversations, figures and sentence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from trace_inspector.engine.differences.compared import Compared
from trace_inspector.engine.differences.counted import Counted, counted, sentence
from trace_inspector.engine.differences.rule import Comparison


@dataclass(frozen=True)
class SidePair:
    """Two files held against each other. `label` tells which, where there are three: "A–B"."""

    label: str
    left_path: str
    right_path: str
    pairs: tuple[Compared, ...]

    @cached_property
    def counted(self) -> Counted:
        """What differs, in numbers."""
        return counted(self.pairs)

    @cached_property
    def sentence(self) -> str:
        """The same as a sentence."""
        said = sentence(self.counted)
        return f"{self.label}: {said}" if self.label else said


@dataclass(frozen=True, slots=True)
class Differences:
    """One comparison of two or three files by a rule. `notes` are sentences about files that are broken."""

    rule: Comparison
    sides: tuple[SidePair, ...]
    notes: tuple[str, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether anything counts."""
        return any(side.counted.differs for side in self.sides)
