"""A section under its heading, which follows its body."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from trace_inspector.models.golden.context import GoldenContext
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.blocks.blocks import Fold
from trace_inspector.views.golden.fields.section import Section, SectionBody
from trace_inspector.views.widgets.controls import Elided, Tag, TagKind, hline


class SectionGroup(QWidget):
    """Made once; hidden while the golden has no such thing."""

    desk_requested = Signal(object)  # a function that its body wants called with the desk

    def __init__(self, theme: Theme, section: Section) -> None:
        super().__init__()
        self._theme = theme
        self._section = section
        self.body: SectionBody | None = None
        self._inside = QWidget()
        self._holder = QVBoxLayout(self._inside)
        self._holder.setContentsMargins(0, 0, 0, 0)
        self._count_box = QHBoxLayout()
        self._count = ""
        self._caption = Elided(theme, "", font="secondary", ink="text2")
        self._head = QHBoxLayout()
        self._head.setSpacing(6)
        self._head.addWidget(Fold(theme, section.title, self._inside))
        title = Elided(theme, section.title, font="strong")  # a long one must not make the page wider than the panel
        title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._head.addWidget(title)
        self._head.addLayout(self._count_box)
        self._head.addWidget(self._caption, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(12, 0, 12, 8)
        box.setSpacing(4)
        box.addWidget(hline())
        box.addLayout(self._head)
        box.addWidget(self._inside)
        self.hide()

    def show_golden(self, context: GoldenContext) -> None:
        """Update the body; make it where there was nothing to show before."""
        if self.body is None:
            self.body = self._section.make(self._theme, context)
            if self.body is None:
                self.hide()
                return
            self._holder.addWidget(self.body)
            if self.body.right is not None:
                self._head.addWidget(self.body.right)
            self._inside.setHidden(self.body.starts_folded)
            self.body.head_changed.connect(self._show_head)
            self.body.desk_requested.connect(self.desk_requested)
        shown = self.body.show_golden(context)
        self._show_head()
        self.setVisible(shown)

    def _show_head(self) -> None:
        body = self.body
        if body is None:
            return
        count = "" if body.count is None else f"{body.count:,}"
        if count != self._count:
            self._count = count
            while (item := self._count_box.takeAt(0)) is not None:
                old = item.widget()
                if old is not None:
                    old.deleteLater()
            if count:
                self._count_box.addWidget(Tag(self._theme, count, TagKind.FILLED))
        if body.caption != self._caption.text():
            self._caption.setText(body.caption)
