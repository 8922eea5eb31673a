"""Overrules of verdicts by people: labels, where it is known what output they are about; else bound to their run."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping

from msgspec.structs import replace

from trace_inspector.core.errors import ReadError, SaveError
from trace_inspector.core.rows.codec import from_json, to_json
from trace_inspector.core.verdict.overrule import Overrule
from trace_inspector.core.verdict.verdict import RunVerdict
from trace_inspector.store.database import Database, durable_transaction
from trace_inspector.store.runs import WHOLE_CASE, Subjects, load, put_subjects

# Most labels are neither; what a note only quotes is sorted out afterwards.
_MAY_OVERRULE = """(line LIKE '%"overrules": true%' OR line LIKE '%"value": "withdrawn"%')"""

_NEVER = b""  # in place of a digest: this overrule is bound to its run for good


def add(database: Database, run_id: str, overrule: Overrule) -> None:
    """Store an overrule for a stored run."""
    text = json.dumps(to_json(replace(overrule, withdrawn_s=None)))  # JSON can hold lone surrogates
    connection = database.connection
    try:
        with durable_transaction(connection):
            added = connection.execute(
                "INSERT INTO overrule (id, run_id, said, withdrawn_s)"
                " SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM run WHERE id = ?)",
                (overrule.id, run_id, text, overrule.withdrawn_s, run_id),
            ).rowcount
            subject = _subject(connection, run_id, overrule) if added else None
            stored = load(database, run_id) if subject is not None else None
            if subject is not None and stored is not None:
                _label(connection, subject, overrule, stored.run, is_new=True)
            _outdate(connection, run_id)
    except sqlite3.Error as problem:
        raise SaveError(f"The verdict is not overruled: {problem}.") from problem
    if not added:
        raise SaveError("The verdict is not overruled, because its run is not kept.")


def withdraw(database: Database, overrule_id: str, at_s: float) -> None:
    """Withdraw an overrule; it stays on record. One already withdrawn keeps its time."""
    connection = database.connection
    try:
        with durable_transaction(connection):
            row = connection.execute(
                "UPDATE overrule SET withdrawn_s = coalesce(withdrawn_s, ?) WHERE id = ?"
                " RETURNING run_id, label, withdrawn_s",
                (at_s, overrule_id),
            ).fetchone()
            if row is not None:
                _outdate(connection, str(row[0]))
            digest, at_s = row[1:] if row is not None else (_as_digest(overrule_id), at_s)
            found = row is not None
            if digest:
                found |= _undo(connection, digest, at_s)
    except sqlite3.Error as problem:
        raise SaveError(f"The overrule is not withdrawn: {problem}.") from problem
    if not found:
        raise SaveError("The overrule is not withdrawn, because it is not kept.")


def overrules_of(database: Database, run_id: str) -> tuple[Overrule, ...]:
    """All overrules of a run: those bound to it in order, withdrawn ones included, then those that labels say."""
    try:
        rows = database.connection.execute(
            "SELECT said, withdrawn_s, label FROM overrule WHERE run_id = ? ORDER BY number", (run_id,)
        ).fetchall()
        bound = [
            (replace(from_json(Overrule, json.loads(text)), withdrawn_s=withdrawn_s), label)
            for text, withdrawn_s, label in rows
        ]
        ids = {label: overrule.id for overrule, label in bound if label}
        own = (overrule for overrule, label in bound if not label or overrule.withdrawn_s is not None)
        return (*own, *_by_labels(database.connection, run_id, ids))
    except (sqlite3.Error, ValueError, TypeError) as problem:
        raise ReadError(f"The store of runs cannot be read: {problem}.") from problem


def runs_without_labels(database: Database) -> dict[str, dict[str, str]]:
    """The runs with overrules that are no labels yet, each with the SHA-256 of its inputs by path."""
    try:
        rows = database.connection.execute(
            "SELECT id, inputs FROM run WHERE id IN (SELECT run_id FROM overrule WHERE label IS NULL)"
        ).fetchall()
        return {run_id: dict(json.loads(inputs)) for run_id, inputs in rows}
    except (sqlite3.Error, ValueError, TypeError) as problem:
        raise ReadError(f"The store of runs cannot be read: {problem}.") from problem


def make_labels(database: Database, run: RunVerdict, subjects: Subjects, read: Collection[str]) -> None:
    """Make labels of the overrules of a run, as far as it is known what they are about.

    Those whose file is among the paths that were read, and which no label can hold, are not tried again.
    """
    connection = database.connection
    try:
        with durable_transaction(connection):
            put_subjects(connection, run.id, subjects)
            rows = connection.execute(
                "SELECT said, withdrawn_s FROM overrule WHERE run_id = ? AND label IS NULL ORDER BY number", (run.id,)
            ).fetchall()
            for text, withdrawn_s in rows:
                overrule = replace(from_json(Overrule, json.loads(text)), withdrawn_s=withdrawn_s)
                subject = _subject(connection, run.id, overrule)
                if subject is not None:
                    _label(connection, subject, overrule, run)
                of_case = run.cases[overrule.case : overrule.case + 1]
                if all(not case.trace_path or case.trace_path in read for case in of_case):
                    connection.execute(
                        "UPDATE overrule SET label = ? WHERE id = ? AND label IS NULL", (_NEVER, overrule.id)
                    )
    except (sqlite3.Error, ValueError, TypeError) as problem:
        raise SaveError(f"Overrules are not made labels: {problem}.") from problem


def _subject(connection: sqlite3.Connection, run_id: str, overrule: Overrule) -> str | None:
    """What an overrule is about, where that is known."""
    row = connection.execute(
        "SELECT subject FROM run_subject WHERE run_id = ? AND case_number = ? AND turn = ?",
        (run_id, overrule.case, WHOLE_CASE if overrule.turn is None else overrule.turn),
    ).fetchone()
    return None if row is None else str(row[0])


def _label(
    connection: sqlite3.Connection, subject: str, overrule: Overrule, run: RunVerdict, *, is_new: bool = False
) -> None:
    """Store an overrule as a label, too. One that is new counts from now on."""
    from trace_inspector.core.review.overrule_labels import as_label, labelled_later, withdrawal
    from trace_inspector.store import labels

    label = as_label(overrule, subject, run.cases[overrule.case])
    if label is None:
        return
    if is_new:
        label = labelled_later(label, labels.about(connection, label.subject))
    labels.append(connection, label)
    if overrule.withdrawn_s is not None:
        labels.append(connection, withdrawal(label, overrule.withdrawn_s))
    connection.execute("UPDATE overrule SET label = ? WHERE id = ?", (labels.digest_of(label), overrule.id))


def _undo(connection: sqlite3.Connection, digest: bytes, at_s: float) -> bool:
    from trace_inspector.core.review.label_lines import readable
    from trace_inspector.core.review.overrule_labels import withdrawal
    from trace_inspector.store import labels

    row = connection.execute(f"SELECT {labels.LINE} FROM label WHERE digest = ?", (digest,)).fetchone()
    label = None if row is None else readable(row[0])
    if label is not None:
        labels.append(connection, withdrawal(label, at_s))
    return label is not None


def _as_digest(overrule_id: str) -> bytes | None:
    """The digest of the label that an overrule of another run is known by."""
    try:
        return bytes.fromhex(overrule_id)
    except ValueError:
        return None


def _by_labels(connection: sqlite3.Connection, run_id: str, ids: Mapping[bytes, str]) -> Iterator[Overrule]:
    rows = connection.execute(
        "SELECT case_number, turn, CAST(line AS BLOB) FROM run_subject JOIN label USING (subject)"
        f" WHERE run_id = ? AND {_MAY_OVERRULE} ORDER BY number",
        (run_id,),
    ).fetchall()
    if not rows:  # most runs: what reads labels is not even imported
        return
    from trace_inspector.core.review.label_lines import readable
    from trace_inspector.core.review.overrule_labels import as_overrule, overruling
    from trace_inspector.store import labels

    places: dict[str, set[tuple[int, int]]] = {}
    read = []
    for case, turn, line in rows:
        label = readable(line)
        if label is None:
            continue
        read.append(label)
        places.setdefault(label.subject, set()).add((case, turn))
    for label in overruling(read):
        digest = labels.digest_of(label)
        for case, turn in sorted(places[label.subject]):
            yield as_overrule(label, ids.get(digest, digest.hex()), case, None if turn == WHOLE_CASE else turn)


def _outdate(connection: sqlite3.Connection, run_id: str) -> None:
    """Mark the summary of the run as outdated."""
    connection.execute("UPDATE run_line SET summary = NULL WHERE run_id = ?", (run_id,))
