"""The Details panel: Content, Golden, Verdicts and Raw of the selection, behind tabs that are the panel's head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout

from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.base.regrowth import bodies_of
from trace_inspector.models.base.row_table import TOP
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.golden_finder import golden_file
from trace_inspector.views.details.content import Content
from trace_inspector.views.details.raw import Raw
from trace_inspector.views.details.verdicts import Verdicts
from trace_inspector.views.widgets.panel import Head, PanelWidget, Task
from trace_inspector.views.widgets.tabs import FittingTabs
from trace_inspector.views.window_context.desk import Desk

if TYPE_CHECKING:
    from trace_inspector.views.golden.tab import GoldenTab

CONTENT, GOLDEN, VERDICTS, RAW = range(4)
TASKS = {GOLDEN: Task.CURATING, VERDICTS: Task.JUDGING}


class DetailsPanel(PanelWidget):
    """Builds only the page in sight, once per turn of the loop however fast the selection moves."""

    def __init__(self, desk: Desk) -> None:
        head = Head(desk.theme, "")
        super().__init__(desk.theme, tr("Details"), head)
        self._desk = desk
        self._workspace = desk.workspace
        self._theme = desk.theme
        self.tabs = FittingTabs(desk.theme, tr("Details"))
        for name in (tr("Content"), tr("Golden"), tr("Verdicts"), tr("Raw")):
            self.tabs.addTab(name)
        head.row.setContentsMargins(4, 0, 8, 0)
        head.row.insertWidget(0, self.tabs, 0, Qt.AlignmentFlag.AlignBottom)
        self.content = Content(desk.theme, desk.workspace)
        self.verdicts = Verdicts(desk.theme, desk.workspace)
        self.raw = Raw(desk.theme, desk.workspace)
        self._golden: GoldenTab | None = None
        self._turned_to_raw = False  # for a file of which only the text can be shown, not by a person
        self._text_of: Selection | None = None  # that file
        pages: dict[int, Content | Verdicts | Raw] = {CONTENT: self.content, VERDICTS: self.verdicts, RAW: self.raw}
        self._pages = pages
        self._stack = QStackedWidget()
        for page in self._pages.values():
            self._stack.addWidget(page)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._stack)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._show)
        self.tabs.currentChanged.connect(self._turn)
        self.content.evidence_requested.connect(self._show_evidence)
        self.content.overrule_requested.connect(self.overrule)
        self.verdicts.calls_requested.connect(lambda: _show_calls(desk))
        workspace = desk.workspace
        for signal in (
            workspace.selection.changed, workspace.run.changed, workspace.run.parted, workspace.files.changed,
            workspace.files.renewed, workspace.goldens.changed, workspace.goldens.saved,
            workspace.calibrations.changed,
        ):  # fmt: skip
            signal.connect(self._soon)
        desk.theme.changed.connect(self._soon)
        workspace.selection.changed.connect(self._show_text)
        workspace.files.changed.connect(self._show_text)
        self._seen: tuple[object, ...] = ()
        self._judged: tuple[object, ...] = ()  # held, or others that come later could have their identity
        self._show()

    def overrule(self, metric: str | None = None) -> bool:
        """Turn to Verdicts and open the form that overrules; false where nothing was decided."""
        self.tabs.setCurrentIndex(VERDICTS)
        self._show()
        return self.verdicts.overrule(metric)

    @property
    def golden(self) -> GoldenTab:
        """The editor of the golden, made when it is first seen."""
        if self._golden is None:
            from trace_inspector.views.golden.tab import GoldenTab

            self._golden = GoldenTab(self._desk)
            self._stack.addWidget(self._golden)
        return self._golden

    def edit_golden(self) -> bool:
        """Turn to Golden, its first field ready for typing; false where there is none."""
        self.tabs.setCurrentIndex(GOLDEN)
        self._show()
        return self.golden.focus_first()

    def show_field(self, field: str) -> None:
        """Turn to Golden, and to a field of what is selected."""
        self.tabs.setCurrentIndex(GOLDEN)
        self._show()
        if self.golden.context is not None:
            self.golden.reveal(field)

    def _soon(self) -> None:
        self._later.start()

    def _show_text(self, _what: object = None) -> None:
        """Turn to Raw for a file in no known format, and back with the next file."""
        selection = self._workspace.selection.value
        file = self._workspace.files.get(selection.file) if selection else None
        wanted = file is not None and file.unrecognised and file.shows_text
        if wanted and self.tabs.currentIndex() == CONTENT and self._text_of != selection:
            self.tabs.setCurrentIndex(RAW)
            self._turned_to_raw = True
        elif not wanted and self._turned_to_raw and file is not None:
            self.tabs.setCurrentIndex(CONTENT)
        self._text_of = selection if wanted else None

    def _turn(self, tab: int) -> None:
        self._turned_to_raw = False
        self._stack.setCurrentWidget(self.golden if tab == GOLDEN else self._pages[tab])
        self.content.hide_card()
        self.set_task(TASKS.get(tab, Task.READING))
        self._show()

    def _show(self) -> None:
        """Build the page, unless it shows the same already."""
        tab, selection = self.tabs.currentIndex(), self._workspace.selection.value
        if tab == GOLDEN:  # it updates itself in place
            self._seen = ()
            self.golden.show_selection(selection)
            return
        file = self._workspace.files.get(selection.file) if selection else None
        run = self._workspace.run.value
        seen: list[object] = [tab, selection, self._theme.tokens.dark, run is not None and run.running]
        seen += [self._workspace.calibrations.version]
        if selection is not None and file is not None:
            # Rows that an edit replaced are in another table; in one that grows some conversations are as before.
            seen += [file.table, self._contents_of(file, selection.row, tab), file.on_disk, file.writes, file.state]
            seen += [len(file.findings), len(file.reported), file.parted]
            seen += self._verdicts_on(selection)
        if seen != list(self._seen):
            self._seen = tuple(seen)
            self._pages[tab].show_selection(selection)

    def _contents_of(self, file: OpenFile, row: int, tab: int) -> object:
        """What the page may show of the file: its conversation, or all of it."""
        top = file.table.top_of(row) if file.table.has(row) else TOP
        return file.digest if top == TOP or tab == RAW else bodies_of(file.table, top)

    def _verdicts_on(self, selection: Selection) -> list[object]:
        """What is decided about it, and against which golden; by identity, because a verdict may be large."""
        if selection.row == TOP:
            return [self._workspace.verdicts.counts(selection.file)]
        case = self._workspace.verdicts.case(selection.file, selection.row)
        turn = self._workspace.verdicts.turn(selection.file, selection.row)
        golden = golden_file(self._workspace.files, self._workspace.run.value, selection)
        edited = self._workspace.goldens.edited(golden.number) if golden is not None else None
        self._judged = case, turn
        return [id(case), id(turn), golden is not None, edited.revision if edited is not None else 0]

    def _show_evidence(self, pointer: str) -> None:
        selection = self._workspace.selection.value
        file = self._workspace.files.get(selection.file) if selection else None
        row = file.table.row_near(pointer) if file else -1
        if file is not None and row >= 0:
            self._workspace.selection.select(Selection(file.number, row))


def _show_calls(desk: Desk) -> None:
    dock = desk.docks.get("judge-calls")
    if dock is not None:
        dock.show()
        dock.raise_()
        dock.widget().setFocus()
