"""`json`: the comparison for programs, every row that differs with its places."""

from __future__ import annotations

from msgspec import to_builtins

from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.values import Absent, Json, JsonObject
from trace_inspector.engine.trace_diff.rows import DifferenceRow, rows_of
from trace_inspector.engine.trace_diff.rule import ComparisonRule
from trace_inspector.engine.trace_grid.comparison import Differences, SidePair


def write(differences: Differences) -> str:
    """Everything that differs, and the figures."""
    sides: list[Json] = [_side(side, differences.rule) for side in differences.sides]
    return json_text(
        {
            "policy": differences.rule.name,
            "differs": differences.differs,
            "notes": list(differences.notes),
            "sides": sides,
        }
    )


def _side(side: SidePair, rule: ComparisonRule) -> JsonObject:
    pairs: list[Json] = [
        {
            "left": pair.left_name or None,
            "right": pair.right_name or None,
            "rows": [_row(row) for row in rows_of(pair, rule)],
        }
        for pair in side.pairs
    ]
    return {
        "label": side.label,
        "left": side.left_path,
        "right": side.right_path,
        "sentence": side.sentence,
        "counts": to_builtins(side.counted),
        "conversations": pairs,
    }


def _row(row: DifferenceRow) -> JsonObject:
    arguments: list[Json] = [
        {"name": argument.name, **_stated("left", argument.left), **_stated("right", argument.right)}
        for argument in row.arguments
    ]
    return {
        "relation": row.relation.value,
        "turn": row.turn,
        "call": row.call,
        "left": row.left,
        "right": row.right,
        "counts": row.counts,
        "why": row.why,
        "arguments": arguments,
        "left_place": row.left_place,
        "right_place": row.right_place,
    }


def _stated(name: str, value: Json | Absent) -> JsonObject:
    return {} if isinstance(value, Absent) else {name: value}
