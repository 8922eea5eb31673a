"""Reports of comparisons, redacted, and written whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.errors import SaveError
from trace_inspector.documents.base.document import Container, Document
from trace_inspector.engine.redaction.options import STILL_THERE, Redaction
from trace_inspector.engine.reports.report import Report, by_name
from trace_inspector.engine.reports.trace_diff import REPORTS as OF_DIFFERENCES
from trace_inspector.engine.run_comparison import REPORTS as OF_TWO_RUNS
from trace_inspector.engine.trace_grid.comparison import Differences
from trace_inspector.flows.runs.requested_reports import RequestedReport, refuse_inputs

if TYPE_CHECKING:
    from trace_inspector.engine.redaction.redactor import Redactor
    from trace_inspector.engine.run_comparison.comparison import RunsCompared

OF_FILES = by_name(OF_DIFFERENCES)
OF_RUNS = by_name(OF_TWO_RUNS)
_FOR_OTHERS = frozenset({"comment"})
Compared = TypeVar("Compared", Differences, "RunsCompared")


class RedactedReports(Struct, frozen=True):
    """Redacts one comparison and writes its reports."""

    redactor: Redactor | None

    def differences(self, compared: Differences) -> Differences:
        """The comparison, redacted; its differences were computed before and stay."""
        if self.redactor is None:
            return compared
        from trace_inspector.engine.trace_grid.redacted_rows import redacted_table

        sides, tables, broken = self.redactor.redacted((compared.sides, compared.tables, compared.broken))
        redacted = replace(
            compared, sides=sides, tables=tuple(map(redacted_table, compared.tables, tables)), broken=broken
        )
        _look_through(self.redactor, redacted, _texts)
        return redacted

    def runs(self, compared: RunsCompared) -> RunsCompared:
        """The comparison of runs, redacted."""
        if self.redactor is None:
            return compared
        redacted = replace(self.redactor.redacted(compared), inputs=compared.inputs)
        _look_through(self.redactor, redacted, _run_texts)
        return redacted

    def save(
        self,
        requested: RequestedReport,
        report: Report[[Compared]],
        compared: Compared,
        inputs: Iterable[str],
    ) -> None:
        """Write a report, never over an input, and only if nothing redacted remains in it."""
        refuse_inputs([requested], inputs)
        text = report.write(compared)
        if self.redactor is not None:
            from trace_inspector.engine.redaction.leak_check import leaks_in_report

            if leaks_in_report(self.redactor, report, text, lambda: report.write(_without_words(compared))):
                raise SaveError(STILL_THERE, path=str(requested.path))
        from trace_inspector.documents.saving.saving import save

        save(Document(requested.path, text.encode("utf-8"), Container.JSON, None), force=True)


def _look_through(redactor: Redactor, compared: Compared, texts: Callable[[Compared], Iterable[str]]) -> None:
    from trace_inspector.engine.redaction.leak_check import leaks_in_texts

    if leaks_in_texts(redactor, texts(compared), lambda: texts(_without_words(compared))):
        raise SaveError(STILL_THERE)


def redacted_reports(redaction: Redaction, kind: str = "") -> RedactedReports:
    """Reports without what the options name; those of a kind that is for others without any secret."""
    if kind in _FOR_OTHERS:
        from trace_inspector.engine.redaction.pack_redactor import PackRedactor

        return RedactedReports(PackRedactor(redaction))
    if not redaction:
        return RedactedReports(None)
    from trace_inspector.engine.redaction.redactor import Redactor

    return RedactedReports(Redactor(redaction))


def _without_words(compared: Compared) -> Compared:
    """The comparison without any text of the inputs: only the program's own words remain."""
    from trace_inspector.engine.redaction.blank import blanked
    from trace_inspector.engine.trace_grid.redacted_rows import redacted_table

    if isinstance(compared, Differences):
        sides, tables, broken = blanked((compared.sides, compared.tables, compared.broken))
        return replace(
            compared, sides=sides, tables=tuple(map(redacted_table, compared.tables, tables)), broken=broken
        )
    return blanked(compared)


def _texts(compared: Differences) -> Iterator[str]:
    """All texts of traces in any report, and the lines for a terminal."""
    from trace_inspector.engine.reports.trace_diff.as_text import lines_of
    from trace_inspector.engine.trace_diff.rows import rows_of

    yield from lines_of(compared)
    for side in compared.sides:
        for pair in side.pairs:
            yield from (pair.left_name, pair.right_name)
            for row in rows_of(pair, compared.rule, same=True):
                yield from (row.left, row.right)
    for table in compared.tables:
        yield from table.names
        for line in table.grid.rows:
            yield from (text for cell in line.cells if cell is not None for text in (cell.text, cell.result))
            yield from (text for value in line.values for text in (value.path, *value.texts) if text is not None)


def _run_texts(compared: RunsCompared) -> Iterator[str]:
    from trace_inspector.engine.run_comparison.as_text import lines_of
    from trace_inspector.engine.run_comparison.case_text import case_summary

    yield from lines_of(compared)
    for case, seconds in compared.timed:
        yield from (case.name, case.why, case_summary(case, seconds))
