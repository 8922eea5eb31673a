"""Three-way merge of one JSON value: who changed what, key by key, and both changes put together."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator
from typing import TypeGuard

from msgspec import Struct

from trace_inspector.core.values.difference import same
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.value_paths import with_value, without_value
from trace_inspector.core.values.values import ABSENT, Absent, Json, present


class ChangedBy(enum.Enum):
    """Who changed something since both began with the same: mine is what stands here, theirs what is on disk."""

    SAME = "the same"
    ONLY_MINE = "changed here"
    ONLY_THEIRS = "changed there"
    BOTH_SAME = "changed alike"
    COMBINED = "changed on both sides, in different places"
    CONFLICT = "changed differently"
    NEW_HERE = "new here"
    NEW_THERE = "new there"
    DELETED_HERE = "deleted here"
    DELETED_THERE = "deleted there"
    DELETED_HERE_CHANGED_THERE = "deleted here, changed there"
    CHANGED_HERE_DELETED_THERE = "changed here, deleted there"


class MergeChoice(enum.Enum):
    """What a person takes where both sides cannot be had as they are."""

    MINE = "mine"
    THEIRS = "theirs"
    BOTH = "both"


CONFLICTS = frozenset(
    {ChangedBy.CONFLICT, ChangedBy.DELETED_HERE_CHANGED_THERE, ChangedBy.CHANGED_HERE_DELETED_THERE}
)
OF_MINE = frozenset({ChangedBy.ONLY_MINE, ChangedBy.NEW_HERE, ChangedBy.DELETED_HERE})


class MergeDifference(Struct, frozen=True):
    """A value that is not the same in all three versions, by its pointer."""

    pointer: str
    kind: ChangedBy
    base: Json | Absent
    mine: Json | Absent
    theirs: Json | Absent


class _Became(enum.Enum):
    """What became of a value on one side."""

    KEPT = "kept"
    CHANGED = "changed"
    NEW = "new"
    GONE = "gone"


_ALONE = {
    (_Became.KEPT, _Became.KEPT): ChangedBy.SAME,
    (_Became.CHANGED, _Became.KEPT): ChangedBy.ONLY_MINE,
    (_Became.KEPT, _Became.CHANGED): ChangedBy.ONLY_THEIRS,
    (_Became.NEW, _Became.KEPT): ChangedBy.NEW_HERE,
    (_Became.KEPT, _Became.NEW): ChangedBy.NEW_THERE,
    (_Became.GONE, _Became.KEPT): ChangedBy.DELETED_HERE,
    (_Became.KEPT, _Became.GONE): ChangedBy.DELETED_THERE,
    (_Became.GONE, _Became.CHANGED): ChangedBy.DELETED_HERE_CHANGED_THERE,
    (_Became.CHANGED, _Became.GONE): ChangedBy.CHANGED_HERE_DELETED_THERE,
}


def kind_of(base: Json | Absent, mine: Json | Absent, theirs: Json | Absent) -> ChangedBy:
    """Who changed a value that is taken as a whole."""
    alone = _ALONE.get((_became(base, mine), _became(base, theirs)))
    return alone or (ChangedBy.BOTH_SAME if equal(mine, theirs) else ChangedBy.CONFLICT)


def equal(first: Json | Absent, second: Json | Absent) -> bool:
    """Whether both are the same JSON, or both are not there."""
    return first is second or (present(first) and present(second) and same(first, second))


def merge_differences(
    base: Json | Absent, mine: Json | Absent, theirs: Json | Absent, place: str = ""
) -> Iterator[MergeDifference]:
    """What is not the same in all three, each as small as possible: keys of objects, items that stayed put."""
    if mine is base and theirs is base:
        return
    if isinstance(mine, dict) and isinstance(theirs, dict) and isinstance(base, dict | Absent):
        base_object = base if isinstance(base, dict) else {}
        for key in {**theirs, **mine, **base_object}:
            values = base_object.get(key, ABSENT), mine.get(key, ABSENT), theirs.get(key, ABSENT)
            yield from merge_differences(*values, join(place, key))
    elif isinstance(base, list) and _stays_put(mine, base) and _stays_put(theirs, base):
        for index, versions in enumerate(zip(base, mine, theirs, strict=True)):
            yield from merge_differences(*versions, join(place, index))
    elif (kind := kind_of(base, mine, theirs)) is not ChangedBy.SAME:
        yield MergeDifference(place, kind, base, mine, theirs)


def merged_value(
    theirs: Json,
    changes: Iterable[MergeDifference],
    choice: Callable[[MergeDifference], MergeChoice] = lambda _difference: MergeChoice.THEIRS,
) -> Json:
    """Their value with what was changed here; where both changed the same, as somebody chose."""
    for difference in changes:
        takes_mine = difference.kind in OF_MINE or (
            difference.kind in CONFLICTS and choice(difference) is MergeChoice.MINE
        )
        if takes_mine:
            mine = difference.mine
            theirs = (
                with_value(theirs, difference.pointer, mine)
                if present(mine)
                else without_value(theirs, difference.pointer)
            )
    return theirs


def _became(base: Json | Absent, now: Json | Absent) -> _Became:
    if equal(base, now):
        return _Became.KEPT
    if now is ABSENT:
        return _Became.GONE
    return _Became.NEW if base is ABSENT else _Became.CHANGED


def _stays_put(other: Json | Absent, base: list[Json]) -> TypeGuard[list[Json]]:
    """Whether items only changed where they stand: none came, went or moved. A list of plain words is one value."""
    if not isinstance(other, list) or len(base) != len(other):
        return False
    if not any(isinstance(item, dict | list) for item in base):
        return False
    changed = [index for index, item in enumerate(other) if not same(base[index], item)]
    return not any(same(other[index], item) for index in changed for item in base)
