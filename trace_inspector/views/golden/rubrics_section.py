"""Rubrics of the case and of the turn: edited in place, added, taken from elsewhere, moved with Alt+↑ and Alt+↓."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout

from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.drafts import Draft, FieldSpot
from trace_inspector.models.golden.rubrics import (
    Edit,
    PlacedRubric,
    RubricVerdicts,
    added,
    edited,
    kept_fields,
    moved,
    owned,
    pasted,
    put,
    usual_type,
    why_no_rubrics,
    without,
)
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.chip import Pick
from trace_inspector.views.golden.fields.section import SectionBody
from trace_inspector.views.golden.fields.typing_state import Typed
from trace_inspector.views.golden.rubric_file import ask_for_rubrics
from trace_inspector.views.golden.rubric_row import RubricRow
from trace_inspector.views.widgets.controls import Label

ROWS_AT_ONCE = 4
MOST_ROWS = 200
_MOST_CASES = 200
_MOST_OFFERED = 30
_WAYS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_LEVELS = ((N_("every turn"), "case"), (N_("this turn"), "turn"))


class RubricsSection(SectionBody):
    """Rows are made some at a time, and reused by their index; the focus stays where it is."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.starts_folded = True
        self._theme = theme
        self._context: GoldenContext | None = None
        self._last = RubricVerdicts()
        self._owned: list[PlacedRubric] = []
        self._holds: frozenset[str] = frozenset()
        self._levels: list[tuple[str, str]] = []
        self._focus: int | None = None
        self.rows: list[RubricRow] = []
        self.right = self.add = Pick(
            theme, tr("Rubric"), self._offered, self._picked, font="body", icon="plus", frame="thin"
        )
        self.add.button.setAccessibleName(tr("Add a rubric"))
        self._why = Label(theme, font="secondary", ink="text2", wrap=True)
        self._listed = QVBoxLayout()
        self._listed.setSpacing(8)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 4, 0, 4)
        box.setSpacing(6)
        box.addLayout(self._listed)
        box.addWidget(self._why)
        self._grow = QTimer(self, interval=0)
        self._grow.timeout.connect(self._step)
        self._growing: Iterator[None] = iter(())

    def show_golden(self, context: GoldenContext) -> bool:
        """Those of the case, and of the turn where one is chosen."""
        if self._context is None or self._context.identity != context.identity:
            self._focus = None
            for row in self.rows:
                row.forget()
        self._context = context
        self._last.note(context)
        self._owned = owned(context)
        whys = [why_no_rubrics(context, of_turn=False)]
        if context.turn is not None:
            whys.append(why_no_rubrics(context, of_turn=True))
        self._levels = [level for level, why in zip(_LEVELS, whys, strict=False) if not why]
        self.count = len(self._owned)
        self.caption = self._summary()
        self.add.setVisible(bool(self._levels))
        if self.isVisible():
            self._fill(context)
        return True

    def showEvent(self, event: QShowEvent) -> None:
        """Unfolded."""
        super().showEvent(event)
        if self._context is not None:
            self._fill(self._context)

    def _summary(self) -> str:
        turns = sum(entry.of_turn for entry in self._owned)
        if not turns:
            return tr("for every turn") if self._owned else ""
        return tr("{0} for this turn").format(turns) if turns < len(self._owned) else tr("for this turn")

    def _fill(self, context: GoldenContext) -> None:
        self._holds = kept_fields(context)
        shown = self._owned[:MOST_ROWS]
        for row in self.rows[len(shown) :]:
            self._listed.removeWidget(row)
            row.hide()
            row.deleteLater()
        del self.rows[len(shown) :]
        for index, row in enumerate(self.rows):
            self._show(row, shown[index])
        self._growing = self._more(shown)
        for _row in range(ROWS_AT_ONCE):
            self._step()
        if len(self.rows) < len(shown):
            self._grow.start()
        self._show_hint(context)

    def _show_hint(self, context: GoldenContext) -> None:
        text = why_no_rubrics(context, of_turn=False) if not self._levels else ""
        if not text and not self._owned:
            text = tr("No rubrics. A rubric is a statement about the answer that a judge decides with yes or no.")
        if len(self._owned) > MOST_ROWS:
            text = tr("{0:,} more are not shown.").format(len(self._owned) - MOST_ROWS)
        if text != self._why.text():
            self._why.setText(text)
        self._why.setVisible(bool(text))

    def _more(self, shown: Sequence[PlacedRubric]) -> Iterator[None]:
        while len(self.rows) < len(shown):
            row = RubricRow(self._theme, self, lambda: self._levels)
            self._listed.addWidget(row)
            self.rows.append(row)
            self._show(row, shown[len(self.rows) - 1])
            yield

    def _step(self) -> None:
        if next(self._growing, self) is not None:
            self._grow.stop()
            self._move_focus()

    def _show(self, row: RubricRow, entry: PlacedRubric) -> None:
        if self._context is not None:
            scope = _LEVELS[entry.of_turn][0]
            busy = self._context.goldens.busy
            row.show_rubric(entry, self._last.on(entry.rubric), self._holds, tr(scope), busy=busy)

    def _move_focus(self) -> None:
        """Move the focus as requested, as soon as the target exists."""
        if self._focus is None or self._focus >= len(self.rows):
            return
        index, self._focus = self._focus, None
        self.rows[index].text.setFocus()

    # For the rows

    def put(self, entry: PlacedRubric, name: str, typed: Typed) -> None:
        """Write a text of the rubric."""
        row = self._owned.index(entry) if entry in self._owned else -1
        words = tr("Change the rubric {0}").format(one_line(entry.rubric.id or entry.rubric.text, 40))
        edits = [(entry.of_turn, put(entry.index, name, typed.text))]
        self._change(words, edits, f"{typed.step} rubric {name} {row}", typed.draft)

    def spot(self, entry: PlacedRubric, name: str) -> FieldSpot | None:
        """Where a draft of a text of the rubric is kept."""
        context = self._context
        if context is None:
            return None
        label = tr("{0} of rubric {1}").format(name, entry.index + 1)
        return context.spot(
            context.turn_place if entry.of_turn else context.place, f"rubric {entry.index} {name}", label
        )

    def remove(self, entry: PlacedRubric) -> None:
        """Remove it and focus the next one."""
        index = self._owned.index(entry)
        if len(self._owned) == 1:
            self.add.button.setFocus()
        else:
            self.rows[index + 1 if index + 1 < len(self.rows) else index - 1].text.setFocus()
            self._focus = min(index, len(self._owned) - 2)
        name = one_line(entry.rubric.id or entry.rubric.text, 40)
        self._change(tr("Remove the rubric {0}").format(name), [(entry.of_turn, without(entry.index))])

    def rescope(self, entry: PlacedRubric) -> None:
        """Move it to the turn, or to the case."""
        name = one_line(entry.rubric.id or entry.rubric.text, 40)
        words = tr("Ask {0} for every turn") if entry.of_turn else tr("Ask {0} for this turn")
        edits = [(entry.of_turn, without(entry.index)), (not entry.of_turn, added([entry.rubric]))]
        self._change(words.format(name), edits)

    def _move(self, row: RubricRow, way: int) -> None:
        index = self.rows.index(row)
        entry = self._owned[index]
        to = index + way
        if 0 <= to < len(self._owned) and self._owned[to].of_turn == entry.of_turn:
            self._focus = None
            self.rows[to].text.setFocus()
            words = tr("Move the rubric {0}").format(one_line(entry.rubric.id or entry.rubric.text, 40))
            self._change(words, [(entry.of_turn, moved(entry.index, entry.index + way))])

    def _change(
        self, words: str, edits: Sequence[tuple[bool, Edit]], key: str = "", draft: Draft | None = None
    ) -> None:
        context = self._context
        if context is not None:
            context.change(words, lambda case: edited(case, context.index, edits), key, draft)

    # More of them

    def _offered(self) -> list[tuple[str, str]]:
        """A new one, those in the clipboard, those of other cases that are open."""
        new = [(tr("A new rubric for {0}").format(tr(words)), f"new {level}") for words, level in self._levels]
        count = len(pasted(QGuiApplication.clipboard().text()))
        paste = [(tr("{0} from the clipboard, one a line").format(count), "paste")] if count else []
        if "id" not in self._holds and not self._levels:
            return []
        cases = (
            (tr("{0} of {1}").format(len(case.rubrics), one_line(case.title or case.id, 50)), f"case {number} {top}")
            for number, top, case in self._others()
        )
        listed = [entry for _at, entry in zip(range(_MOST_OFFERED), cases, strict=False)]
        return [*new, *paste, *listed, (tr("From a file…"), "file")]

    def _others(self) -> Iterator[tuple[int, int, Case]]:
        """The first cases that are open and have rubrics, but not this one."""
        context = self._context
        if context is None:
            return
        for file in context.files:
            for top in file.table.tops[:_MOST_CASES] if file.has_cases else ():
                case = file.table.body(top)
                here = (file.number, file.table.place_now(top)) == (context.file.number, context.place)
                if isinstance(case, Case) and case.rubrics and not here:
                    yield file.number, top, case

    def _picked(self, what: str) -> None:
        kind, _space, rest = what.partition(" ")
        if kind == "file":
            self.desk_requested.emit(partial(ask_for_rubrics, self.taker()))
            return
        new: tuple[Rubric, ...] = (Rubric("", "", usual_type(entry.rubric for entry in self._owned)),)
        if kind == "paste":
            new = pasted(QGuiApplication.clipboard().text())
        elif kind == "case":
            cases = (case for number, top, case in self._others() if f"{number} {top}" == rest)
            new = next((case.rubrics for case in cases), ())
        self._put_in(new, of_turn=rest == "turn" or (kind != "new" and self._levels[0][1] == "turn"))

    def taker(self) -> Callable[[Sequence[Rubric]], None]:
        """Adds rubrics that come later, to the golden that is shown now."""
        identity = self._context.identity if self._context is not None else None

        def take(new: Sequence[Rubric]) -> None:
            if self._context is not None and self._context.identity == identity and self._levels:
                self._put_in(new, of_turn=self._levels[0][1] == "turn")

        return take

    def _put_in(self, new: Sequence[Rubric], *, of_turn: bool) -> None:
        words = tr("Add a rubric") if len(new) == 1 else tr("Add {0} rubrics").format(len(new))
        of_case = sum(not entry.of_turn for entry in self._owned)
        self._focus = len(self._owned) if of_turn else of_case
        self._change(words, [(of_turn, added(new))])
        parent = self.parentWidget()
        if parent is not None:
            parent.show()

    # Keys

    def event(self, event: QEvent) -> bool:
        """Alt+↑ and Alt+↓ inside a row move it; elsewhere they are the window's, for turns."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _way(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the rubric."""
        focus = QApplication.focusWidget()
        row = next((row for row in self.rows if focus is not None and row.isAncestorOf(focus)), None)
        if _way(event) and row is not None:
            self._move(row, _way(event))
        else:
            super().keyPressEvent(event)


def make_rubrics(theme: Theme, _context: GoldenContext) -> RubricsSection:
    """The section."""
    return RubricsSection(theme)


def _way(event: QKeyEvent) -> int:
    alone = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier
    return _WAYS.get(Qt.Key(event.key()), 0) if alone else 0
