"""Content: a header with mark and facts, then the blocks of that kind of row."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import QCoreApplication, QEvent, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from trace_inspector.core.rows.rows import Kind
from trace_inspector.core.rows.safe_unpickle import Unreadable
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import Growing, banner, show_page
from trace_inspector.views.details import part_blocks, turn_blocks, verdict_blocks
from trace_inspector.views.details.answer_block import AnswerBlock
from trace_inspector.views.details.expectation_blocks import expectations
from trace_inspector.views.details.fields import event, fields, pairing
from trace_inspector.views.details.file_content import file_content
from trace_inspector.views.details.header import header
from trace_inspector.views.details.place import Place, place_of
from trace_inspector.views.widgets.controls import hline
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.scroll_page import ScrollPage

PADDING_PX = 16
STEP_S = 0.008

Block = Callable[[Theme, Place], QWidget | None]

_WHOLE = (verdict_blocks.verdict_sentence, verdict_blocks.hidden_by_verdict, pairing)
_WORDS = (part_blocks.text, fields, event)

# For each kind of row, the most informative ones first. A block may be empty.
BLOCKS: dict[Kind, tuple[Block, ...]] = {
    Kind.SUITE: (fields, turn_blocks.agents),
    Kind.RUNS: (turn_blocks.runs,),
    Kind.CASE: (*_WHOLE, expectations, fields),
    Kind.TRACE: (*_WHOLE, turn_blocks.guessed, fields, turn_blocks.agents),
    Kind.AGENTS: (turn_blocks.agents,),
    Kind.AGENT: (turn_blocks.versions, turn_blocks.agent, fields),
    Kind.TURN: (
        verdict_blocks.verdict_sentence,
        verdict_blocks.failing,
        turn_blocks.answer,
        turn_blocks.other_parts,
        turn_blocks.user,
        turn_blocks.calls,
        expectations,
        turn_blocks.usage,
        turn_blocks.agents,
        turn_blocks.guessed,
        fields,
    ),
    Kind.EVENT: (part_blocks.error, fields),
    Kind.ANSWER: (turn_blocks.answer, turn_blocks.other_parts, turn_blocks.user, event),
    Kind.TEXT: _WORDS,
    Kind.THOUGHT: _WORDS,
    Kind.CODE: _WORDS,
    Kind.USER: (turn_blocks.user,),
    Kind.CALL: (verdict_blocks.this_call, part_blocks.call, fields, event),
    Kind.RESULT: (part_blocks.result, fields, event),
    Kind.TRANSFER: (fields, event),
    Kind.MEDIA: (fields, event),
    Kind.STATE: (part_blocks.state, fields),
    Kind.UNKNOWN: (part_blocks.error, fields, event),
    Kind.SPAN: (fields,),
    Kind.MISSING_CALL: (verdict_blocks.missing_call,),
    Kind.MISSING_TURN: (verdict_blocks.verdict_sentence, verdict_blocks.missing_turn),
}


class Content(ScrollPage):
    """Rebuilt for each selection, what is in sight first and the rest in steps."""

    evidence_requested = Signal(str)
    overrule_requested = Signal(str)  # the criterion

    def __init__(self, theme: Theme, workspace: Workspace) -> None:
        super().__init__()
        self._theme = theme
        self._workspace = workspace
        self._answer: AnswerBlock | None = None
        self._selection: Selection | None = None
        self._rest: Iterator[None] = iter(())
        self._further = QTimer(self)
        self._further.setSingleShot(True)
        self._further.setInterval(0)
        self._further.timeout.connect(self._go_on)
        self.setAccessibleName(tr("Content"))
        self.verticalScrollBar().valueChanged.connect(self.hide_card)
        workspace.files.closed.connect(self._forget)

    def show_selection(self, selection: Selection | None) -> None:
        """Another row, or the same with other verdicts."""
        self.hide_card()
        self._answer = None
        self._further.stop()
        self._rest = iter(())
        same, self._selection = selection == self._selection, selection
        page = self._make(selection)
        if same and self.verticalScrollBar().value():
            self.finish()
        else:
            self._go_on()
        show_page(self, page, same_place=same)

    def finish(self) -> None:
        """Build the rest at once."""
        self._further.stop()
        for _step in self._rest:
            pass

    def _forget(self, number: int) -> None:
        """The rest of a page is not built from a file that is closed."""
        if self._selection is not None and self._selection.file == number:
            self._further.stop()
            self._rest = iter(())

    def _go_on(self) -> None:
        until_s = time.monotonic() + STEP_S
        for _step in self._rest:
            if time.monotonic() > until_s:
                self._further.start()
                break
        # Otherwise the page would squeeze what came into its old height, and be painted so once.
        QCoreApplication.sendEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def _make(self, selection: Selection | None) -> QWidget:
        place = place_of(self._workspace, selection)
        if place is not None:
            return self._page(place)
        file = self._workspace.files.get(selection.file) if selection else None
        if file is not None:
            page, self._rest = file_content(self._theme, self._workspace, file)
            return page
        return EmptyState(self._theme, tr("Nothing is selected."), tr("Choose a row in the tree."))

    def hide_card(self) -> None:
        """The card belongs to what was in sight."""
        if self._answer is not None:
            self._answer.hide_card()

    def _page(self, place: Place) -> QWidget:
        page = QWidget()
        page.setObjectName("page")
        box = QVBoxLayout(page)
        box.setContentsMargins(PADDING_PX, 12, PADDING_PX, 16)
        box.setSpacing(14)
        box.addWidget(header(self._theme, place))
        if isinstance(place.thing, Unreadable):
            box.addWidget(banner(self._theme, "warning", place.thing.sentence, "fail"))
        first = box.count()
        box.addStretch(1)
        self._rest = self._blocks(place, box, first)
        return page

    def _blocks(self, place: Place, box: QVBoxLayout, first: int) -> Iterator[None]:
        """One after the other above the stretch, with lines between them."""
        for make in BLOCKS[place.kind]:
            block = make(self._theme, place)
            if block is None:
                continue
            if box.count() - 1 > first:
                _insert(box, hline())
            _insert(box, block)
            if isinstance(block, AnswerBlock):
                self._answer = block
                block.evidence_requested.connect(self.evidence_requested)
                block.overrule_requested.connect(self.overrule_requested)
            yield
            while isinstance(block, Growing) and block.grow():
                yield


def _insert(box: QVBoxLayout, block: QWidget) -> None:
    """Above the stretch, and shown at once: left to the layout it would count only in the next turn of the loop."""
    box.insertWidget(box.count() - 1, block)
    block.show()
