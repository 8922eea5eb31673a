"""What a comparison says in words: the sentence on top, the reason in each row, what a gap stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QCoreApplication

from trace_inspector.core.summary import one_line
from trace_inspector.engine.differences.counted import Counted, seconds_told
from trace_inspector.engine.side_by_side.row import Relation, Row, RowKind, RuleSays, Value
from trace_inspector.models.compare_sides import GOLDEN

GUTTER = {
    Relation.SAME: "same",
    Relation.NEITHER: "",
    Relation.ARGUMENTS: "differs",
    Relation.RENAMED: "differs",
    Relation.MOVED: "moved",
    Relation.MISSING: "missing",
    Relation.EXTRA: "extra",
    Relation.REPEATED: "extra",
    Relation.ANSWER: "differs",
    Relation.VALUE: "differs",
}

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


def sentence(says: RuleSays, expected: str, more: tuple[float | None, int | None]) -> tuple[str, str]:
    """The head of the sentence on top, and what follows it.

    `expected` is what the first side is called, `more` the seconds and tokens that the last one took more than the
    one before it.
    """
    if len(says.counted) > 1:
        return _of_three(says, more)
    what = says.counted[-1]
    head = _tr("{0} of {1} expected calls match.") if expected == GOLDEN else _tr("{0} of {1} calls match.")
    costs = _costs(what.seconds, what.tokens)
    told = (*_told(what, says.allowed, _tr("Nothing differs.")), f"{costs}." if costs else "")
    return head.format(f"{what.matching:,}", f"{what.calls:,}"), " ".join(part for part in told if part)


def _of_three(says: RuleSays, more: tuple[float | None, int | None]) -> tuple[str, str]:
    baseline, candidate = says.counted
    head = _tr("The candidate matches {0} of {1} calls, the baseline {2} of {1}.").format(
        f"{candidate.matching:,}", f"{candidate.calls:,}", f"{baseline.matching:,}"
    )
    costs = _costs(*more)
    against = _tr("Against the baseline {0}.").format(costs) if costs else ""
    told = (*_told(candidate, says.allowed, _tr("The candidate differs nowhere.")), against)
    return head, " ".join(part for part in told if part)


def _told(what: Counted, allowed: int, nothing: str) -> list[str]:
    """What differs, where the sides part, and whose words are others."""
    rest = [_differences(what), _turns(what), _where(what)]
    if not any(rest) and allowed:
        rest.append(
            _many(
                allowed,
                _tr("Nothing counts; 1 difference is allowed."),
                _tr("Nothing counts; {0} differences are allowed."),
            )
        )
    elif not any(rest) and not what.answers:
        rest.append(nothing)
    return [*rest, _many(what.answers, _tr("1 answer has other words."), _tr("{0} answers have other words."))]


def _differences(what: Counted) -> str:
    parts = [
        _many(what.arguments, _tr("1 argument differs"), _tr("{0} arguments differ")),
        _many(what.missing, _tr("1 call is missing"), _tr("{0} calls are missing")),
        _many(what.extra, _tr("1 is extra"), _tr("{0} are extra")),
        _many(what.moved, _tr("1 moved"), _tr("{0} moved")),
        _many(what.hand_offs, _tr("1 hand-off differs"), _tr("{0} hand-offs differ")),
    ]
    told = [part for part in parts if part]
    return f"{', '.join(told)}." if told else ""


def _turns(what: Counted) -> str:
    parts = [
        _many(what.missing_turns, _tr("1 turn is missing"), _tr("{0} turns are missing")),
        _many(what.extra_turns, _tr("1 turn is extra"), _tr("{0} turns are extra")),
    ]
    told = [part for part in parts if part]
    return f"{', '.join(told)}." if told else ""


def _where(what: Counted) -> str:
    return _tr("They part at {0}.").format(what.parts.words) if what.parts is not None else ""


def _costs(seconds: float | None, tokens: int | None) -> str:
    """How much slower or faster, and how many tokens more or less."""
    told = []
    for length in seconds_told(abs(seconds)) if seconds else ():
        words = _tr("{0} slower") if seconds and seconds > 0 else _tr("{0} faster")
        told.append(words.format(length.removeprefix("+")))
    if tokens:
        words = _tr("{0} tokens more") if tokens > 0 else _tr("{0} tokens less")
        told.append(words.format(f"{abs(tokens):,}"))
    return ", ".join(told)


def _many(number: int, one: str, many: str) -> str:
    return "" if not number else one if number == 1 else many.format(f"{number:,}")


def reason(row: Row, rule: str, *, counts: bool, number: int = 0) -> tuple[str, str]:
    """Why a row counts, or what it is; and below it, who allows it. `number` is the rule's."""
    words = _REASONS[row.relation](row)
    if row.kind is RowKind.TURN and row.relation in (Relation.SAME, Relation.NEITHER):
        return _turn_reason(row, rule, counts=counts, number=number)
    if len(row.cells) > 2:
        allowed = [] if counts or not row.relation.differs else [_tr("{0} allows it").format(rule)]
        moved = [_tr("called at another place, too")] if row.moved and row.relation is not Relation.MOVED else []
        return _meaning(row), "\n".join((*_by_argument(row), *moved, *allowed))
    if row.relation is Relation.SAME or row.kind in (RowKind.ANSWER, RowKind.STATE):
        return words, ""
    below = [_BELOW.get(row.relation, "") if counts else _tr("{0} allows it").format(rule)]
    if row.moved and row.relation is not Relation.MOVED:
        below.append(_tr("called at another place, too"))
    return words, "\n".join(line for line in below if line)


