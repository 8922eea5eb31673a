"""Writes labels: into a file of lines, a table, or a folder with a file for each rater, which git merges."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from trace_inspector.core.errors import ReadError, SaveError, UsageError
from trace_inspector.core.review.label import Label
from trace_inspector.core.review.label_lines import label_line
from trace_inspector.core.review.label_sets import ordered
from trace_inspector.documents.base.document import Container, Document
from trace_inspector.documents.packing.packing import is_real_folder
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.documents.saving.saving import save, sync_folder
from trace_inspector.flows.review.label_files import (
    ENDING,
    label_paths,
    read_label_file,
    read_label_files,
    read_label_text,
)
from trace_inspector.flows.review.label_tables import ENDING as TABLE
from trace_inspector.flows.review.label_tables import write_table
from trace_inspector.regular_file import IrregularFileError, open_regular, opened

_NAMELESS = "nobody"
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f\ud800-\udfff<>:"/\\|?*%]|^[. ]+|[. ]+$')
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_LONGEST_NAME = 60
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)


def write_labels(labels: Sequence[Label], path: Path, inputs: Iterable[Path] = ()) -> None:
    """Write a file whole or not at all, never over an input; add to a folder what it does not have yet."""
    if is_real_folder(path) or not path.suffix:
        _add_to_folder(labels, path)
        return
    write = _WRITERS.get(path.suffix.lower())
    if write is None:
        raise UsageError(f"Name a file that ends in {' or '.join(_WRITERS)}, or a folder.", path=str(path))
    if real_path(path) in set(map(real_path, label_paths(inputs))):
        raise SaveError("This file is one of those that are read. Write to another one.", path=str(path))
    text = write(labels).encode("utf-8")
    _refuse_lost_answers(text, path)
    save(Document(path, text, Container.JSON, None), force=True)


def rater_file(rater: str) -> str:
    """The name of a rater's file, which leads nowhere else. The lines themselves say whose they are."""
    name = _UNSAFE.sub(lambda odd: "".join(f"%{ord(char):02X}" for char in odd.group()), rater)[:_LONGEST_NAME]
    return f"{'%' if _DEVICES.fullmatch(name) else ''}{name or _NAMELESS}{ENDING}"


def _refuse_lost_answers(text: bytes, path: Path) -> None:
    """Never write over what people said: a queue that was answered in its place, another rater's file."""
    try:
        there = {label for label in read_label_file(path).labels if label.value is not None}
    except ReadError:  # none yet, or no labels
        return
    lost = len(there.difference(read_label_text(text, path).labels)) if there else 0
    if lost:
        answers = "an answer" if lost == 1 else f"{lost:,} answers"
        sentence = f"This file holds {answers} that would be lost. Write to another one, or merge it with the others."
        raise SaveError(sentence, path=str(path))


def _as_lines(labels: Iterable[Label]) -> str:
    return "".join(f"{label_line(label)}\n" for label in labels)


_WRITERS: Mapping[str, Callable[[Sequence[Label]], str]] = {ENDING: _as_lines, TABLE: write_table}


def _add_to_folder(labels: Iterable[Label], folder: Path) -> None:
    """Append to the file of each rater what no file of the folder has; nothing that is there changes."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = set(read_label_files([folder]).labels)
        new: dict[str, list[Label]] = {}
        for label in ordered(labels):
            if label not in there:
                new.setdefault(rater_file(label.rater), []).append(label)
        for name, added in new.items():
            _append(folder / name, _as_lines(added).encode("utf-8"))
        sync_folder(folder)
    except IrregularFileError as problem:
        raise SaveError(problem.sentence, path=str(problem.filename)) from problem
    except OSError as problem:
        place = str(problem.filename or folder)
        raise SaveError(f"The labels cannot be written: {problem.strerror or problem}.", path=place) from problem
    except ValueError as problem:  # a NUL in the name
        raise SaveError("No folder can have this name. Check the spelling.", path=str(folder)) from problem


def _append(path: Path, lines: bytes) -> None:
    """Append whole lines, on the disk when this returns; a line that was cut off before ends first."""
    handle = open_regular(path, _APPEND, 0o666)
    with os.fdopen(handle, "ab") as file:
        if file.tell() and not _ends_line(path, file.tell()):
            lines = b"\n" + lines
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())


def _ends_line(path: Path, size: int) -> bool:
    with opened(path) as file:
        file.seek(size - 1)
        return file.read(1) == b"\n"
