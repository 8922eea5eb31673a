"""The card of a call that differs from the golden's: golden beside observed, argument by argument."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout

from trace_inspector.core.alignment.turn_alignment import CallMatch
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import call_line, compact
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.base.figures import score_text
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.details.place import CallCompared
from trace_inspector.views.widgets.controls import Elided, Label

MOST_ARGUMENTS = 12
VALUE_CHARS = 160


class TintedValue(Elided):
    """A value on its side's colour: violet is observed, gold is golden."""

    def __init__(self, theme: Theme, text: str, fill: str) -> None:
        super().__init__(theme, text, font="data")
        self._theme = theme
        self._fill = fill
        self.setToolTip("")

    def paintEvent(self, event: QPaintEvent) -> None:
        """The tint as wide as the words."""
        with QPainter(self) as painter:
            width = min(self.fontMetrics().horizontalAdvance(self.text()), self.width())
            high = max(18, self.fontMetrics().height())
            painter.fillRect(0, (self.height() - high) // 2, width, high, self._theme.color(self._fill))
        super().paintEvent(event)


def failing_call(theme: Theme, call: CallCompared, more: int) -> QFrame:
    """The call, its arguments, the rule; `more` counts the other calls of the turn that differ."""
    frame = QFrame()
    frame.setObjectName("panel")
    frame.setProperty("tone", "fail" if call.verdict.status is Status.FAILED else "")
    box = QVBoxLayout(frame)
    box.setContentsMargins(14, 10, 12, 10)
    box.setSpacing(6)
    box.addWidget(Label(theme, _title(call), font="strong", wrap=True))
    grid = _arguments(theme, call)
    if grid is not None:
        box.addLayout(grid)
    box.addWidget(Label(theme, " ".join(_rule(call, more)), font="secondary", ink="text2", wrap=True))
    return frame


def _title(call: CallCompared) -> str:
    count = len(call.pair.differing)
    name = (call.observed or call.expected or ToolCall("?")).name
    if call.pair.match is CallMatch.ARGUMENTS:
        words = tr("1 argument differs") if count == 1 else tr("{0} arguments differ").format(count)
        difference = words if count else tr("the arguments differ")
        return f"{name}: {difference}"
    if call.pair.match is CallMatch.MISSING:
        return tr("{0}: expected, not called").format(name)
    if call.pair.match is CallMatch.RENAMED and call.expected:
        return tr("{0} was expected, {1} was called").format(call.expected.name, name)
    if call.pair.match is CallMatch.SAME:
        return tr("{0}: called out of order").format(name)
    return tr("{0}: called, not expected").format(name)


def _arguments(theme: Theme, call: CallCompared) -> QGridLayout | None:
    if call.expected is None or call.observed is None:
        side = call.expected or call.observed
        if side is None:
            return None
        grid = _grid()
        fill = "golden_fill" if call.expected else "candidate_fill"
        grid.addWidget(TintedValue(theme, call_line(side), fill), 0, 0, 1, 5)
        return grid
    grid = _grid()
    grid.addWidget(Label(theme, tr("golden"), font="caption", ink="text2"), 0, 1)
    grid.addWidget(Label(theme, tr("observed"), font="caption", ink="text2"), 0, 3)
    names = call.pair.differing or ("",)
    for row, name in enumerate(names[:MOST_ARGUMENTS], 1):
        grid.addWidget(Label(theme, name, font="data", ink="text2"), row, 0)
        grid.addWidget(_value(theme, call.expected, name, "golden_fill"), row, 1)
        grid.addWidget(Label(theme, "≠", font="data"), row, 2, Qt.AlignmentFlag.AlignHCenter)
        grid.addWidget(_value(theme, call.observed, name, "candidate_fill"), row, 3)
    if len(names) > MOST_ARGUMENTS:
        words = tr("{0} of {1} differing arguments shown; the others are listed under the call.")
        shown = Label(theme, words.format(MOST_ARGUMENTS, len(names)), font="caption", ink="text2")
        grid.addWidget(shown, MOST_ARGUMENTS + 1, 0, 1, 4)
    return grid


def _grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(4)
    grid.setColumnStretch(4, 1)
    return grid


def _value(theme: Theme, call: ToolCall, name: str, fill: str) -> Label:
    value = _argument(call, name)
    if value is ABSENT:
        return Label(theme, tr("absent"), font="ghost", ink="text3")
    return TintedValue(theme, compact(value, VALUE_CHARS), fill)


def _argument(call: ToolCall, name: str) -> Json | Absent:
    if not name:
        return call.args
    return call.args.get(name, ABSENT) if isinstance(call.args, dict) else ABSENT


def _rule(call: CallCompared, more: int) -> list[str]:
    verdict = call.verdict
    sentences = [tr("Rule: {0}.").format(call.rule)] if call.rule else []
    if verdict.threshold is not None:
        sentences.append(
            tr("{0} scores {1} and needs {2}.").format(
                verdict.metric, score_text(verdict.score), score_text(verdict.threshold)
            )
        )
    if more:
        sentences.append(tr("1 more call differs.") if more == 1 else tr("{0} more calls differ.").format(more))
    return sentences
