"""The comparison as lines for a terminal: what differs, turn by turn, and the sentence last."""

from __future__ import annotations

from collections.abc import Iterator

from trace_inspector.core.alignment.value_difference import ValueDifference, value_differences
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.pointer import dotted, join
from trace_inspector.engine.trace_diff.compared import ConversationPair
from trace_inspector.engine.trace_diff.excerpts import text_excerpts, value_excerpts
from trace_inspector.engine.trace_diff.rows import Argument, DifferenceKind, DifferenceRow, rows_of
from trace_inspector.engine.trace_diff.rule import ComparisonRule
from trace_inspector.engine.trace_grid.comparison import Differences, SidePair

_SIGNS = {
    DifferenceKind.ARGUMENTS: "≠",
    DifferenceKind.RENAMED: "≠",
    DifferenceKind.MOVED: "↕",
    DifferenceKind.MISSING: "-",
    DifferenceKind.EXTRA: "+",
    DifferenceKind.ANSWER: "≠",
    DifferenceKind.MISSING_TURN: "-",
    DifferenceKind.EXTRA_TURN: "+",
    DifferenceKind.MISSING_HAND_OFF: "-",
    DifferenceKind.EXTRA_HAND_OFF: "+",
    DifferenceKind.MOVED_HAND_OFF: "↕",
    DifferenceKind.AGENT: "≈",
    DifferenceKind.SAME: "=",
}
_CHARS = 160
_VALUE_CHARS = 80
_MOST_APART = 20  # places that are told of one argument


def lines_of(differences: Differences) -> Iterator[str]:
    """All rows that differ of all pairs of sides; each pair's sentence stands last."""
    yield from (f"Note: {note}" for note in differences.notes)
    yield from row_lines(differences)
    for side in differences.sides:
        yield side.sentence


def row_lines(differences: Differences) -> Iterator[str]:
    """The rows that differ alone."""
    for side in differences.sides:
        yield from _rows(side, differences.rule)


def _rows(side: SidePair, rule: ComparisonRule) -> Iterator[str]:
    for pair in side.pairs:
        rows = list(rows_of(pair, rule))
        if rows and (len(side.pairs) > 1 or side.label):
            yield ", ".join(text for text in (side.label, one_line(pair.name, _CHARS)) if text)
        for row in rows:
            yield from _row(row)


def conversation_lines(pair: ConversationPair, rule: ComparisonRule) -> Iterator[str]:
    """The rows that differ of one pair of conversations."""
    for row in rows_of(pair, rule):
        yield from _row(row)


def _row(row: DifferenceRow) -> Iterator[str]:
    where = f"turn {row.turn}" + (f", call {row.call}" if row.call is not None else "")
    mark = " " if row.counts else "~"  # differs, and is allowed
    if row.relation is DifferenceKind.ANSWER:
        yield f"{mark}{_SIGNS[row.relation]} {where}: {row.why}"
        for sign, text in zip("-+", text_excerpts((row.left, row.right), _CHARS), strict=True):
            if text:
                yield f"    {sign} {one_line(text, _CHARS + 2)}"
        return
    shown = " → ".join(dict.fromkeys(one_line(one, _CHARS) for one in (row.left, row.right) if one))
    if row.arguments:
        shown = one_line(row.left.partition("(")[0], _CHARS)
    yield f"{mark}{_SIGNS[row.relation]} {where}: {row.why}: {shown}"
    for argument in row.arguments:
        yield from (f"    {one}" for one in _argument(argument))


def _argument(argument: Argument) -> Iterator[str]:
    """What differs in an argument, by its key path: within large values nobody finds it else."""
    within = join("", argument.name) if argument.name else ""
    places = value_differences(argument.left, argument.right) or (ValueDifference("", argument.left, argument.right),)
    for place in places[:_MOST_APART]:
        path = one_line(dotted(within + place.place), _VALUE_CHARS)
        left, right = (
            "(absent)" if text is None else text for text in value_excerpts((place.left, place.right), _VALUE_CHARS)
        )
        yield f"{path}: {left} ≠ {right}" if path else f"{left} ≠ {right}"
    if len(places) > _MOST_APART:
        yield f"{one_line(argument.name, _VALUE_CHARS)}: {len(places) - _MOST_APART:,} more".removeprefix(": ")
