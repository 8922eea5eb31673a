"""LangGraph's checkpoints of one long conversation: each repeats all messages before it.

Wanted: as much time for each message however many there are, beside what SQLite and Python take to read all cells as
they are. Processor time.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from contextlib import closing
from functools import partial
from pathlib import Path

from benchmarks.measure import cpu_seconds, table
from tests.formats.langgraph_files import Saver
from tests.helpers.message_pack import message
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.open_file import stream_file

MESSAGES = (200, 400, 800)
_WORDS = "the price of the rule on the shelf is wrong since the stock was counted again "


def main() -> None:
    """Print a row for each length."""
    rows = [("messages", "file", "all cells as bytes", "read", "each message")]
    with tempfile.TemporaryDirectory() as folder:
        for messages in MESSAGES:
            path = write(Path(folder, f"{messages}.db"), messages)
            plain_s = cpu_seconds(partial(_cells, path))
            begun_s = time.process_time()
            assert sum(1 for _item in stream_file(path)) > messages // 2
            read_s = time.process_time() - begun_s
            size = f"{path.stat().st_size / 1e6:.1f} MB"
            rows.append(
                (str(messages), size, f"{plain_s:.2f} s", f"{read_s:.2f} s", f"{1e3 * read_s / messages:.2f} ms")
            )
    table("processor time, one run each", rows)


def write(path: Path, messages: int) -> Path:
    """A conversation of so many messages, with a checkpoint after each."""
    saver, said = Saver(), list[Json]()
    for number in range(messages):
        kind = "human" if number % 2 == 0 else "ai"
        said.append(message(kind, id=f"m{number}", content=f"{number}: {_WORDS * 5}"))
        channels: dict[str, Json] = {"messages": list(said), "mood": f"good {number // 10}"}
        saver.step(number, channels, after=number - 1 if number else None)
    return saver.save(path)


def _cells(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("SELECT * FROM checkpoints").fetchall()


if __name__ == "__main__":
    main()
