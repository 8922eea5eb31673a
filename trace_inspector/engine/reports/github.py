"""`github`: annotations for a workflow's log, each at the line of the golden that it is about."""

from __future__ import annotations

from pathlib import PurePath

from trace_inspector.core.verdict.verdict import RunVerdict
from trace_inspector.engine.reports.annotated import Annotation, annotations_of
from trace_inspector.engine.reports.report import tally, words
from trace_inspector.engine.reports.sources import Sources
from trace_inspector.engine.reports.visible_text import cut, visible

_MOST_CHARS = 4_000


def write(run: RunVerdict, sources: Sources) -> str:
    """One line for each failing turn or undecided case, and one that counts."""
    lines = [*map(_line, annotations_of(run, sources)), f"::notice title=Trace Inspector::{tally(run.cases)}"]
    return "\n".join(lines) + "\n"


def _line(annotation: Annotation) -> str:
    where = []
    if annotation.path:
        where.append(("file", PurePath(annotation.path).as_posix()))
        where += [("line", str(annotation.line)), ("col", str(annotation.column))] if annotation.line else []
    where.append(("title", f"{words(annotation.case.status)}: {annotation.name}"))
    properties = ",".join(f"{key}={_property(value)}" for key, value in where)
    return f"::{annotation.level} {properties}::{_message(annotation.message)}"


def _message(text: str) -> str:
    """A message as the log's reader decodes it: it ends where its line ends, whatever stands in it."""
    shown = cut(visible(text), _MOST_CHARS)
    return shown.replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
