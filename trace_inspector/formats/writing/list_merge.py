"""Lists with changed items while what stands between them stays: kept ones take the places of kept ones."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Collection, Iterable, Sequence

from trace_inspector.core.errors import EditError
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.formats.writing.case_draft import CaseDraft


def kept_places(places: Iterable[str], stated: Collection[str], refusal: str) -> list[str]:
    """Those of the wanted places at which something stands already. One that is wanted twice is refused."""
    kept = [place for place in places if place in stated]
    if len(kept) != len(set(kept)):
        raise EditError(refusal)
    return kept


def refilled(
    listed: Sequence[Json], stated: Collection[int], replacements: Sequence[tuple[int | None, Json]], first: int
) -> list[Json]:
    """The list with other items in the place of the `stated` ones; each has the index it had, None for a new one.

    Kept ones take the places of kept ones, a new one follows the one before it. `first` is where those begin that
    follow none.
    """
    free = deque(sorted(index for index, _ in replacements if index is not None))
    place = free[0] if free else first
    filled: dict[int, list[Json]] = {place: []}
    for index, raw in replacements:
        if index is not None:
            place = free.popleft()
        filled.setdefault(place, []).append(raw)
    kept = {index: [item] for index, item in enumerate(listed) if index not in stated}
    return [item for index in range(len(listed) + 1) for item in (*filled.get(index, ()), *kept.get(index, ()))]


def refill_parts(
    draft: CaseDraft,
    turn: Turn,
    message: re.Pattern[str],
    stated: Sequence[str],
    replacements: Sequence[tuple[str | None, Json]],
    emptied: Sequence[str] = (),
) -> None:
    """Other parts in the messages of a turn, in which parts stand at the `stated` places.

    Each wanted part has the place it had, None for a new one, and fills the lists as in `refilled`. The parts at
    `emptied` places go. `message` finds the message of a list of parts; one that had nothing else goes as well.
    """
    slots = {place: draft.within(place).rpartition("/")[0] for place in (*stated, *emptied)}
    filled: dict[str, list[Json]] = {slot: [] for slot in slots.values()}
    kept = {place for place, _ in replacements if place is not None}
    free = deque(slots[place] for place in stated if place in kept)
    slot = free[0] if free else slots[stated[0]]
    for place, raw in replacements:
        if place is not None:
            slot = free.popleft()
        filled[slot].append(raw)
    in_order = [slots[part.place] for event in turn.events for part in event.parts if part.place in slots]
    for parts in reversed(dict.fromkeys(slot.rpartition("/")[0] for slot in in_order)):
        items = [
            item for index, part in enumerate(draft.list_at(parts)) for item in filled.get(join(parts, index), [part])
        ]
        emptied_message = None if items else message.fullmatch(parts)
        if emptied_message is None:
            draft.put(parts, items)
        else:
            draft.drop(emptied_message[1])
