"""Expected calls of a turn: a card for each, in order, beside what was observed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.golden.golden_change import ExpectedCall
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.summary import call_line, one_line
from trace_inspector.core.trace.tools import declared_arguments
from trace_inspector.core.translatable import N_
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden import values
from trace_inspector.models.golden.calls import Edit, added, changing, expected_of, moved
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.drafts import Draft, FieldSpot
from trace_inspector.models.golden.live_status import Comparison, compared
from trace_inspector.models.golden.scores import CallsBeforeEdits
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.call_card import CallCard
from trace_inspector.views.golden.calls_heading import CallsHeading
from trace_inspector.views.golden.fields.argument_row import ArgumentHeads, ArgumentRow
from trace_inspector.views.golden.fields.chip import Pick
from trace_inspector.views.golden.fields.reveal import focus
from trace_inspector.views.golden.fields.section import SectionBody
from trace_inspector.views.widgets.controls import Label

ROOMY_PX = 620
CARDS_AT_ONCE = 4
OPEN_ROWS = 40  # rows of arguments that open by themselves
_WAYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_MATCHERS_STORED = {
    "adk-eval-set": N_(
        "ADK files hold exact values only. Matchers are kept in the case under “traceInspector”; "
        "other tools compare these arguments exactly."
    ),
    "ces-evaluation": N_("Matchers are saved as CES's own match types where it has them."),
}
_MATCHERS_STORED_ELSE = N_("Matchers are kept under “traceInspector”; other tools compare these arguments exactly.")


class ExpectedCalls(SectionBody):
    """Cards are made some at a time, and reused by their index; the focus stays where it is."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._before = CallsBeforeEdits()
        self._context: GoldenContext | None = None
        self._expected: tuple[ExpectedCall, ...] = ()
        self._compared: Comparison | None = None
        self.cards: list[CallCard] = []
        self._schemas: dict[str, Json] = {}
        self._focus: tuple[int, str, int] | None = None  # call, part of it, and the revision to wait for
        self._busy = False
        self.add = Pick(
            theme, tr("Call"), self._menu_entries, self._add, font="body", icon="plus", frame="thin",
            other=tr("Another tool…"),
        )  # fmt: skip
        self.add.button.setAccessibleName(tr("Add an expected call"))
        self.heading = CallsHeading(theme, self.desk_requested.emit)
        self.right = QWidget()
        self._heading_row = QHBoxLayout(self.right)
        self._heading_row.setContentsMargins(0, 0, 0, 0)
        self._heading_row.setSpacing(6)
        self._heading_row.addWidget(self.add)
        self._box = box = QVBoxLayout(self)
        box.addWidget(self.heading)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        self._heads = ArgumentHeads(theme)
        box.addWidget(self._heads)
        self._listed = QVBoxLayout()
        self._listed.setSpacing(8)
        box.addLayout(self._listed)
        self._none = Label(theme, font="secondary", ink="text2", wrap=True)
        self._note = Label(theme, font="secondary", ink="text2", wrap=True)
        box.addWidget(self._none)
        box.addWidget(self._note)
        self._line = QFrame(self)
        self._line.setObjectName("drop-line")
        self._line.setFixedHeight(2)
        self._line.hide()
        self._growing: Iterator[None] = iter(())
        self._grow = QTimer(self, interval=0)
        self._grow.timeout.connect(self._step)

    # What is shown

    def show_golden(self, context: GoldenContext) -> bool:
        """The calls of the turn."""
        if context.turn is None:
            return False
        if self._context is None or self._context.identity != context.identity:
            self._clear()
        self._context = context
        self._before.note(context)
        self._busy = context.goldens.busy
        self._expected = expected_of(context.case, context.turn)
        self._compared = compared(context)
        self._schemas = declared_arguments(tool for agent in context.agents for tool in agent.tools)
        self.count = len(self._expected)
        self.heading.show_golden(context)
        self._show()
        return True

    def _show(self) -> None:
        compared_, context = self._compared, self._context
        if compared_ is None or context is None:
            return
        for card in self.cards[len(self._expected) :]:
            self._drop(card)
        del self.cards[len(self._expected) :]
        was = self._before.calls(context)
        for index, card in enumerate(self.cards):
            card.show_call(index, self._expected[index], compared_, self._was(was, index), busy=self._busy)
        self._growing = self._more(was)
        for _card in range(CARDS_AT_ONCE):
            self._step()
        if len(self.cards) < len(self._expected):
            self._grow.start()
        self._heads.setVisible(bool(self._expected))
        self._none.setText(self._nothing())
        self._none.setVisible(not self._expected)
        kept = tr(_MATCHERS_STORED.get(context.file.format, _MATCHERS_STORED_ELSE))
        self._note.setText(kept)
        self._note.setVisible(any(expected.matchers for expected in self._expected))
        self._move_focus()

    def _was(self, before: Sequence[bool], index: int) -> str:
        if len(before) != len(self._expected):
            return ""
        return "passed" if before[index] else "failed"

    def _nothing(self) -> str:
        extra = len(self._compared.extra) if self._compared is not None else 0
        if extra:
            words = tr("No calls are expected, and {0} were made. “+ Call” takes them into the golden.")
            return words.format(extra)
        return tr("No calls are expected in this turn.")

    def _more(self, was: Sequence[bool]) -> Iterator[None]:
        while len(self.cards) < len(self._expected) and self._compared is not None:
            index = len(self.cards)
            card = CallCard(self._theme, self, self._dragged)
            self.cards.append(card)
            self._listed.addWidget(card)
            card.show_call(index, self._expected[index], self._compared, self._was(was, index), busy=self._busy)
            opened = sum(len(each.rows) for each in self.cards)
            if opened < OPEN_ROWS:
                card.open()
            yield

    def _step(self) -> None:
        if next(self._growing, self) is not None:
            self._grow.stop()
            self._move_focus()

    def _clear(self) -> None:
        self._grow.stop()
        self._focus = None
        for card in self.cards:
            self._drop(card)
        self.cards = []

    def _drop(self, card: CallCard) -> None:
        self._listed.removeWidget(card)
        card.hide()
        card.deleteLater()

    # For the cards

    def change(self, words: str, edit: Edit, key: str = "", draft: Draft | None = None) -> None:
        """Make one step of the golden."""
        if self._context is not None:
            self._context.change_turn(f"{words[:1].upper()}{words[1:]}", changing(edit), key, draft)

    def spot(self, index: int, call: ToolCall, field: str, label: str) -> FieldSpot | None:
        """Where a draft of a text of the call is kept."""
        context = self._context
        if context is None:
            return None
        if call.place:
            return context.spot(call.place, f"call {field}", label)
        return context.spot(context.turn_place, f"call {index} {field}", label)

    def removed(self, row: ArgumentRow) -> None:
        """The row is removed; the one below or above it gets the focus."""
        card = next((card for card in self.cards if card.isAncestorOf(row)), None)
        if card is not None:
            names = list(card.rows)
            index = names.index(row.name)
            near = names[index + 1 : index + 2] or names[max(index - 1, 0) : index]
            target = f"={near[0]}" if near and near[0] is not None else "tool"
            card.focus(target)

    def tools(self) -> Sequence[str]:
        """The tools that agents declare, those that the model had at hand, then those that were called."""
        context = self._context
        if context is None:
            return []
        events = [event for turn in (context.turn, context.observed) if turn is not None for event in turn.events]
        at_hand = [name for event in events for name in event.active_tools]
        return list(dict.fromkeys([*self._schemas, *at_hand, *(call.name for call in context.calls)]))

    def schema(self, tool: str) -> Json | Absent:
        """What a tool declares of its arguments."""
        return self._schemas.get(tool, ABSENT)

    def focus_next(self, index: int, what: str) -> None:
        """After the next change, focus that part of the call at that index."""
        self._focus = (index, what, self._revision())

    def focus_first(self) -> None:
        """Focus the first field of the first call, else the button that adds one."""
        if self.cards:
            self.cards[0].focus("first")
        else:
            focus(self.add.button)

    def _move_focus(self) -> None:
        """Move the focus as requested, as soon as the target exists."""
        if self._focus is None or self._focus[2] == self._revision():
            return
        index, what, _before = self._focus
        if not self._expected:
            self._focus = None
            focus(self.add.button)
        elif min(index, len(self._expected) - 1) < len(self.cards):
            self._focus = None
            self.cards[min(index, len(self._expected) - 1)].focus(what)

    def _revision(self) -> int:
        edited = self._context.goldens.edited(self._context.file.number) if self._context is not None else None
        return edited.revision if edited is not None else 0

    # More calls, and their order

    def _observed_entries(self) -> dict[str, ToolCall]:
        """The observed calls that nobody expects, by menu value: a line break before it, which nobody can type."""
        context, compared = self._context, self._compared
        if context is None or compared is None:
            return {}
        return {f"\n{index}": context.calls[index] for index in compared.extra if index < len(context.calls)}

    def _menu_entries(self) -> list[tuple[str, str]]:
        """The observed calls that nobody expects, then the known tools."""
        calls = self._observed_entries()
        observed = [(tr("Observed: {0}").format(call_line(call)), value) for value, call in calls.items()]
        return [*observed, *((name, name) for name in self.tools())]

    def _add(self, picked: str) -> None:
        call = self._observed_entries().get(picked)
        if self._context is None or (call is None and picked.startswith("\n")):
            return  # another turn is compared since the menu was opened
        call = call or ToolCall(picked, self._first_arguments(picked))
        self.focus_next(len(self._expected), "first")
        self.change(tr("expect {0}").format(one_line(call.name, 40)), added(call))

    def _first_arguments(self, tool: str) -> dict[str, Json]:
        schema = self.schema(tool)
        required = schema.get("required") if isinstance(schema, dict) else None
        names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
        return {name: values.proposed_value(schema, name, ABSENT) for name in names}

    def _move(self, card: CallCard, to: int) -> None:
        index = card.index
        if to == index or not 0 <= to < len(self._expected):
            return
        self.focus_next(to, card.focused())
        words = tr("move {0} {1}").format(
            one_line(card.expected.call.name, 40), tr("up") if to < index else tr("down")
        )
        self.change(words, moved(index, to))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What does not fit beside the title goes below it."""
        super().resizeEvent(event)
        layout = self._box if self.width() < ROOMY_PX else self._heading_row
        if layout.indexOf(self.heading) < 0:
            layout.insertWidget(0, self.heading)

    def event(self, event: QEvent) -> bool:
        """Alt+↑ and Alt+↓ inside a card move it; elsewhere they are the window's, for turns."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._way(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the card."""
        way, card = self._way(event), self._card_in_focus()
        if way and card is not None:
            self._move(card, card.index + way)
        else:
            super().keyPressEvent(event)

    def _way(self, event: QKeyEvent) -> int:
        alone = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier
        way = _WAYS.get(Qt.Key(event.key()), 0) if alone else 0
        return way if self._card_in_focus() is not None else 0

    def _card_in_focus(self) -> CallCard | None:
        focused: QWidget | None = QApplication.focusWidget()
        return next((card for card in self.cards if focused is not None and card.isAncestorOf(focused)), None)

    def _dragged(self, card: CallCard, height: int, what: str) -> None:
        """A card is dragged to that height of the screen: show where it would go, or drop it there."""
        y = self.mapFromGlobal(QPoint(0, height)).y()
        others = [each for each in self.cards if each is not card]
        to = sum(each.geometry().center().y() < y for each in others)
        if what == "dropped":
            self._line.hide()
            self._move(card, to)
            return
        below = others[to].geometry().top() - 5 if to < len(others) else card.geometry().bottom() + 4
        edge = below if to < len(others) or not others else others[-1].geometry().bottom() + 4
        self._line.setGeometry(0, edge, self.width(), 2)
        self._line.raise_()
        self._line.show()


def make_calls(theme: Theme, context: GoldenContext) -> ExpectedCalls | None:
    """The section; a case as a whole expects no calls by itself."""
    return ExpectedCalls(theme) if context.turn is not None else None
