"""Stored judge replies, so that no question is sent twice, not even after a restart."""

from __future__ import annotations

import json
import sqlite3

from msgspec import Struct

from trace_inspector.core.trace.judge_call import CallKey, JudgeCall, NotKept
from trace_inspector.store.database import Database, durable_transaction, transaction

_COLUMNS = (
    "digest, endpoint, model, parameters, prompt, sample, nth, reply, started_s, duration_s, attempts, "
    "input_tokens, output_tokens, note"
)


class StoredCalls(Struct, frozen=True):
    """Calls in a database. One that cannot be read counts as not made."""

    database: Database

    def get(self, digest: str) -> JudgeCall | None:
        """The call with this digest."""
        try:
            row = self.database.connection.execute(
                f"SELECT {_COLUMNS} FROM judge_call WHERE digest = ?", (digest,)
            ).fetchone()
            return None if row is None else _call(row)
        except (sqlite3.Error, ValueError, TypeError):
            return None

    def put(self, call: JudgeCall, *, paid: bool = True) -> None:
        """Store a call, replacing an older one. NotKept when that fails."""
        key = call.key
        row = (
            key.digest,
            key.endpoint,
            key.model,
            json.dumps(key.parameters),
            key.prompt.encode("utf-8", "surrogatepass"),
            key.sample,
            key.nth,
            None if call.reply is None else call.reply.encode("utf-8", "surrogatepass"),
            call.started_s,
            call.duration_s,
            call.attempts,
            call.input_tokens,
            call.output_tokens,
            call.note,
        )
        connection = self.database.connection
        try:
            with (durable_transaction if paid else transaction)(connection):
                connection.execute(
                    f"INSERT OR REPLACE INTO judge_call ({_COLUMNS}) VALUES ({', '.join('?' * len(row))})", row
                )
        except sqlite3.Error as problem:
            raise NotKept(str(problem)) from problem


def _call(row: tuple[object, ...]) -> JudgeCall:
    (
        _digest,
        endpoint,
        model,
        parameters,
        prompt,
        sample,
        nth,
        reply,
        started_s,
        duration_s,
        attempts,
        given,
        got,
        note,
    ) = row
    return JudgeCall(
        CallKey(str(endpoint), str(model), json.loads(str(parameters)), _text(prompt), _whole(sample), _whole(nth)),
        None if reply is None else _text(reply),
        _number(started_s),
        _number(duration_s),
        _whole(attempts),
        None if given is None else _whole(given),
        None if got is None else _whole(got),
        str(note),
    )


def _text(value: object) -> str:
    if not isinstance(value, bytes):
        raise TypeError("text is kept as bytes")
    return value.decode("utf-8", "surrogatepass")


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError("not a whole number")
    return value


def _number(value: object) -> float:
    if not isinstance(value, int | float):
        raise TypeError("not a number")
    return float(value)
