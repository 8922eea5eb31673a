"""The cases of three versions of a file told apart: which belong together, who changed them, and in which order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.three_way import (
    CONFLICTS,
    OF_MINE,
    Choice,
    Difference,
    Kind,
    differences,
    kind_of,
    put_together,
)
from trace_inspector.core.values.structural_sharing import content, grafted
from trace_inspector.core.values.values import ABSENT, Absent, Json


@dataclass(frozen=True, slots=True)
class Version:
    """A case as one side has it; the typed one is None for something that is no case."""

    place: str
    raw: Json
    case: Case | None


@dataclass(frozen=True, slots=True)
class CaseMerge:
    """One case in its versions, None where there is none. `parts` are its differences where both sides changed it."""

    id: str
    kind: Kind
    base: Version | None
    mine: Version | None
    theirs: Version | None
    parts: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class Together:
    """The numbers under which a case stands in the three lists; None where it does not."""

    base: int | None
    mine: int | None
    theirs: int | None


Ids = Callable[[int], str]


def together(
    base: Sequence[Json], mine: Sequence[Json], theirs: Sequence[Json], ids: tuple[Ids, Ids, Ids]
) -> list[Together]:
    """Which cases belong together: by content, by id, then by place where none came or went. Theirs come first."""
    of_base, of_mine, of_theirs = ids
    to_mine, to_theirs = _pairs(base, mine, of_base, of_mine), _pairs(base, theirs, of_base, of_theirs)
    known_mine, from_base = set(to_mine.values()), {to: at for at, to in to_theirs.items()}
    new_mine = [at for at in range(len(mine)) if at not in known_mine]
    new_theirs = [at for at in range(len(theirs)) if at not in from_base]
    both_new = _pairs_of(new_theirs, new_mine, of_theirs, of_mine)
    found = []
    for at in range(len(theirs)):
        known = from_base.get(at)
        found.append(Together(known, both_new.get(at) if known is None else to_mine.get(known), at))
    found += [Together(at, to_mine.get(at), None) for at in range(len(base)) if at not in to_theirs]
    taken = set(both_new.values())
    return found + [Together(None, at, None) for at in new_mine if at not in taken]


def case_kind(base: Json | Absent, mine: Json | Absent, theirs: Json | Absent) -> tuple[Kind, tuple[Difference, ...]]:
    """Who changed a case; and its differences by key where both did, in places that can be told apart."""
    kind = kind_of(base, mine, theirs)
    if kind is not Kind.CONFLICT or base is ABSENT:
        return kind, ()
    parts = tuple(differences(base, mine, theirs))
    # Where turns came, went or moved, places that the other side means may lead elsewhere.
    is_told_apart = not any(part.kind in CONFLICTS or _is_rearranged(part) for part in parts)
    return (Kind.COMBINED if is_told_apart else kind), parts


def order_kind(found: Sequence[Together]) -> Kind:
    """Who brought the cases that all three have into another order."""
    shared = [one for one in found if None not in (one.base, one.mine, one.theirs)]
    if len(shared) < 2:
        return Kind.SAME
    base, mine, theirs = ([_base(one) for one in sorted(shared, key=at)] for at in (_base, _mine, _theirs))
    return kind_of([*base], [*mine], [*theirs])


def in_order(found: Sequence[Together], *, mine_leads: bool) -> list[Together]:
    """The cases as one side has them; what only the other has stands behind the one before it there."""
    lead, other = (_mine, _theirs) if mine_leads else (_theirs, _mine)
    follow: dict[Together | None, list[Together]] = {}  # what only the other side has, by what is before it
    behind: Together | None = None
    for one in sorted((one for one in found if other(one) >= 0), key=other):
        if lead(one) < 0:
            follow.setdefault(behind, []).append(one)
        else:
            behind = one
    led = sorted((one for one in found if lead(one) >= 0), key=lead)
    return [row for one in (None, *led) for row in ((one,) if one else ()) + tuple(follow.get(one, ()))]


def taken(one: CaseMerge, choice: Choice) -> Iterator[tuple[Version, Json]]:
    """What stays of a case, each version with its value: nothing, one, or both. Mine is made of their very parts."""
    base = one.theirs.raw if one.theirs else None
    if one.kind is Kind.COMBINED and one.theirs:
        yield one.theirs, grafted(put_together(one.theirs.raw, one.parts), base)
        return
    is_conflict = one.kind in CONFLICTS
    if one.theirs and (choice is not Choice.MINE if is_conflict else one.kind not in OF_MINE):
        yield one.theirs, one.theirs.raw
    if one.mine and (choice is not Choice.THEIRS if is_conflict else one.kind in OF_MINE):
        yield one.mine, grafted(one.mine.raw, base)


def _pairs(base: Sequence[Json], other: Sequence[Json], base_id: Ids, other_id: Ids) -> dict[int, int]:
    """Where the cases of the base stand in another list."""
    found = _matched(
        {at: content(raw) for at, raw in enumerate(base)}, {at: content(raw) for at, raw in enumerate(other)}
    )
    taken_there = set(found.values())
    left = [at for at in range(len(base)) if at not in found]
    others = [at for at in range(len(other)) if at not in taken_there]
    found |= _pairs_of(left, others, base_id, other_id)
    if len(base) == len(other):
        taken_there = set(found.values())
        found |= {at: at for at in left if at not in found and at not in taken_there}
    return found


def _pairs_of(left: Sequence[int], others: Sequence[int], left_id: Ids, other_id: Ids) -> dict[int, int]:
    """Those of the same id, in their order; what has none is no match."""
    if not left or not others:
        return {}
    return _matched(
        {at: name for at in left if (name := left_id(at))}, {at: name for at in others if (name := other_id(at))}
    )


def _matched(left: Mapping[int, str], others: Mapping[int, str]) -> dict[int, int]:
    places: dict[str, deque[int]] = {}
    for at, key in others.items():
        places.setdefault(key, deque()).append(at)
    return {at: places[key].popleft() for at, key in left.items() if places.get(key)}


def _is_rearranged(part: Difference) -> bool:
    lists = [value for value in (part.base, part.mine, part.theirs) if isinstance(value, list)]
    return any(isinstance(item, dict | list) for value in lists for item in value)


def _base(one: Together) -> int:
    return -1 if one.base is None else one.base


def _mine(one: Together) -> int:
    return -1 if one.mine is None else one.mine


def _theirs(one: Together) -> int:
    return -1 if one.theirs is None else one.theirs
