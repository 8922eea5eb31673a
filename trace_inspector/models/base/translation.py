"""The words of the window in the reader's language: `tr` around every text, QT_TR_NOOP around one in a table.

`lupdate` finds both, and gives a bare `tr` no context; so none is asked for here, or no translation would be found.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def tr(text: str, meaning: str | None = None) -> str:
    """`text` in the language of the window; `meaning` keeps apart what is written alike ("open" as verb or state)."""
    return QCoreApplication.translate("", text, meaning)


def QT_TR_NOOP(text: str) -> str:  # noqa: N802 - the name by which lupdate knows it
    """`text` as it is: whoever shows it gives it to `tr`."""
    return text
