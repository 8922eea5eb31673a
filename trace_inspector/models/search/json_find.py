"""Searches text in a JSON value, in small steps, so that a large value never blocks the window."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TypeAlias

from trace_inspector.core.values.values import Json

MOST_FOUND = 10_000
_LOOKED_AT_AT_ONCE = 256
Path: TypeAlias = tuple[str | int, ...]


class JsonSearch:
    """Finds keys and plain values that contain the text, in any case, in the order of the tree."""

    def __init__(self, value: Json, text: str) -> None:
        self.paths: list[Path] = []
        self.ended = not text
        self._text = text.casefold()
        self._steps = self._walk(value)

    def go_on(self, budget_s: float) -> bool:
        """Continue for that long; true when everything was searched, or the maximum was found."""
        until_s = time.monotonic() + budget_s
        while not self.ended:
            for _step in range(_LOOKED_AT_AT_ONCE):
                if next(self._steps, None) is None or len(self.paths) >= MOST_FOUND:
                    self.ended = True
                    break
            if time.monotonic() >= until_s:
                break
        return self.ended

    def _walk(self, value: Json) -> Iterator[bool]:
        stack: list[tuple[Path, Json]] = [((), value)]
        while stack:
            path, value = stack.pop()
            named = bool(path) and isinstance(path[-1], str) and self._text in path[-1].casefold()
            if named or (not isinstance(value, list | dict) and self._text in _words(value)):
                self.paths.append(path)
            if isinstance(value, dict):
                stack += [((*path, key), each) for key, each in reversed(value.items())]
            elif isinstance(value, list):
                stack += [((*path, index), value[index]) for index in range(len(value) - 1, -1, -1)]
            yield True


def _words(value: Json) -> str:
    if isinstance(value, str):
        return value.casefold()
    return "null" if value is None else str(value).lower()
