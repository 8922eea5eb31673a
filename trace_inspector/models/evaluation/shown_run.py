"""The run whose verdicts are shown, wherever it comes from: made here, or opened from the store."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from trace_inspector.models.evaluation.current_run import CurrentRun
from trace_inspector.models.files.files import Files


class ShownRun(QObject):
    """`changed`: it is another one, or it got verdicts, other verdicts, or its end."""

    changed = Signal()

    def __init__(self, files: Files, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = files
        self._value: CurrentRun | None = None
        files.replaced.connect(self._renew)
        files.closed.connect(self._forget)

    @property
    def value(self) -> CurrentRun | None:
        """The run; None before any."""
        return self._value

    def put(self, run: CurrentRun | None) -> None:
        """Show another one, or none. Nobody hears of it before `tell`."""
        self._value = run

    def tell(self) -> None:
        """It is another one, or has other verdicts than when this was told last."""
        self.changed.emit()

    def _renew(self, number: int) -> None:
        """The rows of a file are others now."""
        if self._value is not None:
            self._value.renew(self._files.by_number[number])

    def _forget(self, number: int) -> None:
        if self._value is not None:
            self._value.forget(number)
