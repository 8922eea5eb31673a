"""The tables of a results folder. No column has a name that SQL reserves."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

# What a row is about: the same columns first in every table, so that tables are joined by them.
_SUBJECT: Mapping[str, str] = {
    "run": "VARCHAR",
    "case_id": "VARCHAR",
    "suite": "VARCHAR",
    "trace_id": "VARCHAR",
    "attempt": "INTEGER",  # of several runs of the case in one file, counted from 1
    "turn": "INTEGER",  # counted from 1; null for the whole conversation, and where the trace lacks the turn
}
_PLACE: Mapping[str, str] = {"trace_file": "VARCHAR", "place": "VARCHAR"}  # a JSON pointer into that file


class Table(Struct, frozen=True):
    """One table: its columns, each with its type in DuckDB, and what a row of it is."""

    name: str
    row: str
    columns: Mapping[str, str]


TABLES = (
    Table(
        "verdicts",
        "one criterion on a turn or a whole case; without a criterion the turn or case itself",
        {
            **_SUBJECT,
            "golden_turn": "INTEGER",
            "about": "VARCHAR",  # case or turn: one that is missing has no turn of the trace
            "criterion": "VARCHAR",
            "metric_version": "INTEGER",
            "status": "VARCHAR",
            "score": "DOUBLE",
            "threshold": "DOUBLE",
            "reason": "VARCHAR",
            "provenance": "VARCHAR",
            "overruled_status": "VARCHAR",  # what it was before a person said otherwise
            "judge": "VARCHAR",
            "tokens": "BIGINT",
            "seconds": "DOUBLE",
            "tags": "VARCHAR[]",
            "golden_file": "VARCHAR",
            "golden_place": "VARCHAR",
            **_PLACE,
        },
    ),
    Table(
        "turns",
        "one turn of a trace that was evaluated",
        {
            **_SUBJECT,
            "golden_turn": "INTEGER",
            "status": "VARCHAR",
            "user_text": "VARCHAR",
            "answer": "VARCHAR",
            "agent": "VARCHAR",
            "call_count": "INTEGER",
            "input_tokens": "BIGINT",
            "output_tokens": "BIGINT",
            "tokens": "BIGINT",
            "seconds": "DOUBLE",
            "spent": "STRUCT(agent VARCHAR, model VARCHAR, input_tokens BIGINT, output_tokens BIGINT)[]",
            "tags": "VARCHAR[]",
            **_PLACE,
        },
    ),
    Table(
        "calls",
        "one tool call of such a turn",
        {
            **_SUBJECT,
            "nth": "INTEGER",
            "tool": "VARCHAR",
            "agent": "VARCHAR",
            "call_id": "VARCHAR",
            "arguments": "VARCHAR",
            "answered": "BOOLEAN",
            "failed": "BOOLEAN",
            "seconds": "DOUBLE",
            **_PLACE,
        },
    ),
    Table(
        "votes",
        "one vote of a judge on a criterion, or on one of its rubrics",
        {
            **_SUBJECT,
            "criterion": "VARCHAR",
            "rubric_id": "VARCHAR",
            "rubric": "VARCHAR",
            "nth": "INTEGER",
            "vote": "DOUBLE",
            "judge": "VARCHAR",
        },
    ),
    Table(
        "sentences",
        "one sentence of an answer that was judged",
        {
            **_SUBJECT,
            "criterion": "VARCHAR",
            "nth": "INTEGER",
            "support": "VARCHAR",
            "sentence": "VARCHAR",
            "reason": "VARCHAR",
            "excerpt": "VARCHAR",
            "excerpt_of": "VARCHAR",
            **_PLACE,
        },
    ),
)
