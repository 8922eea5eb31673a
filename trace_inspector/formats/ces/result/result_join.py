"""Joins results of CES with the conversations and evaluations that they name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import Part
from trace_inspector.core.trace.trace import Event, Span, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.formats.ces.common.content import short_name

CONVERSATION = "conversation"  # the extra that names the conversation of a replayed turn


class Conversations(Struct, frozen=True):
    """Recorded conversations by their names; by the last part alone where only one of them has it."""

    whole: Mapping[str, Trace] = field(default_factory=dict)
    short: Mapping[str, Trace] = field(default_factory=dict)

    def find(self, name: str | None) -> Trace | None:
        """The conversation of a name, None where it is not here."""
        if not name:
            return None
        return self.whole.get(name) or (self.short.get(name) if "/" not in name else None)


def conversations_of(traces: Iterable[Trace]) -> Conversations:
    """Those traces that are whole conversations: they have a name, and are of no case."""
    named = {trace.session_id: trace for trace in traces if trace.session_id and trace.case_id is None}
    counts = Counter(map(short_name, named))
    return Conversations(
        named,
        {short_name(name): conversation for name, conversation in named.items() if counts[short_name(name)] == 1},
    )


def without(every: Conversations, some: Conversations) -> Conversations:
    """All but some of them."""
    return conversations_of(trace for name, trace in every.whole.items() if name not in some.whole)


def names_in(trace: Trace) -> list[str]:
    """The conversations that a result names: one for all, or one for each replayed turn."""
    if trace.case_id is None:
        return []
    stated = [_name_of(turn) for turn in trace.turns]
    return [name for name in (trace.session_id, *stated) if name]


def joined(trace: Trace, conversations: Conversations, *, elsewhere: bool) -> Trace:
    """A result's trace with the turns of its conversations. What comes from `elsewhere`, another file, gets the place
    at which the result names it: pointers mean something in their own file only.
    """
    if trace.case_id is None:
        return trace
    simulated = conversations.find(trace.session_id)
    if simulated is not None:
        whole = _simulated(trace, simulated, elsewhere=elsewhere)
    else:
        whole = replace(trace, turns=_replayed(trace.turns, conversations, elsewhere=elsewhere))
    return replace(whole, span_count=len(whole.spans) + sum(len(turn.spans) for turn in whole.turns))


def joined_items(items: Iterable[Item]) -> Iterator[Item]:
    """The items of one file with results and what they name, the results joined."""
    collected: list[Item] = []
    turns: dict[int, list[Turn]] = {}  # by the place of their trace in the list
    index = -1
    for item in items:
        if isinstance(item, Turn) and index >= 0:
            turns[index].append(item)
            continue
        if isinstance(item, Trace):
            index = len(collected)
            turns[index] = list(item.turns)
        collected.append(item)
    whole = {
        index: replace(trace, turns=tuple(turns[index]))
        for index, trace in enumerate(collected)
        if isinstance(trace, Trace)
    }
    conversations = conversations_of(whole.values())
    cases = _Cases(collected)
    for index, item in enumerate(collected):
        if index in whole:
            trace = cases.counted(joined(whole[index], conversations, elsewhere=False))
            yield replace(trace, turns=())
            yield from trace.turns
        else:
            yield from cases.rewritten(item)


class _Cases:
    """The cases of a file, each once: evaluations that are there themselves take the place of what results repeat."""

    def __init__(self, given: Iterable[Item]) -> None:
        items = list(given)
        repeated = {item.golden_place for item in items if isinstance(item, CaseVerdict)}
        every = [case for item in items if isinstance(item, Suite) for case in item.cases]
        self._kept: dict[str, str] = {}  # the place of each by its id
        for case in sorted(every, key=lambda case: case.place in repeated):
            self._kept.setdefault(case.id, case.place)
        self._repeated = repeated
        self._runs = Counter(item.case_id for item in items if isinstance(item, Trace))
        self._seen: Counter[str] = Counter()

    def counted(self, trace: Trace) -> Trace:
        """A trace that knows how many of its case the whole file holds."""
        return trace if trace.case_id is None else replace(trace, case_runs=self._runs[trace.case_id])

    def rewritten(self, item: Item) -> Iterator[Item]:
        """An item as it is given on; a suite that loses all its cases is not."""
        if isinstance(item, CaseVerdict):
            place = self._kept.get(item.case_id, item.golden_place)
            yield replace(item, golden_place=place, repeat=self._seen[item.case_id])
            self._seen[item.case_id] += 1
        elif isinstance(item, Suite) and item.cases:
            cases = tuple(case for case in item.cases if self._keeps(case))
            yield from [replace(item, cases=cases)] if cases else []
        else:
            yield item

    def _keeps(self, case: Case) -> bool:
        return case.place not in self._repeated or case.place == self._kept[case.id]


def _simulated(trace: Trace, recorded: Trace, *, elsewhere: bool) -> Trace:
    """The whole conversation; what the result knew of times is kept where the conversation knows none."""
    spans = tuple(span for turn in trace.turns for span in turn.spans)
    place = _place_of(trace.extras, trace.place)
    turns = tuple(_moved(turn, place) for turn in recorded.turns) if elsewhere else recorded.turns
    has_spans = any(turn.spans for turn in turns)
    return replace(trace, turns=turns, spans=trace.spans if has_spans else (*trace.spans, *spans))


def _replayed(turns: Sequence[Turn], conversations: Conversations, *, elsewhere: bool) -> tuple[Turn, ...]:
    """Each turn out of its conversation. Where several name the same one they are its turns in their order; where one
    alone does, what came before was given to it as context, and it is the last.
    """
    counts = Counter(_name_of(turn) for turn in turns)
    seen: Counter[str | None] = Counter()
    merged = []
    for turn in turns:
        name = _name_of(turn)
        recorded = conversations.find(name)
        index = seen[name] if counts[name] > 1 else -1
        seen[name] += 1
        recorded_turn = (
            recorded.turns[index]
            if recorded is not None and -len(recorded.turns) <= index < len(recorded.turns)
            else None
        )
        merged.append(turn if recorded_turn is None else _merged(turn, recorded_turn, elsewhere=elsewhere))
    return tuple(merged)


def _merged(turn: Turn, recorded_turn: Turn, *, elsewhere: bool) -> Turn:
    """The recorded turn, under the result's own index, place and duration."""
    moved = _moved(recorded_turn, _place_of(turn.extras, turn.place)) if elsewhere else recorded_turn
    stated = turn.duration_s is not None
    return replace(
        moved,
        index=turn.index,
        id=turn.id,
        duration_s=turn.duration_s if stated else moved.duration_s,
        model_duration_s=_first(turn.model_duration_s, moved.model_duration_s),
        tool_duration_s=_first(turn.tool_duration_s, moved.tool_duration_s),
        spans=moved.spans or turn.spans,
        extras=(*turn.extras, *(extra for extra in moved.extras if extra not in turn.extras)),
        guessed=moved.guessed - {"times"} if stated else moved.guessed,
        place=turn.place,
    )


