"""The turn that is asked about, with some of its conversation, as a file of its own: no verdict ever was in it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.rows.row_writer import RowWriter
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.verdict.verdict import CaseVerdict, TurnVerdict
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.review.drawing import whole_turn
from trace_inspector.models.review.output_places import Place

CONTEXT = 2  # turns before the one that is asked about, at first
MOST_CONTEXT = 200


class AskedTurn(Struct, frozen=True):
    """Some turns of a conversation. `row` is the one that is asked about, `before` how many more there are.

    `matchers` are those of a golden's case.
    """

    file: OpenFile
    row: int
    before: int = 0
    after: int = 0
    matchers: tuple[Matcher, ...] = ()

    @property
    def top(self) -> int:
        """The row of the conversation."""
        return self.file.table.tops[0]


def excerpt(place: Place, context: int) -> AskedTurn:
    """The turn, as many before it as `context` says, and as many after it where that is more than at first."""
    table = place.file.table
    rows, index = table.turns(place.top), table.order_of(place.row)
    first = max(0, index - context)
    last = min(len(rows), index + 1 + (context if context > CONTEXT else 0))
    turns = [turn for row in rows[first:last] if (turn := whole_turn(table, row)) is not None]
    head = table.body(place.top)
    agents = head.agents if isinstance(head, Trace) else ()
    made = _file(place.file.path, Trace(table.label(place.top), tuple(map(_bare, turns)), agents))
    own = made.table.turns(made.table.tops[0])
    return AskedTurn(made, own[min(index - first, len(own) - 1)], first, len(rows) - last)


def golden_of(place: Place, run: CurrentRun | None, files: Iterable[OpenFile]) -> AskedTurn | None:
    """The golden's turn beside it, where a run paired them."""
    verdict = run.on(place.file).turn(place.row) if run is not None else None
    if run is None or verdict is None or verdict.golden_index is None:
        return None
    case = next((case for case in run.on(place.file).cases(place.top) if _has(case, verdict)), None)
    golden = next((file for file in files if case and str(file.path) == case.golden_path), None)
    if case is None or golden is None:
        return None
    top = run.on(golden).row_at(case.golden_place, case.case_id)
    rows = golden.table.turns(top) if top != TOP else ()
    expected = golden.table.body(top) if 0 <= verdict.golden_index < len(rows) else None
    if not isinstance(expected, Case):
        return None
    turn = whole_turn(golden.table, rows[verdict.golden_index])
    if turn is None:
        return None
    made = _file(golden.path, Trace(golden.table.label(top), (_bare(turn),)))
    return AskedTurn(made, made.table.turns(made.table.tops[0])[0], matchers=tuple(expected.matchers))


def _has(case: CaseVerdict, verdict: TurnVerdict) -> bool:
    return any(turn is verdict for turn in case.turns)


def _bare(turn: Turn) -> Turn:
    """What else a file tells of a turn may be what a judge made of it."""
    return replace(turn, extras=(), spans=(), events=tuple(replace(event, extras=()) for event in turn.events))


def _file(path: Path, trace: Trace) -> OpenFile:
    writer = RowWriter()
    for _step in (*writer.steps(trace), *writer.finish()):
        pass
    made = OpenFile(-1, path)
    made.table.append(writer.take())
    return made
