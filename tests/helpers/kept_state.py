"""What the attributes of objects were at one moment, and how to put all of them back."""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from PySide6.QtCore import QAbstractItemModel, QByteArray, QObject
from shiboken6 import isValid

_PLAIN = (bool, int, float, str, bytes, enum.Enum, Path, QByteArray, type(None))
_MISSING = object()
_OURS = "trace_inspector."


class _Kept(Struct, frozen=True):
    """An attribute: the value, and what was in it where it is a container."""

    value: Any
    inside: Any = None


class State(Struct):
    """Attributes by object. What Qt keeps of a widget is not among them."""

    objects: list[tuple[Any, dict[str, _Kept]]] = field(default_factory=list)
    _known: set[int] = field(default_factory=set)

    def put_back(self) -> None:
        """Give each attribute the value that it had; containers stay the same ones."""
        for thing, attributes in self.objects:
            if isinstance(thing, QObject) and not isValid(thing):
                continue
            for name, kept in attributes.items():
                if getattr(thing, name, _MISSING) is not kept.value:
                    setattr(thing, name, kept.value)
                if kept.inside is not None and kept.value != kept.inside:
                    _fill(kept.value, kept.inside)

    def add(self, thing: Any) -> None:
        """Keep an object's attributes, and those of the objects of this program in them."""
        if id(thing) in self._known:
            return
        self._known.add(id(thing))
        attributes: dict[str, _Kept] = {}
        self.objects.append((thing, attributes))
        for name in _names(thing):
            value = getattr(thing, name, _MISSING)
            if _is_of_the_view(value):
                continue
            if isinstance(value, list | dict | set | deque):
                attributes[name] = _Kept(value, value.copy())
            elif isinstance(value, (*_PLAIN, tuple, frozenset)):
                attributes[name] = _Kept(value)
            elif type(value).__module__.startswith(_OURS):
                attributes[name] = _Kept(value)
                self.add(value)


def state_of(things: Iterable[Any]) -> State:
    """The present state of these objects, but for models of views: what these show follows from the rest."""
    state = State()
    for thing in things:
        if type(thing).__module__.startswith(_OURS) and not isinstance(thing, QAbstractItemModel):
            state.add(thing)
    return state


def _names(thing: Any) -> list[str]:
    slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    return [*getattr(thing, "__dict__", ()), *slots]


def _is_of_the_view(value: Any) -> bool:
    """Whether it is a part of the window, which may be gone and made anew when its turn to be put back comes."""
    if isinstance(value, dict):
        return any(map(_is_of_the_view, value.values()))
    if isinstance(value, list | tuple | set | frozenset | deque):
        return any(map(_is_of_the_view, value))
    return isinstance(value, QObject) or type(value).__module__.startswith(f"{_OURS}views")


def _fill(box: Any, inside: Any) -> None:
    box.clear()
    if isinstance(box, dict | set):
        box.update(inside)
    else:
        box.extend(inside)
