"""Reads evidence packs: values of `core` as JSON. Verdicts are as they were reported; nothing is computed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from msgspec.structs import replace

from trace_inspector.core.finding import error, info, warning
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.codec import from_json
from trace_inspector.core.rows.contents import EVIDENCE_KEY, Item
from trace_inspector.core.rows.evidence import ALL_TEXTS, COMPARED, SHOWN_FIRST, VERSION, as_reported
from trace_inspector.core.rows.moved_places import at, referring
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.formats.common.fields import Fields, Report, fields_of
from trace_inspector.formats.common.format import Implementation, Source

_MOST_NOTES = 20
_MOST_COMPARED = 3  # columns of Compare
_NO_TRACE = -1
_NOT_AGAIN = "No verdict is computed again."
Value = TypeVar("Value", Suite, Criteria, Trace, Turn, CaseVerdict)


def read(source: Source) -> Iterator[Item]:
    """Of each side its goldens, then each conversation with the verdicts on it."""
    report = Report()
    pack = fields_of(source.value, source.place)
    if pack.value.get(EVIDENCE_KEY) != VERSION:
        message = "A newer program wrote this evidence pack; what this version knows of it is shown."
        report.add(warning("newer-version", message, pack.pointer(EVIDENCE_KEY)))
    redacted = pack.value.get("redacted")
    if isinstance(redacted, list) and redacted:
        message = f"{_taken_out(redacted)} before this was written; placeholders stand there. {_NOT_AGAIN}"
        report.add(info("redacted", message, pack.pointer("redacted")))
    notes = pack.value.get("notes")
    for index, note in enumerate(notes[:_MOST_NOTES] if isinstance(notes, list) else ()):
        if isinstance(note, str) and note:
            report.add(info("note", one_line(note, 300), join(pack.pointer("notes"), index)))
    shown = pack.value.get("shown")
    if isinstance(shown, str) and shown.startswith("/sides/"):
        report.add(info(SHOWN_FIRST, "It was saved with this in view.", shown))
    compared = pack.value.get("compared")
    for place in compared[:_MOST_COMPARED] if isinstance(compared, list) else ():
        if isinstance(place, str) and place.startswith("/sides/"):
            report.add(info(COMPARED, "It was saved while this was compared.", place))
    for side in report.bounded(pack, "sides"):
        yield from _side(side, source, report)
    yield from report.drain()


def _taken_out(redacted: list[Json]) -> str:
    """How much, in words."""
    if any(isinstance(item, dict) and item.get("rule") == ALL_TEXTS for item in redacted):
        return "All texts and values were left out"
    return "1 text was taken out" if len(redacted) == 1 else f"{len(redacted)} texts were taken out"


def _side(side: Fields, source: Source, report: Report) -> Iterator[Item]:
    moved: dict[str, str] = {}
    for raw in report.bounded(side, "suites"):
        suite = _value(Suite, raw, moved, report)
        if suite is not None:
            yield replace(suite, cases=tuple(map(_sound_case, suite.cases)))
    traces = report.bounded(side, "traces")
    verdicts = _verdicts(side, traces, moved, report)
    for index, raw in enumerate(traces):
        source.tick()
        head = Fields({key: item for key, item in raw.value.items() if key != "turns"}, raw.place)
        trace = _value(Trace, head, moved, report)
        if trace is None:
            continue
        yield replace(trace, goes_on=None)
        yield from _turns(report.bounded(raw, "turns"), moved, report)
        yield from (as_reported(referring(verdict, moved, moved)) for verdict in verdicts.get(index, ()))
    yield from _without_trace(verdicts.get(_NO_TRACE, ()), moved, report)
    criteria = side.object("criteria")
    if criteria is not None and (known := _value(Criteria, criteria, moved, report)) is not None:
        yield known


def _verdicts(
    side: Fields, traces: list[Fields], moved: dict[str, str], report: Report
) -> dict[int, list[CaseVerdict]]:
    """The verdicts by the number of the conversation that they are about."""
    numbers = {str(raw.value.get("place", "")): index for index, raw in reversed([*enumerate(traces)])}
    by_number: dict[int, list[CaseVerdict]] = {}
    for raw in report.bounded(side, "verdicts"):
        verdict = _value(CaseVerdict, raw, moved, report)
        if verdict is not None:
            by_number.setdefault(numbers.get(verdict.trace_place, _NO_TRACE), []).append(verdict)
    return by_number


def _without_trace(
    verdicts: Iterable[CaseVerdict], moved: Mapping[str, str], report: Report
) -> Iterator[CaseVerdict]:
    """The verdicts on goldens that found no conversation."""
    for verdict in verdicts:
        placed = as_reported(referring(verdict, moved, moved))
        if placed.golden_place:
            yield replace(placed, trace_id=None, trace_place="")
        else:
            message = f"A verdict on “{one_line(verdict.case_id, 60)}” is about nothing in this file and is left out."
            report.add(warning("about-nothing", message))


def _turns(turns: list[Fields], moved: dict[str, str], report: Report) -> Iterator[Turn]:
    """The turns, numbered as they stand, as all others count them."""
    index = 0
    for raw in turns:
        turn = _value(Turn, raw, moved, report)
        if turn is not None:
            yield _sound(turn, index)
            index += 1


def _sound_case(case: Case) -> Case:
    return replace(case, turns=tuple(_sound(turn, index) for index, turn in enumerate(case.turns)))


def _sound(turn: Turn, index: int) -> Turn:
    """The turn with its own number, and with the event that gave the answer only where there is one."""
    is_there = turn.final_event is not None and 0 <= turn.final_event < len(turn.events)
    return replace(turn, index=index, final_event=turn.final_event if is_there else None)


def _value(kind: type[Value], raw: Fields, moved: dict[str, str], report: Report) -> Value | None:
    """The value at its place; None, with a finding, for one that is damaged."""
    try:
        return at(from_json(kind, raw.value, checked=True), raw.place, moved)
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        message = f"This {_WORDS[kind]} is damaged and is left out. Get the file again."
        report.add(error("damaged", message, raw.place))
        return None


_WORDS: Mapping[type, str] = {
    Suite: "set of goldens",
    Criteria: "set of criteria",
    Trace: "conversation",
    Turn: "turn",
    CaseVerdict: "verdict",
}

IMPLEMENTATION = Implementation(read=read)
