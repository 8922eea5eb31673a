"""A run in a terminal: a table of cases and criteria, then what failed and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from trace_inspector.commands.terminal import Terminal
from trace_inspector.core.summary import one_line
from trace_inspector.core.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.metrics import metric_named
from trace_inspector.engine.outcome import undecided
from trace_inspector.engine.reports.report import case_names, score_text, why

_NAME_CHARS = 44
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
    metrics = list(dict.fromkeys(verdict.metric for case in cases for verdict in case.metrics))
    titles = [metric.title if (metric := metric_named(name)) else one_line(name, 20) for name in metrics]
    rows = [["Case", "Verdict", *titles]]
    for case, name in zip(cases, names, strict=True):
        by_name = {verdict.metric: verdict for verdict in case.metrics}
        rows.append([name, _WORDS[case.status], *(_cell(by_name.get(metric)) for metric in metrics)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        terminal.say("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


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