def _turn_reason(row: Row, rule: str, *, counts: bool, number: int) -> tuple[str, str]:
    """How many of its calls match; before that, to whom it is handed over otherwise without a call."""
    match = _tr("{0} of {1} match").format(row.matching[number], row.expected[number]) if row.calls else ""
    if not row.hand_offs:
        return match, ""
    first, more = row.hand_offs[0], len(row.hand_offs) - 1
    words = _MOVED_TO if first.moved else _NOT_TO if first.expected else _ALSO_TO
    said = _tr(words).format(one_line(first.target, _PATH_CHARS))
    said += _tr(", and {0} more").format(more) if more else ""  # the line of a turn has no room below
    below = [match]
    below += [] if counts else [_tr("{0} allows it").format(rule)]
    return said, "\n".join(line for line in below if line)


_NOT_TO, _ALSO_TO, _MOVED_TO = "Not handed over to {0}", "Handed over to {0}", "Handed over to {0} elsewhere"


def _meaning(row: Row) -> str:
    """Of three: who stands alone."""
    to_baseline, to_candidate = row.from_first
    if not row.differs:
        return _tr("All three agree")
    if not to_baseline.differs and to_candidate.differs:
        return _tr(_CANDIDATE.get(to_candidate, "Candidate changed"))
    if to_baseline.differs and not to_candidate.differs:
        return _tr("Baseline alone differs")
    return _tr("Golden stands alone") if not row.links[-1].differs else _tr("All three differ")


def _by_argument(row: Row) -> list[str]:
    """Of three: who stands alone in which argument, where that is not the same in all."""
    if len({value.alone for value in row.values}) < 2:
        return []
    told = [f"{one_line(value.path, _PATH_CHARS)}: {_tr(_ALONE[value.alone])}" for value in row.values[:_MOST_TOLD]]
    more = len(row.values) - _MOST_TOLD
    return [*told, _tr("{0} more").format(more)] if more > 0 else told


_MOST_TOLD, _PATH_CHARS = 4, 40
_ALONE = ("golden alone", "baseline changed", "candidate changed", "all three differ")  # the last is that of -1

_CANDIDATE = {
    Relation.MISSING: "Candidate dropped it",
    Relation.EXTRA: "Candidate added it",
    Relation.MOVED: "Candidate moved it",
}


def _arguments(row: Row) -> str:
    count = sum(not value.fits for value in row.values)
    if not count:
        return _tr("Arguments differ")
    return _tr("1 argument differs") if count == 1 else _tr("{0} arguments differ").format(count)


def _same(row: Row) -> str:
    if row.kind is RowKind.ANSWER:
        return _tr("The same words")
    if any(value.ignored for value in row.values):
        return _tr("Match, by what is ignored")
    return _tr("Match, by its rules") if row.values else _tr("Match")


def _extra(row: Row) -> str:
    if row.kind is RowKind.TURN:
        return _tr("Nobody expects this turn")
    return _tr("Not expected") if row.kind in (RowKind.ANSWER, RowKind.STATE) else _tr("Extra call")


