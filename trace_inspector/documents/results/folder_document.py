"""A results folder as a document: the manifest, with rows of its tables beside it. The locked process reads it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError, ReadError
from trace_inspector.core.finding import Finding, info, warning
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.base.document import Container, Document, stamp_of
from trace_inspector.documents.results import NAME
from trace_inspector.documents.results.session import ResultsSession
from trace_inspector.regular_file import read_regular

MOST_ROWS: Final = 100_000  # of verdicts and turns, about 1,000 conversations of ten turns; a query reads all
MOST_FAILING: Final = 10_000  # of more, verdicts of cases that failed: what is there within a second
_CASE: Final = ("case_id", "suite", "trace_id", "trace_file", "attempt")
_SAME: Final = " AND ".join(f"own.{name} IS NOT DISTINCT FROM chosen.{name}" for name in _CASE)
# The first failing cases that have room together, or the first alone; in an order, so that verdicts and turns are of
# the same ones. A turn that is shown has a verdict that is shown, so turns have room where verdicts have.
_FAILING: Final = f"""
FROM {{0}} AS own SEMI JOIN (
  WITH bad AS (
    SELECT DISTINCT {", ".join(_CASE)} FROM verdicts
    WHERE about = 'case' AND criterion IS NULL AND status IN ('FAILED', 'ERROR') ORDER BY ALL LIMIT {{1}}
  ), sized AS (
    SELECT {", ".join(f"chosen.{name}" for name in _CASE)}, count(*) AS size
    FROM verdicts AS own JOIN bad AS chosen ON {_SAME} GROUP BY ALL
  ), summed AS (
    SELECT *, sum(size) OVER by_case AS room, row_number() OVER by_case AS number
    FROM sized WINDOW by_case AS (ORDER BY {", ".join(_CASE)} ROWS UNBOUNDED PRECEDING)
  )
  FROM summed WHERE room <= {{1}} OR number = 1
) AS chosen ON {_SAME} LIMIT {{1}}
"""


def read_results(path: Path, tick: Callable[[], None]) -> Document:
    """The manifest with the rows of `verdicts` and `turns`; of very many verdicts those of failing cases."""
    try:
        with ResultsSession(path) as session:
            tick()
            total, turn_count = (_count(session, name) for name in ("verdicts", "turns"))
            is_whole = total + turn_count <= MOST_ROWS
            source = "FROM {} AS own" if is_whole else _FAILING
            verdicts = _rows(session, source.format("verdicts", MOST_FAILING), tick)
            turns = _rows(session, source.format("turns", MOST_FAILING), tick)
            manifest = session.manifest
        data = read_regular(path / NAME)
        stamp = stamp_of((path / NAME).stat())
    except OSError as problem:
        sentence = f"The results could not be read ({problem.strerror or problem}). Copy the folder again."
        raise ReadError(sentence, path=str(path)) from problem
    except InspectorError as problem:
        raise ReadError(problem.sentence, path=str(path)) from problem
    findings: list[Finding] = []
    if not is_whole:
        message = (
            f"{len(verdicts):,} of {total:,} verdicts are shown, those of cases that failed; "
            f"“trace-inspector query” reads all of them."
        )
        findings.append(info("results-too-large", message))
    if not manifest.complete:
        findings.append(warning("results-incomplete", "These results are not complete: their run was stopped."))
    value: JsonObject = msgspec.to_builtins(replace(manifest, tables={}))
    value |= {"verdicts": verdicts, "turns": turns}
    return Document(path, data, Container.BUNDLE, value, stamp, tuple(findings))


def _count(session: ResultsSession, table: str) -> int:
    ((count,),) = session.ask(f"SELECT count(*) FROM {table}").rows()
    return count if isinstance(count, int) else 0


def _rows(session: ResultsSession, source: str, tick: Callable[[], None]) -> list[Json]:
    """Rows as objects, without what is null. DuckDB writes them as JSON, in a sixth of the time that Python takes."""
    rows: list[Json] = []
    for (text,) in session.ask(f"SELECT to_json(own) {source}").rows():
        if not len(rows) % 1_000:
            tick()
        row = _decoded(str(text))
        rows.append({name: value for name, value in row.items() if value is not None})
    return rows


def _decoded(text: str) -> JsonObject:
    """A row; a number that is not finite, which no row of ours has, is null."""
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError:
        row: JsonObject = json.loads(text, parse_constant=lambda _name: None)
        return row
