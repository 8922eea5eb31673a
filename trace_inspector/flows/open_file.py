"""From a path to what a file holds: reading, recognising, and the line and column of every finding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from trace_inspector.core.contents import Contents, Holds, Item, collect
from trace_inspector.core.finding import Finding, error, info
from trace_inspector.core.golden import Suite
from trace_inspector.core.trace import Trace
from trace_inspector.documents.collector import collector_paused
from trace_inspector.documents.document import Document
from trace_inspector.documents.places import with_places
from trace_inspector.documents.reading import completed, read
from trace_inspector.formats import FORMATS, recognise
from trace_inspector.formats.format import Format, Source


def _no_tick() -> None:
    """Nobody waits for progress."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A document and what it holds."""

    document: Document
    contents: Contents


@dataclass(frozen=True, slots=True)
class Recognised:
    """The first thing a stream says: the name of the format, "" when nobody recognised it."""

    format: str


@dataclass(frozen=True, slots=True)
class Reached:
    """How much of a file is read, said now and then by a stream."""

    done_bytes: int
    all_bytes: int


def open_file(path: Path, tick: Callable[[], None] = _no_tick) -> Opened:
    """Read a whole file."""
    with collector_paused():
        document = read(path, tick)
        known = recognise(document.value)
        contents = collect(known.name if known else "", _items(document, known, tick))
    findings = _placed(document, [*document.findings, *contents.findings])
    return Opened(document, replace(contents, findings=findings))


def stream_file(path: Path, tick: Callable[[], None] = _no_tick) -> Iterator[Recognised | Reached | Item]:
    """Read a file piece by piece: what it is, then what it holds as it is read, then every finding with its place."""
    document = read(path, tick, unique=False)
    known = recognise(document.value)
    yield Recognised(known.name if known else "")
    findings: list[Finding] = []
    for item in _items(document, known, tick):
        if isinstance(item, Finding):
            findings.append(item)
        else:
            yield item
    document = completed(document, tick)
    yield from _placed(document, [*document.findings, *findings])


def _items(document: Document, known: Format | None, tick: Callable[[], None]) -> Iterator[Item]:
    holds = 0
    if known is None:
        names = ", ".join(each.name for each in FORMATS)
        yield error("not-recognised", f"This is none of the formats that are read here: {names}.")
    else:
        for item in known.read(Source(document.value, document.path.name, tick)):
            holds += _weight(item)
            yield item
    if not holds:
        yield info("nothing-inside", "This file holds neither cases nor traces nor criteria.")


def _weight(item: Item) -> int:
    match item:
        case Suite():
            return len(item.cases)
        case Trace():
            return 1
        case Holds():
            return item.count
    return 0


def _placed(document: Document, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings with line and column. Looking for places reads the file once more, so only when one is asked for."""
    given = tuple(findings)
    if any(finding.pointer and not finding.line for finding in given):
        given = with_places(document, given)
    return tuple(finding if finding.line else replace(finding, line=1, column=1) for finding in given)
