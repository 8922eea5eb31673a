"""“Go to”: cases, traces and turns by a few letters, a turn by its number, any place by its pointer."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain

from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.widgets.fuzzy import score_with_caption
from trace_inspector.views.widgets.palette import Candidate, Entry

_PAUSE_EVERY = 200
_COMMAND = "trace-inspector "


class PlaceSearch:
    """Searches the open files a few rows at a time; entries are made only for matches that are shown."""

    def __init__(self, workspace: Workspace, go: Callable[[Selection], object]) -> None:
        self._workspace = workspace
        self._go = go

    def __call__(self, query: str) -> Iterator[Candidate | None]:
        """The matching places, and None for every pause."""
        exact = list(chain(self._numbered(query), self._pointed(query)))
        yield from exact
        if not exact:
            yield from self._named(query)

    def _named(self, query: str) -> Iterator[Candidate | None]:
        pause = 0
        for file in self._workspace.files.in_order:
            table = file.table
            for top in table.tops:
                caption = f"{table.label(top)} · {file.name}"
                for row in chain((top,), table.turns(top)):
                    pause += 1
                    if pause % _PAUSE_EVERY == 0:
                        yield None
                    points = score_with_caption(query, table.label(row), caption if row != top else file.name)
                    if points is not None:
                        yield points, partial(self._entry, file, row)

    def _numbered(self, query: str) -> Iterator[Candidate]:
        """`:12` is the twelfth turn of the selected case."""
        selection = self._workspace.selection.value
        file = self._workspace.files.get(selection.file) if selection else None
        if selection is None or file is None or not query.startswith(":") or not query[1:].isdecimal():
            return
        table = file.table
        top = table.top_of(selection.row) if selection.row >= 0 else TOP
        turns = table.turns(top if top != TOP else table.tops[0]) if table.tops else ()
        number = int(query[1:6])
        if 1 <= number <= len(turns):
            yield 0, partial(self._entry, file, turns[number - 1])

    def _pointed(self, query: str) -> Iterator[Candidate]:
        """A pointer in the file in front, `FILE#/pointer`, or a link that was copied here."""
        name, hash_, place = _unquoted(query).partition("#")
        selection = self._workspace.selection.value
        if not hash_ and name.startswith("/"):
            name, place = "", name
        if not place.startswith("/"):
            return
        for file in self._workspace.files.in_order:
            named = name and str(file.path).endswith(name)
            if named or (not name and selection is not None and selection.file == file.number):
                yield 0, partial(self._place_entry, file, place)

    def _entry(self, file: OpenFile, row: int) -> Entry:
        table = file.table
        top = table.top_of(row)
        caption = table.label(top) if row != top else ""
        mark = self._workspace.verdicts.mark_of(file.number, row)
        go = partial(self._go, Selection(file.number, row))
        return Entry(table.label(row), go, caption, mark=mark, end=file.name)

    def _place_entry(self, file: OpenFile, place: str) -> Entry:
        return Entry(place, partial(self._go_near, file, place), tr("place in {0}").format(file.name))

    def _go_near(self, file: OpenFile, place: str) -> None:
        self._go(Selection(file.number, file.table.row_near(place)))


def _unquoted(query: str) -> str:
    text = query.strip().removeprefix(_COMMAND)
    try:
        words = shlex.split(text)
    except ValueError:
        return text
    return words[0] if len(words) == 1 else text
