"""The rubrics of one criterion as a table that is edited in place."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Qt

from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.models.base.record_table import Column, EditableTable, Index
from trace_inspector.models.evaluation.criteria_draft import CriteriaDraft

_PATHS = (("rubric_id", "rubricId"), ("rubric_content", "rubricContent"), ("type",))
_TEXTS = ("text_property", "textProperty")
_LONGEST = 20_000


def _text(rubric: JsonObject, column: int) -> str:
    value: Json = next((rubric[name] for name in _PATHS[column] if name in rubric), None)
    if column == 1:
        value = next((value[name] for name in _TEXTS if name in value), None) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _with_text(rubric: JsonObject, column: int, text: str) -> JsonObject:
    key = next((name for name in _PATHS[column] if name in rubric), _PATHS[column][0])
    if column == 1:
        value = rubric.get(key)
        content = value if isinstance(value, dict) else {}
        inner = next((name for name in _TEXTS if name in content), _TEXTS[0])
        return {**rubric, key: {**content, inner: text}}
    if column == 2 and not text:
        return {name: value for name, value in rubric.items() if name != key}
    return {**rubric, key: text}


def _column(title: str, number: int) -> Column[JsonObject]:
    def text(rubric: JsonObject) -> str:
        return _text(rubric, number)

    return Column(title, text, cells={Qt.ItemDataRole.EditRole: text}, flags=Qt.ItemFlag.ItemIsEditable)


_COLUMNS = tuple(_column(title, number) for number, title in enumerate(("Id", "Text", "Type")))


class RubricTable(EditableTable[JsonObject]):
    """Follows a draft; every change is one step of it. Rows are keyed by number, because ids can be edited."""

    def __init__(self, draft: CriteriaDraft, parent: QObject | None = None) -> None:
        super().__init__(_COLUMNS, lambda _rubric: None, parent)
        self._draft = draft
        self._metric = ""
        draft.changed.connect(self._follow)

    def show_metric(self, metric: str) -> None:
        """Show the rubrics of a metric."""
        if metric != self._metric:
            self._metric = metric
            self.reset(self._rubrics())

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        """Set the text of a cell."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid() or not isinstance(value, str):
            return False
        rubrics, text = list(self.records), value[:_LONGEST]
        if text != _text(rubrics[index.row()], index.column()):
            rubrics[index.row()] = _with_text(rubrics[index.row()], index.column(), text)
            self._put(rubrics)
        return True

    def add(self) -> int:
        """Add a rubric; returns its row."""
        ids = {_text(rubric, 0) for rubric in self.records}
        number = next(number for number in range(1, len(ids) + 2) if f"rubric_{number}" not in ids)
        self._put([*self.records, {"rubric_id": f"rubric_{number}", "rubric_content": {"text_property": ""}}])
        return len(self.records) - 1

    def remove(self, row: int) -> None:
        """Remove a rubric."""
        if 0 <= row < len(self.records):
            self._put([*self.records[:row], *self.records[row + 1 :]])

    def _put(self, rubrics: list[JsonObject]) -> None:
        self._draft.set_option(self._metric, ("rubrics",), [*rubrics] or None)

    def _follow(self) -> None:
        self.show(self._rubrics())

    def _rubrics(self) -> list[JsonObject]:
        return self._draft.rubrics(self._metric) if self._metric else []
