"""Rows that a first look at a file gave early, compared with those of the whole file: whether they are the same."""

from __future__ import annotations

import pickle

from msgspec import Struct

from trace_inspector.core.rows.rows import PLAIN_COLUMNS, Kind, RowBatch


class RowsAfterEarly(Struct, frozen=True):
    """The rows that follow on the early ones, and bodies of their traces of which more is known now."""

    batch: RowBatch
    bodies: dict[int, bytes]


def rows_after_early(early: RowBatch, batch: RowBatch) -> RowsAfterEarly | None:
    """What is new in a file's first batch; None when the early rows, or what they look into, were others."""
    rows = len(early)
    begins = batch.some(0, rows)
    same = list(begins.label) == list(early.label) and list(begins.place) == list(early.place)
    same = same and all(_as_bytes(begins, name) == _as_bytes(early, name) for name in PLAIN_COLUMNS)
    same = same and batch.authors[: len(early.authors)] == early.authors and len(batch.bodies) >= len(early.bodies)
    same = same and batch.details[: len(early.details)] == early.details
    if not same:
        return None
    heads = {body for kind, body in zip(early.kind, early.body, strict=True) if kind == Kind.TRACE}
    others: dict[int, bytes] = {}
    for number, (early_body, body) in enumerate(zip(early.bodies, batch.bodies, strict=False)):
        if early_body == body:
            continue
        if number in heads:
            others[number] = body
        elif pickle.loads(early_body) != pickle.loads(body):  # pickled by the row writer; equal values may share less
            return None
    rest = batch.some(rows, len(batch))
    rest.authors, rest.bodies = batch.authors[len(early.authors) :], batch.bodies[len(early.bodies) :]
    rest.details = batch.details[len(early.details) :]
    return RowsAfterEarly(rest, others)


def _as_bytes(batch: RowBatch, name: str) -> bytes:
    return bytes(memoryview(getattr(batch, name)))  # a time that is not known is not equal to itself
