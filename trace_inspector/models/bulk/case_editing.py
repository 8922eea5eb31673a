"""Adds, duplicates, deletes, splits, joins and moves cases and turns of goldens: each is one undo step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.golden_change import GoldenChange, Named, Turns
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Turn
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.moved_places import all_after
from trace_inspector.models.base.selection import CurrentSelection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.files.files import Files
from trace_inspector.models.files.multi_selection import Picked
from trace_inspector.models.golden.promotion import show_case
from trace_inspector.models.golden.sessions import Goldens
from trace_inspector.work.golden.bulk_requests import Making, ShapeCases
from trace_inspector.work.golden.requests import EditedFileState

_CHARS = 60
Make = Callable[[Case], Sequence[GoldenChange]]


class CaseEditing:
    """Each method makes one undo step in the background, and selects the result once the rows show it."""

    def __init__(self, files: Files, selection: CurrentSelection, goldens: Goldens) -> None:
        self._files = files
        self._selection = selection
        self._goldens = goldens

    def shape(self, kind: str, words: str, some: Sequence[Picked]) -> None:
        """Do something to cases of one file; the result is selected."""
        file = some[0].file.number
        places = tuple(place for picked in some if (place := picked.place) is not None)
        if not places:
            return  # its row is there for a moment more
        turns = some[0].turns

        def what(now: Mapping[str, str]) -> Making | None:
            there = tuple(now[place] for place in places if place in now)
            return ShapeCases(kind, there, turns) if there else None

        self._goldens.make(
            file, words.format(named(some)), what, places, lambda stand: self._select(kind, stand, places)
        )

    def add_case(self, file: int) -> None:
        """Add a golden after the others."""
        self._goldens.make(file, tr("Add a golden"), lambda _now: ShapeCases("add"), (), self._show)

    def add_turn(self, picked: Picked) -> None:
        """Add an empty turn after the chosen one, or at the end."""
        behind = picked.turns[-1] if picked.turns else None

        def make(case: Case) -> Sequence[GoldenChange]:
            index = len(case.turns) if behind is None else behind + 1
            return (Turns((*case.turns[:index], Turn(index), *case.turns[index:])),)

        self._change(picked, tr("Add a turn"), make)

    def delete_turns(self, picked: Picked) -> None:
        """Delete turns of a golden."""
        words = tr("Delete {0}").format(counted(len(picked.turns), "turn"))
        self._change(picked, words, lambda case: (Turns(_without(case.turns, picked.turns)),))

    def move_turns(self, picked: Picked, way: int) -> None:
        """Move turns one place up (-1) or down (1)."""

        places: list[str] = []

        def make(case: Case) -> Sequence[GoldenChange]:
            order = moved(len(case.turns), picked.turns, way)
            places.append(case.turns[order.index(picked.turns[0])].place)
            return (Turns(tuple(case.turns[index] for index in order)),)

        self._change(picked, tr("Move {0}").format(counted(len(picked.turns), "turn")), make)
        self._goldens.settled(
            lambda: show_case(self._files, self._selection, picked.file.number, places[0]) if places else None
        )

    def rename(self, picked: Picked, name: str) -> None:
        """Change the id of a golden."""
        self._change(picked, tr("Rename to “{0}”").format(one_line(name, _CHARS)), lambda _case: (Named(name),))

    def _change(self, picked: Picked, words: str, make: Make) -> None:
        if picked.place is not None:
            self._goldens.change(picked.file.number, picked.place, words, make)

    def _select(self, kind: str, stand: EditedFileState, places: Sequence[str]) -> None:
        """Select the copy after copying; moved cases stay selected at their new places."""
        if kind in ("double", "split", "join"):
            self._show(stand)
        elif kind in ("up", "down"):
            place = next((now for now in all_after(places, stand.steps).values() if now is not None), "")
            self._goldens.settled(lambda: show_case(self._files, self._selection, stand.file, place))

    def _show(self, stand: EditedFileState) -> None:
        if stand.cases:
            place = stand.cases[-1].place
            self._goldens.settled(lambda: show_case(self._files, self._selection, stand.file, place))


def moved(count: int, chosen: Collection[int], way: int) -> list[int]:
    """The old indexes in their new order, when the chosen ones move one place up or down together."""
    others = [index for index in range(count) if index not in chosen]
    mine = sorted(chosen)
    before = sum(index < mine[0] for index in others) if mine else 0
    to = min(max(before + way, 0), len(others))
    return [*others[:to], *mine, *others[to:]]


def named(some: Sequence[Picked]) -> str:
    """The object of a step, for its name."""
    if len(some) > 1:
        return counted(len(some), "golden")
    if some[0].turns:
        return counted(len(some[0].turns), "turn")
    return f"“{one_line(some[0].name, _CHARS)}”"


def _without(turns: Sequence[Turn], chosen: Collection[int]) -> tuple[Turn, ...]:
    return tuple(turn for index, turn in enumerate(turns) if index not in chosen)
