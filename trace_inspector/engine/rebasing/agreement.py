"""Several runs of one case: what two of them do differently counts where the others do so, too."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.trace.trace import Trace, calls_of
from trace_inspector.core.values.canonical_json import canonical_json
from trace_inspector.core.values.values import Json, present
from trace_inspector.engine.rebasing.difference import VALUES, ChangeKind, Difference
from trace_inspector.engine.rebasing.text_differences import ChangedText, TextPlace

MOST_RUNS = 20  # of a case, before the change and after it
_Place: TypeAlias = tuple[ChangeKind, int, str, str]


class RunPairs(Struct, frozen=True):
    """The runs of a case that stand for it, and the pairs in which every other run stands beside one of these."""

    base: Trace | None
    new: Trace
    others: tuple[tuple[Trace | None, Trace], ...] = ()


def run_pairs(base: Sequence[Trace], new: Sequence[Trace]) -> RunPairs:
    """The pairs of the runs of a case. Those that do the most usual stand for it; there is at least one new run."""
    before, after = _usual_first(base), _usual_first(new)
    first = before[0] if before else None
    others = [*((first, other) for other in after[1:]), *((other, after[0]) for other in before[1:])]
    return RunPairs(first, after[0], tuple(others))


def _usual_first(runs: Sequence[Trace]) -> list[Trace]:
    some = list(runs[:MOST_RUNS])
    ways = [_way(run) for run in some]
    if ways:
        often = Counter(ways)
        usual = max(range(len(ways)), key=lambda index: (often[ways[index]], -index))
        some.insert(0, some.pop(usual))
    return some


def _way(run: Trace) -> tuple[tuple[str, ...], ...]:
    return tuple(
        tuple(f"{call.name} {canonical_json(call.args) if present(call.args) else ''}" for call in calls_of(turn))
        for turn in run.turns
    )


def disagreement(others: int, of: int) -> str:
    """Why a difference is not simply one of its case, where so many of the other pairs show it; "" where all do."""
    return "" if others == of else f"its runs disagree: {others + 1:,} of {of + 1:,} show it"


def agreed(
    differences: Sequence[Difference], others: Sequence[Sequence[Difference]]
) -> tuple[list[Difference], bool]:
    """The differences, of which those that not all pairs show say so; and whether another pair shows more."""
    there = [Counter(map(_sameness, own)) for own in others]
    seen = _values(others)
    marked: list[Difference] = []
    for difference in differences:
        name = _sameness(difference)
        shown = 0
        for own in there:
            shown += own[name] > 0
            own[name] -= 1
        why = disagreement(shown, len(others))
        if why and not difference.conflict:
            values = tuple(seen[_place(difference)])
            marked.append(replace(difference, conflict=why, varies=True, seen=values))
        else:
            marked.append(difference)
    return marked, any(count > 0 for own in there for count in own.values())


def _values(others: Sequence[Sequence[Difference]]) -> dict[_Place, list[Json]]:
    """The values of arguments in other runs."""
    values = defaultdict[_Place, list[Json]](list)
    for own in others:
        for difference in own:
            if difference.kind in VALUES and present(difference.new):
                values[_place(difference)].append(difference.new)
    return values


def _place(difference: Difference) -> _Place:
    return difference.kind, difference.turn, difference.tool, difference.pointer


def _sameness(difference: Difference) -> tuple[object, ...]:
    """What a difference is, whatever stood there before: what was another text each time may be the same one now."""
    new = difference.new
    return (*_place(difference), difference.to, canonical_json(new) if present(new) else None)


def agreed_text(text: ChangedText, others: Sequence[Sequence[ChangedText]]) -> ChangedText:
    """A changed text, of which those words say so that do not change in all pairs."""
    if not others:
        return text
    there = [_words(own) for own in others]
    return replace(
        text,
        changes=tuple(
            replace(
                change,
                varies=disagreement(sum((text.place, change.old, change.new) in own for own in there), len(there)),
            )
            for change in text.changes
        ),
    )


def has_more_words(texts: Iterable[ChangedText], others: Iterable[ChangedText]) -> bool:
    """Whether other runs change words that these do not change so."""
    return not _words(others) <= _words(texts)


def _words(texts: Iterable[ChangedText]) -> set[tuple[TextPlace, str, str]]:
    return {(text.place, change.old, change.new) for text in texts for change in text.changes}
