"""The differences of JSON values by key path: members match by name, items of lists by key, equality or likeness."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import islice, pairwise

from msgspec import Struct

from trace_inspector.core.alignment.merging import Pair, Triple, merged
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import ABSENT, Absent, Json, present

MOST_DIFFERENCES = 200  # of one pair of values
_DEEPEST = 40
_MOST_ITEMS = 400  # of two lists together that are matched; longer ones differ as a whole
_NAMES = ("id", "key", "name", "sku", "uid", "code")  # by which items are known, where each has another


class ValueDifference(Struct, frozen=True):
    """A place where two values differ. The other place is where an item of a list stands on the second side."""

    place: str
    left: Json | Absent
    right: Json | Absent
    other_place: str = ""


class DifferenceAmong(Struct, frozen=True):
    """A place where two values or three differ: what each side has, and where; items may stand elsewhere on each.

    `reordered` are the sides that have the items of a list in another order than the first; the items are known by
    the member `known_by`.
    """

    values: tuple[Json | Absent, ...]
    places: tuple[str, ...]
    reordered: frozenset[int] = frozenset()
    known_by: str = ""


def value_differences(left: Json | Absent, right: Json | Absent) -> tuple[ValueDifference, ...]:
    """The differences of two values, each as small as possible; of very many, the first."""
    return tuple(
        ValueDifference(here, difference.values[0], difference.values[1], there if there != here else "")
        for difference in differences_among((left, right))
        for here, there in [difference.places]
    )


def differences_among(values: Sequence[Json | Absent]) -> tuple[DifferenceAmong, ...]:
    """The differences of two values or three, each as small as possible for all of them."""
    return tuple(islice(_among(tuple(values), ("",) * len(values), 0), MOST_DIFFERENCES))


def kind_of(value: Json | Absent) -> str:
    """What people call the kind of a value. Every number is a number."""
    if isinstance(value, Absent):
        return "nothing"
    if isinstance(value, bool):
        return "yes or no"
    if isinstance(value, int | float):
        return "number"
    return _KINDS.get(type(value), "null")


_KINDS: dict[type, str] = {str: "text", list: "list", dict: "object"}


def _among(values: tuple[Json | Absent, ...], places: tuple[str, ...], depth: int) -> Iterator[DifferenceAmong]:
    if all(same_value(values[0], other) for other in values[1:]):
        return
    objects = [value for value in values if isinstance(value, dict)]
    lists = [value for value in values if isinstance(value, list)]
    if depth < _DEEPEST and len(objects) == len(values):
        for name in {name: None for container in objects for name in container}:
            inner = tuple(container.get(name, ABSENT) for container in objects)
            yield from _among(inner, tuple(join(place, name) for place in places), depth + 1)
    elif depth < _DEEPEST and len(lists) == len(values) and all(_matchable(lists[0], other) for other in lists[1:]):
        rows = _rows(lists)
        for row in rows:
            default = next(
                (index for index in row if index is not None), 0
            )  # it would stand there, where a side has none
            inner = tuple(
                ABSENT if index is None else container[index] for container, index in zip(lists, row, strict=True)
            )
            there = tuple(
                join(place, default if index is None else index) for place, index in zip(places, row, strict=True)
            )
            yield from _among(inner, there, depth + 1)
        reordered = frozenset(side for side in range(1, len(lists)) if _reordered(rows, side))
        if reordered:  # behind what differs within the items: taking the list takes all of it
            yield DifferenceAmong(values, places, reordered, _known_by(*lists))
    else:
        yield DifferenceAmong(values, places)


def _rows(lists: Sequence[list[Json]]) -> Sequence[Triple]:
    """Which items of the lists belong together."""
    pairs = [list(_matched(lists[0], other)) for other in lists[1:]]
    if len(pairs) == 1:
        return pairs[0]

    def match(second_only: list[int], third_only: list[int]) -> list[Pair]:
        matched = _matched([lists[1][i] for i in second_only], [lists[2][i] for i in third_only])
        return [(None if i is None else second_only[i], None if j is None else third_only[j]) for i, j in matched]

    return merged(pairs[0], pairs[1], match)


def _reordered(rows: Sequence[Triple], side: int) -> bool:
    """Whether a side has what the first has, too, in another order."""
    both = [(here, there) for row in rows if (here := row[0]) is not None and (there := row[side]) is not None]
    return any(earlier[1] > later[1] for earlier, later in pairwise(sorted(both)))


def place_beside(left: Sequence[Json], right: Sequence[Json], to: int) -> int:
    """Where an item of the second list alone would stand in the first: behind what pairs with those before it."""
    partner = {theirs: mine for mine, theirs in _matched(left, right) if mine is not None and theirs is not None}
    return next((partner[before] + 1 for before in range(to - 1, -1, -1) if before in partner), 0)


def same_value(left: Json | Absent, right: Json | Absent) -> bool:
    """Whether both are equal as calls are compared, so that what counts as the same is never shown as different."""
    return left is right or (present(left) and present(right) and left == right)


def same_kinds(left: Json | Absent, right: Json | Absent) -> bool:
    """Whether equal values are of one kind all the way down: to Python, true equals 1."""
    waiting = [(left, right)]
    while waiting:
        here, there = waiting.pop()
        if isinstance(here, bool) is not isinstance(there, bool):
            return False
        if isinstance(here, dict) and isinstance(there, dict):
            waiting += [(value, there[name]) for name, value in here.items() if name in there]
        elif isinstance(here, list) and isinstance(there, list):
            waiting += zip(here, there, strict=False)
    return True


def _matchable(left: Sequence[Json], right: Sequence[Json]) -> bool:
    """Whether items can be matched one by one: a list of plain values of which none recurs differs as a whole."""
    if not left or not right or len(left) + len(right) > _MOST_ITEMS:
        return False
    return any(isinstance(item, dict | list) for item in (*left, *right)) or any(item in right for item in left)


def _matched(left: Sequence[Json], right: Sequence[Json]) -> Iterator[tuple[int | None, int | None]]:
    name = _known_by(left, right)
    pairs = _by_name(left, right, name) if name else _by_likeness(left, right)
    taken = {j for _i, j in pairs}
    partner = dict(pairs)
    for i in range(len(left)):
        yield i, partner.get(i)
    yield from ((None, j) for j in range(len(right)) if j not in taken)


def _known_by(*lists: Sequence[Json]) -> str:
    """The member by which the items of all these lists are known, "" for none."""
    return next((name for name in _NAMES if all(_names_all(items, name) for items in lists)), "")


def _names_all(items: Sequence[Json], name: str) -> bool:
    values = [item.get(name) for item in items if isinstance(item, dict)]
    plain = all(isinstance(value, str | int) and not isinstance(value, bool) for value in values)
    return len(values) == len(items) and plain and len(set(map(str, values))) == len(values)


def _by_name(left: Sequence[Json], right: Sequence[Json], name: str) -> list[tuple[int, int]]:
    there = {str(item[name]): j for j, item in enumerate(right) if isinstance(item, dict)}
    pairs = ((i, there.get(str(item[name]))) for i, item in enumerate(left) if isinstance(item, dict))
    return [(i, j) for i, j in pairs if j is not None]


def _by_likeness(left: Sequence[Json], right: Sequence[Json]) -> list[tuple[int, int]]:
    """Equal items in order first; what lies between two of them pairs where both are of one kind."""
    here, there = [_written(item) for item in left], [_written(item) for item in right]
    pairs: list[tuple[int, int]] = []
    for tag, start, end, other, other_end in SequenceMatcher(None, here, there, autojunk=False).get_opcodes():
        if tag == "equal":
            pairs += zip(range(start, end), range(other, other_end), strict=True)
        elif tag == "replace":
            both = zip(range(start, end), range(other, other_end), strict=False)
            pairs += [(i, j) for i, j in both if kind_of(left[i]) == kind_of(right[j])]
    return pairs


def _written(value: Json) -> str:
    return json.dumps(value, sort_keys=True, default=str)
