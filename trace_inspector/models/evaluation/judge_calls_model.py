"""Calls of judges as a flat table."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from msgspec import Struct
from PySide6.QtCore import QObject, Qt

from trace_inspector.core.translatable import N_
from trace_inspector.models.base.figures import seconds_text, when_text
from trace_inspector.models.base.record_table import Cells, Column, RecordTable
from trace_inspector.models.base.roles import MARK_NAMES, Role
from trace_inspector.work.runs.judge_calls import CallLine, Question, ReadCallText

_MARKS = {True: "passed", False: "no", None: "none"}
_DAY_S, _HOUR_S, _MINUTE_S = 86_400.0, 3_600.0, 60.0


class Call(Struct, frozen=True):
    """A call with its question. `kept_s`: how long before the run its reply was stored."""

    line: CallLine
    question: Question
    kept_s: float | None = None

    @property
    def mark(self) -> str:
        """The vote as a mark."""
        return "warning" if self.line.why else _MARKS[self.line.yes]

    @property
    def source(self) -> str:
        """The source of the reply."""
        if not self.line.there:
            return "gone"
        if self.line.started_s is None:
            return "recorded"
        return "asked" if self.kept_s is None else f"kept, {age_text(self.kept_s)} old"


def _tokens_text(call: Call) -> str:
    counts = call.line.input_tokens, call.line.output_tokens
    return "" if counts == (None, None) else " / ".join("–" if count is None else f"{count:,}" for count in counts)


_MARKED: Cells[Call] = {
    Role.MARK: attrgetter("mark"),
    Qt.ItemDataRole.AccessibleTextRole: lambda call: f"{MARK_NAMES[call.mark]}, {call.question.metric}",
}
COLUMNS: tuple[Column[Call], ...] = (
    Column(N_("Criterion"), attrgetter("question.metric"), 220, cells=_MARKED),
    Column(N_("Case"), attrgetter("question.case_id"), 130),
    Column(
        N_("Turn"), lambda call: "" if call.question.turn is None else f"{call.question.turn + 1}", 48, number=True
    ),
    Column(N_("Vote"), lambda call: f"{call.line.sample + 1} of {call.line.count}", 64, number=True),
    Column(N_("Result"), lambda call: call.line.vote or call.line.why, 110),
    Column(N_("Time"), lambda call: seconds_text(call.line.duration_s), 64, number=True),
    Column(N_("Tokens in / out"), _tokens_text, 112, number=True),
    Column(N_("Source"), attrgetter("source"), 110),
    Column(N_("Model"), attrgetter("line.model"), 130),
    Column(N_("Tries"), lambda call: f"{call.line.attempts}" if call.line.attempts else "", 48, number=True),
    Column(
        N_("Asked at"), lambda call: when_text(call.line.started_s) if call.line.started_s is not None else "", 150
    ),
)
CASE = 1


class JudgeCallsModel(RecordTable[Call]):
    """Calls in the order of asking; their keys are the digests of the replies."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, attrgetter("line.digest"), parent)


def calls_of(questions: Sequence[Question], lines: Sequence[CallLine], started_s: float) -> list[Call]:
    """The calls of lines with their questions, in a run that started then."""
    return [Call(line, questions[line.question], _age(line, started_s)) for line in lines]


def text_wanted(call: Call, recorded: str) -> ReadCallText:
    """The request for the texts of a call."""
    return ReadCallText(call.question, call.line.sample, call.line.digest, recorded)


def age_text(age_s: float) -> str:
    """3 days, 2 hours, 5 minutes, a moment."""
    for unit_s, name in ((_DAY_S, "day"), (_HOUR_S, "hour"), (_MINUTE_S, "minute")):
        count = int(age_s // unit_s)
        if count:
            return f"{count:,} {name}{'' if count == 1 else 's'}"
    return "a moment"


def _age(line: CallLine, started_s: float) -> float | None:
    if line.started_s is None or line.started_s >= started_s:
        return None
    return started_s - line.started_s
