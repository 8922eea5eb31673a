"""In a child that stays: the rubrics of a file that is not open, whatever format it has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from trace_inspector.core.errors import UsageError
from trace_inspector.core.trace.rubric import Rubric, rubric_in

if TYPE_CHECKING:
    from trace_inspector.core.rows.contents import Contents

MOST_RUBRICS = 500
MOST_BYTES = 100_000_000


def rubric_reader() -> Callable[[str], tuple[Rubric, ...]]:
    """Answers a path with the rubrics in that file, each text once."""
    from trace_inspector.flows.opening.open_file import open_file

    def read(name: str) -> tuple[Rubric, ...]:
        path = Path(name)
        if path.is_file() and path.stat().st_size > MOST_BYTES:
            raise UsageError("This is too large to take rubrics from. Open the file, and copy from its goldens.")
        by_text: dict[str, Rubric] = {}
        for rubric in _rubrics(open_file(path).contents):
            if rubric.text.strip() and len(by_text) < MOST_RUBRICS:
                by_text.setdefault(rubric.text, rubric)
        if not by_text:
            raise UsageError(f"No rubrics stand in {path.name}. Choose an eval set, an evaluation item or criteria.")
        return tuple(by_text.values())

    return read


def _rubrics(contents: Contents) -> Iterator[Rubric]:
    for suite in contents.suites:
        for case in suite.cases:
            yield from case.rubrics
            for turn in case.turns:
                yield from turn.rubrics
    for criterion in contents.criteria.items if contents.criteria is not None else ():
        rubrics = criterion.options.get("rubrics")
        for raw in rubrics if isinstance(rubrics, list) else []:
            if (rubric := rubric_in(raw)) is not None:
                yield rubric
