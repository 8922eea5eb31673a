"""Which texts the fields of the Golden tab refuse, and how they show it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from trace_inspector.models.base.translation import tr
from trace_inspector.views.golden.fields.typing_state import Typed, Write, Written

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def set_wrong(field: QWidget, wrong: bool) -> None:
    """A red frame, or none."""
    if bool(field.property("wrong")) != wrong:
        field.setProperty("wrong", wrong)
        field.style().unpolish(field)
        field.style().polish(field)
        field.update()


def too_long() -> str:
    """Why a text is refused."""
    return tr("That is too long to be edited here. Edit the file by hand.")


def half() -> str:
    """Why a text with half of a character in it is not written."""
    return tr(
        "This text has an incomplete character, such as half of an emoji. The golden does not change until "
        "it is completed or deleted."
    )


def unless(why_not: Callable[[str], str], write: Write) -> Write:
    """Write valid texts; else return why not."""

    def checked(typed: Typed) -> Written:
        problem = why_not(typed.text)
        return Written(problem=problem) if problem else write(typed)

    return checked
