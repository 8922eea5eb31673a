"""Batch jobs of judges and the questions in them, noted before a job is begun, so that none is paid for twice."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from trace_inspector.documents.saving.file_lock import lock
from trace_inspector.private_files import open_private
from trace_inspector.store.database import FILE_NAME, database, durable_transaction

_AT_ONCE = 500  # digests in one statement


def jobs_under_way(
    connection: sqlite3.Connection, digests: Sequence[str]
) -> list[tuple[tuple[str, str, float], list[str]]]:
    """The name, the id ("" before it is known) and the time of each job in which questions are, with those."""
    found: dict[tuple[str, str, float], list[str]] = {}
    for start in range(0, len(digests), _AT_ONCE):
        part = digests[start : start + _AT_ONCE]
        rows = connection.execute(
            "SELECT name, id, begun_s, digest FROM batch_question JOIN batch_job USING (name)"
            f" WHERE digest IN ({', '.join('?' * len(part))}) ORDER BY begun_s",
            part,
        )
        for name, job_id, begun_s, digest in rows:
            found.setdefault((name, job_id, begun_s), []).append(digest)
    return list(found.items())


class StoredJobs:
    """Jobs in the database where the replies are. Its methods raise sqlite3.Error."""

    def __init__(self, folder: Path) -> None:
        self._stack = contextlib.ExitStack()
        store = self._stack.enter_context(database(folder))
        if store.file is None:
            self._stack.close()
            raise sqlite3.OperationalError(store.problem)
        self._connection = store.connection
        self._lock_path = folder / f"{FILE_NAME}.batch.lock"
        self._lock: IO[str] | None = None

    def under_way(self, digests: Sequence[str]) -> list[tuple[tuple[str, str, float], list[str]]]:
        """The jobs in which questions are, each with those of them."""
        return jobs_under_way(self._connection, digests)

    def intend(self, name: str, begun_s: float, digests: Sequence[str], asked_s: float) -> None:
        """Note a job that is about to be created, with its questions; those who wait for it asked since a time."""
        with durable_transaction(self._connection):
            self._connection.execute("INSERT INTO batch_job VALUES (?, '', ?, ?)", (name, begun_s, asked_s))
            self._connection.executemany(
                "INSERT INTO batch_question VALUES (?, ?)", ((digest, name) for digest in digests)
            )

    def created(self, name: str, job_id: str) -> None:
        """Note the id of a job."""
        with durable_transaction(self._connection):
            self._connection.execute("UPDATE batch_job SET id = ? WHERE name = ?", (job_id, name))

    def forget(self, name: str, digests: Sequence[str] | None = None) -> None:
        """Forget questions of a job that have no reply there, or all of the job."""
        with durable_transaction(self._connection):
            if digests is None:
                self._connection.execute("DELETE FROM batch_question WHERE name = ?", (name,))
            else:
                self._connection.executemany(
                    "DELETE FROM batch_question WHERE name = ? AND digest = ?", ((name, digest) for digest in digests)
                )
            self._forget_empty()

    def forget_stored(self) -> None:
        """Forget questions whose reply is stored."""
        with durable_transaction(self._connection):
            self._connection.execute(
                "DELETE FROM batch_question WHERE EXISTS (SELECT 1 FROM judge_call, batch_job"
                " WHERE judge_call.digest = batch_question.digest AND batch_job.name = batch_question.name"
                " AND judge_call.started_s >= batch_job.asked_s)"
            )
            self._forget_empty()

    def taken(self) -> bool:
        """Take the right to begin jobs, if no other process has it: a job without an id is then nobody's any more."""
        file = open_private(self._lock_path, "a")
        if not lock(file.fileno()):
            file.close()
            return False
        self._lock = file
        return True

    def release(self) -> None:
        """Give it back."""
        if self._lock:
            self._lock.close()
        self._lock = None

    def close(self) -> None:
        """Close the database."""
        self.release()
        self._stack.close()

    def _forget_empty(self) -> None:
        self._connection.execute("DELETE FROM batch_job WHERE name NOT IN (SELECT name FROM batch_question)")
