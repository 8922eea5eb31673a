"""The head of the comparison: both runs, a sentence about the cases, remarks, the bar of groups."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.models.runs import run_pair_words as words
from trace_inspector.models.runs.run_pair import RunPair
from trace_inspector.views.run_comparison.choosing import choose_side
from trace_inspector.views.run_comparison.group_bar import GroupBar
from trace_inspector.views.run_comparison.side_button import SideButton
from trace_inspector.views.widgets.controls import Elided, Label
from trace_inspector.views.window_context.desk import Desk

MARGIN_PX = 12


class PairHeadline(QWidget):
    """Follows the pair."""

    def __init__(self, desk: Desk, pair: RunPair) -> None:
        super().__init__()
        self._desk = desk
        self._pair = pair
        theme = desk.theme
        self.base = SideButton(theme, tr("Baseline"), "baseline", self.choose_base)
        self.new = SideButton(theme, tr("Candidate"), "candidate", self.choose_new)
        self.sentence = Elided(theme, font="strong")
        self.more = Label(theme, font="secondary", ink="text2", wrap=True)  # never cut: it may end in “within noise”
        policy = self.more.sizePolicy()
        policy.setVerticalPolicy(QSizePolicy.Policy.Preferred)  # its lines make no window higher than the screen
        self.more.setSizePolicy(policy)
        self.notes = Elided(theme, font="secondary", ink="warn")
        self.bar = GroupBar(theme)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(self.sentence)
        texts.addWidget(self.more)
        self._sides = sides = QHBoxLayout()
        sides.setSpacing(8)
        sides.addWidget(self.base)
        sides.addWidget(Label(theme, "→", font="body", ink="text2"))
        sides.addWidget(self.new)
        sides.addStretch(1)
        self._top = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._top.setSpacing(8)
        self._top.addLayout(sides)
        self._top.addLayout(texts, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(MARGIN_PX, 10, MARGIN_PX, 8)
        box.setSpacing(8)
        box.addLayout(self._top)
        box.addWidget(self.notes)
        box.addWidget(self.bar)
        pair.changed.connect(self.refresh)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More room, or less."""
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        """The sentence beside the runs where all of it fits there, else below them."""
        needed = self._sides.sizeHint().width() + self.sentence.sizeHint().width() + 3 * MARGIN_PX
        ways = QBoxLayout.Direction
        self._top.setDirection(ways.LeftToRight if needed <= self.width() else ways.TopToBottom)

    def choose_base(self) -> None:
        """Ask for another baseline."""
        choose_side(self._desk, tr("Baseline"), lambda side: self._pair.compare(side, self._pair.new))

    def choose_new(self) -> None:
        """Ask for another candidate."""
        choose_side(self._desk, tr("Candidate"), lambda side: self._pair.compare(self._pair.base, side))

    def refresh(self) -> None:
        """Other runs, or other figures."""
        pair, head = self._pair, self._pair.head
        for button, side in ((self.base, pair.base), (self.new, pair.new)):
            button.show_side(side)
        for widget in (self.sentence, self.more, self.bar):
            widget.setVisible(head is not None)
        self.notes.setVisible(head is not None and bool(head.notes))
        if head is not None:
            self.sentence.setText(words.headline(head))
            self.more.setText(" ".join(filter(None, (words.certainty(head), words.undecided(head)))))
            self.notes.setText(" ".join(head.notes))
            self.bar.show_counts(head)
        self._lay_out()
