"""A results folder as a document: the manifest, with rows of its tables beside it. The locked process reads it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from trace_inspector.core.errors import InspectorError, ReadError
from trace_inspector.core.finding import Finding, info, warning
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.base.document import Container, Document, stamp_of
from trace_inspector.documents.results import NAME
from trace_inspector.documents.results.session import ResultsSession
from trace_inspector.regular_file import read_regular

MOST_ROWS: Final = 100_000  # of verdicts, about 1,000 conversations of ten turns; a query reads all
_FAILING: Final = """
SELECT own.* FROM verdicts AS own SEMI JOIN (
  SELECT * FROM verdicts WHERE about = 'case' AND criterion IS NULL AND status IN ('FAILED', 'ERROR')
) AS bad ON own.case_id = bad.case_id AND own.suite = bad.suite AND own.attempt = bad.attempt
  AND own.trace_file IS NOT DISTINCT FROM bad.trace_file AND own.trace_id IS NOT DISTINCT FROM bad.trace_id
"""


def read_results(path: Path, tick: Callable[[], None]) -> Document:
    """The manifest with the rows of `verdicts` and `turns`; of very many verdicts those of failing cases."""
    try:
        with ResultsSession(path) as session:
            tick()
            ((total,),) = session.ask("SELECT count(*) FROM verdicts").rows()
            is_whole = isinstance(total, int) and total <= MOST_ROWS
            verdicts = _rows(session, "FROM verdicts" if is_whole else f"{_FAILING} LIMIT {MOST_ROWS}", tick)
            turns = _rows(session, f"FROM turns LIMIT {MOST_ROWS}", tick)
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


def _rows(session: ResultsSession, sql: str, tick: Callable[[], None]) -> list[Json]:
    """Rows as objects, without what is null."""
    answer = session.ask(sql)
    names = [name for name, _kind in answer.columns]
    rows: list[Json] = []
    for row in answer.rows():
        if not len(rows) % 1_000:
            tick()
        rows.append({name: value for name, value in zip(names, row, strict=True) if value is not None})
    return rows
