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
_NUMBERS = frozenset(
    {
        "BIGINT", "DECIMAL", "DOUBLE", "FLOAT", "HUGEINT", "INTEGER", "SMALLINT", "TINYINT", "UBIGINT", "UHUGEINT",
        "UINTEGER", "USMALLINT", "UTINYINT",
    }
)  # fmt: skip


def answering() -> _Answer:
    """In the child: the newest query counts, and the one before is ended with this child by whoever stops it."""
    from trace_inspector.core.errors import InspectorError
    from trace_inspector.documents.results import NAME
    from trace_inspector.documents.results.session import ResultsSession
    from trace_inspector.flows.results.answers import cell_text, save_answer
    from trace_inspector.flows.results.questions import sql_of

    held: dict[tuple[str, object], ResultsSession] = {}

    def session_of(folder: str) -> ResultsSession:
        """One that knows what the folder holds now: a run that is being written names more files after each shard."""
        known = folder, _written(Path(folder) / NAME)
        if known not in held:
            for session in held.values():
                session.close()
            held.clear()
            held[known] = ResultsSession(Path(folder))
        return held[known]

    def answer(question: ResultsQuestion) -> ResultsAnswer:
        try:
            session, sql = session_of(question.folder), sql_of(question.sql)
            if question.target:
                save_answer(session, Path(question.folder), sql, question.kind, Path(question.target))
                return ResultsAnswer()
            asked = session.ask(sql, MOST_SHOWN)
            rows = tuple(tuple(map(cell_text, row)) for row in asked.rows())
        except InspectorError:
            if not all(session.is_alive for session in held.values()):
                held.clear()
            raise
        columns = tuple((name, _is_number(kind)) for name, kind in asked.columns)
        return ResultsAnswer(columns, rows, asked.total)

    return answer


def _written(path: Path) -> object:
    """What tells whether a file was replaced; nothing where it is not there."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def _is_number(kind: str) -> bool:
    """Whether values of a type are numbers; lists of them are none."""
    return not kind.endswith("]") and kind.partition("(")[0] in _NUMBERS
