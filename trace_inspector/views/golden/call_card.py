"""The card of one expected call: its tool, its result, and its arguments row by row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.golden.argument_check import allowed_values, missing_arguments
from trace_inspector.core.golden.golden_change import ExpectedCall
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import call_line, one_line
from trace_inspector.core.values.values import Absent, Json
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden import values
from trace_inspector.models.golden.calls import argument, at_call, duplicated, named, names_of, removed, with_value
from trace_inspector.models.golden.live_status import Comparison, Now
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import Fold
from trace_inspector.views.golden.fields.argument_row import ArgumentRow, CallEditing
from trace_inspector.views.golden.fields.chip import Pick
from trace_inspector.views.golden.fields.marks import Grip, IconButton, NowLabel
from trace_inspector.views.golden.fields.reveal import focus
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, Label

ROWS_AT_ONCE = 30
ROOMY_PX = 340
TOOL_SHARE = 0.8
GRIP_PX = 112  # grip, fold, number, margins of the head and room for folded arguments


class CallList(CallEditing, Protocol):
    """What a card needs from its list."""

    def tools(self) -> Sequence[str]:
        """The tools that may be meant."""

    def schema(self, tool: str) -> Json | Absent:
        """What a tool declares of its arguments."""

    def focus_next(self, index: int, what: str) -> None:
        """After the next change, focus that part of the call at that index."""


class CallCard(QFrame):
    """Reused after edits by its index; its rows by the names of the arguments. Folded, it has no rows."""

    def __init__(self, theme: Theme, owner: CallList, grip: Callable[[CallCard, int, str], object]) -> None:
        super().__init__()
        self.setObjectName("call-card")
        self._theme = theme
        self._owner = owner
        self.index = 0
        self.expected = ExpectedCall(ToolCall(""))
        self.rows: dict[str | None, ArgumentRow] = {}
        self._most = ROWS_AT_ONCE
        self._compared: Comparison | None = None
        self._body = QWidget()
        self._body.hide()
        self._head = QWidget()
        self._head.setObjectName("call-head")
        self._head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        box = QVBoxLayout(self)
        box.setContentsMargins(1, 1, 1, 1)
        box.setSpacing(0)
        box.addWidget(self._head)
        box.addWidget(self._body)
        self._fill_head(grip)
        inside = QVBoxLayout(self._body)
        inside.setContentsMargins(0, 2, 0, 4)
        inside.setSpacing(0)
        self._listed = QVBoxLayout()
        self._listed.setSpacing(0)
        inside.addLayout(self._listed)
        self._nested = Label(theme, font="secondary", ink="text2", wrap=True)
        self._nested.setContentsMargins(32, 2, 12, 2)
        self._nested.hide()
        self._warned = Label(theme, font="secondary", ink="warn", wrap=True)
        self._warned.setContentsMargins(32, 2, 12, 2)
        self._warned.hide()
        self.more = Button(theme, "", ButtonKind.LINK, clicked=self._show_more)
        self.more.hide()
        self.needed = Button(theme, "", ButtonKind.LINK, clicked=self._add_needed)
        self.needed.hide()
        self.add = Pick(
            theme,
            tr("Name of the argument"),
            self._addable,
            self._add_argument,
            other=tr("Another name…"),
            apart=True,
        )
        foot = QHBoxLayout()
        foot.setContentsMargins(28, 0, 12, 0)
        foot.addWidget(self.more)
        foot.addWidget(self.needed)
        foot.addWidget(self.add)
        foot.addStretch(1)
        for widget in (self._nested, self._warned):
            inside.addWidget(widget)
        inside.addLayout(foot)

    def show_call(self, index: int, expected: ExpectedCall, compared: Comparison, was: str, *, busy: bool) -> None:
        """The call as the golden has it now."""
        if expected.call.name != self.expected.call.name or index != self.index:
            for row in self.rows.values():
                row.forget()
        self.index, self.expected, self._compared = index, expected, compared
        self._number.setText(str(index + 1))
        self.tool.show_words(expected.call.name)
        now = compared.of_call(index)
        turned = was if now.mark and was and was != now.mark else ""
        self._now.show_now(Now(now.mark, tr("now {0}").format(now.words)) if turned else now, turned)
        self._missing.setVisible(now.mark == "failed" and compared.observed(index) is None)
        self.setAccessibleName(tr("Expected call {0}: {1}").format(index + 1, call_line(expected.call)))
        self._line.setText(self._arguments_line())
        self._fit_head()
        if self.is_open:
            self._show_rows(busy=busy)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may have room for the head in one line."""
        super().resizeEvent(event)
        self._fit_head()

    def _fit_head(self) -> None:
        """The head takes two lines where one would cut the tool's name to less than its larger part."""
        ways = QBoxLayout.Direction
        least = self.tool.sizeHint().width() * TOOL_SHARE + self._state.sizeHint().width()
        narrow = self.width() < ROOMY_PX or self.width() - GRIP_PX < least
        self._state.setContentsMargins(22 if narrow else 0, 0, 0, 0)
        self._rows.setDirection(ways.TopToBottom if narrow else ways.LeftToRight)

    def open(self) -> None:
        """Show the arguments."""
        if self._body.isHidden():
            self._fold.toggle()

    @property
    def now(self) -> Now:
        """The result of the call."""
        return self._now.now

    @property
    def is_open(self) -> bool:
        """Whether the arguments show."""
        return not self._body.isHidden()

    def focus(self, what: str) -> None:
        """Give the focus to a part: "tool", "first" for the first field, "up" and "down", else an argument's name."""
        if what in ("tool", "") or (what == "first" and not self.rows):
            focus(self.tool.button)
            return
        self.open()
        name = next(iter(self.rows)) if what == "first" else what.removeprefix("=")
        row = self.rows.get(name)
        focus(row.first_field if row is not None else self.tool.button)

    def focused(self) -> str:
        """Which part has the focus, as `focus` understands it."""
        for name, row in self.rows.items():
            if row.isAncestorOf(self.focusWidget() or self) and row.focusWidget() is not None:
                return f"={name}" if name is not None else "first"
        return "tool"

    # The head

    def _fill_head(self, grip: Callable[[CallCard, int, str], object]) -> None:
        theme = self._theme
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._head)
        self._rows.setContentsMargins(6, 4, 8, 4)
        self._rows.setSpacing(5)
        row, state = QHBoxLayout(), QHBoxLayout()
        self._state = state
        for part in (row, state):
            part.setSpacing(5)
            self._rows.addLayout(part, 1 if part is row else 0)
        handle = Grip(theme)
        handle.dragged.connect(lambda y: grip(self, y, "dragged"))
        handle.dropped.connect(lambda y: grip(self, y, "dropped"))
        self._fold = _CardFold(theme, self._body, self._folded)
        self._number = Label(theme, font="secondary", ink="text2")
        self.tool = Pick(theme, tr("Tool"), self._tools, self._rename, icon="tool", other=tr("Another tool…"))
        self._line = Elided(theme, "", font="data", ink="text2")
        self._now = NowLabel(theme, "secondary")
        self._missing = Button(theme, tr("Remove"), ButtonKind.LINK, clicked=self._remove)
        self._missing.hide()
        self.plus = IconButton(theme, tr("Add an argument"), "plus", self._open_add)
        copy = IconButton(theme, tr("Duplicate the call"), "copy", self._duplicate)
        drop = IconButton(theme, tr("Remove the call"), "trash", self._remove)
        for widget in (handle, self._fold, self._number, self.tool):
            row.addWidget(widget)
        row.addWidget(self._line, 1)
        for last in (self._now, self._missing, self.plus, copy, drop):
            state.addWidget(last)
        state.insertStretch(2, 1)

    def _arguments_line(self) -> str:
        """The arguments in one line while the card is folded."""
        return "" if self.is_open else call_line(self.expected.call).partition("(")[2].rpartition(")")[0]

    def _tools(self) -> list[tuple[str, str]]:
        return [(name, name) for name in self._owner.tools() if name != self.expected.call.name]

    def _rename(self, name: str) -> None:
        words = tr("expect {0} instead of {1}").format(one_line(name, 30), one_line(self.expected.call.name, 30))
        self._owner.change(words, at_call(self.index, self.expected.call, named(name)))

    def _duplicate(self) -> None:
        self._owner.focus_next(self.index + 1, "tool")
        self._owner.change(tr("duplicate {0}").format(one_line(self.expected.call.name, 30)), duplicated(self.index))

    def _remove(self) -> None:
        self._owner.focus_next(self.index, "tool")
        self._owner.change(tr("remove {0}").format(one_line(self.expected.call.name, 30)), removed(self.index))

    # The arguments

    def _folded(self) -> None:
        self._line.setText(self._arguments_line())
        if self.is_open:
            self._show_rows(busy=False)

    def _show_rows(self, *, busy: bool) -> None:
        compared = self._compared
        if compared is None:
            return
        names = names_of(self.expected)
        shown = names[: self._most]
        schema = self._owner.schema(self.expected.call.name)
        warned = values.warnings(self.expected, schema)
        for name in [name for name in self.rows if name not in set(shown)]:
            row = self.rows.pop(name)
            self._listed.removeWidget(row)
            row.hide()
            row.deleteLater()
        for place, name in enumerate(shown):
            argument_row = self.rows.get(name)
            if argument_row is None:
                argument_row = self.rows[name] = ArgumentRow(self._theme, self._owner, name)
                self._listed.insertWidget(place, argument_row)
            warning = warned.get(name or "", "") if name else ""
            choices = allowed_values(schema, name) if name is not None and not isinstance(schema, Absent) else ()
            argument_row.show_argument(self.index, self.expected, compared, warning, choices, busy=busy)
        remaining = len(names) - len(shown)
        self.more.setVisible(remaining > 0)
        self.more.setText(tr("Show {0} of {1:,} more").format(min(remaining, ROWS_AT_ONCE), remaining))
        self.more.setAccessibleName(self.more.text())
        self.more.updateGeometry()
        self._warned.setText(warned.get("", ""))
        self._warned.setVisible(bool(warned.get("")))
        self.needed.setText(tr("Add what the tool needs: {0}").format(one_line(", ".join(self._needed()), 60)))
        self.needed.setAccessibleName(self.needed.text())
        self.needed.updateGeometry()
        self.needed.setVisible(bool(self._needed()))
        inner = [matcher.place for matcher in self.expected.matchers if matcher.place.count("/") > 1]
        more = ", ".join(one_line(place, 60) for place in inner[:3])
        self._nested.setText(tr("Matchers inside arguments are kept: {0}").format(more) if inner else "")
        self._nested.setVisible(bool(inner))

    def _show_more(self) -> None:
        self._most += ROWS_AT_ONCE
        self._show_rows(busy=False)

    def _open_add(self) -> None:
        self.open()
        self.add.open(self.plus)

    def _addable(self) -> list[tuple[str, str]]:
        args = self.expected.call.args
        stated = set(args) if isinstance(args, dict) else set()
        observed = self._compared.observed(self.index) if self._compared is not None else None
        made = observed.args if observed is not None and isinstance(observed.args, dict) else {}
        names = dict.fromkeys([*values.declared_names(self._owner.schema(self.expected.call.name)), *made])
        return [(name, name) for name in names if name not in stated]

    def _needed(self) -> list[str]:
        """What the tool requires and the call does not have, unless it is not compared."""
        schema = self._owner.schema(self.expected.call.name)
        lacking = missing_arguments(self.expected.call.args, schema) if not isinstance(schema, Absent) else []
        return [name for name in lacking if name not in names_of(self.expected)]

    def _add_needed(self) -> None:
        """Add all missing ones, as one step."""
        names = self._needed()
        self._most = max(self._most, len(self.rows) + len(names))
        self._owner.focus_next(self.index, f"={names[0]}")
        listed = one_line(", ".join(names), 40)
        words = tr("add {0} to {1}").format(listed, one_line(self.expected.call.name, 30))
        proposed = {name: self._proposed(name) for name in names}

        def add(expected: ExpectedCall) -> ExpectedCall:
            for name, value in proposed.items():
                expected = with_value(name, value)(expected)
            return expected

        self._owner.change(words, at_call(self.index, self.expected.call, add))

    def _proposed(self, name: str) -> Json:
        """The first value of a new argument."""
        observed = self._compared.observed(self.index) if self._compared is not None else None
        given = argument(observed or ToolCall(""), name)
        return values.proposed_value(self._owner.schema(self.expected.call.name), name, given)

    def _add_argument(self, name: str) -> None:
        args = self.expected.call.args
        if isinstance(args, dict) and name in args:
            self.focus(f"={name}")
            return
        value = self._proposed(name)
        self._most = max(self._most, len(args) + 1 if isinstance(args, dict) else 0)
        self._owner.focus_next(self.index, f"={name}")
        words = tr("add {0} to {1}").format(one_line(name, 30), one_line(self.expected.call.name, 30))
        self._owner.change(words, at_call(self.index, self.expected.call, with_value(name, value)))


class _CardFold(Fold):
    """Notifies the card, whose rows are made when they are first seen."""

    def __init__(self, theme: Theme, body: QWidget, folded: Callable[[], object]) -> None:
        super().__init__(theme, tr("the arguments"), body)
        self._folded = folded

    def toggle(self) -> None:
        """Show or hide the rows."""
        super().toggle()
        self._folded()
