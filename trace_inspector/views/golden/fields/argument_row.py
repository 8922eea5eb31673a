"""One argument of an expected call: how it is compared, the golden's value, the observed one, and the result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from msgspec import Struct
from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolTip, QWidget

from trace_inspector.core.golden.golden_change import ExpectedCall
from trace_inspector.core.golden.matcher import Match
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import ABSENT, Json
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden import values
from trace_inspector.models.golden.calls import Edit, argument, at_call, matcher_at, with_matcher, with_value
from trace_inspector.models.golden.drafts import Draft, FieldSpot
from trace_inspector.models.golden.live_status import Comparison, Now
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.chip import MatcherChip
from trace_inspector.views.golden.fields.line_field import GoldenLine, ValuesButton
from trace_inspector.views.golden.fields.marks import IconButton, NowLabel
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.fields.typing_state import Typed, Written
from trace_inspector.views.widgets.controls import Elided, Label

ROW_PX, NARROW_ROW_PX = 32, 60
ROOMY_PX = 560  # from here on the result of an argument has words beside its mark
NARROW_PX = 330  # below, a row takes two lines
PARAMETER_PX = (44, 76)
MARK_PX = 16


class CallEditing(Protocol):
    """What a row needs from its list, to change the calls of the turn."""

    def change(self, words: str, edit: Edit, key: str = "", draft: Draft | None = None) -> None:
        """Make one step of the golden."""

    def spot(self, index: int, call: ToolCall, field: str, label: str) -> FieldSpot | None:
        """Where a draft of a text of the call is kept."""

    def removed(self, row: ArgumentRow) -> None:
        """The row is removed; a neighbour gets the focus."""


class ArgumentColumns(Struct, frozen=True):
    """Where the columns of all rows begin, by the width they have together."""

    width: int

    @property
    def narrow(self) -> bool:
        """Whether a row takes two lines."""
        return self.width < NARROW_PX

    def spans(self) -> tuple[tuple[int, int], ...]:
        """Left edge and width of name, chip, value, observed, now, button."""
        if self.narrow:
            return self._in_two_lines()
        roomy = self.width >= ROOMY_PX
        left, chip, gap, right = (32, 104, 8, 30) if roomy else (12, 82, 6, 26)
        shares = (0.17, 0.37, 0.22, 0.24) if roomy else (0.26, 0.48, 0.26, 0.0)
        room = self.width - left - right - chip - 5 * gap - (0 if roomy else MARK_PX)
        name, value, observed, now = (int(room * share) for share in shares)
        spans, x = [], left
        for width in (name, chip, value, observed, now if roomy else MARK_PX):
            spans.append((x, width))
            x += width + gap
        return (*spans, (self.width - right, 22))

    def _in_two_lines(self) -> tuple[tuple[int, int], ...]:
        """Name, chip, result and button; below them both values."""
        left, last = 12, self.width - 26
        half = (last - left) // 2
        value = int((last - left) * 0.62)
        return (
            (left, half - 8), (left + half, half - MARK_PX - 4), (left, value), (left + value + 8, last - value - 12),
            (last - MARK_PX - 2, MARK_PX), (last, 22),
        )  # fmt: skip


class ArgumentRow(QWidget):
    """Reused after edits by its name; fields that are being typed into keep their text."""

    def __init__(self, theme: Theme, owner: CallEditing, name: str | None) -> None:
        super().__init__()
        self._theme = theme
        self._owner = owner
        self.name = name
        self._index = 0
        self._expected = ExpectedCall(ToolCall(""))
        self._long = False
        shown = one_line(name, 60) if name is not None else tr("all arguments")
        self._label = Elided(theme, shown, font="data" if name is not None else "ghost")
        self._label.setToolTip(plain_tip(one_line(name or "", 400)))
        self.chip = MatcherChip(theme, tr("How {0} is compared").format(shown), self._pick)
        value, parameter = tr("Golden value of {0}").format(shown), tr("{0} of the matcher").format(shown)
        self.value = GoldenLine(theme, value, self._write, self._find_value, self._show_problem)
        self.parameter = GoldenLine(theme, parameter, self._write_parameter, self._find_parameter, self._show_problem)
        self.offered = ValuesButton(theme, shown, self.value, self._take)
        self._sign = Label(theme, "±", ink="text2")
        self._fixed = _Struck(theme)
        self._observed = Elided(theme, "", font="data")
        self._now = NowLabel(theme)
        self._drop = IconButton(theme, tr("Remove the argument {0}").format(shown), "x", self._remove)
        self.block: GoldenText | None = None
        self._wrong = Label(theme, font="secondary", ink="fail", wrap=True)
        self._warned = Label(theme, font="secondary", ink="warn", wrap=True)
        for widget in (
            self._label, self.chip, self.value, self.offered, self._sign, self.parameter, self._fixed, self._observed,
            self._now, self._drop, self._wrong, self._warned,
        ):  # fmt: skip
            widget.setParent(self)
        self._wrong.hide()
        self._warned.hide()

    @property
    def first_field(self) -> QWidget:
        """Where typing begins."""
        fields = (self.value, self.parameter, self.block)
        return next((field for field in fields if field is not None and not field.isHidden()), self.chip)

    @property
    def problem(self) -> str:
        """The text below the row: why the value was not written, else how it contradicts the declaration."""
        return next((label.text() for label in (self._wrong, self._warned) if not label.isHidden()), "")

    @property
    def observed(self) -> str:
        """The observed value."""
        return self._observed.text()

    @property
    def now(self) -> Now:
        """The result of the argument."""
        return self._now.now

    def show_argument(
        self,
        index: int,
        expected: ExpectedCall,
        compared: Comparison,
        warning: str,
        named: Sequence[Json],
        *,
        busy: bool,
    ) -> None:
        """Show the golden's present argument and its result; `named` are the values that its tool declares."""
        self._index, self._expected = index, expected
        matcher, value = matcher_at(expected, self.name), argument(expected.call, self.name)
        form = values.FORMS[matcher.match]
        large = form.takes_value and values.is_large(value)
        self._long = form.takes_value and not large and values.is_long(value)
        if self.block is not None and self.block.hasFocus():
            self._long = True
        elif self.value.hasFocus() and self.chip.match is matcher.match:
            self._long = False
        self.chip.show_match(matcher.match)
        self.value.setVisible(form.takes_value and not self._long and not large)
        self.offered.offer(named)
        self.offered.setVisible(not self.value.isHidden() and self.offered.any)
        self.parameter.setVisible(bool(form.parameter))
        self.parameter.setAccessibleName(tr("{0} of {1}").format(form.parameter, self._label.text()))
        self._sign.setVisible(matcher.match is Match.TOLERANCE)
        self._fixed.setVisible((not form.takes_value or large) and not form.parameter)
        self._fixed.show_value(tr("too large to edit here") if large else values.shown(value), matcher.match)
        if self._long:
            self._show_block(values.block_text(value), busy=busy)
        elif self.block is not None:
            self.block.hide()
        if not self.value.isHidden():
            self.value.show_text(values.line_text(value), busy=busy)
        if form.parameter:
            self.parameter.show_text(values.parameter_text(matcher), busy=busy)
            text = tr("Golden value: {0}").format(values.shown(value)) if not form.takes_value else ""
            self.parameter.setToolTip(plain_tip(text))
        observed = compared.observed(index)
        given = argument(observed, self.name) if observed is not None else ABSENT
        nothing = tr("absent") if observed is not None else tr("no call") if compared.has_pairs else ""
        text = values.shown(given) if given is not ABSENT else nothing
        if text != self._observed.text():
            self._observed.setText(text)
            self._observed.setToolTip(plain_tip(text) if len(text) > 14 else "")
        self._now.show_now(compared.of_argument(index, expected, self.name))
        if warning != self._warned.text():
            self._warned.setText(warning)
        self._warned.setVisible(bool(warning) and not self._wrong.text())
        self._place()

    def sizeHint(self) -> QSize:
        """As high as its lines."""
        return QSize(300, self._height(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay everything out in its columns."""
        super().resizeEvent(event)
        self._place()

    def forget(self) -> None:
        """Reset: the row shows another call from now on."""
        for field in (self.value, self.parameter, self.block):
            if field is not None:
                field.forget()

    # Writing

    def _find_value(self) -> FieldSpot | None:
        return self._owner.spot(self._index, self._expected.call, f"value {self.name}", self.value.accessibleName())

    def _find_parameter(self) -> FieldSpot | None:
        return self._owner.spot(
            self._index, self._expected.call, f"matcher {self.name}", self.parameter.accessibleName()
        )

    def _write(self, typed: Typed) -> Written:
        try:
            value = values.read_json(typed.text)
        except values.NotJson as problem:
            return Written(problem=str(problem))
        edit = at_call(self._index, self._expected.call, with_value(self.name, value))
        words = self._words(tr("set {0} to {1}"), values.shown(value))
        self._owner.change(words, edit, f"{typed.step} value {self.name}", typed.draft)
        return Written((values.block_text if self._long else values.line_text)(value))

    def _take(self, value: Json) -> None:
        """A value that was picked."""
        edit = at_call(self._index, self._expected.call, with_value(self.name, value))
        self._owner.change(self._words(tr("set {0} to {1}"), values.shown(value)), edit)
        self.value.forget()

    def _write_parameter(self, typed: Typed) -> Written:
        matcher = matcher_at(self._expected, self.name)
        try:
            changed = values.with_parameter(matcher, typed.text)
        except values.NotJson as problem:
            return Written(problem=str(problem))
        edit = at_call(self._index, self._expected.call, with_matcher(changed))
        value = values.shown(argument(self._expected.call, self.name))
        by = typed.text.strip()
        how = f"{value} ± {by}" if matcher.match is Match.TOLERANCE else f"“{one_line(typed.text, 30)}”"
        words = self._words(tr("compare {0} with {1}"), how)
        self._owner.change(words, edit, f"{typed.step} matcher {self.name}", typed.draft)
        return Written(values.parameter_text(changed))

    def _pick(self, match: Match) -> None:
        value = argument(self._expected.call, self.name)
        changed = values.beginning(matcher_at(self._expected, self.name), match, value)
        edit = at_call(self._index, self._expected.call, with_matcher(changed))
        self._owner.change(self._words(tr("compare {0}: {1}"), values.FORMS[match].word), edit)

    def _remove(self) -> None:
        edit = at_call(self._index, self._expected.call, with_value(self.name, ABSENT))
        words = tr("remove {0} of {1}").format(self._label.text(), one_line(self._expected.call.name, 30))
        self._owner.removed(self)
        self._owner.change(words, edit)

    def _words(self, pattern: str, value: str) -> str:
        return pattern.format(self._label.text(), one_line(value, 30))

    def _show_problem(self) -> None:
        fields = [field for field in (self.value, self.parameter, self.block) if field is not None]
        problem = next((field.problem for field in fields if field.problem and not field.isHidden()), "")
        if problem != self._wrong.text():
            self._wrong.setText(problem)
            self._wrong.setVisible(bool(problem))
            self._warned.setVisible(bool(self._warned.text()) and not problem)
            self._place()

    def _show_block(self, text: str, *, busy: bool) -> None:
        if self.block is None:
            name = tr("Golden value of {0}").format(self._label.text())
            self.block = GoldenText(self._theme, name, self._write, self._find_value, self._show_problem, font="data")
            self.block.setParent(self)
            self.block.grown.connect(self._place)
            QWidget.setTabOrder(self.parameter, self.block)
        self.block.show()
        self.block.show_text(text, busy=busy)

    # Laying out

    def _place(self) -> None:
        columns = ArgumentColumns(self.width())
        name, chip, value, observed, now, drop = columns.spans()
        high = NARROW_ROW_PX // 2 if columns.narrow else ROW_PX
        below = high if columns.narrow else 0
        self._label.setGeometry(name[0], 0, name[1], high)
        pill = self.chip.sizeHint()
        self.chip.setGeometry(chip[0], (high - pill.height()) // 2, min(pill.width(), chip[1]), pill.height())
        field_top = below + (high - self.value.height()) // 2
        both = not self.value.isHidden() and not self.parameter.isHidden()
        least, most = PARAMETER_PX
        parameter = max(least, min(most, value[1] * 2 // 5))
        first = value[1] - parameter - 18 if both else value[1]
        if not self.offered.isHidden():
            first -= 24
            self.offered.move(value[0] + first + 2, below + (high - 22) // 2)
        self.value.setGeometry(value[0], field_top, first, self.value.height())
        self._sign.setGeometry(value[0] + first + 5, below, 12, high)
        x = value[0] + first + 18 if both else value[0]
        self.parameter.setGeometry(x, field_top, parameter if both else first, self.parameter.height())
        self._fixed.setGeometry(value[0] + 9, below, value[1] - 9, high)
        self._observed.setGeometry(observed[0], below, observed[1], high)
        self._now.setGeometry(now[0], (high - self._now.height()) // 2, now[1], self._now.height())
        self._drop.move(drop[0], (high - 22) // 2)
        bottom = below + high
        if self.block is not None and not self.block.isHidden():
            left = 12 if columns.narrow else name[0]
            self.block.setGeometry(left, bottom, self.width() - left - 12, self.block.height())
            bottom += self.block.height() + 6
        for label in (self._wrong, self._warned):
            if not label.isHidden():
                left = value[0]
                width = max(80, self.width() - left - 12)
                tall = label.heightForWidth(width)
                label.setGeometry(left, bottom - 2, width, tall)
                bottom += tall + 2
        if self.minimumHeight() != bottom:
            self.setFixedHeight(bottom)

    def _height(self, width: int) -> int:
        return self.minimumHeight() or (NARROW_ROW_PX if ArgumentColumns(width).narrow else ROW_PX)


class _Struck(Elided):
    """A value that is not compared is struck through."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "", font="data", ink="text3")
        self._strikes = False

    def show_value(self, text: str, match: Match) -> None:
        """Another value."""
        self._strikes = match is Match.IGNORE
        if text != self.text():
            self.setText(text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The value, and the line through it."""
        super().paintEvent(event)
        if self._strikes and self.text():
            with QPainter(self) as painter:
                painter.setPen(self.palette().color(self.foregroundRole()))
                width = min(self.fontMetrics().horizontalAdvance(self.text()), self.width())
                painter.drawLine(0, self.height() // 2, width, self.height() // 2)


class ArgumentHeads(QWidget):
    """What the columns are; nothing where rows take several lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedHeight(18)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow rows need no heads."""
        super().resizeEvent(event)
        height = 2 if ArgumentColumns(self.width()).narrow else 18
        if self.height() != height:
            self.setFixedHeight(height)

    def event(self, event: QEvent) -> bool:
        """A tip says what a head is that has no room."""
        if isinstance(event, QHelpEvent):
            under = next((words for box, words in self._heads() if box.contains(event.pos())), "")
            QToolTip.showText(event.globalPos(), plain_tip(under), self)
            return True
        return super().event(event)

    def _heads(self) -> Iterator[tuple[QRect, str]]:
        columns = ArgumentColumns(self.width())
        if columns.narrow:
            return
        now = tr("Now") if self.width() >= ROOMY_PX else ""
        words = (tr("Argument"), tr("Matcher"), tr("Golden value"), tr("Observed"), now)
        for (left, width), text in zip(columns.spans()[:5], words, strict=True):
            yield QRect(left, 0, width + 4, self.height()), text

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The words."""
        with QPainter(self) as painter:
            painter.setFont(self._theme.fonts.secondary)
            painter.setPen(self._theme.color("text2"))
            for box, text in self._heads():
                shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, box.width())
                painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), shown)