def _missing(row: Row) -> str:
    return _tr(_MISSING[row.kind])


_MISSING = {
    RowKind.TURN: "This turn was not held",
    RowKind.CALL: "Expected call is missing",
    RowKind.ANSWER: "There is no answer",
    RowKind.STATE: "Not in the state at the end",
}


def _repeated(row: Row) -> str:
    cell = row.cells[-1]
    return _tr("Repeated ×{0}").format(cell.times if cell is not None else 1)


_REASONS: dict[Relation, Callable[[Row], str]] = {
    Relation.SAME: _same,
    Relation.NEITHER: lambda _row: _tr("Only in the baseline"),
    Relation.ARGUMENTS: _arguments,
    Relation.RENAMED: lambda _row: _tr("Another tool in its place"),
    Relation.MOVED: lambda _row: _tr("Called at another place"),
    Relation.MISSING: _missing,
    Relation.EXTRA: _extra,
    Relation.REPEATED: _repeated,
    Relation.ANSWER: lambda _row: _tr("Other words"),
    Relation.VALUE: lambda _row: _tr("Another value"),
}
_BELOW = {
    Relation.ARGUMENTS: "they must be equal",
    Relation.RENAMED: "the tool must be the same",
    Relation.MOVED: "the order must be kept",
}


def gap(row: Row, side: int, *, golden: bool) -> str:
    """What stands where a side has nothing; the first side may be a golden, or a run as the others."""
    if row.kind is RowKind.CALL and not row.differs:
        return _tr("handed over without a call")
    expected, held = _GAPS[row.kind]
    return _tr(expected if golden and side == 0 else held)


_GAPS = {
    RowKind.TURN: ("not in the golden", "turn not held"),
    RowKind.CALL: ("not expected", "not called"),
    RowKind.ANSWER: ("none expected", "none"),
    RowKind.STATE: ("none expected", "none"),
}


def spoken(
    row: Row, turn: str, sides: Mapping[str, str], why: Sequence[str], *, counts: bool, value: int = -1
) -> str:
    """A row for those who do not see it: where it is, how the sides relate, what each has, and why it counts.

    `turn` is what its turn is called, `sides` are roles with their titles, `why` is what stands at the right of the
    row; the current argument comes first.
    """
    names, golden = [*sides.values()], GOLDEN in sides
    told = [_argument_words(row.values[value], names)] if 0 <= value < len(row.values) else []
    told.append(_place_words(row, turn))
    if len(sides) == 2 and (row.relation.differs or row.kind is not RowKind.TURN):
        told.append(_tr(NAMES[row.relation]))
    for at, (name, cell) in enumerate(zip(names, row.cells, strict=True)):
        told.append(f"{name}: {(cell.text or cell.title)[:300] if cell is not None else gap(row, at, golden=golden)}")
    if any(cell is not None and cell.together for cell in row.cells):
        told.append(_tr("asked for at once with others"))
    told += [_argument_words(one, names) for at, one in enumerate(row.values) if at != value]
    verdict = _tr("counts against the verdict") if counts else ""
    if not counts and row.relation.differs:
        verdict = _tr("differs, allowed")
    parts = [part.replace("\n", ", ") for part in (*told, *why, verdict) if part]
    return " ".join(part if part.endswith((".", "?", "!")) else f"{part}." for part in parts)


def _place_words(row: Row, turn: str) -> str:
    """Where a row is, as people count."""
    cell = next((cell for cell in row.cells if cell is not None), None)
    if row.kind is RowKind.CALL and cell is not None:
        return _tr("{0}, call {1}").format(turn, cell.at + 1)
    if row.kind is RowKind.STATE and cell is not None:
        return f"{turn}, {cell.title}"
    return _tr("{0}, answer").format(turn) if row.kind is RowKind.ANSWER else turn


def _argument_words(value: Value, sides: Sequence[str]) -> str:
    each = (f"{name} {text or _tr('nothing')}" for name, text in zip(sides, value.texts, strict=True))
    told = _tr("argument {0}: {1}").format(value.path, ", ".join(each))
    rule = _tr("ignored") if value.ignored else _tr("rule: {0}").format(value.rule) if value.rule else ""
    return ", ".join(part for part in (told, value.note, rule) if part)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)
