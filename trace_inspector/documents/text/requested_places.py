"""Requested places: a tree of pointers that a reader fills in on its way through the bytes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TypeGuard

from msgspec import Struct, field

from trace_inspector.core.values import pointer as pointers


class Place(Struct, frozen=True):
    """Byte offsets of a value, and of the member that holds it: where its key begins, or the value itself."""

    member: int
    start: int
    end: int


class Watch(Struct):
    """One value on the way to a requested place. `members` collects the places of all children when it is a list."""

    children: dict[str, Watch] = field(default_factory=dict)
    requested: bool = False
    place: Place | None = None
    members: list[Place] | None = None

    def node_at(self, pointer: str) -> Watch:
        """The node of a pointer, made when it is new."""
        node = self
        for token in pointers.split(pointer):
            node = node.children.setdefault(token, Watch())
        return node

    def forget(self) -> None:
        """Drop what an earlier duplicate of the same key left behind."""
        stack = [self]
        while stack:
            node = stack.pop()
            node.place = None
            if node.members is not None:
                node.members = []
            stack.extend(node.children.values())


def looks_inside(watch: Watch | None) -> TypeGuard[Watch]:
    """Whether anything below this value is requested."""
    return watch is not None and bool(watch.children or watch.members is not None)


def last_index(watch: Watch | None) -> float:
    """The last element in or below which anything is requested: -1 for none, infinity when all are."""
    if watch is None:
        return -1
    if watch.members is not None:
        return math.inf
    return max((index for token in watch.children if (index := pointers.index_of(token)) is not None), default=-1)


def watch_for(requested: Iterable[str]) -> Watch:
    """The tree of some pointers."""
    root = Watch()
    for pointer in requested:
        root.node_at(pointer).requested = True
    return root
