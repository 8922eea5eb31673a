"""Runs that were made: their verdicts, configuration and inputs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from trace_inspector.core.values import JsonObject
from trace_inspector.core.verdict import RunVerdict, Status
from trace_inspector.store.codec import from_json, to_json
from trace_inspector.store.database import Database


@dataclass(frozen=True, slots=True)
class RunLine:
    """One line of the list of runs."""

    id: str
    started_s: float
    status: Status
    cases: int


def save(database: Database, run: RunVerdict, configuration: JsonObject, inputs: Mapping[str, str]) -> str:
    """Keep a run with the hashes of what it read (path to SHA-256). A sentence when it could not be kept, else ""."""
    row = (
        run.id,
        run.started_s,
        run.status.value,
        len(run.cases),
        json.dumps(configuration),
        json.dumps(dict(inputs)),
        json.dumps(to_json(run)),
    )
    try:
        database.connection.execute("INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    except sqlite3.Error as problem:
        return f"This run is not kept: {problem}."
    return database.problem


def recent(database: Database, limit: int = 100) -> list[RunLine]:
    """The newest runs first."""
    rows = database.connection.execute(
        "SELECT id, started_s, status, cases FROM run ORDER BY started_s DESC, id LIMIT ?", (limit,)
    )
    return [RunLine(str(name), float(start), Status(status), int(cases)) for name, start, status, cases in rows]


def load(database: Database, run_id: str) -> RunVerdict | None:
    """A run as it was saved."""
    text = _column(database, run_id, "verdict")
    return None if text is None else from_json(RunVerdict, json.loads(text))


def inputs_of(database: Database, run_id: str) -> dict[str, str]:
    """The hashes of what a run read, by path."""
    text = _column(database, run_id, "inputs")
    return {} if text is None else {str(path): str(digest) for path, digest in json.loads(text).items()}


def _column(database: Database, run_id: str, name: Literal["verdict", "inputs"]) -> str | None:
    found = database.connection.execute(f"SELECT {name} FROM run WHERE id = ?", (run_id,)).fetchone()
    return None if found is None else str(found[0])
