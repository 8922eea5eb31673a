"""The cases and traces of one file by their names and by where they stand: looked up at each selection and edit."""

from __future__ import annotations

from collections.abc import Sequence


class NamedTops:
    """Filled as rows arrive; going through ten thousand of them takes longer than a key press may."""

    def __init__(self) -> None:
        self._by_place: dict[str, list[int]] = {}
        self._by_name: dict[str, list[int]] = {}

    def add(self, row: int, place: str, name: str) -> None:
        """One more, behind those that are known."""
        self._by_place.setdefault(place, []).append(row)
        self._by_name.setdefault(name, []).append(row)

    def at(self, place: str) -> Sequence[int]:
        """Those that stand there, in file order: of one record that holds several, all of them."""
        return self._by_place.get(place, ())

    def called(self, name: str) -> Sequence[int]:
        """Those of that name, in file order."""
        return self._by_name.get(name, ())
