"""Two files that a person compares: each conversation of one beside the one of the same case in the other."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.trace.trace import Trace
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.sides import DefaultSides, ref_of
from trace_inspector.models.files.files import Files

_MOST_OPENED = 200  # conversations that are opened to look for a case


class FilePair(QObject):
    """Stays until a person selects something in a third file, or one of the two is closed."""

    changed = Signal()

    def __init__(self, files: Files, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self.numbers: tuple[int, ...] = ()  # what is compared with, and what is compared
        files.reads_again.connect(self._follow)
        files.closed.connect(self._closed)

    def choose(self, base: int, other: int) -> None:
        """Compare a file with another one."""
        self.numbers = (base, other)
        self.changed.emit()

    def drop(self) -> None:
        """Compare what belongs together again."""
        self.numbers = ()

    def others(self, number: int) -> list[OpenFile]:
        """The files that a file can be compared with."""
        mine = self._files.get(number)
        if mine is None or not _can_be_compared(mine):
            return []
        return [file for file in self._files if file.number != number and _can_be_compared(file)]

    def sides(self, selection: Selection | None) -> DefaultSides | None:
        """The selected conversation and its counterpart, else the first two; None where no pair is chosen."""
        if selection is not None and selection.file not in self.numbers:
            self.drop()
        files = [file for number in self.numbers if (file := self._files.get(number)) is not None]
        if len(files) != len(self.numbers) or not files:
            return None
        waiting = next((file for file in files if file.state is FileState.LOADING), None)
        if waiting is not None:
            return DefaultSides(notice=(tr("{0} is being read.").format(waiting.name), ""))
        base, other = files
        mine = base if selection is not None and selection.file == base.number else other
        top = mine.table.top_of(selection.row) if selection is not None and selection.row != TOP else TOP
        return self._beside(mine, base if mine is other else other, top)

    def _beside(self, mine: OpenFile, other: OpenFile, top: int) -> DefaultSides:
        alone = len(mine.table.tops) == len(other.table.tops) == 1
        for each in [top] if top != TOP else mine.table.tops[:_MOST_OPENED]:
            partner = other.table.tops[0] if alone else _of_case(other, _case_of(mine, each))
            if partner != TOP:
                here, there = ref_of(mine, each), ref_of(other, partner)
                base_first = (there, here) if mine.number == self.numbers[1] else (here, there)
                return DefaultSides(tuple(sorted(base_first, key=lambda ref: not ref.is_case)))
        words = tr("No conversation of {0} has a counterpart in {1}.").format(mine.name, other.name)
        if top != TOP:
            words = tr("{0} has no conversation of the case “{1}”.").format(other.name, _case_of(mine, top))
        return DefaultSides(notice=(words, tr("Choose another one in the tree (Ctrl+1), or with “Compare with…”.")))

    def _follow(self, number: int, new: int) -> None:
        self.numbers = tuple(new if each == number else each for each in self.numbers)

    def _closed(self, number: int) -> None:
        if number in self.numbers:
            self.drop()


def _can_be_compared(file: OpenFile) -> bool:
    return bool(file.table.tops) and (file.has_cases or file.has_traces)


def _case_of(file: OpenFile, top: int) -> str:
    body = file.table.body(top)
    if isinstance(body, Case):
        return one_line(body.id)
    return one_line(body.case_id or body.id) if isinstance(body, Trace) else ""


def _of_case(file: OpenFile, case: str) -> int:
    """The first conversation of a case; TOP where there is none."""
    named = [top for top in file.table.named.called(case) if top in file.table.tops]
    others = (top for top in file.table.tops[:_MOST_OPENED] if top not in named)
    return next((top for top in (*named, *others) if _case_of(file, top) == case), TOP)
