"""The contents of the cells of a file's tree: for each column a table from roles to functions of the row."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt

from trace_inspector.core.alignment.turn_alignment import CallMatch
from trace_inspector.core.rows.rows import Flag, Kind
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import argument_spans
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.figures import count_text, seconds_text
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.roles import MARK_NAMES, Bar, Role
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.slow_calls import SlowCalls
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation import marks
from trace_inspector.models.evaluation.audit_notes import note_of, turns_failed_by
from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.evaluation.score_cells import (
    FAILING,
    Cell,
    Trust,
    cell_of,
    no_trust,
    reported_cell,
    reported_verdict,
    verdict_of,
)
from trace_inspector.work.runs.evaluating import MetricLine

Ask = Callable[[int], Any]

DISPLAY = int(Qt.ItemDataRole.DisplayRole)
ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
TIP = int(Qt.ItemDataRole.ToolTipRole)
SPOKEN = int(Qt.ItemDataRole.AccessibleTextRole)
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

BOLD_KINDS = frozenset({Kind.SUITE, Kind.CASE, Kind.RUNS, Kind.TRACE, Kind.TURN})
_DIM = frozenset({Kind.THOUGHT, Kind.RESULT, Kind.STATE, Kind.SPAN, Kind.AGENTS, Kind.AGENT})
_GHOSTS = frozenset({Kind.MISSING_CALL, Kind.MISSING_TURN})
_JUDGED = frozenset({Kind.CASE, Kind.TRACE, Kind.TURN, Kind.MISSING_TURN})

_HEAT_TIPS = ("", N_("Among the slowest 10 % of the calls of this file"), N_("Among the slowest 1 % of its calls"))
_TRANSFER = "transfer"
ICONS: dict[Kind, str] = {
    Kind.SUITE: "star",
    Kind.TEXT: "text",
    Kind.ANSWER: "text",
    Kind.THOUGHT: "thought",
    Kind.CALL: "tool",
    Kind.MISSING_CALL: "tool",
    Kind.RESULT: "result_arrow",
    Kind.TRANSFER: "transfer",
    Kind.STATE: "state",
    Kind.USER: "user",
    Kind.EVENT: "calls",
    Kind.AGENTS: "agent",
    Kind.AGENT: "agent",
    Kind.SPAN: "link",
}
# Rows that show the number of their children.
_COUNTED = {Kind.RUNS: "run"}
LOOKS: dict[Kind, str] = {
    Kind.TURN: "turn",
    Kind.EVENT: "model",
    Kind.CALL: "tool",
    Kind.RESULT: "tool",
    Kind.TEXT: "model",
    Kind.THOUGHT: "model",
    Kind.ANSWER: "model",
    Kind.CODE: "model",
    Kind.TRANSFER: "agent",
    Kind.STATE: "agent",
    Kind.SPAN: "agent",
}


class TraceCells:
    """The cells of one file under one run; score cells are cached."""

    def __init__(
        self, file: OpenFile, run: CurrentRun | None, metrics: Sequence[MetricLine], trust: Trust = no_trust
    ) -> None:
        self._file = file
        self._trust = trust
        self._table = file.table
        self._slow = SlowCalls(file.table)
        self.run = run
        self.metrics = metrics
        self._scores: dict[tuple[int, int], Cell] = {}  # by row and number of the metric

    def forget_scores(self) -> None:
        """Clear the cached score cells: verdicts changed."""
        self._scores.clear()

    def weight(self, row: int, metric: MetricLine) -> tuple[float, ...] | None:
        """What a case or turn is sorted by in a criterion's column: what failed, then what has the lower score."""
        kind, run = self._table.kind(row), self.run
        if run is None:
            verdict = reported_verdict(self._file.reported, row, kind, metric)
        else:
            verdict = verdict_of(run.on(self._file), row, metric) if kind in _JUDGED else None
        if verdict is None or (verdict.score is None and verdict.status not in FAILING):
            return None
        return float(verdict.status not in FAILING), -math.inf if verdict.score is None else verdict.score

    def columns(self) -> list[Mapping[int, Ask]]:
        table = self._table
        what: dict[int, Ask] = {
            DISPLAY: table.label,
            SPOKEN: self._spoken,
            Role.MARK: self._mark,
            Role.KIND: table.kind,
            Role.AUTHOR: table.author,
            Role.INITIALS: lambda row: initials(table.author(row)),
            Role.ICON: lambda row: _TRANSFER if table.flag(row) & Flag.TRANSFER else ICONS.get(table.kind(row), ""),
            Role.TINTS: self._tints,
            Role.GHOST: lambda row: table.kind(row) in _GHOSTS,
            Role.DIM: lambda row: table.kind(row) in _DIM,
            Role.BOLD: lambda row: table.kind(row) in BOLD_KINDS,
            Role.CAPTION: self._caption,
            Role.FAILED_BY: self._failed_by,
            Role.NOTE: lambda row: note.short if (note := note_of(self._file, row, self.run)) else "",
            Role.NOTE_MARK: lambda row: note.mark if (note := note_of(self._file, row, self.run)) else "",
            TIP: lambda row: plain_tip(note.text) if (note := note_of(self._file, row, self.run)) else None,
            Role.SELECTION: lambda row: Selection(self._file.number, row),
        }
        time: dict[int, Ask] = {
            Role.BAR: self._bar,
            Role.KIND: table.kind,
            Role.ROW_MARK: self._mark,
            Role.GHOST: what[Role.GHOST],
            SPOKEN: self._spoken_time,
        }
        latency: dict[int, Ask] = {
            DISPLAY: lambda row: "golden" if table.kind(row) in _GHOSTS else seconds_text(table.duration_s(row)),
            ALIGNMENT: lambda _row: RIGHT,
            Role.BOLD: what[Role.BOLD],
            Role.DIM: what[Role.GHOST],
            Role.HEAT: self._slow.level,
            TIP: lambda row: tr(_HEAT_TIPS[self._slow.level(row)]) or None,
        }
        tokens: dict[int, Ask] = {
            DISPLAY: lambda row: count_text(table.tokens(row)),
            ALIGNMENT: lambda _row: RIGHT,
            Role.DIM: lambda _row: True,
        }
        scores = [self._score_column(number) for number in range(len(self.metrics))]
        author: dict[int, Ask] = {DISPLAY: table.author, Role.DIM: lambda _row: True}
        start: dict[int, Ask] = {DISPLAY: self._start, ALIGNMENT: lambda _row: RIGHT, Role.DIM: lambda _row: True}
        details = table.details
        candidate: dict[int, Ask] = {DISPLAY: lambda row: details.of(row).candidate}
        persona: dict[int, Ask] = {DISPLAY: lambda row: details.of(row).persona}
        run: dict[int, Ask] = {
            DISPLAY: lambda row: str(details.of(row).run or ""),
            ALIGNMENT: lambda _row: RIGHT,
            Role.DIM: lambda _row: True,
        }
        return [what, *scores, time, latency, tokens, author, start, candidate, persona, run]

    def _score_column(self, number: int) -> dict[int, Ask]:
        trust, name = self._trust, self.metrics[number].name

        def cell(row: int) -> Cell:
            kept = self._scores.get((row, number))
            if kept is None:
                kept = self._scores[row, number] = self._cell(row, number)
            return kept

        return {
            DISPLAY: lambda row: cell(row).text,
            ALIGNMENT: lambda _row: RIGHT,
            SPOKEN: lambda row: f"{MARK_NAMES.get(cell(row).mark, '')} {cell(row).text}".strip(),
            Role.MARK: lambda row: cell(row).mark,
            Role.ROW_MARK: self._mark,
            Role.FAILING: lambda row: cell(row).failing,
            TIP: lambda row: plain_tip(trust(self._file, name)) or None if cell(row).text else None,
        }

    def _cell(self, row: int, number: int) -> Cell:
        kind, metric = self._table.kind(row), self.metrics[number]
        if self.run is None:
            return reported_cell(self._file.reported, row, kind, metric)
        return cell_of(self.run.on(self._file), row, kind, metric)

    def _mark(self, row: int) -> str:
        return marks.shown_mark(self._file, row, self.run)

    def _spoken(self, row: int) -> str:
        mark, author = MARK_NAMES.get(self._mark(row), ""), self._table.author(row)
        note = note_of(self._file, row, self.run) if row not in self._file.parted else None  # its mark says it
        parts = (mark, author, self._table.label(row), self._failed_by(row), f"audit: {note.short}" if note else "")
        return ", ".join(word for word in parts if word)

    def _failed_by(self, row: int) -> str:
        return turns_failed_by(self._file, row, self.run)

    def _caption(self, row: int) -> str:
        kind = self._table.kind(row)
        if kind in _COUNTED:
            count = len(self._table.children(row))
            return f"{count} {_COUNTED[kind]}{'' if count == 1 else 's'}"
        if kind not in (Kind.CASE, Kind.TRACE):
            return ""
        turns, calls = len(self._table.turns(row)), self._table.call_count(row)
        counts = f"{turns} {'turn' if turns == 1 else 'turns'}, {calls} {'call' if calls == 1 else 'calls'}"
        reported = self.run is None and self._file.reported.status(row) is not None
        return f"{counts}, verdict as reported" if reported else counts

    def _tints(self, row: int) -> tuple[tuple[int, int], ...]:
        run = self.run
        if run is None or self._table.kind(row) is not Kind.CALL:
            return ()
        pair_and_metric = run.on(self._file).call(row)
        call = self._table.thing(row) if pair_and_metric and pair_and_metric[0].match is CallMatch.ARGUMENTS else None
        if pair_and_metric is None or not isinstance(call, ToolCall):
            return ()
        spans = argument_spans(call)
        return tuple(spans[name] for name in pair_and_metric[0].differing if name in spans)

    def _bar(self, row: int) -> Bar | None:
        table = self._table
        turn, scale_s = table.turn_of(row), table.longest_turn_s
        if table.kind(row) in _GHOSTS:
            return Bar(0.0, 1.0, "missing")
        begin_s, start_s = table.start_s(turn) if turn != TOP else None, table.start_s(row)
        look = LOOKS.get(table.kind(row), "")
        if begin_s is None or start_s is None or scale_s <= 0 or not look:
            return None
        if table.flag(row) & Flag.TRANSFER:
            look = "agent"
        start = (start_s - begin_s) / scale_s
        end = start + (table.duration_s(row) or 0.0) / scale_s
        guessed = bool(table.flag(turn) & Flag.TIMES_GUESSED)
        return Bar(min(1.0, max(0.0, start)), min(1.0, max(0.0, end)), look, guessed)

    def _start(self, row: int) -> str:
        """The start of a row, relative to its turn."""
        table, turn = self._table, self._table.turn_of(row)
        begin_s, start_s = table.start_s(turn) if turn != TOP else None, table.start_s(row)
        return seconds_text(start_s - begin_s) if begin_s is not None and start_s is not None else ""

    def _spoken_time(self, row: int) -> str:
        start = self._start(row)
        return f"starts {start} into the turn" if start else ""


def initials(author: str) -> str:
    """Two letters for an agent's chip: MarketResearchAgent is MR, root_agent is Ro."""
    words = [word for word in _words(author) if word.casefold() != "agent"] or _words(author)
    if not words:
        return ""
    return (words[0][0] + words[1][0]).upper() if len(words) > 1 else words[0][:2].capitalize()


def _words(name: str) -> list[str]:
    spaced = "".join(f" {char}" if char.isupper() else char if char.isalnum() else " " for char in name)
    return spaced.split()
