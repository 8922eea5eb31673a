"""Reports of comparisons, written whole or not at all, without what was to be redacted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from trace_inspector.core.errors import SaveError
from trace_inspector.documents.base.document import Container, Document
from trace_inspector.documents.saving.saving import save
from trace_inspector.engine.redaction.blank import blanked
from trace_inspector.engine.redaction.leak_check import remains_in, stands_in
from trace_inspector.engine.redaction.options import STILL_THERE, Redaction
from trace_inspector.engine.redaction.redactor import Redactor
from trace_inspector.engine.reports.trace_diff import as_html, as_json, as_markdown, as_text
from trace_inspector.engine.run_comparison import as_html as runs_html
from trace_inspector.engine.run_comparison import as_json as runs_json
from trace_inspector.engine.run_comparison import as_markdown as runs_markdown
from trace_inspector.engine.run_comparison import as_text as runs_text
from trace_inspector.engine.run_comparison.case_text import told_line
from trace_inspector.engine.run_comparison.comparison import RunsCompared
from trace_inspector.engine.trace_diff.rows import rows_of
from trace_inspector.engine.trace_grid.comparison import Differences
from trace_inspector.engine.trace_grid.retold import retold
from trace_inspector.flows.runs.report_paths import refuse_inputs
from trace_inspector.flows.runs.wanted_reports import WantedReport

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
Compared = TypeVar("Compared", Differences, RunsCompared)


@dataclass(frozen=True, slots=True)
class RedactedReports:
    """Takes texts out of one comparison, and writes reports of what is left."""

    wishes: Redaction
    redactor: Redactor

    def differences(self, found: Differences) -> Differences:
        """The same comparison: what differs and what counts was found before, and stays."""
        if not self.wishes:
            return found
        sides, tables, broken = self.redactor.redacted((found.sides, found.tables, found.broken))
        redacted = replace(found, sides=sides, tables=tuple(map(retold, found.tables, tables)), broken=broken)
        self._look_through(redacted, _texts)
        return redacted

    def runs(self, compared: RunsCompared) -> RunsCompared:
        """The same two runs."""
        if not self.wishes:
            return compared
        redacted = replace(self.redactor.redacted(compared), inputs=compared.inputs)
        self._look_through(redacted, _run_texts)
        return redacted

    def save(
        self,
        wanted: WantedReport,
        write: Callable[[Compared], str],
        compared: Compared,
        inputs: Iterable[str],
    ) -> None:
        """Write a report, never over what is compared, once nothing that was redacted is found in it."""
        refuse_inputs([wanted], inputs)
        text = write(compared)
        if self.wishes and stands_in(self.redactor, wanted.kind, text, lambda: write(_without_words(compared))):
            raise SaveError(STILL_THERE, path=str(wanted.path))
        save(Document(wanted.path, text.encode("utf-8"), Container.JSON, None), force=True)

    def _look_through(self, compared: Compared, texts: Callable[[Compared], Iterable[str]]) -> None:
        if remains_in(self.redactor, texts(compared), lambda: texts(_without_words(compared))):
            raise SaveError(STILL_THERE)


def redacted_reports(wishes: Redaction) -> RedactedReports:
    """Reports without what the wishes name."""
    return RedactedReports(wishes, Redactor(wishes))


def _without_words(compared: Compared) -> Compared:
    """What the program itself says of it remains."""
    if isinstance(compared, Differences):
        sides, tables, broken = blanked((compared.sides, compared.tables, compared.broken))
        return replace(compared, sides=sides, tables=tuple(map(retold, compared.tables, tables)), broken=broken)
    return blanked(compared)


def _texts(found: Differences) -> Iterator[str]:
    """All that any report tells of traces, and the lines for a terminal."""
    yield from as_text.lines_of(found)
    for side in found.sides:
        for pair in side.pairs:
            yield from (pair.left_name, pair.right_name)
            for row in rows_of(pair, found.rule, same=True):
                yield from (row.left, row.right)
    for table in found.tables:
        yield from table.names
        for line in table.found.rows:
            yield from (text for cell in line.cells if cell is not None for text in (cell.text, cell.result))
            yield from (text for value in line.values for text in (value.path, *value.texts) if text is not None)


def _run_texts(compared: RunsCompared) -> Iterator[str]:
    yield from runs_text.lines_of(compared)
    for case, seconds in compared.timed:
        yield from (case.name, case.why, told_line(case, seconds))
