"""Asks SQL of a results folder. The process that answers is ended after a minute, its temporary folder removed."""

from __future__ import annotations

import multiprocessing
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final

import msgspec

from trace_inspector.core.errors import ReadError, UsageError
from trace_inspector.core.values.values import Json
from trace_inspector.documents.results.duck import require_duckdb
from trace_inspector.documents.results.manifest import Manifest, files_inside, read_manifest
from trace_inspector.documents.results.sql_process import Question, Reply, serve
from trace_inspector.documents.saving.file_lock import lock

SECONDS: Final = 60.0
_PREFIX: Final = "trace-inspector-sql-"
_LOCK: Final = "lock"
_YOUNG_S: Final = 60  # one that was just made may not be locked yet
Row = list[Json]


def _sweep() -> None:
    """Remove temporary folders of sessions whose process was killed before it could."""
    for left in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*/{_LOCK}"):
        with suppress(OSError), left.open("rb") as file:
            if time.time() - left.stat().st_mtime > _YOUNG_S and lock(file.fileno()):
                shutil.rmtree(left.parent, ignore_errors=True)


class Answer:
    """The columns of an answer with their types, and its rows, which can be gone through once.

    How many there are in all, `total`, is known when all were gone through.
    """

    def __init__(self, replies: Iterator[Reply]) -> None:
        self._replies = replies
        self.columns = next(replies).columns or ()
        self.total = 0

    def rows(self) -> Iterator[Row]:
        """The rows in order, as they come."""
        for reply in self._replies:
            yield from reply.rows or ()
            self.total = reply.total or self.total


class ResultsSession:
    """A process that answers queries about one folder, as long as the `with` around it lasts."""

    def __init__(self, folder: Path, seconds: float = SECONDS) -> None:
        require_duckdb()
        self.manifest: Manifest = read_manifest(folder)
        tables = {name: list(map(str, files)) for name, files in files_inside(folder, self.manifest).items()}
        self._folder, self._seconds = folder, seconds
        _sweep()
        self._temporary = Path(tempfile.mkdtemp(prefix=_PREFIX))
        self._held = (self._temporary / _LOCK).open("wb")
        lock(self._held.fileno())
        self._number = 0  # of the query: what is still to come of an earlier answer is passed over
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=serve, args=(theirs, tables, str(self._temporary / "spilled")), daemon=True
        )
        try:
            (self._temporary / "spilled").mkdir()
            self._process.start()
            theirs.close()
            self._deadline = time.monotonic() + seconds
            self._receive()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> ResultsSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def is_alive(self) -> bool:
        """Whether it can still be asked."""
        return not self._pipe.closed

    @property
    def process_id(self) -> int | None:
        """The process that answers."""
        return self._process.pid

    def ask(self, sql: str, most: int | None = None) -> Answer:
        """The answer to one SELECT, with no more than `most` rows, though all of them are counted.

        UsageError where it is no SELECT or asks for something else than the tables; ReadError where it cannot be
        answered within the limits. A query that took too long ends the session.
        """
        return Answer(self._replies(sql, most))

    def write_parquet(self, sql: str, file: BinaryIO) -> None:
        """Write all rows as Parquet into a file; the same errors."""
        made = self._temporary / "spilled" / "answer.parquet"
        for _reply in self._replies(sql, parquet=str(made)):
            pass
        with made.open("rb") as source:
            shutil.copyfileobj(source, file)

    def close(self) -> None:
        """End the process, whatever it does, and remove what it wrote."""
        if self._process.pid is not None:
            self._process.kill()
            self._process.join()
        self._pipe.close()
        self._held.close()
        shutil.rmtree(self._temporary, ignore_errors=True)

    def _replies(self, sql: str, most: int | None = None, parquet: str = "") -> Iterator[Reply]:
        self._number += 1
        self._deadline = time.monotonic() + self._seconds
        try:
            self._pipe.send_bytes(msgspec.json.encode(Question(self._number, sql, most, parquet)))
        except OSError as problem:
            raise self._died() from problem
        while True:
            reply = self._receive()
            given_s = time.monotonic()
            yield reply
            if reply.total is not None:
                return
            self._deadline += time.monotonic() - given_s  # whoever takes it may be a pager, or a full disk

    def _receive(self) -> Reply:
        """The next piece of the answer, if it comes in time."""
        reply = Reply(-1)
        while reply.number != self._number:
            try:
                if not self._pipe.poll(max(0.0, self._deadline - time.monotonic())):
                    raise self._late()
                reply = msgspec.json.decode(self._pipe.recv_bytes(), type=Reply)
            except (EOFError, OSError) as problem:
                raise self._died() from problem
        if reply.problem:
            raise UsageError(reply.problem)
        return reply

    def _late(self) -> ReadError:
        self.close()
        sentence = f"The query took longer than {self._seconds:g} s and was ended. Filter or group earlier."
        return ReadError(sentence, path=str(self._folder))

    def _died(self) -> ReadError:
        self.close()
        sentence = "The process that answers queries ended, most likely for want of memory. Filter or group earlier."
        return ReadError(sentence, path=str(self._folder))
