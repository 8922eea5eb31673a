"""Writes the answer to a query, as CSV, JSON or Parquet, into a file or as it comes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from trace_inspector.core.errors import SaveError
from trace_inspector.core.values.values import Json
from trace_inspector.documents.results.session import Answer, ResultsSession
from trace_inspector.documents.saving.real_path import real_path
from trace_inspector.documents.saving.saving import save_written
from trace_inspector.engine.reports.csv_cells import cell

KINDS: Final = ("csv", "json", "parquet")
_INSIDE: Final = "The answer would lie among the results. Name a file outside of their folder."


def pieces_of(answer: Answer, kind: str) -> Iterator[str]:
    """The answer as text, a piece a row, so that nothing of it is held."""
    return _TEXTS[kind](answer)


def save_answer(session: ResultsSession, folder: Path, sql: str, kind: str, path: Path) -> None:
    """Write the whole answer into a file, or nothing."""
    if real_path(folder) in real_path(path).parents:
        raise SaveError(_INSIDE, path=str(path))
    if kind == "parquet":
        save_written(path, lambda file: session.write_parquet(sql, file))
        return
    answer = session.ask(sql)

    def write(file: BinaryIO) -> None:
        file.writelines(piece.encode("utf-8", "backslashreplace") for piece in pieces_of(answer, kind))

    save_written(path, write)


def cell_text(value: Json) -> str:
    """A value as one text; nothing for null."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case _:
            return json.dumps(value, ensure_ascii=False)


def _csv(answer: Answer) -> Iterator[str]:
    yield _line([cell(name) for name, _kind in answer.columns])
    for row in answer.rows():
        # Numbers stay numbers: a minus makes no formula of them.
        yield _line([cell_text(value) if isinstance(value, int | float) else cell(cell_text(value)) for value in row])


def _line(cells: Sequence[str]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerow(cells)
    return out.getvalue()


def _json(answer: Answer) -> Iterator[str]:
    names = _unique([name for name, _kind in answer.columns])
    before = "[\n"
    for row in answer.rows():
        yield before + json.dumps(dict(zip(names, row, strict=True)), allow_nan=False)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _unique(names: Sequence[str]) -> list[str]:
    """Names of which no two are the same: an object has each key once."""
    unique: dict[str, None] = {}
    for name in names:
        own, number = name, 1
        while own in unique:
            number += 1
            own = f"{name}_{number}"
        unique[own] = None
    return list(unique)


_TEXTS: Final[dict[str, Callable[[Answer], Iterator[str]]]] = {"csv": _csv, "json": _json}
