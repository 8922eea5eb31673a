"""Results folders for tests: of the small set, or of rows that are given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.helpers.small_set import small_set
from trace_inspector.cli import main
from trace_inspector.documents.results.manifest import Manifest
from trace_inspector.documents.results.session import ResultsSession
from trace_inspector.documents.results.writing import ResultsWriter


def of_small_set(folder: Path) -> Path:
    """The results of the small set, which lies beside them."""
    goldens, recording = small_set(folder)
    assert main(["evaluate", str(recording), "--golden", str(goldens), "--results", str(folder / "out")]) == 0
    return folder / "out"


def of_rows(folder: Path, **rows: list[dict[str, Any]]) -> Path:
    """A complete folder of these rows, by table."""
    with ResultsWriter(folder, Manifest(1, "run-1")) as writer:
        writer.add(rows, 1, 1)
        writer.finish(complete=True)
    return folder


def asked(session: ResultsSession, sql: str) -> list[list[Any]]:
    """All rows of the answer."""
    return list(session.ask(sql).rows())
