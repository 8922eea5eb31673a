"""A session database of the OpenAI Agents SDK, made row by row."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from trace_inspector.core.values.values import Json

_TABLES = """
CREATE TABLE agent_sessions (session_id TEXT PRIMARY KEY, created_at TIMESTAMP, updated_at TIMESTAMP);
CREATE TABLE agent_messages (id INTEGER PRIMARY KEY, session_id TEXT, message_data TEXT, created_at TIMESTAMP);
"""


def items() -> list[Json]:
    """Two turns: reasoning, a call with its result, answers, and an item of a kind that nobody knows."""
    answer: Json = [{"type": "output_text", "text": "At Pier 4.", "annotations": []}]
    return [
        {"role": "user", "content": "Where may I park?"},
        {"type": "reasoning", "id": "r1", "summary": [{"type": "summary_text", "text": "The map knows."}]},
        {"type": "function_call", "call_id": "c1", "name": "find", "arguments": '{"what": "garage"}', "id": "f1"},
        {"type": "function_call_output", "call_id": "c1", "output": "Pier 4"},
        {"type": "message", "role": "assistant", "id": "m1", "status": "completed", "content": answer},
        {"role": "user", "content": [{"type": "input_text", "text": "Is it open?"}]},
        {"type": "oracle", "words": "dim"},
    ]


def session_database(sessions: dict[str, list[Json]], *, heads: bool = True) -> bytes:
    """The bytes of a database with these sessions, a row a second."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "conversations.db"
        with closing(sqlite3.connect(path)) as made:
            made.executescript(_TABLES)
            for name, listed in sessions.items():
                if heads:
                    made.execute("INSERT INTO agent_sessions VALUES (?, ?, ?)", (name, _time(0), _time(9)))
                for number, item in enumerate(listed):
                    text = item if isinstance(item, str) else json.dumps(item)
                    row = (name, text, _time(number))
                    made.execute("INSERT INTO agent_messages VALUES (NULL, ?, ?, ?)", row)
            made.commit()
        return path.read_bytes()


def _time(second: int) -> str:
    return f"2026-05-01 10:00:{second:02}"
