"""Computes in a child the coverage of the open goldens over what they and the open conversations declare."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.trace.trace import Trace
from trace_inspector.engine.goldens.coverage import Line, coverage
from trace_inspector.work.processes.child import Channel
from trace_inspector.work.reading.contents_from_rows import Bodies, rebuild

MOST_TOUCHES = 100  # of a line, to navigate to
LINES_A_MESSAGE = 500


class CoverLine(Struct, frozen=True):
    """A line of the coverage; `touches` are the files, by the window's numbers, and the places to go to."""

    kind: str
    name: str
    agent: str
    declared: bool
    cases: int
    runs: int
    touches: tuple[tuple[int, str, str], ...]  # file, place, id of the case


class Covered(Struct, frozen=True):
    """Further lines, uncovered ones first; `case_count` is the number of all goldens."""

    lines: tuple[CoverLine, ...]
    case_count: int


def cover(channel: Channel, goldens: Sequence[tuple[int, Bodies]], traces: Sequence[Bodies]) -> None:
    """In the child: the bodies of the files follow in this order."""
    incoming = channel.incoming()
    suites: list[Suite] = []
    for number, body in goldens:
        suites += [replace(suite, id=str(number)) for suite in rebuild(body, incoming).suites]
    recorded: list[Trace] = []
    for body in traces:
        recorded += rebuild(body, incoming).traces
    covered = coverage(suites, recorded)
    lines = [_line(line) for line in sorted(covered.lines, key=lambda line: bool(line.touches))]
    for first in range(0, max(len(lines), 1), LINES_A_MESSAGE):
        channel.send(Covered(tuple(lines[first : first + LINES_A_MESSAGE]), covered.case_count))


def _line(line: Line) -> CoverLine:
    touches = tuple(
        (int(touch.suite_id), touch.turn_place or touch.case_place, touch.case_id)
        for touch in line.touches[:MOST_TOUCHES]
    )
    return CoverLine(line.kind.value, line.name, line.agent, line.declared, line.cases, line.runs, touches)
