"""The values that the library gives: frozen, without anything of how they are made."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins

from trace_inspector.core.errors import InspectorError

if TYPE_CHECKING:
    import pyarrow

Plain = dict[str, Any]


class Status(enum.StrEnum):
    """What was decided. Only PASSED is green; equal to its name as a text."""

    PASSED = "PASSED"
    FAILED = "FAILED"
    NOT_EVALUATED = "NOT_EVALUATED"
    INFORMATIONAL = "INFORMATIONAL"
    SKIPPED = "SKIPPED"
    ERROR = "ERROR"
    PENDING = "PENDING"


def _arrow_table(rows: Iterable[Plain]) -> pyarrow.Table:
    """Rows as an Arrow table, where pyarrow is installed. What is no plain cell is JSON there."""
    try:
        import pyarrow
    except ImportError as problem:
        raise InspectorError("pyarrow is not installed. “pip install pyarrow” brings it.") from problem
    from trace_inspector.core.values.json_numbers import json_text

    return pyarrow.Table.from_pylist(
        [
            {name: json_text(cell) if isinstance(cell, dict | list) else cell for name, cell in row.items()}
            for row in rows
        ]
    )


def _row(value: Struct) -> Plain:
    """The fields as plain values, with lists where there are tuples: a column has cells of one kind."""
    return {name: [*cell] if isinstance(cell, tuple) else cell for name, cell in to_builtins(value).items()}


class ToolCall(Struct, frozen=True):
    """A call of a tool with its result; `result` is None where none was recorded."""

    name: str
    arguments: Any = None
    result: Any = None
    id: str | None = None
    is_error: bool = False


class Turn(Struct, frozen=True):
    """From a user's message to the answer. `answer` None: the recording states none. Times in seconds."""

    index: int
    user: str
    answer: str | None
    calls: tuple[ToolCall, ...] = ()
    author: str = ""
    start_s: float | None = None
    duration_s: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


class Trace(Struct, frozen=True):
    """One recorded conversation, or one golden of a suite (`is_golden`). `place` is where it stands in the file."""

    id: str
    turns: tuple[Turn, ...]
    path: str
    place: str = ""
    title: str = ""
    is_golden: bool = False


class Note(Struct, frozen=True):
    """Something odd about a file: how severe, a code for programs, a sentence for people, and the place."""

    severity: str
    code: str
    message: str
    place: str = ""
    line: int = 0


class File(Struct, frozen=True):
    """What a file holds: recorded conversations, goldens, and what is odd about it."""

    path: str
    format: str
    traces: tuple[Trace, ...] = ()
    goldens: tuple[Trace, ...] = ()
    notes: tuple[Note, ...] = ()

    def to_dicts(self) -> list[Plain]:
        """One row a turn."""
        return [
            {"trace": trace.id, "golden": trace.is_golden, **_row(turn)}
            for trace in (*self.traces, *self.goldens)
            for turn in trace.turns
        ]

    def to_arrow(self) -> pyarrow.Table:
        """The rows as an Arrow table, where pyarrow is installed."""
        return _arrow_table(self.to_dicts())


class MetricResult(Struct, frozen=True):
    """One metric on one turn or one case. `score` None: there is none, and `reason` says why."""

    metric: str
    score: float | None
    threshold: float | None
    status: Status
    reason: str = ""
    version: int = 1


class TurnResult(Struct, frozen=True):
    """One turn, observed and expected, counted from 0; None on a side that has none."""

    index: int | None
    golden_index: int | None
    status: Status
    metrics: tuple[MetricResult, ...] = ()
    reason: str = ""


class CaseResult(Struct, frozen=True):
    """One golden against one conversation. `trace` None: no conversation was found for it.

    `difference` is where the conversation parts from the golden, as `trace-inspector diff` shows it, in lines.
    """

    id: str
    trace: str | None
    status: Status
    metrics: tuple[MetricResult, ...] = ()
    turns: tuple[TurnResult, ...] = ()
    reason: str = ""
    trace_path: str = ""
    golden_path: str = ""
    difference: tuple[str, ...] = ()


