"""What rows say in words: how their sides relate, why they count, what a gap stands for.

`tr` turns our own words into those of another language; the window has one, reports are English.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.trace_grid.row import Relation, Row, RowKind

Tr: TypeAlias = Callable[[str], str]

NAMES = {
    Relation.SAME: "same",
    Relation.NEITHER: "on neither side",
    Relation.ARGUMENTS: "arguments differ",
    Relation.RENAMED: "renamed",
    Relation.MOVED: "moved",
    Relation.MISSING: "missing",
    Relation.EXTRA: "extra",
    Relation.REPEATED: "repeated",
    Relation.ANSWER: "the answer differs",
    Relation.VALUE: "the value differs",
}


def reason(row: Row, rule: str, *, counts: bool, number: int = 0, tr: Tr = str) -> tuple[str, str]:
    """Why a row counts, or what it is; and below it, who allows it. `number` is the rule's among those asked."""
    if row.kind is RowKind.TURN and row.relation in (Relation.SAME, Relation.NEITHER):
        return _turn_reason(row, rule, counts=counts, number=number, tr=tr)
    allowed = tr("{0} allows it").format(rule)
    moved = [tr("called at another place, too")] if row.moved and row.relation is not Relation.MOVED else []
    moved += [tr("called by another agent")] if row.by_another_agent else []
    moved += [_elsewhere(row, tr)] if row.elsewhere and len(row.cells) > 2 else []
    if len(row.cells) > 2:
        below = _by_argument(row, tr) + moved + ([] if counts or not row.relation.differs else [allowed])
        return _meaning(row, tr), "\n".join(below)
    words = _elsewhere(row, tr) if row.elsewhere else _REASONS[row.relation](row, tr)
    if row.by_another_agent and row.relation is Relation.SAME:
        return words, moved[-1]
    if row.relation is Relation.SAME or row.kind in (RowKind.ANSWER, RowKind.STATE):
        return words, ""
    below = [_BELOW.get(row.relation, "") if counts else allowed, *moved]
    return words, "\n".join(line for line in below if line)


def _elsewhere(row: Row, tr: Tr) -> str:
    """Where the call is that one side does not make in this turn."""
    words = "Called in turn {0} instead" if row.relation is Relation.MISSING else "Expected in turn {0}"
    return tr(words).format(row.elsewhere)


def _turn_reason(row: Row, rule: str, *, counts: bool, number: int, tr: Tr) -> tuple[str, str]:
    """How many of its calls match; before that, to whom it is handed over otherwise without a call."""
    match = tr("{0} of {1} match").format(row.matching[number], row.expected[number]) if row.calls else ""
    if not row.hand_offs:
        return match, ""
    first, more = row.hand_offs[0], len(row.hand_offs) - 1
    words = _MOVED_TO if first.moved else _NOT_TO if first.expected else _ALSO_TO
    text = tr(words).format(one_line(first.target, _PATH_CHARS))
    text += tr(", and {0} more").format(more) if more else ""  # the line of a turn has no room below
    below = [match]
    below += [] if counts else [tr("{0} allows it").format(rule)]
    return text, "\n".join(line for line in below if line)


_NOT_TO, _ALSO_TO, _MOVED_TO = "Not handed over to {0}", "Handed over to {0}", "Handed over to {0} elsewhere"


def _meaning(row: Row, tr: Tr) -> str:
    """Of three: who stands alone."""
    to_baseline, to_candidate = row.from_first
    if not row.differs:
        return tr("All three agree")
    if not to_baseline.differs and to_candidate.differs:
        return tr(_CANDIDATE.get(to_candidate, "Candidate changed"))
    if to_baseline.differs and not to_candidate.differs:
        return tr("Baseline alone differs")
    return tr("Golden stands alone") if not row.links[-1].differs else tr("All three differ")


def _by_argument(row: Row, tr: Tr) -> list[str]:
    """Of three: who stands alone in which argument, where that is not the same in all."""
    if len({value.alone for value in row.values}) < 2:
        return []
    lines = [f"{one_line(value.path, _PATH_CHARS)}: {tr(_ALONE[value.alone])}" for value in row.values[:_MOST_TOLD]]
    more = len(row.values) - _MOST_TOLD
    return [*lines, tr("{0} more").format(more)] if more > 0 else lines


_MOST_TOLD, _PATH_CHARS = 4, 40
_ALONE = ("golden alone", "baseline changed", "candidate changed", "all three differ")  # the last is that of -1

_CANDIDATE = {
    Relation.MISSING: "Candidate dropped it",
    Relation.EXTRA: "Candidate added it",
    Relation.MOVED: "Candidate moved it",
}


def _arguments(row: Row, tr: Tr) -> str:
    count = sum(not value.fits for value in row.values)
    if not count:  # equal, and still not what the golden's rule wants
        return tr("Arguments break their rule")
    return tr("1 argument differs") if count == 1 else tr("{0} arguments differ").format(count)


def _same(row: Row, tr: Tr) -> str:
    if row.kind is RowKind.ANSWER:
        return tr("The same words")
    if any(value.ignored for value in row.values):
        return tr("Match, by what is ignored")
    return tr("Match, by its rules") if row.values else tr("Match")


def _extra(row: Row, tr: Tr) -> str:
    if row.kind is RowKind.TURN:
        return tr("Nobody expects this turn")
    return tr("Not expected") if row.kind in (RowKind.ANSWER, RowKind.STATE) else tr("Extra call")


def _missing(row: Row, tr: Tr) -> str:
    return tr(_MISSING[row.kind])


_MISSING = {
    RowKind.TURN: "This turn was not held",
    RowKind.CALL: "Expected call is missing",
    RowKind.ANSWER: "There is no answer",
    RowKind.STATE: "Not in the state at the end",
}


def _repeated(row: Row, tr: Tr) -> str:
    cell = row.cells[-1]
    return tr("Repeated ×{0}").format(cell.times if cell is not None else 1)


_REASONS: dict[Relation, Callable[[Row, Tr], str]] = {
    Relation.SAME: _same,
    Relation.NEITHER: lambda _row, tr: tr("Only in the baseline"),
    Relation.ARGUMENTS: _arguments,
    Relation.RENAMED: lambda _row, tr: tr("Another tool in its place"),
    Relation.MOVED: lambda _row, tr: tr("Called at another place"),
    Relation.MISSING: _missing,
    Relation.EXTRA: _extra,
    Relation.REPEATED: _repeated,
    Relation.ANSWER: lambda _row, tr: tr("Other words"),
    Relation.VALUE: lambda _row, tr: tr("Another value"),
}
_BELOW = {
    Relation.ARGUMENTS: "they must be equal",
    Relation.RENAMED: "the tool must be the same",
    Relation.MOVED: "the order must be kept",
}


def gap(row: Row, side: int, *, golden: bool, tr: Tr = str) -> str:
    """What stands where a side has nothing; the first side may be a golden, or a run as the others."""
    if row.elsewhere and len(row.cells) == 2:
        return tr("in turn {0}").format(row.elsewhere)
    if row.kind is RowKind.CALL and not row.differs:
        return tr("handed over without a call")
    expected, observed = _GAPS[row.kind]
    return tr(expected if golden and side == 0 else observed)


_GAPS = {
    RowKind.TURN: ("not in the golden", "turn not held"),
    RowKind.CALL: ("not expected", "not called"),
    RowKind.ANSWER: ("none expected", "none"),
    RowKind.STATE: ("none expected", "none"),
}
