"""The rubrics of one criterion as a table that is edited in place."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.models.evaluation.criteria_draft import CriteriaDraft

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_FLAGS = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsEditable
    | Qt.ItemFlag.ItemNeverHasChildren
)
TITLES = ("Id", "Text", "Type")
_PATHS = (("rubric_id", "rubricId"), ("rubric_content", "rubricContent"), ("type",))
_TEXT = ("text_property", "textProperty")
_LONGEST = 20_000


class RubricTable(QAbstractTableModel):
    """Follows a draft; every change is one step of it."""

    def __init__(self, draft: CriteriaDraft, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._draft = draft
        self._metric = ""
        self._rubrics: list[JsonObject] = []
        draft.changed.connect(self._follow)

    def show_metric(self, metric: str) -> None:
        """Whose rubrics."""
        self._metric = metric
        self._follow()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rubrics)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(TITLES)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return _FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return _cell(self._rubrics[index.row()], index.column())
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        """Another text in a cell."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid() or not isinstance(value, str):
            return False
        text = value[:_LONGEST]
        if text != _cell(self._rubrics[index.row()], index.column()):
            rubrics = list(self._rubrics)
            rubrics[index.row()] = _with(rubrics[index.row()], index.column(), text)
            self._put(rubrics)
        return True

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return TITLES[section]
        return None

    def add(self) -> int:
        """One more; gives its row."""
        taken = {_cell(rubric, 0) for rubric in self._rubrics}
        number = next(at for at in range(1, len(taken) + 2) if f"rubric_{at}" not in taken)
        self._put([*self._rubrics, {"rubric_id": f"rubric_{number}", "rubric_content": {"text_property": ""}}])
        return len(self._rubrics) - 1

    def remove(self, row: int) -> None:
        """One less."""
        if 0 <= row < len(self._rubrics):
            self._put([one for at, one in enumerate(self._rubrics) if at != row])

    def _put(self, rubrics: list[JsonObject]) -> None:
        self._draft.set_option(self._metric, ("rubrics",), [*rubrics] or None)

    def _follow(self) -> None:
        rubrics = self._draft.rubrics(self._metric) if self._metric else []
        if len(rubrics) != len(self._rubrics):
            self.beginResetModel()
            self._rubrics = rubrics
            self.endResetModel()
        elif rubrics != self._rubrics:
            self._rubrics = rubrics
            self.dataChanged.emit(self.index(0, 0), self.index(len(rubrics) - 1, len(TITLES) - 1))


def _cell(rubric: JsonObject, column: int) -> str:
    value: Json = next((rubric[name] for name in _PATHS[column] if name in rubric), None)
    if column == 1:
        value = next((value[name] for name in _TEXT if name in value), None) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _with(rubric: JsonObject, column: int, text: str) -> JsonObject:
    key = next((name for name in _PATHS[column] if name in rubric), _PATHS[column][0])
    if column == 1:
        held = rubric.get(key)
        content = held if isinstance(held, dict) else {}
        inner = next((name for name in _TEXT if name in content), _TEXT[0])
        return {**rubric, key: {**content, inner: text}}
    if column == 2 and not text:
        return {name: value for name, value in rubric.items() if name != key}
    return {**rubric, key: text}
