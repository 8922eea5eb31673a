"""The whole window, in which somebody types what the user says in a golden, for ever: to be killed from outside.

`python -m tests.helpers.typing_window FILE STATE TOLD` writes to TOLD what the golden says, each time it is shown.
"""

from __future__ import annotations

import os
import sys
from itertools import count
from pathlib import Path

from PySide6.QtTest import QTest

from tests.helpers.window import main_window
from tests.views.golden_doing import opened, unfold
from trace_inspector.core.trace import user_text
from trace_inspector.views.golden.text_field import GoldenText


def script(length: int) -> str:
    """What is typed, up to a length."""
    text = ""
    for at in count():
        if len(text) >= length:
            return text[:length]
        text += f"{at} "
    raise AssertionError


def main() -> None:
    """Type, save now and then, tell what is shown."""
    path, state, told = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    ears = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    with main_window(state) as window:
        tab = opened(window, path, turn=0)
        goldens, file = window.desk.workspace.goldens, window.desk.workspace.files[0]
        editor = unfold(tab, "user").findChild(GoldenText)
        assert isinstance(editor, GoldenText)
        editor.setFocus()
        editor.selectAll()
        shown = 0
        for at, letter in enumerate(script(100_000)):
            QTest.keyClicks(editor, letter)
            QTest.qWait(5)
            if at % 40 == 39:
                goldens.save(file.number)
            case = goldens.case(file.number, goldens.places(file.number)[0])
            says = user_text(case.turns[0]) if case else ""
            if says.startswith("0") and len(says) > shown:
                shown = len(says)
                os.write(ears, f"{shown}\n".encode())


if __name__ == "__main__":
    main()
