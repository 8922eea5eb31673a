"""A run in a terminal: a table of cases and criteria, then what failed and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from trace_inspector.commands.output.columns import Cell, print_columns
from trace_inspector.commands.output.terminal import Colour, Terminal
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import MANY_CASES, CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.criteria.outcome import undecided
from trace_inspector.engine.reports.report import case_names, score_text, why
from trace_inspector.engine.reports.reported_disagreements import contradictions, contradicts
from trace_inspector.engine.reports.sources import Reported, reported_of
from trace_inspector.engine.reports.titles import titles_of

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


def print_run(run: RunVerdict, terminal: Terminal, reported: Reported) -> None:
    """The whole run, with everything that did not pass."""
    reported_cases: list[CaseVerdict | None] = []
    if len(run.cases) > MANY_CASES:
        _print_first(run, terminal)
    else:
        names = [one_line(name, _NAME_CHARS) for name in case_names(run.cases)]
        reported_cases = [reported_of(case, reported) for case in run.cases]
        print_columns(*_columns(run, names, reported_cases), terminal)
        for case, name, of_file in zip(run.cases, names, reported_cases, strict=True):
            _print_case(case, name, contradictions(case, of_file), terminal)
    terminal.say()
    rules = f"; rules of {run.rules}" if run.rules else ""
    terminal.say(f"Criteria: {run.criteria_source}{rules}.")
    for note in run.notes:
        terminal.say(f"Note: {note}")
    _print_contradicted(run, reported_cases, terminal)
    for line in _repeat_lines(run):
        terminal.say(line)
    counts = Counter(case.status for case in run.cases)
    total = ", ".join(f"{counts[status]} {word}" for status, word in _WORDS.items() if counts[status])
    terminal.say(f"{len(run.cases)} {'case' if len(run.cases) == 1 else 'cases'}: {total or 'none'}.")
    _print_undecided(run, terminal)


def _print_first(run: RunVerdict, terminal: Terminal) -> None:
    """The first cases that did not pass, of a run with more cases than a table shows."""
    first = islice((case for case in run.cases if case.status is not Status.PASSED), _SHOWN_CASES)
    for case in first:
        _print_case(case, one_line(case.case_id or case.trace_id or "", _NAME_CHARS), [], terminal)
    terminal.say()
    terminal.say(
        f"A run of more than {MANY_CASES:,} cases is printed without its table, with the first {_SHOWN_CASES} cases "
        "that did not pass, and without figures of repeats. --json prints all of it; --results keeps it for “query”."
    )


def _repeat_lines(run: RunVerdict) -> Iterable[str]:
    """The summary of repeats; nothing where every case ran once."""
    if len(run.cases) > MANY_CASES or len({case.case_id for case in run.cases}) == len(run.cases):
        return ()
    from trace_inspector.engine.repeats.repeats import repeats_of
    from trace_inspector.engine.repeats.repeats_text import repeat_lines

    return repeat_lines(repeats_of(run))


def _columns(
    run: RunVerdict, names: list[str], reported_cases: list[CaseVerdict | None]
) -> tuple[list[list[Cell]], list[list[Cell]]]:
    """The columns repeated in every band, and those of the criteria."""
    verdicts = [Cell("Verdict")]
    for case, of_file in zip(run.cases, reported_cases, strict=True):
        marks = _marks(case, of_file)
        verdicts.append(Cell(_WORDS[case.status] + marks, _colour(case.status)))
    by_name = [{verdict.metric: verdict for verdict in case.metrics} for case in run.cases]
    of_files = [{verdict.metric: verdict for verdict in of.metrics} if of else {} for of in reported_cases]
    criteria = [
        [Cell(title), *(_score(metric, own, of_file) for own, of_file in zip(by_name, of_files, strict=True))]
        for metric, title in titles_of(run.cases).items()
    ]
    return [[Cell("Case"), *map(Cell, names)], verdicts], criteria


def _score(metric: str, own: Mapping[str, MetricVerdict], of_file: Mapping[str, MetricVerdict]) -> Cell:
    verdict = own.get(metric)
    if verdict is None:
        return Cell("")
    text = f"{score_text(verdict)}{_SIGN.get(verdict.status, '')}"
    return Cell(text + _marks(verdict, of_file.get(metric)), _colour(verdict.status))


def _marks(own: CaseVerdict | MetricVerdict, of_file: CaseVerdict | MetricVerdict | None) -> str:
    return f"{_OTHERWISE if contradicts(of_file, own) else ''}{_OVERRULED if own.overruled else ''}"


def _colour(status: Status) -> Colour:
    return _COLOUR.get(status, Colour.QUIET)


def _print_case(case: CaseVerdict, name: str, contradicted: list[str], terminal: Terminal) -> None:
    lines = why(case) if case.status is not Status.PASSED else list(case.hides)
    if case.status is Status.FAILED:
        lines += case.hides
    lines += contradicted
    if not lines:
        return
    terminal.say()
    terminal.say_coloured([(_WORDS[case.status], _colour(case.status)), (f"  {name}", Colour.PLAIN)])
    for line in lines:
        terminal.say(f"  {line}")


def _print_contradicted(run: RunVerdict, reported_cases: list[CaseVerdict | None], terminal: Terminal) -> None:
    count = sum(bool(contradictions(case, of_file)) for case, of_file in zip(run.cases, reported_cases, strict=False))
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
