"""Puts what was found in several files together as one pack, in which every value has its own place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.rows.evidence import EvidencePack, EvidenceSide, as_reported
from trace_inspector.core.rows.moved_places import at, referring
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.pointer import join
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.reports.sources import Key, trace_key


class GatheredFile(Struct, frozen=True):
    """What is to be shown of one file."""

    path: str
    suites: tuple[Suite, ...] = ()
    traces: tuple[Trace, ...] = ()


class Gathered(Struct, frozen=True):
    """One run: its files, and verdicts that name what they are about by path and place."""

    name: str
    files: tuple[GatheredFile, ...]
    verdicts: tuple[CaseVerdict, ...] = ()
    criteria: Criteria | None = None


class Shown(Struct, frozen=True):
    """What is to be opened first: a value at a place of a file."""

    path: str
    place: str


def pack_of(
    title: str,
    sides: Sequence[Gathered],
    shown: Shown | None = None,
    notes: Iterable[str] = (),
    compared: Sequence[Shown] = (),
) -> EvidencePack:
    """The pack. Verdicts become what the file reports; folders of files and digests of contents are left out.

    Several sides are runs that are compared with each other."""
    places: dict[Shown, str] = {}
    wanted = [*([shown] if shown is not None else ()), *compared]
    packed = tuple(_side(side, join("/sides", index), wanted, places) for index, side in enumerate(sides))
    beside = [join("/sides", index) for index in range(len(sides))] if len(sides) > 1 else map(places.get, compared)
    return EvidencePack(
        title,
        packed,
        places.get(shown, "") if shown is not None else "",
        tuple(notes),
        compared=tuple(place for place in beside if place),
    )


def _side(side: Gathered, pointer: str, wanted: Sequence[Shown], places: dict[Shown, str]) -> EvidenceSide:
    suites: list[Suite] = []
    traces: list[Trace] = []
    moved = _Moved()
    for file in side.files:
        for suite in file.suites:
            own: dict[str, str] = {}
            placed_suite = at(suite, join(pointer, "suites", len(suites)), own)
            suites.append(placed_suite)
            own.pop(suite.place, None)  # a whole file may be a suite and a conversation: the latter is meant
            for case, placed in zip(suite.cases, placed_suite.cases, strict=True):
                own.setdefault(case.place, placed.place)
                moved.goldens.setdefault((file.path, case.place, case.id), (placed.place, own))
            _note(wanted, file, own, places)
        for trace in file.traces:
            within: dict[str, str] = {}
            traces.append(at(trace, join(pointer, "traces", len(traces)), within))
            moved.traces.setdefault((file.path, trace.place, trace.id), (traces[-1].place, within))
            _note(wanted, file, within, places)
    verdicts = tuple(_reported(verdict, moved) for verdict in side.verdicts)
    return EvidenceSide(side.name, tuple(suites), tuple(traces), verdicts, _criteria(side.criteria, pointer))


def _criteria(criteria: Criteria | None, pointer: str) -> Criteria | None:
    """The criteria, with the names of their files alone."""
    if criteria is None:
        return None
    names = (PurePath(source).name for source in criteria.source.split("; "))
    return replace(at(criteria, join(pointer, "criteria"), {}), source="; ".join(names))


def _note(wanted: Iterable[Shown], file: GatheredFile, moved: Mapping[str, str], places: dict[Shown, str]) -> None:
    """Where those are now that are in this part of the file."""
    for each in wanted:
        if each.path == file.path and each.place in moved:
            places.setdefault(each, moved[each.place])


_NOWHERE: tuple[str, dict[str, str]] = ("", {})


class _Moved(Struct):
    """Where conversations and goldens are now, with the places of their parts; by file, old place and id."""

    traces: dict[Key, tuple[str, dict[str, str]]] = field(default_factory=dict)
    goldens: dict[Key, tuple[str, dict[str, str]]] = field(default_factory=dict)

    def golden_of(self, verdict: CaseVerdict) -> tuple[str, dict[str, str]]:
        """The golden of a verdict; where no file is named it is in that of the conversation."""
        key = verdict.golden_place, verdict.case_id
        own = self.goldens.get((verdict.golden_path, *key))
        return own or self.goldens.get((verdict.trace_path, *key), _NOWHERE)


def _reported(verdict: CaseVerdict, moved: _Moved) -> CaseVerdict:
    """The verdict as others are told it, of what is in the pack."""
    trace_place, in_trace = moved.traces.get(trace_key(verdict), _NOWHERE)
    golden_place, in_golden = moved.golden_of(verdict)
    return replace(
        as_reported(referring(verdict, in_trace, in_golden)),
        trace_place=trace_place,
        golden_place=golden_place,
        golden_path=PurePath(verdict.golden_path).name,
    )
