"""Databases of LangGraph's SQLite saver, made step by step."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct, field

from tests.helpers.message_pack import message, packed
from trace_inspector.core.values.values import Json, JsonObject

_TABLES = """
CREATE TABLE checkpoints (thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, parent_checkpoint_id TEXT,
    type TEXT, checkpoint BLOB, metadata BLOB);
CREATE TABLE writes (thread_id TEXT, checkpoint_ns TEXT, checkpoint_id TEXT, task_id TEXT, idx INTEGER,
    channel TEXT, type TEXT, value BLOB);
"""


class Saver(Struct):
    """The rows of a database to be."""

    checkpoints: list[tuple[str | bytes | None, ...]] = field(default_factory=list)
    writes: list[tuple[str | bytes | int, ...]] = field(default_factory=list)

    def step(
        self,
        number: int,
        channels: JsonObject,
        *,
        thread: str = "t1",
        namespace: str = "",
        after: int | None = None,
        source: str = "loop",
        kind: str = "msgpack",
    ) -> None:
        """A checkpoint after another one."""
        state: JsonObject = {"v": 4, "ts": f"2026-05-01T10:00:{number:02}+00:00", "id": f"cp-{number:03}"}
        state["channel_values"] = channels
        raw = json.dumps(state).encode() if kind == "json" else packed(state)
        parent = None if after is None else f"cp-{after:03}"
        metadata = json.dumps({"source": source, "step": number - 1}).encode()
        self.checkpoints.append((thread, namespace, f"cp-{number:03}", parent, kind, raw, metadata))

    def write(self, number: int, channel: str, value: Json) -> None:
        """Something a task wrote after a checkpoint."""
        self.writes.append(("t1", "", f"cp-{number:03}", "task", len(self.writes), channel, "msgpack", packed(value)))

    def save(self, path: Path) -> Path:
        """The database in a file."""
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.executescript(_TABLES)
            connection.executemany("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?, ?, ?)", self.checkpoints)
            connection.executemany("INSERT INTO writes VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self.writes)
        return path

    def bytes(self) -> bytes:
        """The bytes of the database."""
        with TemporaryDirectory() as folder:
            return self.save(Path(folder, "checkpoints.db")).read_bytes()


ASKED = message("human", id="m1", content="Where may I park?")
CALLED = message(
    "ai",
    id="m2",
    content="",
    tool_calls=[{"name": "find", "args": {"what": "garage"}, "id": "c1", "type": "tool_call"}],
    usage_metadata={"input_tokens": 20, "output_tokens": 5, "total_tokens": 25},
)
FOUND = message("tool", id="m3", content="Pier 4", tool_call_id="c1", name="find", status="success")
ANSWERED = message("ai", id="m4", content="At Pier 4.")
OTHER = message("ai", id="m5", content="Nowhere.")


def conversation() -> Saver:
    """A thread with one turn, a state, and an answer that was taken back for another."""
    saver = Saver()
    saver.step(1, {"__start__": {"messages": [ASKED]}}, source="input")
    saver.step(2, {"messages": [ASKED], "mood": "good", "branch:to:model": None}, after=1)
    saver.step(3, {"messages": [ASKED, CALLED], "mood": "good"}, after=2)
    saver.step(4, {"messages": [ASKED, CALLED, FOUND], "mood": "better"}, after=3)
    saver.step(5, {"messages": [ASKED, CALLED, FOUND, OTHER], "mood": "better"}, after=4)
    saver.step(6, {"messages": [ASKED, CALLED, FOUND, ANSWERED], "mood": "better"}, after=4)
    return saver
