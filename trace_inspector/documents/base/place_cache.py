"""Known places: where the items of one list stand, kept over changes; looking for a place begins at its item."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from operator import add

from trace_inspector.core.values import pointer as pointers
from trace_inspector.documents.base.json_syntax import COMMA, strict_end
from trace_inspector.documents.text.patch import Cut, Patch, in_order
from trace_inspector.documents.text.stamps import Place, Watch


@dataclass(frozen=True, slots=True)
class Landmarks:
    """The items of the list at a pointer in strict JSON. `way` are the values that lead there, the list last.

    Without them a change at the end of 5 MB steps over all that stands before it: 40 ms for each of them.
    """

    pointer: str
    way: tuple[Place, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]


def landmarks_in(data: bytes, watch: Watch, pointer: str) -> Landmarks | None:
    """The landmarks that a filled tree gives, in which the list's members were asked for; None without a list."""
    way = tuple(place for _, node in _nodes(watch, pointer) if (place := node.place))
    members = watch.at(pointer).members or []
    if len(way) != len(pointers.split(pointer)) + 1 or data[way[-1].start : way[-1].start + 1] != b"[":
        return None
    return Landmarks(pointer, way, tuple(member.start for member in members), tuple(member.end for member in members))


def wanted_landmarks(pointer: str) -> Watch:
    """The tree to be filled for them."""
    watch = Watch()
    for _, node in _nodes(watch, pointer):
        node.wanted = True
    watch.at(pointer).members = []
    return watch


def filled_by(landmarks: Landmarks, watch: Watch) -> Iterator[tuple[Watch, int]] | None:
    """Fill in what is known, and tell what is to be looked for where; None where the tree asks for anything else."""
    nodes = [node for _, node in _nodes(watch, landmarks.pointer, grow=False)]
    if len(nodes) != len(landmarks.way) or any(
        len(node.children) != 1 or node.members is not None for node in nodes[:-1]
    ):
        return None
    for node, place in zip(nodes, landmarks.way, strict=True):
        node.place = place
    if nodes[-1].members is not None:
        nodes[-1].members.extend(map(Place, landmarks.starts, landmarks.starts, landmarks.ends))
    return (
        (child, landmarks.starts[index])
        for token, child in nodes[-1].children.items()
        if (index := pointers.index_of(token)) is not None and index < len(landmarks.starts)
    )


def after_patches(landmarks: Landmarks | None, data: bytes, patches: Sequence[Patch]) -> Landmarks | None:
    """The landmarks once patches are made, which led to these bytes; None when they are better looked for again."""
    cuts = in_order(patches)
    if landmarks is not None and cuts is not None and (grown := _grown(landmarks, cuts)):
        return grown
    for number, patch in enumerate(patches):
        if landmarks is None:
            return None
        landmarks = _moved(landmarks, patch, data if number + 1 == len(patches) else None)
    return landmarks


def _grown(landmarks: Landmarks, cuts: Iterable[Cut]) -> Landmarks | None:
    """The landmarks after changes inside of items, however many they are; None where one is anywhere else."""
    growths = [0] * len(landmarks.starts)
    for cut in cuts:
        index = bisect_left(landmarks.starts, cut.start) - 1
        if index < 0 or cut.end >= landmarks.ends[index]:
            return None
        growths[index] += cut.growth
    shifts = tuple(accumulate(growths, initial=0))
    way = tuple(replace(place, end=place.end + shifts[-1]) for place in landmarks.way)
    starts = tuple(map(add, landmarks.starts, shifts))
    ends = tuple(map(add, landmarks.ends, shifts[1:]))
    return Landmarks(landmarks.pointer, way, starts, ends)


def _moved(landmarks: Landmarks, patch: Patch, data: bytes | None) -> Landmarks | None:
    around = landmarks.way[-1]
    end, growth = patch.at + len(patch.old), len(patch.new) - len(patch.old)
    if not around.start < patch.at <= end < around.end:
        return None
    starts, ends = landmarks.starts, landmarks.ends
    # Items before the change, and the first one that stands wholly behind it.
    before, behind = bisect_left(ends, patch.at + 1), bisect_left(starts, end)
    within = behind == before + 1 and starts[before] < patch.at and end < ends[before]
    if not within and data is None:
        return None
    late = tuple(offset + growth for offset in starts[behind:])
    if within:
        between = [(starts[before], ends[before] + growth)]
    else:
        begin = ends[before - 1] if before else around.start + 1
        between = _items(data or b"", begin, late[0] if late else around.end + growth - 1)
    way = tuple(replace(place, end=place.end + growth) for place in landmarks.way)
    new_starts = (*starts[:before], *(start for start, _ in between), *late)
    new_ends = (*ends[:before], *(stop for _, stop in between), *(offset + growth for offset in ends[behind:]))
    return Landmarks(landmarks.pointer, way, new_starts, new_ends)


def _items(data: bytes, offset: int, limit: int) -> list[tuple[int, int]]:
    """The items between two places of a list."""
    items: list[tuple[int, int]] = []
    while True:
        gap = COMMA.match(data, offset)
        start = gap.end() if gap else offset
        if start >= limit:
            return items
        offset = strict_end(data, start, limit) or limit
        items.append((start, offset))


def _nodes(watch: Watch, pointer: str, *, grow: bool = True) -> Iterator[tuple[str, Watch]]:
    """The nodes from the root to a pointer, with their tokens."""
    yield "", watch
    for token in pointers.split(pointer):
        if not grow and token not in watch.children:
            return
        watch = watch.children.setdefault(token, Watch())
        yield token, watch
