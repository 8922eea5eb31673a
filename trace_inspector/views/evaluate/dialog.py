"""“Evaluate with…”: the pairing, the criteria, the judge, and what it would be asked, before anything is sent."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from trace_inspector.core.translatable import N_
from trace_inspector.engine.criteria.rules import RULES, rules_named
from trace_inspector.flows.judges.selection import RECORDED, JudgeChoice
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.evaluation import Evaluation
from trace_inspector.models.evaluation.evaluation_options import CriteriaFrom
from trace_inspector.views.evaluate.cost import CostBand
from trace_inspector.views.evaluate.judge_fields import JudgeFields
from trace_inspector.views.evaluate.pairs import PairList
from trace_inspector.views.widgets.check_mark import Check
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, Label
from trace_inspector.views.widgets.dialog_frame import Dialog
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.fields import Choice, Form, LineField
from trace_inspector.views.widgets.palette import Palette
from trace_inspector.views.widgets.scroll_page import ScrollPage
from trace_inspector.views.widgets.tree_view import ROW_PX
from trace_inspector.views.window_context.desk import Desk

NAME = "evaluate-with"
SIZE_PX = (980, 720)
BESIDE_PX = 860  # from this width on two columns have room
LEAST_ROWS = 4  # of the pairs, before the choices below them scroll
SETTLE_MS = 150  # one proposal for a series of choices
_STORED, _FRESH, _NEITHER = "kept", "fresh", "neither"


def show_evaluate(desk: Desk) -> None:
    """The dialog; when it is open already, that one."""
    dialog = desk.window.findChild(EvaluateDialog, NAME)
    if dialog is not None:
        dialog.activateWindow()
        return
    EvaluateDialog(desk).open()


_PAIRED_BY = {
    "auto": N_("Any match: name, user’s words, order"),
    "id": N_("Only the name of the case or session"),
    "text": N_("Only the user's words"),
    "order": N_("Only the order in the files"),
}


class EvaluateDialog(Dialog):
    """Every choice gets a new proposal; “Evaluate” starts with what is shown."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._desk = desk
        self._evaluation: Evaluation = desk.workspace.evaluation
        theme = desk.theme
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Evaluate with"))
        self._soon = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._soon.timeout.connect(self._evaluation.propose)
        self.pairs = PairList(theme, self._evaluation, Palette(theme, self))
        self.pairs.corrected.connect(self._evaluation.chosen)  # so that who listens hears of it as well
        self._notice = EmptyState(theme)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.pairs)
        self._stack.addWidget(self._notice)
        self.summary = Elided(theme, font="secondary", ink="text2")
        self._next = Button(theme, tr("Next to look at (N)"), ButtonKind.LINK, clicked=self.pairs.next_unsure)
        self.criteria = Choice[CriteriaFrom](theme, tr("Criteria"), _sources(self._evaluation), self._set_source)
        self.source = Label(theme, font="secondary", ink="text2", wrap=True)
        self.rules = Choice[str](
            theme,
            tr("Rules"),
            (
                (tr("Trace Inspector: unchecked never passes"), ""),
                *((tr("As {0} decides").format(rules.title), rules.name) for rules in RULES),
            ),
            lambda rules: self._evaluation.choose(replace(self._evaluation.options, rules=rules)),
        )
        self.pair_by = Choice[str](
            theme,
            tr("Pair by"),
            [(tr(words), way) for way, words in _PAIRED_BY.items()],
            lambda way: self._evaluation.choose(replace(self._evaluation.options, pair_by=way)),
        )
        self.cases = LineField(theme, tr("Cases"), self._set_cases, tr("All, or names like retail_*"))
        self.only = LineField(theme, tr("Metrics"), self._set_only, tr("All of the criteria, or names of some"))
        self.extra = Check(theme, tr("A turn without a golden turn fails the case"))
        self.extra.clicked.connect(self._set_extra)
        self.repeats = Check(theme, tr("Files with the same case are repeats of one run"))
        self.repeats.clicked.connect(self._set_repeats)
        self.judge = JudgeFields(theme, desk.jobs, self._pick_judge, self._recorded())
        self.replies = Choice[str](
            theme,
            tr("Stored replies"),
            (
                (tr("Use them: nothing is asked twice"), _STORED),
                (tr("Ask again, and store the new ones"), _FRESH),
                (tr("Neither use nor store any"), _NEITHER),
            ),
            self._set_replies,
        )
        self.judge.form.add(tr("Replies"), self.replies)
        self.cost = CostBand(theme)
        self.start = Button(theme, tr("Evaluate"), ButtonKind.FILLED, clicked=self._start)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._lay_out()
        self._evaluation.proposal.changed.connect(self._refresh)
        self._evaluation.chosen.connect(self._show_choices)
        self._show_choices()
        self.resize(QSize(*SIZE_PX).boundedTo(desk.window.size()))
        self.pairs.setFocus()

    @property
    def waiting(self) -> bool:
        """Whether the proposal of the last choice has not started yet."""
        return self._soon.isActive()

    def showEvent(self, event: QShowEvent) -> None:
        """As high as all of it, where there is room; else the choices scroll."""
        inside, whole = self._inside.layout(), self.layout()
        if inside is not None and whole is not None:
            whole.activate()
            shown = self._scroll.viewport()
            missing_px = inside.totalHeightForWidth(shown.width()) - shown.height()
            self.resize(self.width(), self.height() + max(0, missing_px))
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The judge stands beside the other choices where there is room, else below them."""
        super().resizeEvent(event)
        ways, is_wide = QBoxLayout.Direction, self.width() >= self._desk.theme.grown(BESIDE_PX)
        self._columns.setDirection(ways.LeftToRight if is_wide else ways.TopToBottom)

    def done(self, result: int) -> None:
        """The dialog is closed, in whatever way: undecided choices are dropped."""
        self.judge.stop()
        self._soon.stop()
        self._evaluation.proposal.cancel()
        self._evaluation.forget_asked()
        super().done(result)

    def _lay_out(self) -> None:
        theme = self._desk.theme
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(Label(theme, tr("Pairing"), font="title"))
        head.addWidget(self.summary, 1)
        head.addWidget(self._next)
        words = tr("Enter: choose another case · Delete: no case · Backspace: as proposed · Ctrl+Enter: evaluate")
        keys = Label(theme, words, font="secondary", ink="text3", wrap=True)
        how = self._lay_out_how()
        columns = self._columns
        columns.setSpacing(24)
        for title, inside in ((tr("How"), how), (tr("Judge"), self.judge)):
            column = QVBoxLayout()
            column.setSpacing(8)
            column.addWidget(Label(theme, title, font="title"))
            column.addWidget(inside)
            column.addStretch(1)
            columns.addLayout(column, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(20, 8, 20, 12)
        foot.addWidget(self.cost, 1)
        foot.addWidget(Button(theme, tr("Cancel"), clicked=self.reject), 0, Qt.AlignmentFlag.AlignBottom)
        foot.addWidget(self.start, 0, Qt.AlignmentFlag.AlignBottom)
        page = self._inside = QWidget()
        page.setObjectName("page")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        box = QVBoxLayout(page)
        box.setContentsMargins(20, 16, 20, 12)
        box.setSpacing(8)
        box.addLayout(head)
        self._stack.setMinimumHeight(LEAST_ROWS * theme.row(ROW_PX))
        box.addWidget(self._stack, 1)
        box.addWidget(keys)
        box.addSpacing(8)
        box.addLayout(columns)
        self._scroll = ScrollPage()
        self._scroll.setWidget(page)
        self._scroll.setAccessibleName(tr("Evaluate with"))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._scroll, 1)
        outer.addLayout(foot)

    def _lay_out_how(self) -> Form:
        how = Form(self._desk.theme)
        how.add(tr("Criteria"), self.criteria)
        how.add_below(self.source)
        how.add(tr("Rules"), self.rules)
        how.add_below(self.extra)
        how.add(tr("Pair by"), self.pair_by)
        how.add_below(self.repeats)
        how.add(tr("Cases"), self.cases)
        how.add(tr("Metrics"), self.only)
        return how

    def _recorded(self) -> str:
        path = self._evaluation.recorded
        return str(path) if path is not None else ""

    def _set_source(self, source: CriteriaFrom) -> None:
        self._evaluation.choose(replace(self._evaluation.options, criteria=source))

    def _set_extra(self, fails: bool) -> None:
        self._evaluation.choose(replace(self._evaluation.options, extra_turns_fail=fails))

    def _set_repeats(self, are: bool) -> None:
        self._evaluation.choose(replace(self._evaluation.options, files_are_repeats=are))

    def _set_cases(self, text: str) -> None:
        self._evaluation.choose(replace(self._evaluation.options, cases=tuple(text.split())))

    def _set_only(self, text: str) -> None:
        self._evaluation.choose(replace(self._evaluation.options, only=tuple(text.replace(",", " ").split())))

    def _set_replies(self, how: str) -> None:
        options = replace(self._evaluation.options, fresh=how == _FRESH, keeps=how != _NEITHER)
        self._evaluation.choose(options)

    def _pick_judge(self, judge: JudgeChoice) -> None:
        if judge.kind != RECORDED:
            self._evaluation.preferences.set_judge(judge)
        self._evaluation.choose(replace(self._evaluation.options, judge=judge))

    def _show_choices(self) -> None:
        """What is chosen, here or elsewhere; a proposal of it follows."""
        evaluation, options = self._evaluation, self._evaluation.options
        self.criteria.offer(_sources(evaluation))
        self.criteria.choose(options.criteria)
        self.rules.choose(options.rules)
        self.extra.setChecked(options.extra_turns_fail)
        self.repeats.setChecked(options.files_are_repeats)
        self.extra.setEnabled(rules_named(options.rules).counts_turns)
        self.pair_by.choose(options.pair_by)
        self.cases.show_text(" ".join(options.cases))
        self.only.show_text(" ".join(options.only))
        self.replies.choose(_FRESH if options.fresh else _STORED if options.keeps else _NEITHER)
        self.judge.show_judge(evaluation.judge)
        self.judge.form.show_row(self.replies, shown=evaluation.judge.live)
        self._soon.start()
        self._refresh()

    def _refresh(self) -> None:
        proposal, judge = self._evaluation.proposal, self._evaluation.judge
        result = proposal.result
        self.summary.setText(self.pairs.table.summary())
        self._next.setEnabled(self.pairs.table.next_uncertain(-1) >= 0)
        if not proposal.pairs:
            self._notice.show_message(
                proposal.sentence or tr("Looking for the case of each trace…"),
                "" if proposal.working else tr("Close this dialog, then open traces and goldens."),
            )
        self._stack.setCurrentWidget(self.pairs if proposal.pairs else self._notice)
        if proposal.pairs and not self.pairs.currentIndex().isValid():
            self.pairs.setCurrentIndex(self.pairs.table.index(0, 0))
            self.pairs.setFocus()
        self.source.setText(tr("From {0}.").format(result.criteria_source) if result else "")
        self.cost.show_proposal(proposal, judge, offline=self._evaluation.preferences.offline)
        ready = result is not None and not result.problem and not self.waiting and not proposal.working
        self.start.setEnabled(ready)
        calls = result.calls if result else 0
        self.start.setText(tr("Ask {0} and evaluate").format(f"{calls:,}") if calls else tr("Evaluate"))
        self.start.updateGeometry()

    def _start(self) -> None:
        self._evaluation.confirm()
        self._evaluation.start_asked()
        self.accept()


def _sources(evaluation: Evaluation) -> list[tuple[str, CriteriaFrom]]:
    file = evaluation.criteria_file
    label = (
        tr("As found: {0}").format(file.name)
        if file
        else tr("As found: in the results, beside the goldens, or the ADK default")
    )
    sources = [(label, CriteriaFrom.FOUND), (tr("The defaults of ADK"), CriteriaFrom.ADK)]
    if evaluation.edited is not None:
        sources.append((tr("As edited in the criteria editor"), CriteriaFrom.EDITED))
    return sources