class Run(Struct, frozen=True):
    """One evaluation."""

    id: str
    status: Status
    cases: tuple[CaseResult, ...] = ()
    rules: str = ""
    notes: tuple[str, ...] = ()
    unpaired_traces: tuple[str, ...] = ()
    # Everything that was asked for was decided, and passed: a golden without a conversation or a criterion without a
    # verdict is no pass, as for the exit code of the command.
    passed: bool = False
    made_of: object = None  # what `compare` reads of it; nobody else should

    def __repr__(self) -> str:
        return f"Run(id={self.id!r}, status={str(self.status)!r}, cases={len(self.cases)})"

    @property
    def counts(self) -> Mapping[Status, int]:
        """How many cases have which status."""
        return {status: sum(case.status is status for case in self.cases) for status in Status}

    def to_dicts(self) -> list[Plain]:
        """One row a metric: of each case with `turn` None, then of each of its turns."""
        return [row for case in self.cases for row in _case_rows(case)]

    def to_arrow(self) -> pyarrow.Table:
        """The rows as an Arrow table, where pyarrow is installed."""
        return _arrow_table(self.to_dicts())


def _case_rows(case: CaseResult) -> Iterable[Plain]:
    head = {"case": case.id, "trace": case.trace, "case_status": str(case.status)}
    placed: list[tuple[int | None, int | None, tuple[MetricResult, ...]]] = [(None, None, case.metrics)]
    placed += [(turn.index, turn.golden_index, turn.metrics) for turn in case.turns]
    for index, golden_index, metrics in placed:
        for metric in metrics:
            yield {**head, "turn": index, "golden_turn": golden_index, **_row(metric)}


class ComparedCase(Struct, frozen=True):
    """One case in two runs: regressed, improved, unchanged, new, gone or not comparable, and how it stood."""

    id: str
    change: str
    base: tuple[Status, ...] = ()
    new: tuple[Status, ...] = ()
    reason: str = ""


class Comparison(Struct, frozen=True):
    """Two runs, case by case. `chance`: how likely so uneven a change is by chance; None where nothing changed."""

    cases: tuple[ComparedCase, ...]
    chance: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> Mapping[str, int]:
        """How many cases fared how."""
        changes = dict.fromkeys(case.change for case in self.cases)
        return {change: sum(case.change == change for case in self.cases) for change in changes}

    @property
    def regressed(self) -> tuple[str, ...]:
        """The cases that got worse."""
        return tuple(case.id for case in self.cases if case.change == "regressed")

    def to_dicts(self) -> list[Plain]:
        """One row a case."""
        return [_row(case) for case in self.cases]

    def to_arrow(self) -> pyarrow.Table:
        """The rows as an Arrow table, where pyarrow is installed."""
        return _arrow_table(self.to_dicts())


class Promotion(Struct, frozen=True):
    """Goldens made of recorded conversations. Where something would be `gone` for good nothing was `written`."""

    path: str
    cases: tuple[str, ...]
    written: bool
    losses: tuple[Note, ...] = ()


class Figure(Struct, frozen=True):
    """A figure with its 95 % interval; None with the reason where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""


class Calibration(Struct, frozen=True):
    """How far a judge agrees with people on one question. The positive class is “failed”."""

    question: str
    level: str
    judge: str
    compared: int
    confusion: Mapping[str, int]
    sensitivity: Figure
    specificity: Figure
    accuracy: Figure
    kappa: Figure
    raw_pass_rate: float | None
    corrected_pass_rate: Figure
    stale: str = ""


class Calibrations(Struct, frozen=True):
    """All questions that judges answered and people labelled."""

    questions: tuple[Calibration, ...]
    notes: tuple[str, ...] = ()

    def to_dicts(self) -> list[Plain]:
        """One row a question."""
        return [_row(question) for question in self.questions]

    def to_arrow(self) -> pyarrow.Table:
        """The rows as an Arrow table, where pyarrow is installed."""
        return _arrow_table(self.to_dicts())
