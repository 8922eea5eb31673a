"""Three-way merge of the cases of a file: which belong together, who changed them, and in which order they stand."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence

from msgspec import Struct

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.three_way import (
    CONFLICTS,
    OF_MINE,
    ChangedBy,
    MergeChoice,
    MergeDifference,
    kind_of,
    merge_differences,
    merged_value,
)
from trace_inspector.core.values.structural_sharing import comparison_text, with_shared_parts
from trace_inspector.core.values.values import ABSENT, Absent, Json


class Version(Struct, frozen=True):
    """A case as one side has it; the typed one is None for something that is no case."""

    place: str
    raw: Json
    case: Case | None


class CaseMerge(Struct, frozen=True):
    """One case in its versions, None where there is none. `parts` are its differences where both sides changed it."""

    id: str
    kind: ChangedBy
    base: Version | None
    mine: Version | None
    theirs: Version | None
    parts: tuple[MergeDifference, ...] = ()


class CaseNumbers(Struct, frozen=True):
    """The numbers under which a case stands in the three lists; None where it does not."""

    base: int | None
    mine: int | None
    theirs: int | None


Ids = Callable[[int], str]


def matched_cases(
    base: Sequence[Json], mine: Sequence[Json], theirs: Sequence[Json], ids: tuple[Ids, Ids, Ids]
) -> list[CaseNumbers]:
    """Which cases belong together: by content, by id, then by place where none came or went. Theirs come first."""
    of_base, of_mine, of_theirs = ids
    to_mine, to_theirs = _pairs(base, mine, of_base, of_mine), _pairs(base, theirs, of_base, of_theirs)
    paired_mine, from_base = set(to_mine.values()), {to: index for index, to in to_theirs.items()}
    new_mine = [index for index in range(len(mine)) if index not in paired_mine]
    new_theirs = [index for index in range(len(theirs)) if index not in from_base]
    both_new = _pairs_of(new_theirs, new_mine, of_theirs, of_mine)
    cases = []
    for index in range(len(theirs)):
        base_index = from_base.get(index)
        cases.append(
            CaseNumbers(base_index, both_new.get(index) if base_index is None else to_mine.get(base_index), index)
        )
    cases += [CaseNumbers(index, to_mine.get(index), None) for index in range(len(base)) if index not in to_theirs]
    taken = set(both_new.values())
    return cases + [CaseNumbers(None, index, None) for index in new_mine if index not in taken]


def case_kind(
    base: Json | Absent, mine: Json | Absent, theirs: Json | Absent
) -> tuple[ChangedBy, tuple[MergeDifference, ...]]:
    """Who changed a case; and its differences by key where both did, in different places."""
    kind = kind_of(base, mine, theirs)
    if kind is not ChangedBy.CONFLICT or base is ABSENT:
        return kind, ()
    parts = tuple(merge_differences(base, mine, theirs))
    # Where turns came, went or moved, places that the other side means may lead elsewhere.
    is_told_apart = not any(part.kind in CONFLICTS or _is_rearranged(part) for part in parts)
    return (ChangedBy.COMBINED if is_told_apart else kind), parts


def order_kind(cases: Sequence[CaseNumbers]) -> ChangedBy:
    """Who brought the cases that all three have into another order."""
    shared = [case for case in cases if None not in (case.base, case.mine, case.theirs)]
    if len(shared) < 2:
        return ChangedBy.SAME
    base, mine, theirs = (
        [_base(case) for case in sorted(shared, key=position)] for position in (_base, _mine, _theirs)
    )
    return kind_of([*base], [*mine], [*theirs])


def in_order(cases: Sequence[CaseNumbers], *, mine_leads: bool) -> list[CaseNumbers]:
    """The cases as one side has them; what only the other has stands behind the one before it there."""
    lead, other = (_mine, _theirs) if mine_leads else (_theirs, _mine)
    follow: dict[CaseNumbers | None, list[CaseNumbers]] = {}  # what only the other side has, by what is before it
    behind: CaseNumbers | None = None
    for case in sorted((case for case in cases if other(case) >= 0), key=other):
        if lead(case) < 0:
            follow.setdefault(behind, []).append(case)
        else:
            behind = case
    led = sorted((case for case in cases if lead(case) >= 0), key=lead)
    return [row for case in (None, *led) for row in ((case,) if case else ()) + tuple(follow.get(case, ()))]


def chosen_versions(merge: CaseMerge, choice: MergeChoice) -> Iterator[tuple[Version, Json]]:
    """What stays of a case, each version with its value: nothing, one, or both. Mine is made of their very parts."""
    base = merge.theirs.raw if merge.theirs else None
    if merge.kind is ChangedBy.COMBINED and merge.theirs:
        yield merge.theirs, with_shared_parts(merged_value(merge.theirs.raw, merge.parts), base)
        return
    is_conflict = merge.kind in CONFLICTS
    if merge.theirs and (choice is not MergeChoice.MINE if is_conflict else merge.kind not in OF_MINE):
        yield merge.theirs, merge.theirs.raw
    if merge.mine and (choice is not MergeChoice.THEIRS if is_conflict else merge.kind in OF_MINE):
        yield merge.mine, with_shared_parts(merge.mine.raw, base)


def _pairs(base: Sequence[Json], other: Sequence[Json], base_id: Ids, other_id: Ids) -> dict[int, int]:
    """Where the cases of the base stand in another list."""
    pairs = _matched(
        {index: comparison_text(raw) for index, raw in enumerate(base)},
        {index: comparison_text(raw) for index, raw in enumerate(other)},
    )
    taken_there = set(pairs.values())
    unpaired = [index for index in range(len(base)) if index not in pairs]
    others = [index for index in range(len(other)) if index not in taken_there]
    pairs |= _pairs_of(unpaired, others, base_id, other_id)
    if len(base) == len(other):
        taken_there = set(pairs.values())
        pairs |= {index: index for index in unpaired if index not in pairs and index not in taken_there}
    return pairs


def _pairs_of(first: Sequence[int], second: Sequence[int], first_id: Ids, second_id: Ids) -> dict[int, int]:
    """Those of the same id, in their order; what has none is no match."""
    if not first or not second:
        return {}
    return _matched(
        {index: name for index in first if (name := first_id(index))},
        {index: name for index in second if (name := second_id(index))},
    )


def _matched(first: Mapping[int, str], second: Mapping[int, str]) -> dict[int, int]:
    places: dict[str, deque[int]] = {}
    for index, key in second.items():
        places.setdefault(key, deque()).append(index)
    return {index: places[key].popleft() for index, key in first.items() if places.get(key)}


def _is_rearranged(part: MergeDifference) -> bool:
    lists = [value for value in (part.base, part.mine, part.theirs) if isinstance(value, list)]
    return any(isinstance(item, dict | list) for value in lists for item in value)


def _base(case: CaseNumbers) -> int:
    return -1 if case.base is None else case.base


def _mine(case: CaseNumbers) -> int:
    return -1 if case.mine is None else case.mine


def _theirs(case: CaseNumbers) -> int:
    return -1 if case.theirs is None else case.theirs
