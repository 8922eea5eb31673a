"""Failure modes counted: outputs that show each, whether reading on brings new ones, where each first went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from trace_inspector.core.review.codebook import Codebook, Mode
from trace_inspector.core.review.fault_places import FaultPlace
from trace_inspector.core.review.label import Answer, Label, Level
from trace_inspector.core.review.label_sets import current


class Output(Struct, frozen=True):
    """An output that people labelled: what they noted, and which modes it shows. `label` is their latest."""

    label: Label
    modes: tuple[str, ...]
    notes: tuple[str, ...]
    fails: bool  # somebody said so; of a number nobody can tell, but a tag does
    first_fault: str = ""

    @property
    def subject(self) -> str:
        """The digest."""
        return self.label.subject

    @property
    def cluster(self) -> str:
        """The case that it is of, as far as its label tells: outputs of one are alike."""
        label = self.label
        return label.case or (f"{label.file}\n{label.trace}" if label.file or label.trace else label.subject)


class ModeCount(Struct, frozen=True):
    """A mode, and the outputs that show it in the order of reading."""

    mode: Mode
    outputs: tuple[Output, ...]

    @property
    def count(self) -> int:
        """How many show it."""
        return len(self.outputs)


class Reading(Struct, frozen=True, dict=True):  # a dict for the cached properties
    """All labelled outputs of a level in the order in which people came to them; modes, the most frequent first.

    Outputs of which everybody was unsure are counted nowhere but in `unsure`.
    """

    outputs: tuple[Output, ...] = ()
    modes: tuple[ModeCount, ...] = ()
    unsure: int = 0

    @cached_property
    def failures(self) -> tuple[Output, ...]:
        """Those that fail."""
        return tuple(output for output in self.outputs if output.fails)

    @cached_property
    def untagged(self) -> tuple[Output, ...]:
        """Failures of which nobody said how they fail."""
        return tuple(output for output in self.failures if not output.modes)

    @cached_property
    def saturation(self) -> tuple[int, ...]:
        """How many modes were known after each failure that shows one."""
        seen: set[str] = set()
        curve = []
        for output in self.outputs:
            if output.modes:
                seen.update(output.modes)
                curve.append(len(seen))
        return tuple(curve)

    @property
    def since_new(self) -> int:
        """How many of the failures that show a mode came after the last one that brought a new one."""
        curve = self.saturation
        return len(curve) - 1 - curve.index(curve[-1]) if curve else 0

    def counted(self, name: str) -> ModeCount | None:
        """A mode by its name of today."""
        return next((counted for counted in self.modes if counted.mode.name == name), None)


def reading(labels: Iterable[Label], book: Codebook, level: Level = Level.TURN, question: str = "") -> Reading:
    """What people read. `question` is one, "" all of them: several about one output are one output here."""
    meant = [label for label in labels if label.level is level and question in ("", label.question)]
    first: dict[str, str] = {}
    for label in meant:
        if label.value is not None:
            first[label.subject] = min(label.at, first.get(label.subject, label.at))
    said: dict[str, list[Label]] = {}
    unsure: set[str] = set()
    for label in current(meant).values():
        if label.value is Answer.UNSURE:
            unsure.add(label.subject)
        else:
            said.setdefault(label.subject, []).append(label)
    order = sorted(said, key=lambda subject: (first[subject], subject))
    spelled: dict[str, str] = {}
    outputs = tuple(_output(said[subject], book, spelled) for subject in order)
    return Reading(outputs, _counted(outputs, book), len(unsure - said.keys()))


def _output(labels: list[Label], book: Codebook, spelled: dict[str, str]) -> Output:
    """An output by its labels. `spelled` has the first spelling of each mode."""
    by_time = sorted(labels, key=lambda label: label.at)
    faults = [label for label in by_time if label.value is not Answer.PASS]
    fails = any(label.value is Answer.FAIL or label.tags for label in faults)
    tags = (tag for label in faults for tag in label.tags)
    modes = book.modes_of(tags, by_time[0].subject) if fails else ()
    return Output(
        by_time[-1],
        tuple(spelled.setdefault(mode.key, mode.name) for mode in modes),
        tuple(dict.fromkeys(label.note for label in faults if label.note.strip())),
        fails,
        next((label.first_fault for label in reversed(faults) if label.first_fault), ""),
    )


def _counted(outputs: Iterable[Output], book: Codebook) -> tuple[ModeCount, ...]:
    """Every mode of the codebook, and every tag that it does not have, in the first spelling."""
    showing: dict[str, list[Output]] = {mode.name: [] for mode in book.modes}
    for output in outputs:
        for name in output.modes:
            showing.setdefault(name, []).append(output)
    counted = [ModeCount(book.mode(name), tuple(each)) for name, each in showing.items()]
    return tuple(sorted(counted, key=lambda each: (-each.count, each.mode.key)))


Axis: TypeAlias = Callable[[FaultPlace], str]
Cell: TypeAlias = tuple[Output, ...]


class Matrix(Struct, frozen=True):
    """Failure modes by where it first went wrong. "" is the column of outputs of which that is not known."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


def matrix(read: Reading, places: Mapping[str, FaultPlace], axis: Axis) -> Matrix:
    """Places by the number of their failures, those not known last; `places` are by the digest of outputs."""
    of_output = {output.subject: axis(places.get(output.subject, _UNKNOWN)) for output in read.failures}
    used = Counter(of_output[output.subject] for output in read.failures if output.modes)
    columns = sorted(used, key=lambda place: (not place, -used[place], _by_number(place)))
    rows = []
    for counted in read.modes:
        cells: dict[str, list[Output]] = {place: [] for place in columns}
        for output in counted.outputs:
            cells[of_output[output.subject]].append(output)
        if counted.outputs:
            rows.append((counted.mode.name, tuple(tuple(cells[place]) for place in columns)))
    return Matrix(tuple(columns), tuple(rows))


_UNKNOWN = FaultPlace()


def _by_number(place: str) -> tuple[str, int, str]:
    """“turn 10” after “turn 2”."""
    word, _, number = place.rpartition(" ")
    return (word, int(number), "") if number.isdecimal() else (place, 0, place)
