"""The form of one criterion: threshold, each option of its metric, rubrics; errors are shown at their fields."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.trace.criterion_form import (
    FLAG,
    NUMBER,
    OTHER,
    TEXT,
    WHOLE,
    WORD,
    MetricForm,
    OptionForm,
    form_of,
)
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.json_numbers import number_text
from trace_inspector.core.values.values import Json
from trace_inspector.models.base.translation import tr
from trace_inspector.models.evaluation.criteria_draft import CriteriaDraft
from trace_inspector.models.evaluation.rubric_table import RubricTable
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Button, ButtonKind, Elided, Label
from trace_inspector.views.widgets.fields import Choice, Form, LineField
from trace_inspector.views.widgets.scroll_page import ScrollPage
from trace_inspector.views.widgets.tree_view import TreeView

_DEFAULT = ""  # the option is not stated
_LABEL_PX = 130
_RUBRIC_WIDTHS_PX = [120, 0, 160]
_LEAST_RUBRICS_PX = 120


class CriterionForm(ScrollPage):
    """Fields are made again for another metric, and only updated after a change."""

    def __init__(self, theme: Theme, draft: CriteriaDraft) -> None:
        super().__init__()
        self._theme = theme
        self._draft = draft
        self.shown = ""
        self._fields: dict[str, tuple[Callable[[], None], Label]] = {}
        self.setAccessibleName(tr("Options of the criterion"))
        self.rubrics = RubricTable(draft, self)
        draft.changed.connect(self._show)

    def show_metric(self, metric: str) -> None:
        """The form of that metric."""
        self.shown = metric
        self.rubrics.show_metric(metric)
        seen = self._draft.seen
        form = form_of(seen.forms, metric) if seen else None
        self._fields = {}
        page = QWidget()
        page.setObjectName("page")
        page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        box = QVBoxLayout(page)
        box.setContentsMargins(16, 8, 16, 12)
        box.setSpacing(8)
        if metric:
            self._fill(box, form or MetricForm(metric, metric, "", tr("Trace Inspector has no metric of this name.")))
        box.addStretch(1)
        self.setWidget(page)
        self._show()

    def _fill(self, box: QVBoxLayout, form: MetricForm) -> None:
        theme = self._theme
        box.addWidget(Elided(theme, one_line(self.shown), font="strong"))
        box.addWidget(Label(theme, form.meaning, font="secondary", ink="text2", wrap=True))
        fields = Form(theme, _LABEL_PX)
        whole = Label(theme, font="secondary", ink="fail", wrap=True)
        box.addWidget(whole)
        self._fields[""] = (lambda: None, whole)
        bounds = f"{form.range[0]:g} – {form.range[1]:g}" if form.range else ""
        threshold = LineField(theme, tr("Threshold"), self._set_threshold, bounds)
        self._add(fields, "threshold", tr("Threshold"), threshold, lambda: threshold.show_text(self._threshold()))
        for option in form.options:
            self._add_option(fields, option)
        box.addWidget(fields)
        if form.has_rubrics:
            box.addWidget(self._rubrics())

    def _add_option(self, fields: Form, option: OptionForm) -> None:
        name, title = ".".join(option.path), option.title[:1].upper() + option.title[1:]
        if option.kind in (FLAG, WORD):
            usual = _shown(option.default)
            words = ("true", "false") if option.kind == FLAG else option.words
            entries = [(tr("{0} (default)").format(usual), _DEFAULT), *((word, word) for word in words)]
            choice = Choice[str](self._theme, title, entries, partial(self._set, option))
            self._add(fields, name, title, choice, lambda: choice.choose(self._stated(option)))
            return
        line = LineField(self._theme, title, partial(self._set, option), _shown(option.default))
        self._add(fields, name, title, line, lambda: line.show_text(self._stated(option)))

    def _add(self, fields: Form, name: str, title: str, field: QWidget, show: Callable[[], None]) -> None:
        wrong = Label(self._theme, font="secondary", ink="fail", wrap=True)
        fields.add(title, field)
        fields.add_below(wrong)
        self._fields[name] = (show, wrong)

    def _rubrics(self) -> QWidget:
        holder = QWidget()
        box = QVBoxLayout(holder)
        box.setContentsMargins(0, 8, 0, 0)
        box.setSpacing(4)
        listed = RubricList(self._theme, self.rubrics)
        head = QHBoxLayout()
        head.addWidget(Label(self._theme, tr("Rubrics"), font="strong"))
        head.addStretch(1)
        head.addWidget(Button(self._theme, tr("Add"), ButtonKind.LINK, clicked=listed.add))
        head.addWidget(Button(self._theme, tr("Remove"), ButtonKind.LINK, clicked=listed.remove))
        box.addLayout(head)
        box.addWidget(listed)
        return holder

    def _show(self) -> None:
        seen = self._draft.seen
        wrong = (
            {problem.field: problem.sentence for problem in seen.wrong if problem.metric == self.shown}
            if seen
            else {}
        )
        for name, (show, label) in self._fields.items():
            show()
            message = wrong.pop(name, "")
            label.setText(message)
            label.setVisible(bool(message))
        if wrong and "" in self._fields:  # about something that has no field
            label = self._fields[""][1]
            label.setText(
                " ".join(f"{field}: {sentence}" if field else sentence for field, sentence in wrong.items())
            )
            label.show()

    def _threshold(self) -> str:
        line = self._draft.line(self.shown)
        return "" if line is None or line.threshold is None else number_text(line.threshold)

    def _set_threshold(self, text: str) -> None:
        line = self._draft.line(self.shown)
        if line is not None:
            value = _number(text)
            self._draft.set_line(replace(line, threshold=value if isinstance(value, int | float) else None))

    def _stated(self, option: OptionForm) -> str:
        value = self._draft.option(self.shown, option.path)
        if value is None:
            return _DEFAULT
        if option.path[-1] == "match_type" and isinstance(value, int) and 0 <= value < len(option.words):
            return option.words[value]
        return _shown(value)

    def _set(self, option: OptionForm, text: str) -> None:
        self._draft.set_option(self.shown, option.path, _value(option, text))


def _shown(value: Json) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _number(text: str) -> Json:
    """The number that was typed; other text is kept as it is, and reported as wrong."""
    try:
        return int(text) if text.lstrip("-").isdigit() else float(text)
    except ValueError:
        return text


_READ: dict[str, Callable[[str], Json]] = {
    FLAG: lambda text: text == "true",
    WORD: lambda text: text,
    NUMBER: _number,
    WHOLE: _number,
    TEXT: lambda text: text,
}


def _value(option: OptionForm, text: str) -> Json:
    if text == _DEFAULT:
        return None
    if option.kind != OTHER:
        return _READ[option.kind](text)
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return value


class RubricList(TreeView):
    """The rubrics of a criterion: cells are edited in place, with Enter, F2 or by typing."""

    def __init__(self, theme: Theme, table: RubricTable) -> None:
        super().__init__(theme, tr("Rubrics"))
        self._table = table
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.AnyKeyPressed | triggers.DoubleClicked)
        self.setModel(table)
        self.set_widths(_RUBRIC_WIDTHS_PX, stretch=1)
        self.setMinimumHeight(_LEAST_RUBRICS_PX)
        self.opened.connect(self.edit)
        self.offers = lambda index: ((tr("Edit"), partial(self.edit, index)), (tr("Remove"), self.remove))

    def add(self) -> None:
        """One more rubric, its text open for typing."""
        row = self._table.add()
        self.setCurrentIndex(self._table.index(row, 1))
        self.setFocus()
        self.edit(self._table.index(row, 1))

    def remove(self) -> None:
        """Take the current one out."""
        self._table.remove(self.currentIndex().row())
