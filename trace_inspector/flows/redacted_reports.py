"""Reports of comparisons, written whole or not at all, without what was to be redacted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from trace_inspector.core.errors import SaveError, UsageError
from trace_inspector.documents.document import Container, Document
from trace_inspector.documents.real_path import real_path
from trace_inspector.documents.saving import save
from trace_inspector.engine.between_runs import as_html as runs_html
from trace_inspector.engine.between_runs import as_json as runs_json
from trace_inspector.engine.between_runs import as_markdown as runs_markdown
from trace_inspector.engine.between_runs.comparison import RunsCompared
from trace_inspector.engine.differences import as_html, as_json, as_markdown
from trace_inspector.engine.differences.comparison import Differences
from trace_inspector.engine.differences.rows import rows_of
from trace_inspector.engine.redaction import STILL_THERE, Redaction, Redactor
from trace_inspector.engine.side_by_side.retold import retold
from trace_inspector.flows.wanted_reports import WantedReport

OF_FILES: Mapping[str, Callable[[Differences], str]] = {
    "html": as_html.write,
    "markdown": as_markdown.write,
    "json": as_json.write,
}
OF_RUNS: Mapping[str, Callable[[RunsCompared], str]] = {
    "html": runs_html.write,
    "markdown": runs_markdown.write,
    "json": runs_json.write,
}


@dataclass(frozen=True, slots=True)
class RedactedReports:
    """Takes texts out of one comparison, and writes reports of what is left."""

    wishes: Redaction
    redactor: Redactor

    def differences(self, found: Differences) -> Differences:
        """The same comparison: what differs and what counts was found before, and stays."""
        if not self.wishes:
            return found
        sides, tables = self.redactor.redacted((found.sides, found.tables))
        redacted = replace(found, sides=sides, tables=tuple(map(retold, found.tables, tables)))
        self._look_through(_texts(redacted))
        return redacted

    def runs(self, compared: RunsCompared) -> RunsCompared:
        """The same two runs."""
        if not self.wishes:
            return compared
        redacted = self.redactor.redacted(compared)
        self._look_through(text for case in redacted.found.cases for text in (case.name, case.why))
        return redacted

    def save(self, wanted: WantedReport, text: str, inputs: Iterable[str]) -> None:
        """Write a report, never over what is compared, once nothing that was redacted is found in it."""
        path = wanted.path
        if any(_is_of(real_path(path), real_path(Path(given))) for given in inputs):
            raise UsageError("This file is compared; write the report to another one.", path=str(path))
        if self.redactor.stands_in(text):
            raise SaveError(STILL_THERE, path=str(path))
        save(Document(path, text.encode("utf-8"), Container.JSON, None), force=True)

    def _look_through(self, texts: Iterable[str]) -> None:
        if self.redactor.remains_in(texts):
            raise SaveError(STILL_THERE)


def redacted_reports(wishes: Redaction) -> RedactedReports:
    """Reports without what the wishes name."""
    return RedactedReports(wishes, Redactor(wishes))


def _is_of(path: Path, given: Path) -> bool:
    """Whether a file was read: it was given itself, or lies in a folder that was."""
    return path == given or (path.exists() and given in path.parents)


def _texts(found: Differences) -> Iterator[str]:
    """All that any report tells of traces."""
    for side in found.sides:
        yield side.sentence
        for pair in side.pairs:
            yield from (pair.left_name, pair.right_name)
            for row in rows_of(pair, found.rule, same=True):
                yield from (row.left, row.right)
    for table in found.tables:
        yield from table.names
        for line in table.found.rows:
            yield from (text for cell in line.cells if cell is not None for text in (cell.text, cell.result))
            yield from (text for value in line.values for text in (value.path, *value.texts) if text is not None)
