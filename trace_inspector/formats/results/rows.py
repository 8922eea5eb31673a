"""`results`: rows of a results folder as conversations with the verdicts that are reported of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from trace_inspector.core.finding import warning
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    Provenance,
    Status,
    TurnVerdict,
)
from trace_inspector.formats.common.fields import Fields, Report, count_of, fields_of
from trace_inspector.formats.common.format import Implementation, Source

_Key: TypeAlias = tuple[str | int | None, ...]
_STATUSES: Final = {status.value: status for status in Status}
_RUN: Final = ("run", "status", "rules", "criteria_source", "complete", "engine", "worker_processes", "versions")


def read(source: Source) -> Iterator[Item]:
    """A trace for each case, with the beginning of its turns: the whole conversation is in the file that is named."""
    fields = fields_of(source.value, source.place)
    report = Report()
    turns: dict[_Key, list[Fields]] = {}
    for row in report.bounded(fields, "turns"):
        turns.setdefault(_key(row), []).append(row)
    run = tuple(Extra(f"run: {name}", value, fields.pointer(name)) for name, value in _stated(fields))
    for key, group in groupby(report.bounded(fields, "verdicts"), key=_key):
        source.tick()
        rows = list(group)
        yield from _case(rows, turns.get(key, ()), run, report)
    yield from report.drain()


def _stated(fields: Fields) -> Iterator[tuple[str, Json]]:
    for name in _RUN:
        value = fields.get(name)
        if value not in ("", None) and isinstance(value, str | bool | int | dict):
            yield name, value


def _key(row: Fields) -> _Key:
    """What the rows of one case have in common."""
    texts = (row.text(name) for name in ("case_id", "suite", "trace_id", "trace_file"))
    return *texts, count_of(row.get("attempt"))


def _case(rows: Sequence[Fields], turns: Sequence[Fields], run: tuple[Extra, ...], report: Report) -> Iterator[Item]:
    whole = next((row for row in rows if row.text("about") == "case" and row.text("criterion") is None), rows[0])
    case_id, trace_id = whole.text("case_id") or "", whole.text("trace_id")
    extras = tuple(
        Extra(title, value, whole.pointer(name))
        for title, name in (
            ("conversation in file", "trace_file"),
            ("at", "place"),
            ("golden in file", "golden_file"),
        )
        if (value := whole.text(name))
    )
    # Without a trace the golden found none; its verdict needs something that it is about all the same.
    name = trace_id if trace_id is not None else f"no trace for {case_id}"
    suite = whole.text("suite") or None
    yield Trace(name, case_id=case_id or None, suite_id=suite, extras=(*extras, *run), place=whole.place)
    indexes = set[int]()
    for turn in turns:
        index = _index(turn, "turn")
        if index is not None and index not in indexes:
            indexes.add(index)
            yield _turn(turn, index)
    of_turns: dict[tuple[int | None, int | None], list[Fields]] = {}
    for row in rows:
        if row.text("about") == "turn":
            of_turns.setdefault((_index(row, "turn"), _index(row, "golden_turn")), []).append(row)
    yield CaseVerdict(
        case_id,
        suite or "",
        name,
        _status(whole, report),
        tuple(_metric(row, report) for row in rows if row.text("about") == "case" and row.text("criterion")),
        tuple(_turn_verdict(*key, own, report) for key, own in of_turns.items()),
        missing_turns=tuple(golden for index, golden in of_turns if index is None and golden is not None),
        reason=whole.text("reason") or "",
        golden_path=whole.text("golden_file") or "",
        golden_place=whole.text("golden_place") or "",
        trace_place=whole.place,
        repeat=max(0, (count_of(whole.get("attempt")) or 1) - 1),
        provenance=Provenance.REPORTED,
    )


def _turn(row: Fields, index: int) -> Turn:
    asked, answered = row.text("user_text"), row.text("answer")
    return Turn(
        index,
        user=(Text(asked, row.pointer("user_text")),) if asked else (),
        final_response=(Text(answered, row.pointer("answer")),) if answered else None,
        final_author=row.text("agent") or "",
        duration_s=row.number("seconds"),
        place=row.place,
    )


def _turn_verdict(index: int | None, golden: int | None, rows: Sequence[Fields], report: Report) -> TurnVerdict:
    whole = next((row for row in rows if row.text("criterion") is None), None)
    return TurnVerdict(
        index,
        golden,
        _status(whole, report) if whole else Status.NOT_EVALUATED,
        tuple(_metric(row, report) for row in rows if row.text("criterion")),
        (whole.text("reason") or "") if whole else "",
        Provenance.REPORTED,
    )


def _metric(row: Fields, report: Report) -> MetricVerdict:
    version = count_of(row.get("metric_version")) or 1
    return MetricVerdict(
        row.text("criterion") or "",
        row.number("score"),
        _status(row, report),
        row.number("threshold"),
        row.text("reason") or "",
        Provenance.REPORTED,
        stated_version=version if version > 1 else 0,
    )


def _status(row: Fields, report: Report) -> Status:
    stated = row.text("status")
    if stated not in _STATUSES:
        report.add(
            warning("unknown-status", "The status is none that is known; it counts as not evaluated.", row.place)
        )
    return _STATUSES.get(stated or "", Status.NOT_EVALUATED)


def _index(row: Fields, name: str) -> int | None:
    """A number that counts from 1 as an index."""
    count = count_of(row.get(name))
    return count - 1 if count else None


IMPLEMENTATION = Implementation(read=read)
