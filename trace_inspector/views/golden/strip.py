"""The three figures above a golden turn: exact values, with matchers, and what waits for a judge."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QSizePolicy, QWidget

from trace_inspector.engine.scoring.metric_names import TOOL_TRAJECTORY
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.run_scope import Scope
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.live_status import Now
from trace_inspector.models.golden.scores import CallsBeforeEdits, TurnScore, figure, stale, with_matchers
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.marks import NowLabel
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, Label

NARROW_PX = 520
TITLE_PX = 60
WIDEST_PX = 16_777_215


class _Cell(QWidget):
    """A title above a mark, a score and words; beside them where cells are stacked."""

    def __init__(self, theme: Theme, title: str, short: str) -> None:
        super().__init__()
        self._title = title
        self._short = short
        self._score = NowLabel(theme, "strong")
        self._score.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._words = Label(theme, font="secondary", ink="text2")
        self._was = Elided(theme, "", font="secondary", ink="text2")
        self._head = Elided(theme, title, font="caption", ink="text2")
        self._box = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._box.addWidget(self._head)
        self.row = QHBoxLayout()
        self.row.setSpacing(8)
        for widget in (self._score, self._words, self._was):
            self.row.addWidget(widget)
        self.row.addStretch(1)
        self._box.addLayout(self.row)

    def turn(self, *, narrow: bool) -> None:
        """One line, or two."""
        ways = QBoxLayout.Direction
        self._box.setDirection(ways.LeftToRight if narrow else ways.TopToBottom)
        self._box.setContentsMargins(12, 1 if narrow else 6, 8, 1 if narrow else 6)
        self._box.setSpacing(8 if narrow else 2)
        self._box.setStretch(1, 2)
        self._head.setText(self._short if narrow else self._title)
        self._head.setFixedWidth(TITLE_PX) if narrow else self._head.setMaximumWidth(WIDEST_PX)
        self._head.setMinimumWidth(TITLE_PX if narrow else 0)

    def show_figure(self, shown: TurnScore) -> None:
        """Another figure."""
        self._score.show_now(Now(shown.mark, shown.score))
        self._words.setText(shown.words)
        arrow = "↗ " if shown.rose else "↘ "
        self._was.setText(f"{arrow}{shown.was}" if shown.was else "")
        self._was.setVisible(bool(shown.was))
        self.setAccessibleName(f"{self._title}: {shown.score} {shown.words} {shown.was}".strip())


class ScoreStrip(QFrame):
    """Follows each edit; judges are asked again only on request."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("well")
        self._before = CallsBeforeEdits()
        self._context: GoldenContext | None = None
        self._exact = _Cell(theme, tr("ADK rule, exact values"), tr("ADK rule"))
        self._matched = _Cell(theme, tr("With these matchers"), tr("Matchers"))
        self._judged = _Cell(theme, tr("Judged; sent only on request"), tr("Judged"))
        self._rejudge = Button(theme, "", ButtonKind.LINK, clicked=self._start_rejudging)
        self._rejudge.hide()
        self._judged.row.insertWidget(3, self._rejudge)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._lines = []
        self._cells = (self._exact, self._matched, self._judged)
        for index, cell in enumerate(self._cells):
            if index:
                line = QFrame()
                line.setObjectName("line")
                line.setFixedWidth(1)
                self._lines.append(line)
                self._row.addWidget(line)
            self._row.addWidget(cell, 1)
        self._turn(narrow=False)

    def show_golden(self, context: GoldenContext) -> None:
        """The figures of the turn as it is now."""
        self._context = context
        self._before.note(context)
        before = self._before.calls(context)
        self._exact.show_figure(figure(context, TOOL_TRAJECTORY))
        self._matched.show_figure(with_matchers(context, before))
        waits = stale(context)
        if waits.verdicts:
            words = tr("1 verdict stale") if waits.verdicts == 1 else tr("{0} verdicts stale").format(waits.verdicts)
            self._judged.show_figure(TurnScore("stale", "", words))
        elif waits.judged:
            self._judged.show_figure(TurnScore("passed", "", tr("up to date")))
        elif waits.awaited:
            self._judged.show_figure(TurnScore("pending", "", tr("waiting for the verdict")))
        else:
            self._judged.show_figure(TurnScore("none", "", tr("nothing was judged")))
        again = tr("Re-judge 1 turn") if waits.turns == 1 else tr("Re-judge {0} turns").format(waits.turns)
        self._rejudge.setText(again)
        self._rejudge.setAccessibleName(again)
        self._rejudge.updateGeometry()
        self._rejudge.setVisible(bool(waits.verdicts))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stacked where the panel is narrow."""
        super().resizeEvent(event)
        self._turn(narrow=self.width() < NARROW_PX)

    def _turn(self, *, narrow: bool) -> None:
        ways = QBoxLayout.Direction
        self._row.setDirection(ways.TopToBottom if narrow else ways.LeftToRight)
        self._row.setContentsMargins(0, 4 if narrow else 0, 0, 4 if narrow else 0)
        for line in self._lines:
            line.setVisible(not narrow)
        for cell in self._cells:
            cell.turn(narrow=narrow)

    def _start_rejudging(self) -> None:
        if self._context is not None:
            self._context.evaluation.ask_to_start(Scope.STALE)
