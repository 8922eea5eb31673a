"""The table of verdicts that stands for the window says what it is, and where its files lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.commands.window import samples
from trace_inspector.resources import folder


def test_the_table_begins_with_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    terminal = Terminal()
    assert samples.run(terminal) == 0
    terminal.finish()
    heading, space, *_rest = capsys.readouterr().out.splitlines()
    assert heading == f"The samples in {Path(folder('samples'))}, without a window:"
    assert space == ""
