"""A query about a results folder, and its answer as a table."""

from __future__ import annotations

import enum
from functools import partial
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from PySide6.QtCore import QObject, Signal

from trace_inspector.models.base.record_table import Column, RecordTable
from trace_inspector.models.base.translation import tr
from trace_inspector.work.processes.jobs import Jobs
from trace_inspector.work.processes.request_child import Answer
from trace_inspector.work.runs.querying import ResultsAnswer, ResultsQuestion, answering


class AnsweredRow(Struct, frozen=True):
    """One row, by its number."""

    number: int
    cells: tuple[str, ...]


Table: TypeAlias = RecordTable[AnsweredRow]
# A tree without any column has no first one to paint.
_NO_COLUMN: Column[AnsweredRow] = Column("", lambda _row: "")


class QueryState(enum.Enum):
    """Whether an answer is due."""

    NONE = "none"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class ResultsQuery(QObject):
    """Asks one query at a time; `changed` when the answer or a sentence came."""

    changed = Signal()

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self.table: Table = RecordTable((_NO_COLUMN,), lambda row: row.number, self)
        self.state = QueryState.NONE
        self.sentence = ""

    def ask(self, folder: Path, sql: str) -> None:
        """Ask; the table shows the answer when it comes."""
        self._turn(QueryState.RUNNING, "")
        self._jobs.ask(answering, ResultsQuestion(str(folder), sql), self._take)

    def export(self, folder: Path, sql: str, target: Path, kind: str) -> None:
        """Write all rows into a file; the table stays."""
        self._turn(QueryState.RUNNING, "")
        question = ResultsQuestion(str(folder), sql, str(target), kind)
        self._jobs.ask(answering, question, partial(self._written, target.name))

    def forget(self) -> None:
        """End the query, and show no answer any more: another folder is asked."""
        if self.state is QueryState.RUNNING:
            self._jobs.forget(answering)
        self.table.reset([], (_NO_COLUMN,))
        self._turn(QueryState.NONE, "")

    def stop(self) -> None:
        """End the query with the process that answers."""
        self._jobs.forget(answering)
        self._turn(QueryState.NONE, tr("Stopped."))

    def _take(self, answer: Answer) -> None:
        if not isinstance(answer.value, ResultsAnswer):
            self._turn(QueryState.FAILED, answer.sentence)
            return
        given = answer.value
        rows = [AnsweredRow(number, cells) for number, cells in enumerate(given.rows)]
        columns = [
            Column(name, partial(_cell, index), number=is_number)
            for index, (name, is_number) in enumerate(given.columns)
        ]
        self.table.reset(rows, columns)
        self._turn(QueryState.DONE, _count(len(rows), given.total))

    def _written(self, name: str, answer: Answer) -> None:
        failed = not isinstance(answer.value, ResultsAnswer)
        self._turn(QueryState.FAILED if failed else QueryState.DONE, answer.sentence or tr("Saved {0}.").format(name))

    def _turn(self, state: QueryState, sentence: str) -> None:
        self.state, self.sentence = state, sentence
        self.changed.emit()


def _cell(index: int, row: AnsweredRow) -> str:
    return row.cells[index]


def _count(shown: int, total: int) -> str:
    if shown < total:
        return tr("{0} of {1} rows; export gives all of them.").format(f"{shown:,}", f"{total:,}")
    return tr("1 row") if total == 1 else tr("{0} rows").format(f"{total:,}")
