"""A section that is a form: its fields come from a table, and are reused after edits."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout

from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.models.golden.field import GoldenField
from trace_inspector.models.golden.format_limits import why_not
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.golden.fields.field_row import FieldRow
from trace_inspector.views.golden.fields.section import SectionBody

Fields = Callable[[GoldenContext], Sequence[GoldenField]]
Summary = Callable[[GoldenContext], str]


class FormSection(SectionBody):
    """Folded at first, with a summary of what is set. A reason that repeats in the next row is shown once."""

    def __init__(self, theme: Theme, fields: Fields, summary: Summary) -> None:
        super().__init__()
        self.starts_folded = True
        self._theme = theme
        self._fields = fields
        self._summary = summary
        self._context: GoldenContext | None = None
        self._shown_fields: Sequence[GoldenField] = ()
        self.rows: dict[str, FieldRow] = {}
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(0, 4, 0, 4)
        self.box.setSpacing(6)
        self._listed = QVBoxLayout()
        self._listed.setSpacing(6)
        self.box.addLayout(self._listed)

    def show_golden(self, context: GoldenContext) -> bool:
        """The fields of the case; made when they are seen first, because a folded section should cost nothing."""
        if self._context is None or self._context.identity != context.identity:
            for row in self.rows.values():
                row.forget()
        self._context = context
        self._shown_fields = self._fields(context)
        self.caption = self._summary(context)
        if self.isVisible():
            self._fill(context)
        return bool(self._shown_fields)

    def showEvent(self, event: QShowEvent) -> None:
        """Unfolded."""
        super().showEvent(event)
        if self._context is not None:
            self._fill(self._context)

    def _fill(self, context: GoldenContext) -> None:
        fields = self._shown_fields
        self._remove_others({field.id for field in fields})
        scenario = context.case.scenario is not None
        reasons = [why_not(context.file.format, field, scenario=scenario) for field in fields]
        for index, field in enumerate(fields):
            if field.id not in self.rows:
                self.rows[field.id] = FieldRow(self._theme, field, lambda: self._context)
                self._listed.insertWidget(index, self.rows[field.id])
            says_why = reasons[index] not in reasons[index + 1 : index + 2]
            self.rows[field.id].show_field(field, context, reasons[index], says_why=says_why)

    def _remove_others(self, names: set[str]) -> None:
        for name in [name for name in self.rows if name not in names]:
            row = self.rows.pop(name)
            self._listed.removeWidget(row)
            row.hide()
            row.deleteLater()
