"""A run in a terminal: a table of cases and criteria, then what failed and why."""

from __future__ import annotations

import shutil
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trace_inspector.commands.terminal import Terminal
from trace_inspector.core.summary import one_line
from trace_inspector.core.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.outcome import undecided
from trace_inspector.engine.reports.report import case_names, score_text, why
from trace_inspector.engine.reports.titles import titles_of

_NAME_CHARS = 44
_GAP = 2
_SHOWN_REASONS = 10

# One word a status; only failures shout.
_WORDS = {
    Status.PASSED: "passed",
    Status.FAILED: "FAILED",
    Status.NOT_EVALUATED: "not evaluated",
    Status.INFORMATIONAL: "informational",
    Status.SKIPPED: "skipped",
    Status.ERROR: "ERROR",
    Status.PENDING: "pending",
}
_SIGN = {Status.PASSED: " ✓", Status.FAILED: " ✗", Status.ERROR: " !"}


def print_run(run: RunVerdict, terminal: Terminal) -> None:
    """The whole run; nothing that did not pass is left out."""
    names = [one_line(name, _NAME_CHARS) for name in case_names(run.cases)]
    _print_table(run.cases, names, terminal)
    for case, name in zip(run.cases, names, strict=True):
        _print_case(case, name, terminal)
    terminal.say()
    rules = f"; rules of {run.rules}" if run.rules else ""
    terminal.say(f"Criteria: {run.criteria_source}{rules}.")
    for note in run.notes:
        terminal.say(f"Note: {note}")
    counts = Counter(case.status for case in run.cases)
    total = ", ".join(f"{counts[status]} {word}" for status, word in _WORDS.items() if counts[status])
    terminal.say(f"{len(run.cases)} {'case' if len(run.cases) == 1 else 'cases'}: {total or 'none'}.")
    _print_undecided(run, terminal)


def _print_table(cases: Sequence[CaseVerdict], names: Sequence[str], terminal: Terminal) -> None:
    """A line a case. What is wider than the screen goes below, with the cases beside it once more."""
    fixed = [_column(["Case", *names]), _column(["Verdict", *(_WORDS[case.status] for case in cases)])]
    verdicts = [{verdict.metric: verdict for verdict in case.metrics} for case in cases]
    columns = [
        _column([title, *(_cell(by_name.get(metric)) for by_name in verdicts)])
        for metric, title in titles_of(cases).items()
    ]
    for number, band in enumerate(_bands(fixed, columns, _screen_width(terminal))):
        if number:
            terminal.say()
        for row in zip(*(column.cells for column in (*fixed, *band)), strict=True):
            terminal.say("  ".join(row).rstrip())


@dataclass(frozen=True, slots=True)
class _Column:
    """Cells that are all equally wide."""

    cells: list[str]
    width: int


def _column(cells: Sequence[str]) -> _Column:
    # Many cells say the same: each text is measured once.
    widths = {cell: _width(cell) for cell in set(cells)}
    width = max(widths.values())
    padded = {cell: cell + " " * (width - own) for cell, own in widths.items()}
    return _Column([padded[cell] for cell in cells], width)


def _bands(fixed: Sequence[_Column], columns: Sequence[_Column], width: int | None) -> Iterator[list[_Column]]:
    """The columns in as many tables as the width asks for, at least one column in each."""
    start = sum(column.width + _GAP for column in fixed) - _GAP
    band: list[_Column] = []
    used = start
    for column in columns:
        used += _GAP + column.width
        if band and width is not None and used > width:
            yield band
            band, used = [], start + _GAP + column.width
        band.append(column)
    yield band


def _screen_width(terminal: Terminal) -> int | None:
    """Where a person looks, the width of the screen; a file or another program gets whole lines."""
    return shutil.get_terminal_size().columns if terminal.out.isatty() else None


def _width(text: str) -> int:
    """How many cells a text takes: two for wide characters, none for what stands on another."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )


def _cell(verdict: MetricVerdict | None) -> str:
    return "" if verdict is None else f"{score_text(verdict)}{_SIGN.get(verdict.status, '')}"


def _print_case(case: CaseVerdict, name: str, terminal: Terminal) -> None:
    lines = why(case) if case.status is not Status.PASSED else list(case.hides)
    if case.status is Status.FAILED:
        lines += case.hides
    if not lines:
        return
    terminal.say()
    terminal.say(f"{_WORDS[case.status]}  {name}")
    for line in lines:
        terminal.say(f"  {line}")


def _print_undecided(run: RunVerdict, terminal: Terminal) -> None:
    reasons = undecided(run)
    if not reasons:
        return
    terminal.say("Not everything was decided:")
    for reason in reasons[:_SHOWN_REASONS]:
        terminal.say(f"  {reason}")
    if len(reasons) > _SHOWN_REASONS:
        terminal.say(f"  … and {len(reasons) - _SHOWN_REASONS} more")
