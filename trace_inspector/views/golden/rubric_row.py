"""One rubric: its id and text, which turns it is about, its votes and verdict, and more behind an arrow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.tips import plain_tip
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.drafts import FieldSpot
from trace_inspector.models.golden.live_status import Now
from trace_inspector.models.golden.rubrics import LastVerdict, PlacedRubric
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.chip import Pick
from trace_inspector.views.golden.fields.line_field import GoldenLine
from trace_inspector.views.golden.fields.marks import IconButton, NowLabel
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.fields.typing_state import Find, Typed, Write, Written
from trace_inspector.views.widgets.controls import Elided, Label
from trace_inspector.views.widgets.fields import Form

ID_PX = 118
MOST_VOTES = 9
_MORE = (
    ("type", N_("Type")),
    ("group", N_("Group")),
    ("description", "Description"),
    ("importance", N_("Importance")),
)
_VOTE_PX = 15


class RubricEditing(Protocol):
    """What a row needs from its list."""

    def put(self, entry: PlacedRubric, name: str, typed: Typed) -> None:
        """Write a text of the rubric."""

    def spot(self, entry: PlacedRubric, name: str) -> FieldSpot | None:
        """Where a draft of a text of the rubric is kept."""

    def remove(self, entry: PlacedRubric) -> None:
        """Remove it."""

    def rescope(self, entry: PlacedRubric) -> None:
        """Move it to the other scope: the turn, or the case."""


class Votes(QWidget):
    """The vote of each sample of the judge."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._votes: tuple[float | None, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(20)

    def show_votes(self, votes: tuple[float | None, ...]) -> None:
        """Others."""
        if votes != self._votes:
            self._votes = votes
            words = [tr("undecided") if vote is None else tr("yes") if vote >= 1 else tr("no") for vote in votes]
            self.setAccessibleName(tr("Last votes: {0}").format(", ".join(words[:MOST_VOTES])))
            self.setToolTip(self.accessibleName())
            self.setFixedWidth(_VOTE_PX * min(len(votes), MOST_VOTES))
            self.update()

    def sizeHint(self) -> QSize:
        """A mark each."""
        return QSize(self.width(), 20)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The marks."""
        with QPainter(self) as painter:
            for index, vote in enumerate(self._votes[:MOST_VOTES]):
                mark = "none" if vote is None else "passed" if vote >= 1 else "failed"
                self._theme.icons.paint_mark(
                    painter, mark, self._theme.tokens, index * _VOTE_PX, self.height() / 2, 12
                )


class RubricRow(QWidget):
    """Reused after edits by its index; fields that are being typed into keep their text."""

    def __init__(self, theme: Theme, owner: RubricEditing, levels: Callable[[], list[tuple[str, str]]]) -> None:
        super().__init__()
        self._theme = theme
        self._owner = owner
        self._levels = levels
        self._entry: PlacedRubric | None = None
        self._more = IconButton(theme, tr("More of the rubric"), "right", self.toggle)
        self.id = GoldenLine(
            theme, tr("Id of the rubric"), self._writer("id"), self._finder("id"), self._show_problem
        )
        self.id.setFixedWidth(ID_PX)
        self.text = GoldenText(
            theme,
            tr("Statement, decided with yes or no"),
            self._writer("text"),
            self._finder("text"),
            self._show_problem,
            least=1,
        )
        self.text.setPlaceholderText(tr("A statement that a judge decides with yes or no"))
        self._drop = IconButton(theme, tr("Remove the rubric"), "x", self._remove)
        self.scope = Pick(theme, tr("Scope"), levels, self._rescope, font="secondary")
        self._kind = Elided(theme, "", font="secondary", ink="text2")
        self._votes = Votes(theme)
        self._now = NowLabel(theme)
        self._wrong = Label(theme, font="secondary", ink="fail", wrap=True)
        self._wrong.hide()
        self._form = Form(theme, 84)
        self.fields = {name: self._added(theme, name, label) for name, label in _MORE}
        self._form.hide()
        self.text.grown.connect(self.updateGeometry, Qt.ConnectionType.QueuedConnection)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self.scope)
        below.addWidget(self._kind, 1)
        below.addWidget(self._votes)
        below.addWidget(self._now)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(2, 1)
        top = Qt.AlignmentFlag.AlignTop
        head: tuple[QWidget, ...] = (self._more, self.id, self.text, self._drop)
        for column, widget in enumerate(head):
            grid.addWidget(widget, 0, column, top)
        inside = QVBoxLayout()
        inside.setSpacing(4)
        inside.addLayout(below)
        inside.addWidget(self._wrong)
        inside.addWidget(self._form)
        grid.addLayout(inside, 1, 1, 1, 3)

    def show_rubric(
        self, entry: PlacedRubric, last: LastVerdict | None, holds: frozenset[str], scope: str, *, busy: bool
    ) -> None:
        """Show the golden's present rubric; `holds` names the fields that the format has."""
        self._entry = entry
        rubric = entry.rubric
        self.id.setVisible("id" in holds)
        self.id.show_text(rubric.id, busy=busy)
        self.id.setToolTip(plain_tip(one_line(rubric.id, 200)))
        self.text.show_text(rubric.text, busy=busy)
        self.scope.show_words(scope)
        can_change = len(self._levels()) > 1
        self.scope.setVisible(can_change)
        kinds = ["" if can_change else scope, rubric.type, rubric.group, rubric.importance]
        self._kind.setText(one_line(" · ".join(dict.fromkeys(kind for kind in kinds if kind)), 120))
        self._votes.show_votes(last.verdict.votes if last is not None else ())
        self._votes.setVisible(last is not None and bool(last.verdict.votes))
        self._now.show_now(last.now if last is not None else Now("", tr("not judged")))
        self._now.setToolTip(tr("The golden changed after this was judged.") * (last is not None and last.stale))
        for name, field in self.fields.items():
            text = getattr(rubric, name) or ""
            if name == "description":
                self._form.rename(field, tr("Group's name") if "group" in holds else tr("Description"))
            self._form.show_row(field, shown=name in holds)
            field.show_text(text, busy=busy)
        self._more.setVisible(any(name in holds for name in self.fields))
        self._drop.setAccessibleName(tr("Remove the rubric {0}").format(one_line(rubric.id or rubric.text, 40)))

    def forget(self) -> None:
        """Reset: the row shows another rubric from now on."""
        for field in self._editors:
            field.forget()

    def toggle(self) -> None:
        """Show or hide the rest of it."""
        self._form.setHidden(not self._form.isHidden())
        self._more.show_icon("right" if self._form.isHidden() else "down")

    @property
    def problem(self) -> str:
        """What is wrong with the texts."""
        return self._wrong.text()

    @property
    def _editors(self) -> list[GoldenLine | GoldenText]:
        return [self.id, self.text, *self.fields.values()]

    def _added(self, theme: Theme, name: str, label: str) -> GoldenLine:
        words, write, find = tr("{0} of the rubric").format(tr(label)), self._writer(name), self._finder(name)
        field = GoldenLine(theme, words, write, find, self._show_problem, "body")
        self._form.add(tr(label), field)
        return field

    def _finder(self, name: str) -> Find:
        return lambda: self._owner.spot(self._entry, name) if self._entry is not None else None

    def _writer(self, name: str) -> Write:
        def write(typed: Typed) -> Written:
            if self._entry is not None:
                self._owner.put(self._entry, name, typed)
            return Written(typed.text)

        return write

    def _remove(self) -> None:
        if self._entry is not None:
            self._owner.remove(self._entry)

    def _rescope(self, scope: str) -> None:
        if self._entry is not None and scope != ("turn" if self._entry.of_turn else "case"):
            self._owner.rescope(self._entry)

    def _show_problem(self) -> None:
        problem = next((field.problem for field in self._editors if field.problem), "")
        if problem != self._wrong.text():
            self._wrong.setText(problem)
        self._wrong.setVisible(bool(problem))
