"""Names of tools, agents, cases, candidates and personas in the open files, for completion in the filter."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.row_table import RowTable
from trace_inspector.models.files.files import Files

MOST = 40  # completions; longer lists are not read
_ROWS_AT_ONCE = 4_000  # scanned for one answer; the next one continues from there
_CALL = int(Kind.CALL)


class OccurringNames:
    """Collected on demand, some rows at a time, so that no answer takes long."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._collected: dict[
            tuple[int, str], tuple[int, dict[str, None]]
        ] = {}  # file, field → number of scanned rows, names

    def of(self, field: str, part: str) -> list[str]:
        """Names for a field that contain a text: those that begin with it first."""
        collect = _COLLECTORS.get(field)
        if collect is None:
            return []
        folded, matching = part.casefold(), dict[str, None]()
        for number, file in self._files.by_number.items():
            start, names = self._collected.get((number, field), (0, {}))
            self._collected[number, field] = collect(file.table, start, names), names
            matching.update((name, None) for name in names if folded in name.casefold())
        begin = [name for name in matching if name.casefold().startswith(folded)]
        return [*begin, *(name for name in matching if not name.casefold().startswith(folded))][:MOST]


def _tools(table: RowTable, start: int, names: dict[str, None]) -> int:
    kinds, labels = table.columns.kind, table.columns.label
    row = kinds.find(_CALL, start)
    for _count in range(_ROWS_AT_ONCE):
        if row < 0:
            break
        names.setdefault(labels[row].partition("(")[0])
        row = kinds.find(_CALL, row + 1)
    return row if row >= 0 else len(table)


def _agents(table: RowTable, start: int, names: dict[str, None]) -> int:
    names.update((name, None) for name in table.columns.authors[start:] if name)
    return len(table.columns.authors)


def _cases(table: RowTable, start: int, names: dict[str, None]) -> int:
    stop = min(start + _ROWS_AT_ONCE, len(table.tops))
    names.update((table.label(top), None) for top in table.tops[start:stop])
    return stop


def _candidates(table: RowTable, _start: int, names: dict[str, None]) -> int:
    names.update(table.details.candidates)
    return len(table)


def _personas(table: RowTable, _start: int, names: dict[str, None]) -> int:
    names.update(table.details.personas)
    return len(table)


def _modes(table: RowTable, _start: int, names: dict[str, None]) -> int:
    return _marks(table, table.modes, names)


def _causes(table: RowTable, _start: int, names: dict[str, None]) -> int:
    return _marks(table, table.causes, names)


def _marks(table: RowTable, marks: Mapping[int, tuple[str, ...]], names: dict[str, None]) -> int:
    names.clear()  # they may be called otherwise now
    names.update((name, None) for own in marks.values() for name in own)
    return len(table)


_COLLECTORS: dict[str, Callable[[RowTable, int, dict[str, None]], int]] = {
    "tool": _tools,
    "agent": _agents,
    "case": _cases,
    "candidate": _candidates,
    "persona": _personas,
    "mode": _modes,
    "cause": _causes,
}
