"""What a golden would lose, shown before it is made."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from trace_inspector.core.finding import Finding, Severity
from trace_inspector.core.trace.summary import one_line
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.translation import tr
from trace_inspector.views.appearance.appearance import Theme
from trace_inspector.views.widgets.controls import Label, MarkLabel
from trace_inspector.work.golden.bulk_requests import ChangePreview

MOST_SHOWN = 4
_CHARS = 300
_MARKS = {Severity.ERROR: "failed", Severity.WARNING: "warning", Severity.INFO: "info"}


class Losses(QWidget):
    """The first losses, the worst first; hidden where nothing is lost."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.seen = False  # losses for good have been shown
        self.setAccessibleName(tr("What would be lost"))
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(2)
        self._shown: tuple[Finding, ...] = ()
        self.hide()

    def show_losses(self, forecast: ChangePreview | None) -> None:
        """Show other losses."""
        losses = forecast.losses if forecast is not None else ()
        if losses == self._shown:
            return
        self._shown, self.seen = losses, False
        while (old := self._box.takeAt(0)) is not None:
            if (widget := old.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        order = list(_MARKS)
        counts: dict[tuple[Severity, str], int] = {}
        for loss in sorted(losses, key=lambda item: order.index(item.severity)):
            counts[loss.severity, loss.message] = counts.get((loss.severity, loss.message), 0) + 1
        shown = list(counts.items())
        for (severity, message), count in shown[:MOST_SHOWN]:
            times = f" ({count:,} times)" if count > 1 else ""
            self._add(_MARKS[severity], one_line(message, _CHARS) + times)
        if len(shown) > MOST_SHOWN:
            self._add("", tr("And {0} more.").format(counted(len(shown) - MOST_SHOWN, "thing")))
        self.setVisible(bool(shown))

    def _add(self, mark: str, text: str) -> None:
        line = QWidget()
        row = QHBoxLayout(line)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(MarkLabel(self._theme, mark, 14), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(Label(self._theme, text, font="secondary", wrap=True), 1)
        self._box.addWidget(line)
