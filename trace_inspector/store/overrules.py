"""Overrules of verdicts by people: added and withdrawn, never changed."""

from __future__ import annotations

import json
import sqlite3

from msgspec.structs import replace

from trace_inspector.core.errors import ReadError, SaveError
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.store.codec import from_json, to_json
from trace_inspector.store.database import Database, transaction


def add(database: Database, run_id: str, overrule: Overrule) -> None:
    """Store an overrule for a stored run."""
    text = json.dumps(to_json(replace(overrule, withdrawn_s=None)))  # JSON can hold lone surrogates
    try:
        with transaction(database.connection):
            added = database.connection.execute(
                "INSERT INTO overrule (id, run_id, said, withdrawn_s)"
                " SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM run WHERE id = ?)",
                (overrule.id, run_id, text, overrule.withdrawn_s, run_id),
            ).rowcount
            _outdate(database, run_id)
    except sqlite3.Error as problem:
        raise SaveError(f"The verdict is not overruled: {problem}.") from problem
    if not added:
        raise SaveError("The verdict is not overruled, because its run is not kept.")


def withdraw(database: Database, overrule_id: str, at_s: float) -> None:
    """Withdraw an overrule; it stays on record. One already withdrawn keeps its time."""
    try:
        with transaction(database.connection):
            row = database.connection.execute(
                "UPDATE overrule SET withdrawn_s = coalesce(withdrawn_s, ?) WHERE id = ? RETURNING run_id",
                (at_s, overrule_id),
            ).fetchone()
            if row is not None:
                _outdate(database, str(row[0]))
    except sqlite3.Error as problem:
        raise SaveError(f"The overrule is not withdrawn: {problem}.") from problem
    if row is None:
        raise SaveError("The overrule is not withdrawn, because it is not kept.")


def overrules_of(database: Database, run_id: str) -> tuple[Overrule, ...]:
    """All overrules of a run, withdrawn ones included, in order."""
    try:
        rows = database.connection.execute(
            "SELECT said, withdrawn_s FROM overrule WHERE run_id = ? ORDER BY number", (run_id,)
        ).fetchall()
        return tuple(
            replace(from_json(Overrule, json.loads(text)), withdrawn_s=withdrawn_s) for text, withdrawn_s in rows
        )
    except (sqlite3.Error, ValueError, TypeError) as problem:
        raise ReadError(f"The store of runs cannot be read: {problem}.") from problem


def _outdate(database: Database, run_id: str) -> None:
    """Mark the summary of the run as outdated."""
    database.connection.execute("UPDATE run_line SET summary = NULL WHERE run_id = ?", (run_id,))
