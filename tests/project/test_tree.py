"""What a visitor sees first: files of a readable size, and nothing of the place where they were written."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PACKAGE = PROJECT / "trace_inspector"
TOP = (".ci", "benchmarks", "docs", "packaging", "resources", "tests", "trace_inspector")
LINES_MAX = 400

# Composed, so that this file does not hold what it looks for.
# In small letters, as what is looked through: a pattern that begins with a letter is found much sooner so.
FORBIDDEN = tuple(
    re.compile(pattern)
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
LATER = tuple(
    re.compile(mark)
    for mark in ("TO" + "DO", "FIX" + "ME", "XX" + "X", "NotImplemented" + "Error", "type: " + "ignore")
)


def files() -> Iterator[Path]:
    yield from (file for file in PROJECT.iterdir() if file.is_file())
    for folder in TOP:
        yield from (
            file for file in (PROJECT / folder).rglob("*") if file.is_file() and "__pycache__" not in file.parts
        )


@cache
def text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""  # a picture


def lines(file: Path) -> int:
    return len(text_of(file).splitlines())


def places(
    patterns: tuple[re.Pattern[str], ...], among: Iterable[Path], spelled: Callable[[str], str] = str
) -> list[str]:
    """Every line in which something is found, with its file and number."""
    found = []
    for file in among:
        text = spelled(text_of(file))
        there = [pattern for pattern in patterns if pattern.search(text)]
        for number, line in enumerate(text_of(file).splitlines() if there else (), start=1):
            if any(pattern.search(spelled(line)) for pattern in there):
                found.append(f"{file.relative_to(PROJECT)}:{number}: {line.strip()}")
    return found


def test_nothing_names_a_registry_or_somebodys_machine() -> None:
    assert places(FORBIDDEN, files(), str.lower) == []


def test_no_file_is_longer_than_a_reader_keeps_in_mind() -> None:
    code = [*PACKAGE.rglob("*.py"), *(PROJECT / "tests").rglob("*.py"), *(PROJECT / "benchmarks").rglob("*.py")]
    long = {str(file.relative_to(PROJECT)): lines(file) for file in code if lines(file) > LINES_MAX}
    assert long == {}


def test_most_files_are_about_a_hundred_lines() -> None:
    lengths = [lines(file) for file in PACKAGE.rglob("*.py") if file.name != "__init__.py"]
    assert statistics.median(lengths) <= 130


def test_the_main_window_only_assembles() -> None:
    assert lines(PACKAGE / "views" / "shell" / "main_window.py") < 250


def test_nothing_is_left_for_later() -> None:
    assert places(LATER, PACKAGE.rglob("*.py")) == []
