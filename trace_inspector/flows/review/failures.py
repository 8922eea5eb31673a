"""What people's labels tell of failures: modes, rates, notes that no mode has yet, and where it first went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.errors import InspectorError, UsageError
from trace_inspector.core.review.codebook import Codebook
from trace_inspector.core.review.failure_modes import Output, Reading, reading
from trace_inspector.core.review.fault_places import FaultPlace, fault_place
from trace_inspector.core.review.label import Label, Level
from trace_inspector.core.review.note_groups import grouped
from trace_inspector.core.review.subjects import subjects_in
from trace_inspector.core.trace.trace import Turn
from trace_inspector.documents.packing.packing import is_file, is_real_folder
from trace_inspector.engine.failure_modes.rates import ModeRate, rates
from trace_inspector.flows.opening.given_files import open_given, recorded_in
from trace_inspector.flows.review.codebook_file import NAME
from trace_inspector.flows.review.label_files import label_paths, read_label_files

_MOST_BYTES = 64 << 20  # of labels beside a codebook
_MOST_CHARS = 4_000  # of the notes of one output that are looked at for likeness


class Group(Struct, frozen=True):
    """Failures without a mode whose notes are alike, and what they might be called."""

    name: str
    outputs: tuple[Output, ...]


class Failures(Struct, frozen=True):
    """A reading, the shares of its modes, and groups of failures that have notes alone."""

    read: Reading
    rates: tuple[ModeRate, ...] = ()
    groups: tuple[Group, ...] = ()


def failures_of(labels: Iterable[Label], book: Codebook, level: Level = Level.TURN, question: str = "") -> Failures:
    """What the labels tell."""
    read = reading(labels, book, level, question)
    noted = [output for output in read.untagged if output.notes]
    groups = grouped(["\n".join(output.notes)[:_MOST_CHARS] for output in noted])
    return Failures(
        read,
        rates(read),
        tuple(Group(group.name, tuple(noted[index] for index in group.members)) for group in groups),
    )


def codebook_beside(paths: Sequence[Path]) -> Path | None:
    """The codebook in the folders that are given; None where there is none. UsageError where there are several."""
    folders = [path if is_real_folder(path) else path.parent for path in paths]
    found = [path for path in dict.fromkeys(folder / NAME for folder in folders) if is_file(path)]
    if len(found) > 1:
        raise UsageError(f"There are several codebooks: {found[0]} and {found[1]}. Name one with --codebook.")
    return found[0] if found else None


def labels_beside(codebook: Path) -> tuple[list[Label], str]:
    """The labels in the folder of a codebook, as `labels modes` reads them, and what is odd about them in a sentence.

    A folder may hold other lines: files that are too large are not read, and lines that are no labels only counted.
    """
    try:
        paths = label_paths([codebook.parent])
        size = sum(path.stat().st_size for path in paths)
        if size > _MOST_BYTES:
            return [], f"The files beside {codebook.name} have {size >> 20:,} MB, and are not read as labels."
        read = read_label_files(paths)
    except (InspectorError, OSError) as problem:
        return [], f"The labels beside {codebook.name} cannot be read. {problem}"
    lines = len(read.findings)
    counted = "1 line" if lines == 1 else f"{lines:,} lines"
    are = "is no label" if lines == 1 else "are no labels"
    return [*read.labels], f"{counted} in files beside {codebook.name} {are}." if lines else ""


def places_known(read: Reading, paths: Sequence[Path]) -> Mapping[str, FaultPlace]:
    """Where each failure first went wrong; agents and tools are told by the files of conversations."""
    turns = _turns(paths, {output.subject for output in read.failures}) if paths else {}
    return {output.subject: place_known(output, turns.get(output.subject, ())) for output in read.failures}


def place_known(output: Output, turns: Sequence[Turn]) -> FaultPlace:
    """Where an output with these turns first went wrong."""
    return fault_place(output.first_fault, output.label.turn, turns)


def _turns(paths: Sequence[Path], wanted: set[str]) -> dict[str, tuple[Turn, ...]]:
    """By digest, turns and whole conversations."""
    found: dict[str, tuple[Turn, ...]] = {}
    for file in open_given(paths):
        for recorded in recorded_in(file):
            trace = recorded.trace
            whole, each = subjects_in(trace.turns)
            told = {whole: trace.turns, **{subject: (turn,) for subject, turn in zip(each, trace.turns, strict=True)}}
            found |= {subject: turns for subject, turns in told.items() if subject in wanted}
    return found
