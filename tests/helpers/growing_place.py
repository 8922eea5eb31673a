"""A place of the window where a file grows."""

from __future__ import annotations

from tests.helpers.growing_files import otlp_lines
from tests.helpers.stage import until
from trace_inspector.models.base.selection import Selection
from trace_inspector.settings import data_folder
from trace_inspector.views.shell.main_window import MainWindow


def following(window: MainWindow) -> None:
    """A recording that another program went on writing."""
    growing = data_folder() / "listened.jsonl"
    lines = otlp_lines([(turn, 20 * turn, f"session-{turn // 9}") for turn in range(1, 25)])
    growing.write_bytes(b"".join(lines[:-12]))
    files = window.desk.workspace.files
    files.open([growing])
    until(lambda: not files.reading)
    file = files.in_order[-1]
    window.desk.workspace.selection.select(Selection(file.number, file.table.turns(file.table.tops[0])[1]))
    with growing.open("ab") as appended:
        appended.write(b"".join(lines[-12:]))
    until(lambda: file.size_bytes == growing.stat().st_size)
