"""A bulk edit while a person chooses it: its preview from the child, cases excluded by hand, and its undo steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from trace_inspector.core.golden.bulk_change import DeleteCases, Row
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.translation import tr
from trace_inspector.models.bulk.kinds import BULK_KINDS, BulkKind, Made
from trace_inspector.models.files.multi_selection import Picked
from trace_inspector.models.golden.sessions import Goldens
from trace_inspector.models.golden.values import NotJson
from trace_inspector.work.golden.bulk_requests import BulkHere, BulkPreview, Making, PreviewBulk
from trace_inspector.work.golden.requests import Ask
from trace_inspector.work.processes.request_child import Answer

Case = tuple[int, str]  # file and place


class BulkEdit(QObject):
    """`changed` when there is another preview, `marked` when only the excluded cases changed."""

    changed = Signal()
    marked = Signal()

    def __init__(
        self, goldens: Goldens, files: Sequence[OpenFile], some: Sequence[Picked], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._goldens = goldens
        self._asked = 0
        self.files = tuple(files)
        self.picked = tuple(some)
        self.kind: BulkKind = BULK_KINDS[0]
        self.values: dict[str, str] = {}
        self.scope: tuple[int, ...] = tuple(file.number for file in files[:1])
        self.only_some = len(some) > 1
        self.preview: BulkPreview | None = None
        self.sentence_of_refusal = ""
        self.excluded: set[Case] = set()  # by hand

    @property
    def rows(self) -> tuple[tuple[int, Row], ...]:
        """The rows that would change, each with its file; only the first of very many."""
        return self.preview.rows if self.preview is not None else ()

    @property
    def cases(self) -> list[Case]:
        """The cases that will change, including those that `rows` does not list."""
        return [case for case in self.preview.cases if case not in self.excluded] if self.preview is not None else []

    @property
    def waiting(self) -> bool:
        """Whether a preview is being made."""
        return self.preview is None and not self.sentence_of_refusal and self._made() is not None

    @property
    def sentence(self) -> str:
        """What will be done; also the name of the undo step."""
        if self.preview is None:
            return self.sentence_of_refusal
        cases = self.cases
        where = counted(len(cases), "golden")
        files = len({number for number, _place in cases})
        if files > 1:
            where += tr(" of {0} files").format(files)
        if isinstance(self._made(), DeleteCases):
            return tr("Delete {0}").format(where)
        return tr("{0} in {1}").format(self.preview.title, where)

    def set(self, name: str, text: str) -> None:
        """Set the value of a field."""
        if self.values.get(name, "") != text:
            self.values[name] = text
            self.forget()

    def choose(self, kind: BulkKind) -> None:
        """Choose another kind of edit; fields of the same name keep their values."""
        self.kind = kind
        self.forget()

    def set_scope(self, scope: Sequence[int], *, only_some: bool = False) -> None:
        """Choose the files to edit, or the selected goldens alone."""
        self.scope, self.only_some = tuple(scope), only_some
        self.forget()

    def toggle(self, index: int) -> None:
        """Exclude the case of a row, or include it again."""
        number, row = self.rows[index]
        self.excluded ^= {(number, row.case_place)}
        self.marked.emit()

    def forget(self) -> None:
        """Drop the preview: it belongs to another edit."""
        self._asked += 1
        self.preview, self.sentence_of_refusal, self.excluded = None, "", set()
        try:
            self.kind.made(self.values)
        except NotJson as problem:
            self.sentence_of_refusal = str(problem)
        self.changed.emit()

    def ask(self) -> None:
        """Ask for a preview."""
        made = self._made()
        if made is None:
            return
        self._asked += 1
        for number in self.scope:
            self._goldens.begin(number)
        places = (
            tuple(dict.fromkeys(place for picked in self.picked if (place := picked.place) is not None))
            if self.only_some
            else None
        )
        asked = PreviewBulk(made, tuple((number, places) for number in self.scope))
        self._goldens.ask(0, Ask(0, asked), partial(self._take, self._asked))

    def make(self, then: Callable[[str], None]) -> None:
        """Make the edit: one undo step for each file."""
        made, sentence = self._made(), self.sentence
        if made is None:
            return
        for number in self.scope:
            places = tuple(place for file, place in self.cases if file == number)
            if places:
                self._goldens.make(number, sentence, partial(_in_places, made), places)
        then(tr("{0}: done. Ctrl+Z undoes it.").format(sentence))

    def _made(self) -> Made | None:
        return self.kind.made(self.values) if not self.sentence_of_refusal else None

    def _take(self, number: int, answer: Answer) -> None:
        if number == self._asked:
            self.preview = answer.value if isinstance(answer.value, BulkPreview) else None
            self.sentence_of_refusal = answer.sentence
            self.changed.emit()


def _in_places(made: Made, now: Mapping[str, str]) -> Making | None:
    return BulkHere(made, tuple(now.values())) if now else None
