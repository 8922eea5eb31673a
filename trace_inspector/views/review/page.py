"""The review page: the conversation, the golden beside it, the question and the keys that answer it.

What a judge said is not hidden here, it is not here: the page shows an excerpt that no verdict was ever part of.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from trace_inspector.core.review.label import Answer
from trace_inspector.core.rows.rows import Kind
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.figures import seconds_text
from trace_inspector.models.base.translation import tr
from trace_inspector.models.conversation.conversation import Conversation
from trace_inspector.models.conversation.section import Key
from trace_inspector.models.review.excerpt import CONTEXT, MOST_CONTEXT, AskedTurn, excerpt, golden_of
from trace_inspector.models.review.revealed import question_words
from trace_inspector.models.review.review import Review
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.views.conversation.reader import Reader
from trace_inspector.views.review.answer_bar import AnswerBar
from trace_inspector.views.widgets.controls import Button, Label, hline
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.window_context.desk import Desk

SPLIT_KEY = "review-split"
MARGIN_PX = 16
_STEPS = 1_000


class ReviewKey(Struct, frozen=True):
    """A key of the page, and what it does."""

    key: str
    run: Callable[[ReviewPage], object]


class ReviewPage(QWidget):
    """Shows the item in hand of the workspace's review."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._workspace: Workspace = desk.workspace
        self._review: Review = self._workspace.review
        self._context = CONTEXT
        self._shown: tuple[object, ...] = ()  # what the readers show
        self._own: AskedTurn | None = None
        self._pointed: tuple[int, str] = (-1, "")  # the item, and where it first went wrong
        self._conversations: list[Conversation] = []
        theme = desk.theme
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Review"))
        self.reader, self.golden = Reader(theme), Reader(theme)
        self.golden.setAccessibleName(tr("Golden"))
        self._title = Label(theme, font="title")
        self._pace = Label(theme, font="secondary", ink="text2")
        self._who = Label(theme, font="secondary", ink="text2")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, _STEPS)
        self._bar.setFixedSize(160, 6)
        self._bar.setAccessibleName(tr("Answered"))
        self._leave = Button(theme, tr("End the review"), clicked=lambda: desk.perform("review"))
        self._more = Label(theme, font="secondary", ink="text2")
        self._notice = EmptyState(theme)
        self.answers = AnswerBar(theme, self._review, self.take_focus)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._stack = QStackedWidget()
        self._lay_out()
        for key in KEYS:
            shortcut = QShortcut(QKeySequence(key.key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda key=key: key.run(self))
        self._review.moved.connect(self._come)
        self._review.changed.connect(self._refresh)
        self._review.failed.connect(self.answers.tell)

    def take_focus(self) -> None:
        """Keys answer again."""
        self.setFocus()

    def more_context(self) -> None:
        """More turns around the one that is asked about."""
        self._context = min(self._context * 4, MOST_CONTEXT)
        self._refresh()

    def end(self) -> None:
        """Let go of what is shown, and keep how the page is divided."""
        self._desk.settings.setValue(SPLIT_KEY, self._split.saveState())
        self._show(None, None)

    def _lay_out(self) -> None:
        theme = self._desk.theme
        head = QHBoxLayout()
        head.setContentsMargins(MARGIN_PX, 8, MARGIN_PX, 8)
        head.setSpacing(12)
        for part in (self._title, self._bar, self._pace):
            head.addWidget(part)
        head.addStretch(1)
        head.addWidget(self._who)
        head.addWidget(self._leave)
        side = QWidget()
        beside = QVBoxLayout(side)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(0)
        name = Label(theme, tr("Golden"), font="strong", ink="golden")
        name.setContentsMargins(MARGIN_PX, 8, MARGIN_PX, 0)
        beside.addWidget(name)
        beside.addWidget(self.golden, 1)
        self._side = side
        own = QWidget()
        column = QVBoxLayout(own)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._more.setContentsMargins(MARGIN_PX, 4, MARGIN_PX, 4)
        column.addWidget(self._more)
        column.addWidget(self.reader, 1)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(own)
        self._split.addWidget(side)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 2)
        divided = self._desk.settings.value(SPLIT_KEY)
        if isinstance(divided, QByteArray):
            self._split.restoreState(divided)
        self._stack.addWidget(self._split)
        self._stack.addWidget(self._notice)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addLayout(head)
        box.addWidget(hline())
        box.addWidget(self._stack, 1)
        box.addWidget(hline())
        box.addWidget(self.answers)

    def _come(self) -> None:
        """Another item."""
        self._context = CONTEXT
        self._refresh()

    def _refresh(self) -> None:
        review = self._review
        if not review.is_open:
            return
        place, run = review.place, self._workspace.run.value
        shown = review.index, self._context, place
        if shown != self._shown:
            if place is None:
                self._show(None, None)
            else:
                golden = golden_of(place, run, self._workspace.files.in_order)
                self._show(excerpt(place, self._context), golden)
            self._shown = shown
        self._stack.setCurrentWidget(self._split if place is not None else self._notice)
        if place is None:
            self._notice.show_message(*self._absent())
        self._title.setText(tr("Review · {0} of {1}").format(f"{review.index + 1:,}", f"{len(review.queue):,}"))
        self._bar.setValue(round(_STEPS * review.done / len(review.queue)))
        self._pace.setText(self._pace_words())
        hidden = tr("blind") if review.label.blind else tr("the judge’s verdict is shown")
        self._who.setText(" · ".join(filter(None, (review.labels.rater, hidden))))
        self.answers.show_item(question_words(review.label, place, run))
        pointed = review.index, review.first_fault
        if pointed[0] == self._pointed[0] and pointed[1] != self._pointed[1]:
            self._see(review.first_fault)
        self._pointed = pointed

    def _see(self, fault: str) -> None:
        """Bring the call or the answer into sight in which it first went wrong."""
        if self._own is None or not fault:
            return
        table, turn = self._own.file.table, self._own.row
        of_call, _slash, number = fault.partition("/")
        rows = (
            table.calls(turn)[int(number) : int(number) + 1]
            if of_call == "call"
            else [row for row in table.children(turn) if table.kind(row) is Kind.ANSWER][-1:]
        )
        for row in rows:
            self.reader.go(Key(row))

    def _pace_words(self) -> str:
        review = self._review
        words = [tr("{0} answered").format(f"{review.done:,}")]
        if review.left_s:
            words.append(tr("{0} each").format(seconds_text(review.pace_s)))
            words.append(tr("about {0} left").format(seconds_text(review.left_s)))
        return " · ".join(words)

    def _absent(self) -> tuple[str, str]:
        label = self._review.label
        where = tr("Turn {0} of {1}").format((label.turn or 0) + 1, label.trace)
        if self._workspace.files.reading:
            return tr("The files are being read…"), where
        if self._review.is_looking:
            return tr("Looking for the turn…"), where
        return (
            tr("This output is not in the open files any more: the file was moved, or the output changed."),
            tr("{0} in {1}. Go on with N, or end the review and open the file.").format(where, label.file),
        )

    def _show(self, own: AskedTurn | None, golden: AskedTurn | None) -> None:
        for conversation in self._conversations:
            conversation.close()
        self._conversations.clear()
        self._shown = ()
        self._own = own
        for reader, made in ((self.reader, own), (self.golden, golden)):
            if made is None:
                reader.show_conversation(None, None, _no_run)
                continue
            conversation = Conversation(made.file.table, made.top, reader.items_changed)
            self._conversations.append(conversation)
            reader.show_conversation(conversation, made.file, _no_run)
            reader.go(Key(made.row))
        self._side.setVisible(golden is not None)
        hidden = own.before + own.after if own is not None else 0
        self._more.setText(tr("{0} of this conversation: Space").format(counted(hidden, "more turn")))
        self._more.setVisible(hidden > 0)


def _no_run() -> None:
    """Nothing that is shown here was judged."""


KEYS: tuple[ReviewKey, ...] = (
    ReviewKey("1", lambda page: page.answers.say(Answer.PASS)),
    ReviewKey("2", lambda page: page.answers.say(Answer.FAIL)),
    ReviewKey("0", lambda page: page.answers.say(Answer.UNSURE)),
    ReviewKey("W", lambda page: page.answers.point(1)),
    ReviewKey("Shift+W", lambda page: page.answers.point(-1)),
    ReviewKey("T", lambda page: page.answers.type_tag()),
    ReviewKey("E", lambda page: page.answers.type_note()),
    ReviewKey("N", lambda page: page.answers.go(1)),
    ReviewKey("P", lambda page: page.answers.go(-1)),
    ReviewKey("U", lambda page: page.answers.undo()),
    ReviewKey("Space", lambda page: page.more_context()),
)