def _first(first: float | None, other: float | None) -> float | None:
    return other if first is None else first


def _place_of(extras: tuple[Extra, ...], otherwise: str) -> str:
    """Where a result names its conversation."""
    return next((extra.place for extra in extras if extra.name == CONVERSATION), otherwise)


def _name_of(turn: Turn) -> str | None:
    name = next((extra.value for extra in turn.extras if extra.name == CONVERSATION), None)
    return name if isinstance(name, str) and name else None


def _moved(turn: Turn, place: str) -> Turn:
    """A turn of another file with everything in it at one place of this one."""
    return replace(
        turn,
        user=_moved_parts(turn.user, place),
        events=tuple(_moved_event(event, place) for event in turn.events),
        final_response=None if turn.final_response is None else _moved_parts(turn.final_response, place),
        spans=tuple(_moved_span(span, place) for span in turn.spans),
        extras=tuple(replace(extra, place=place) for extra in turn.extras),
        place=place,
    )


def _moved_event(event: Event, place: str) -> Event:
    extras = tuple(replace(extra, place=place) for extra in event.extras)
    return replace(event, parts=_moved_parts(event.parts, place), extras=extras, place=place)


def _moved_parts(parts: tuple[Part, ...], place: str) -> tuple[Part, ...]:
    return tuple(replace(part, place=place) for part in parts)


def _moved_span(span: Span, place: str) -> Span:
    """A span whose id, a place in the other file, may be that of another conversation's span too."""
    parent = None if span.parent_id is None else f"{place} {span.parent_id}"
    return replace(span, id=f"{place} {span.id}", parent_id=parent, place=place)
