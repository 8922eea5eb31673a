"""A run in a terminal: a table of cases and criteria, then what failed and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import asdict

from trace_inspector.commands.output.columns import Cell, print_columns
from trace_inspector.commands.output.terminal import Colour, Terminal
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import MANY_CASES, CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.criteria.outcome import undecided
from trace_inspector.engine.reports.report import names_apart, of_trace, score_text, why
from trace_inspector.engine.reports.reported_disagreements import contradictions, contradicts
from trace_inspector.engine.reports.sources import Reported, reported_of
from trace_inspector.engine.reports.titles import titles_apart

if TYPE_CHECKING:
    from trace_inspector.flows.runs.dry_run import Forecast

_NAME_CHARS = 44
_SHOWN_REASONS = 10
_SHOWN_CASES = 100

# The word for each status; only failures are in capitals.
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
_COLOUR = {Status.PASSED: Colour.GOOD, Status.FAILED: Colour.BAD, Status.ERROR: Colour.WARNING}
_OTHERWISE = " ≠"  # the file reports another status
_OVERRULED = " *"  # overruled by a person


def status_word(status: Status) -> tuple[str, Colour]:
    """The word for a status, and its colour."""
    return _WORDS[status], _colour(status)


class _Row(Struct, frozen=True):
    """What is printed of a case: those of a large run are read from the disk each time they are looked at."""

    named: tuple[str, str, str]  # the case, its file and its trace
    status: Status
    verdict: Cell
    scores: dict[str, Cell]  # by criterion
    lines: list[str]  # below the table
    contradicted: bool


def print_run(run: RunVerdict, terminal: Terminal, reported: Reported) -> None:
    """The whole run, with everything that did not pass."""
    rows: list[_Row] = []
    if len(run.cases) > MANY_CASES:
        _print_first(run, terminal)
    else:
        rows = [_row(case, reported_of(case, reported)) for case in run.cases]
        names = [one_line(name, _NAME_CHARS) for name in names_apart([row.named for row in rows])]
        print_columns(*_columns(rows, names), terminal)
        for row, name in zip(rows, names, strict=True):
            _print_lines(row.status, name, row.lines, terminal)
    terminal.say()
    rules = f"; rules of {run.rules}" if run.rules else ""
    terminal.say(f"Criteria: {run.criteria_source}{rules}.")
    for note in run.notes:
        terminal.say(f"Note: {note}")
    _print_contradicted(sum(row.contradicted for row in rows), terminal)
    for line in _repeat_lines(run, rows):
        terminal.say(line)
    counts = Counter(row.status for row in rows) if rows else Counter(case.status for case in run.cases)
    total = ", ".join(f"{counts[status]} {word}" for status, word in _WORDS.items() if counts[status])
    terminal.say(f"{len(run.cases)} {'case' if len(run.cases) == 1 else 'cases'}: {total or 'none'}.")
    _print_undecided(run, terminal)


def _print_first(run: RunVerdict, terminal: Terminal) -> None:
    """The first cases that did not pass, of a run with more cases than a table shows."""
    first = islice((case for case in run.cases if case.status is not Status.PASSED), _SHOWN_CASES)
    for case in first:
        name = one_line(case.case_id or case.trace_id or "", _NAME_CHARS)
        _print_lines(case.status, name, _lines(case), terminal)
    terminal.say()
    terminal.say(
        f"A run of more than {MANY_CASES:,} cases is printed without its table, with the first {_SHOWN_CASES} cases "
        "that did not pass, and without figures of repeats. --json prints all of it; --results keeps it for “query”."
    )


def _repeat_lines(run: RunVerdict, rows: Sequence[_Row]) -> Iterable[str]:
    """The summary of repeats; nothing where every case ran once."""
    if len({name for name, _file, _trace in (row.named for row in rows)}) == len(rows):
        return ()
    from trace_inspector.engine.repeats.repeats import repeats_of
    from trace_inspector.engine.repeats.repeats_text import repeat_lines

    return repeat_lines(repeats_of(run))


def _row(case: CaseVerdict, of_file: CaseVerdict | None) -> _Row:
    reported = {verdict.metric: verdict for verdict in of_file.metrics} if of_file else {}
    contradicted = contradictions(case, of_file)
    return _Row(
        (case.case_id, *of_trace(case)),
        case.status,
        Cell(_WORDS[case.status] + _marks(case, of_file), _colour(case.status)),
        {verdict.metric: _score(verdict, reported.get(verdict.metric)) for verdict in case.metrics},
        [*_lines(case), *contradicted],
        bool(contradicted),
    )


def _columns(rows: Sequence[_Row], names: list[str]) -> tuple[list[list[Cell]], list[list[Cell]]]:
    """The columns repeated in every band, and those of the criteria."""
    titles = titles_apart(dict.fromkeys(metric for row in rows for metric in row.scores))
    criteria = [
        [Cell(title), *(row.scores.get(metric, Cell("")) for row in rows)] for metric, title in titles.items()
    ]
    return [[Cell("Case"), *map(Cell, names)], [Cell("Verdict"), *(row.verdict for row in rows)]], criteria


def _score(own: MetricVerdict, of_file: MetricVerdict | None) -> Cell:
    text = f"{score_text(own)}{_SIGN.get(own.status, '')}"
    return Cell(text + _marks(own, of_file), _colour(own.status))


def _marks(own: CaseVerdict | MetricVerdict, of_file: CaseVerdict | MetricVerdict | None) -> str:
    return f"{_OTHERWISE if contradicts(of_file, own) else ''}{_OVERRULED if own.overruled else ''}"


def _colour(status: Status) -> Colour:
    return _COLOUR.get(status, Colour.QUIET)


def _lines(case: CaseVerdict) -> list[str]:
    """What is said of a case below the table; nothing where all is told by its row."""
    if case.status is Status.PASSED:
        return [*case.hides]
    return [*why(case), *(case.hides if case.status is Status.FAILED else ())]


def _print_lines(status: Status, name: str, lines: Sequence[str], terminal: Terminal) -> None:
    if not lines:
        return
    terminal.say()
    terminal.say_coloured([(_WORDS[status], _colour(status)), (f"  {name}", Colour.PLAIN)])
    for line in lines:
        terminal.say(f"  {line}")


def _print_contradicted(count: int, terminal: Terminal) -> None:
    if count:
        cases = "1 case" if count == 1 else f"{count} cases"
        terminal.say(f"Note: the files themselves report another verdict for {cases} (marked{_OTHERWISE})")


def _print_undecided(run: RunVerdict, terminal: Terminal) -> None:
    reasons = undecided(run)
    if not reasons:
        return
    terminal.say("Not everything could be decided:")
    for reason in reasons[:_SHOWN_REASONS]:
        terminal.say(f"  {reason}")
    if len(reasons) > _SHOWN_REASONS:
        terminal.say(f"  … and {len(reasons) - _SHOWN_REASONS} more")


def print_forecast(forecasts: Sequence[Forecast], terminal: Terminal, *, as_json: bool) -> None:
    """What a judge would be asked."""
    calls, tokens = sum(forecast.calls for forecast in forecasts), sum(forecast.tokens for forecast in forecasts)
    if as_json:
        listed: list[Json] = [asdict(forecast) for forecast in forecasts]
        terminal.say_json({"dry_run": {"calls": calls, "prompt_tokens_estimate": tokens, "by_metric": listed}})
        return
    for forecast in forecasts:
        kept = f", {forecast.kept:,} more replies are stored already" if forecast.kept else ""
        asked = f"{forecast.calls:,} calls to {forecast.model} ({forecast.judge})"
        terminal.say(f"{forecast.metric}: {asked}, about {forecast.tokens:,} tokens{kept}")
    if forecasts:
        terminal.say(
            f"{calls:,} calls, about {tokens:,} prompt tokens (an estimate, without the replies). Nothing was sent."
        )
    else:
        terminal.say("No judge would be asked. Nothing was sent.")
