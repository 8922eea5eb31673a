"""The Golden tab: the golden of what is selected, with its scores, to be edited in place."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from trace_inspector.models.base.selection import Selection
from trace_inspector.models.base.translation import tr
from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.golden_finder import GoldenFinder
from trace_inspector.views.golden.calls import ExpectedCalls, make_calls
from trace_inspector.views.golden.case_section import make_case
from trace_inspector.views.golden.criteria_section import make_criteria
from trace_inspector.views.golden.fields.fold_memory import FoldMemory
from trace_inspector.views.golden.fields.group import SectionGroup
from trace_inspector.views.golden.fields.line_field import GoldenLine
from trace_inspector.views.golden.fields.reveal import focus
from trace_inspector.views.golden.fields.section import Section
from trace_inspector.views.golden.fields.text_field import GoldenText
from trace_inspector.views.golden.foot import GoldenFoot
from trace_inspector.views.golden.head import GoldenHead
from trace_inspector.views.golden.notes_section import make_notes
from trace_inspector.views.golden.rubrics_section import make_rubrics
from trace_inspector.views.golden.scenario_section import make_scenario
from trace_inspector.views.golden.session_section import make_session
from trace_inspector.views.golden.strip import ScoreStrip
from trace_inspector.views.golden.suite_page import SuitePage
from trace_inspector.views.golden.words import make_answer, make_user
from trace_inspector.views.widgets.empty_state import EmptyState
from trace_inspector.views.widgets.scroll_page import ScrollPage
from trace_inspector.views.widgets.tab_order import arrange
from trace_inspector.views.window_context.desk import Desk

# Under the scores, in this order. A new section is one line here.
SECTIONS: tuple[Section, ...] = (
    Section("calls", "Expected calls", make_calls),
    Section("answer", "Reference answer", make_answer),
    Section("user", "The user says", make_user),
    Section("rubrics", "Rubrics", make_rubrics),
    Section("scenario", "Simulated user", make_scenario),
    Section("state", "State, transfers and other expectations", make_session),
    Section("criteria", "Criteria", make_criteria),
    Section("notes", "Notes", make_notes),
    Section("case", "Case", make_case),
)
_OTHERS = "state"
_OF_FIELDS = (
    ("call ", "calls"), ("answer", "answer"), ("user", "user"), ("rubric ", "rubrics"), ("scenario-", "scenario"),
    ("criteria-", "criteria"), ("note-", "notes"), ("case-sentences", _OTHERS), ("case-", "case"),
)  # fmt: skip


def section_of(field: str) -> str:
    """The section of a field, by its name."""
    return next((section for start, section in _OF_FIELDS if field.startswith(start)), _OTHERS)


class GoldenTab(QWidget):
    """Widgets are made once and updated: an edit moves neither focus nor cursor."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        theme = desk.theme
        self._desk = desk
        self._finder = GoldenFinder(
            desk.workspace.files, desk.workspace.run, desk.workspace.evaluation, desk.workspace.goldens
        )
        self.context: GoldenContext | None = None
        self.setAccessibleName(tr("Golden"))
        self._notice = EmptyState(theme)
        self.head = GoldenHead(desk)
        self.foot = GoldenFoot(desk)
        self._strip = ScoreStrip(theme)
        self.groups = {section.id: SectionGroup(theme, section) for section in SECTIONS}
        self._folds = FoldMemory(desk.settings, self)
        page = QWidget()
        page.setObjectName("page")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        inside = QVBoxLayout(page)
        inside.setContentsMargins(0, 0, 0, 8)
        inside.setSpacing(6)
        strip = QVBoxLayout()
        strip.setContentsMargins(12, 0, 12, 4)
        strip.addWidget(self._strip)
        inside.addLayout(strip)
        for group in self.groups.values():
            inside.addWidget(group)
            group.desk_requested.connect(lambda do: do(desk))
        inside.addStretch(1)
        self._area = ScrollPage()
        self._area.setWidget(page)
        shown = QWidget()
        shown.setObjectName("page")
        shown.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        box = QVBoxLayout(shown)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.head)
        box.addWidget(self._area, 1)
        box.addWidget(self.foot)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._notice)
        self._stack.addWidget(shown)
        self.suite = SuitePage(desk)
        self._stack.addWidget(self.suite)
        desk.workspace.evaluation.chosen.connect(self._follow_rule)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)

    @property
    def reason(self) -> str:
        """Why there is neither a golden nor a suite to show, "" where there is one."""
        return "" if self._stack.currentIndex() else self._notice.accessibleName().strip()

    def show_selection(self, selection: Selection | None) -> None:
        """Another row, or the same one after an edit."""
        suite = self._finder.suite(selection)
        if suite is not None and selection is not None:
            self.context = None
            self.suite.show_suite(selection.file, suite)
            self.suite.foot.show_file(selection.file)
            self.foot.show_file(0)
            self._stack.setCurrentWidget(self.suite)
            return
        result = self._finder.find(selection)
        if isinstance(result, str):
            self.context = None
            head, _stop, step = result.partition(". ")
            self._notice.show_message(head + ("." if step else ""), step)
            self._stack.setCurrentIndex(0)
            self.foot.show_file(0)
            return
        other = self.context is None or self.context.identity != result.identity
        self.context = result
        self.head.show_golden(result)
        self._strip.show_golden(result)
        for group in self.groups.values():
            group.show_golden(result)
        self._folds.follow(self.groups)
        self.foot.show_file(result.file.number)
        self._stack.setCurrentIndex(1)
        if other:
            arrange(self)
            result.goldens.expect_change(result.file.number, result.case.place)
            self._area.verticalScrollBar().setValue(0)

    def reveal(self, field: str) -> None:
        """Unfold the section of a field; where something is wrong with a text there, it has the focus."""
        group = self.groups[section_of(field)]
        inside = group.body.parentWidget() if group.body is not None else None
        if inside is None:
            return
        inside.show()
        QTimer.singleShot(0, inside, partial(self._focus_wrong, inside))  # its rows are made when it is first seen

    @staticmethod
    def _focus_wrong(inside: QWidget) -> None:
        fields: list[GoldenText | GoldenLine] = [*inside.findChildren(GoldenText), *inside.findChildren(GoldenLine)]
        wrong = next((field for field in fields if field.problem and field.isVisible()), None)
        if wrong is not None:
            focus(wrong)
            wrong.go_to_end()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Calls, arguments and rubrics come and go, so the tab order is computed when Tab is pressed."""
        arrange(self)
        return super().focusNextPrevChild(forward)

    def _follow_rule(self) -> None:
        """Other criteria apply from now on."""
        calls = self.groups["calls"].body
        if isinstance(calls, ExpectedCalls) and self.context is not None and self.isVisible():
            calls.heading.show_golden(self.context)

    def focus_first(self) -> bool:
        """Focus the first field; false when there is no golden here."""
        if self._stack.currentWidget() is self.suite:
            return self.suite.focus_first()
        if self.context is None:
            return False
        self.context.goldens.begin(self.context.file.number)
        self.context.goldens.expect_change(self.context.file.number, self.context.case.place)
        calls = self.groups["calls"].body
        if isinstance(calls, ExpectedCalls) and not self.groups["calls"].isHidden():
            calls.focus_first()
            return True
        first = next((group for group in self.groups.values() if not group.isHidden()), None)
        if first is not None:
            first.setFocus()
            first.focusNextChild()
        return True
