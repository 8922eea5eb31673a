"""The lines that the dialog offers and those of the page “Live” say the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trace_inspector.flows.live.arrivals import SWITCHES
from trace_inspector.views.live.dialog import LINES

PAGE = Path("docs/live.md").read_text(encoding="utf-8")
ADDRESS = "http://127.0.0.1:4318"


def rows(heading: str) -> dict[str, str]:
    """The rows of a table of the page."""
    table = PAGE.partition(f"\n| {heading} |")[2].partition("\n\n")[0]
    cells = [line.strip("|").split(" | ", 1) for line in table.splitlines()[2:]]
    return {name.strip(): text for name, text in cells}


def settings(text: str) -> set[str]:
    """The variables that are set, with their values."""
    return set(re.findall(r"\b[A-Z][A-Z_]+=[^\s`]+", text))


@pytest.mark.parametrize("program", LINES)
def test_the_page_has_each_line_of_the_dialog(program: str) -> None:
    listed = rows("program | lines")
    lines = LINES[program].format(address=ADDRESS)
    general = settings(listed["anything with an SDK of OpenTelemetry"])
    of_texts = {one for text in rows("what sends | variables").values() for one in settings(text)}
    stated = settings(lines)
    assert stated <= general | of_texts | settings(listed[program])
    assert not stated or stated >= general | settings(listed[program])
    for line in lines.splitlines():
        if "=" in line and not line.startswith(("export", "node")):
            assert f"`{line}`" in listed[program]  # of a file
        elif not line.startswith("export") and not line.startswith("["):
            assert f"`{line}`" in listed[program]  # a command


def test_the_page_has_each_variable_that_turns_without_texts_name() -> None:
    listed = {frozenset(settings(text)) for text in rows("what sends | variables").values()}
    assert listed == {frozenset(settings(switch)) for switch in SWITCHES.values()}
