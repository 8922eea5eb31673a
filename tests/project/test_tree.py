"""What a visitor sees first: files of a readable size, and nothing of the place where they were written."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = PROJECT / "trace_inspector"
TOP = (".ci", "benchmarks", "docs", "packaging", "resources", "tests", "trace_inspector")
LINES_MAX = 400

# Composed, so that this file does not hold what it looks for.
FORBIDDEN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"py" + r"pi\.(org|python)",
        r"python" + r"hosted",
        r"npm" + r"js\.(com|org)",
        r"crates" + r"\.io",
        r"ana" + r"conda\.(org|com)",
        r"(?<![\w.])/" + r"(work|root|opt)/",
        r"/tmp" + r"/[a-z]",
        r"\b" + r"fa" + r"rm\b",
        r"\bsub" + r"-?agents? (wrote|working)",
    )
)


def files() -> Iterator[Path]:
    yield from (file for file in PROJECT.iterdir() if file.is_file())
    for folder in TOP:
        yield from (
            file for file in (PROJECT / folder).rglob("*") if file.is_file() and "__pycache__" not in file.parts
        )


def lines(file: Path) -> int:
    return len(file.read_text(encoding="utf-8").splitlines())


def test_nothing_names_a_registry_or_somebodys_machine() -> None:
    found = []
    for file in files():
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # pictures
        for number, line in enumerate(text.splitlines(), start=1):
            found += [
                f"{file.relative_to(PROJECT)}:{number}: {line.strip()}" for one in FORBIDDEN if one.search(line)
            ]
    assert found == []


def test_no_file_is_longer_than_a_reader_keeps_in_mind() -> None:
    code = [*PACKAGE.rglob("*.py"), *(PROJECT / "tests").rglob("*.py"), *(PROJECT / "benchmarks").rglob("*.py")]
    long = {str(file.relative_to(PROJECT)): lines(file) for file in code if lines(file) > LINES_MAX}
    assert long == {}


def test_most_files_are_about_a_hundred_lines() -> None:
    lengths = [lines(file) for file in PACKAGE.rglob("*.py") if file.name != "__init__.py"]
    assert statistics.median(lengths) <= 130


def test_the_main_window_only_assembles() -> None:
    assert lines(PACKAGE / "views" / "shell" / "main_window.py") < 250


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda file: str(file.relative_to(PACKAGE)))
def test_nothing_is_left_for_later(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    marks = ("TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error", "type: " + "ignore")
    assert [mark for mark in marks if mark in text] == []
