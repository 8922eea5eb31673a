"""Files and folders of labels: `FOLDER/RATER.jsonl`, one label a line, only ever appended to."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

from trace_inspector.core.errors import ReadError
from trace_inspector.core.finding import Finding
from trace_inspector.core.review.label import Label
from trace_inspector.core.review.label_lines import LONGEST_LINE_BYTES, LabelsRead, read_labels
from trace_inspector.documents.packing.packing import is_real_folder
from trace_inspector.flows.review.label_tables import ENDING as TABLE
from trace_inspector.flows.review.label_tables import read_table
from trace_inspector.regular_file import IrregularFileError, opened
from trace_inspector.resources import folder, is_sample

ENDING = ".jsonl"
SAMPLE_LABELS = "labels"  # in the folder of the samples
_MOST_FILES = 1_000
_MOST_TABLE_BYTES = 1 << 26
_MOST_LINES = 1_000_000  # of one file


class LabelFiles(Struct, frozen=True):
    """The labels of files and folders, file by file, and what is odd about them, each with its path."""

    labels: tuple[Label, ...] = ()
    findings: tuple[tuple[str, Finding], ...] = ()


def read_label_files(paths: Iterable[Path]) -> LabelFiles:
    """All labels in the files, and in the folders the files of each rater; ReadError where one cannot be read."""
    labels: list[Label] = []
    findings: list[tuple[str, Finding]] = []
    for path in label_paths(paths):
        read = read_label_file(path)
        labels += read.labels
        findings += ((str(path), finding) for finding in read.findings)
    return LabelFiles(tuple(labels), tuple(findings))


def sample_labels(paths: Iterable[str]) -> tuple[str, ...]:
    """The folder of the labels that come with the program's own samples, where one of the files is a sample."""
    return (str(folder("samples") / SAMPLE_LABELS),) if any(is_sample(Path(path)) for path in paths) else ()


def label_paths(paths: Iterable[Path]) -> list[Path]:
    """The files meant, each once: those named, and in the order of their names those in the folders named."""
    found: dict[Path, None] = {}
    for path in paths:
        found.update(dict.fromkeys(_in_folder(path) if is_real_folder(path) else [path]))
    return list(found)


def read_label_file(path: Path) -> LabelsRead:
    """The labels of one file."""
    try:
        with opened(path) as file:
            return _read(file, path)
    except IrregularFileError as problem:
        raise ReadError(problem.sentence, path=str(path)) from problem
    except FileNotFoundError as problem:
        raise ReadError("There is no such file of labels. Check the spelling.", path=str(path)) from problem
    except OSError as problem:
        raise ReadError(f"The labels cannot be read: {problem.strerror or problem}.", path=str(path)) from problem
    except ValueError as problem:  # a NUL in the name
        raise ReadError("No file can have this name. Check the spelling.", path=str(path)) from problem


def read_label_text(text: bytes, path: Path) -> LabelsRead:
    """The labels of a file with this text."""
    return _read(io.BytesIO(text), path)


def _read(file: BinaryIO, path: Path) -> LabelsRead:
    if path.suffix.lower() == TABLE:
        return read_table(_table(file, path), path)
    return read_labels(_lines(file, path))


def _table(file: BinaryIO, path: Path) -> bytes:
    data = file.read(_MOST_TABLE_BYTES + 1)
    if len(data) > _MOST_TABLE_BYTES:
        raise ReadError(f"The table is larger than {_MOST_TABLE_BYTES:,} bytes. Divide it.", path=str(path))
    return data


def _in_folder(folder: Path) -> list[Path]:
    try:
        files = list(islice(folder.glob(f"*{ENDING}"), _MOST_FILES + 1))
    except OSError as problem:
        raise ReadError(f"The folder cannot be read: {problem.strerror or problem}.", path=str(folder)) from problem
    if len(files) > _MOST_FILES:
        raise ReadError(f"There are more than {_MOST_FILES:,} files here. Name single files.", path=str(folder))
    return sorted(files)


def _lines(file: BinaryIO, path: Path) -> Iterator[bytes]:
    """The lines, of one that is too long no more than shows that it is."""
    for _count in range(_MOST_LINES):
        line = rest = file.readline(LONGEST_LINE_BYTES + 2)
        while rest and not rest.endswith(b"\n"):
            rest = file.readline(LONGEST_LINE_BYTES)
        if not line:
            return
        yield line
    if file.read(1):
        sentence = f"It has more than {_MOST_LINES:,} lines. Divide it."
        raise ReadError(sentence, path=str(path))
