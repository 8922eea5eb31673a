"""The words of the window in the reader's language.

`lupdate`, which collects the texts for translators, gives a bare `tr` no context; so none is asked for here, or no
translation would be found. Texts of tables are marked where they stand (core/translatable.py).
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def tr(text: str, meaning: str | None = None) -> str:
    """`text` in the language of the window; `meaning` keeps apart what is written alike ("open" as verb or state)."""
    return QCoreApplication.translate("", text, meaning)
