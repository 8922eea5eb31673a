"""Answers queries about results folders in a child that stays: the process that answers is kept for one folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from trace_inspector.documents.results.session import ResultsSession

MOST_SHOWN = 1_000  # rows


class ResultsQuestion(Struct, frozen=True):
    """A query, or the name of a ready-made one; with a `target` all rows go into that file, in the form `kind`."""

    folder: str
    sql: str
    target: str = ""
    kind: str = ""


class ResultsAnswer(Struct, frozen=True):
    """The columns, each with whether it holds numbers, the first rows as texts, and how many there are."""

    columns: tuple[tuple[str, bool], ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    total: int = 0


_Answer: TypeAlias = Callable[[ResultsQuestion], ResultsAnswer]
_NUMBERS = (
    "BIGINT",
    "DECIMAL",
    "DOUBLE",
    "FLOAT",
    "HUGEINT",
    "INTEGER",
    "SMALLINT",
    "TINYINT",
    "UBIGINT",
    "UINTEGER",
)


def answering() -> _Answer:
    """In the child: the newest query counts, and the one before is ended with this child by whoever stops it."""
    from trace_inspector.core.errors import InspectorError
    from trace_inspector.documents.results.session import ResultsSession
    from trace_inspector.flows.results.answers import cell_text, save_answer
    from trace_inspector.flows.results.questions import sql_of

    held: dict[str, ResultsSession] = {}

    def session_of(folder: str) -> ResultsSession:
        if folder not in held:
            for session in held.values():
                session.close()
            held.clear()
            held[folder] = ResultsSession(Path(folder))
        return held[folder]

    def answer(question: ResultsQuestion) -> ResultsAnswer:
        try:
            session, sql = session_of(question.folder), sql_of(question.sql)
            if question.target:
                save_answer(session, Path(question.folder), sql, question.kind, Path(question.target))
                return ResultsAnswer()
            asked = session.ask(sql, MOST_SHOWN)
            rows = tuple(tuple(map(cell_text, row)) for row in asked.rows())
        except InspectorError:
            if question.folder in held and not held[question.folder].is_alive:
                del held[question.folder]
            raise
        columns = tuple((name, kind.startswith(_NUMBERS)) for name, kind in asked.columns)
        return ResultsAnswer(columns, rows, asked.total)

    return answer
