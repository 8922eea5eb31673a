"""`github`: annotations for a workflow's log, each at the line of the golden that it is about."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from trace_inspector.core.verdict.verdict import CaseVerdict, RunVerdict, Status
from trace_inspector.engine.reports.report import case_names, tally, turn_name, turn_sentence, why, words
from trace_inspector.engine.reports.sources import Sources
from trace_inspector.engine.reports.visible_text import cut, visible

_MOST_CHARS = 4_000
_LEVEL = {Status.FAILED: "error", Status.ERROR: "error", Status.PASSED: ""}


def write(run: RunVerdict, sources: Sources) -> str:
    """One line for each failing turn or undecided case, and one that counts."""
    lines = [
        line
        for case, name in zip(run.cases, case_names(run.cases, sources), strict=True)
        for line in _case(case, name, sources)
    ]
    lines.append(f"::notice title=Trace Inspector::{tally(run.cases)}")
    return "\n".join(lines) + "\n"


def _case(case: CaseVerdict, name: str, sources: Sources) -> Iterator[str]:
    level = _LEVEL.get(case.status, "warning")
    if not level:
        return
    failing = [turn for turn in case.turns if turn.status in (Status.FAILED, Status.ERROR)]
    for turn in failing:
        golden, _observed = sources.turns_of(case, turn)
        place = golden.place if golden else case.golden_place
        yield _line(level, case, place, name, f"{turn_name(turn)}: {turn_sentence(turn)}", sources)
    if not failing:
        message = "\n".join([*why(case), *case.hides]) or "nothing was decided"
        yield _line(level, case, case.golden_place, name, message, sources)


def _line(level: str, case: CaseVerdict, place: str, name: str, message: str, sources: Sources) -> str:
    path, place = (case.golden_path, place) if case.golden_path else (case.trace_path, case.trace_place)
    where = []
    if path:
        where.append(("file", PurePath(path).as_posix()))
        line, column = sources.where(path, place)
        where += [("line", str(line)), ("col", str(column))] if line else []
    where.append(("title", f"{words(case.status)}: {name}"))
    return f"::{level} {','.join(f'{key}={_property(value)}' for key, value in where)}::{_message(message)}"


def _message(text: str) -> str:
    """A message as the log's reader decodes it: it ends where its line ends, whatever stands in it."""
    shown = cut(visible(text), _MOST_CHARS)
    return shown.replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
