"""Tests that people write by hand for SCRAPI: `scrapi`, goldens, single turns, simulations and tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct

from trace_inspector.core.finding import info
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.formats.common.extras import extras_of
from trace_inspector.formats.common.fields import Fields, Report, fields_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.recogniser import Condition
from trace_inspector.formats.scrapi.conversation import WELCOME, Common, conversation_case, reference_case
from trace_inspector.formats.scrapi.recognisers import CONVERSATION, REFERENCE, SIMULATION, SINGLE_TURN, TOOL_TEST
from trace_inspector.formats.scrapi.single import simulation_case, tool_test_case, turn_case


class _FileKind(Struct, frozen=True):
    """One of the files: the list that its cases stand in, and how a case of it is recognised."""

    listed: str
    matches: Condition
    read: Callable[[Fields, int, Common, Report], Case]


_KINDS = (
    _FileKind(
        "conversations",
        CONVERSATION,
        conversation_case,
    ),
    _FileKind(
        "conversations",
        SINGLE_TURN,
        turn_case,
    ),
    _FileKind("evals", SIMULATION, simulation_case),
    _FileKind("tests", TOOL_TEST, tool_test_case),
)


def read(source: Source) -> Iterator[Item]:
    """One suite of all cases; what is stated for all of them holds for each."""
    report = Report()
    fields = fields_of(source.value, source.place)
    suite_id = source.stem or "scrapi"
    common = Common.of(fields, suite_id)
    if REFERENCE(fields):
        cases = [reference_case(fields, common, report)]
    else:
        cases = list(_cases(fields, common, source, report))
    unsaid = sum(part == WELCOME for case in cases for turn in case.turns for part in turn.user)
    if unsaid:
        message = f"In {unsaid} of the turns the user says nothing; SCRAPI sends the event “welcome” there."
        report.add(info("taken-as-welcome", message, source.place))
    extras = () if REFERENCE(fields) else extras_of(fields, *_READ)
    yield Suite(suite_id, suite_id, cases=tuple(cases), extras=extras, place=source.place)
    yield from report.drain()


_READ = ("conversations", "evals", "tests", "common_session_parameters", "common_expectations")


def _cases(fields: Fields, common: Common, source: Source, report: Report) -> Iterator[Case]:
    number = 0
    for listed in dict.fromkeys(kind.listed for kind in _KINDS):
        for entry in report.bounded(fields, listed):
            source.tick()
            number += 1
            kind = _kind_of(entry, listed) or next(kind for kind in _KINDS if kind.listed == listed)
            yield kind.read(entry, number, common, report)


def _kind_of(entry: Fields, listed: str) -> _FileKind | None:
    return next((kind for kind in _KINDS if kind.listed == listed and kind.matches(entry)), None)


IMPLEMENTATION = Implementation(read=read)
