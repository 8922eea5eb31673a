"""How much processor time one frame of the conversation takes, while 100,000 events are scrolled in several ways."""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure import table

if TYPE_CHECKING:
    from trace_inspector.core.trace.trace import Trace
    from trace_inspector.models.workspace.workspace import Workspace
    from trace_inspector.views.conversation.reader import Reader

EVENTS = 100_000
FRAMES = 400
STILL = 50  # turns of the event loop without a change
LINE_PX, NEAR_PX = 60, 2_500
WORDS = ("parking", "garages", "near", "the", "market", "cost", "six", "dollars", "an", "hour", "and", "stay", "open")


def main() -> None:
    """The same number of events in turns of ten, and in ten turns."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    rows = [["Events", "Way", "median", "p95", "worst"]]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRACE_INSPECTOR_DATA"] = folder
        for turns in (EVENTS // 10, 10, 1):
            rows += measured(Path(folder) / f"{turns}.ini", turns)
        long = [["What", "first frame", "longest turn of the loop", "turns"], *shown_whole(Path(folder) / "long.ini")]
    table("Frames of the conversation, processor time", rows)
    table("A long text shown whole, processor time", long)


def measured(state: Path, turns: int) -> Iterator[list[str]]:
    """The window on one trace of that many turns."""
    from PySide6.QtCore import QCoreApplication

    from tests.helpers.window import main_window
    from trace_inspector.models.base.selection import Selection
    from trace_inspector.views.conversation.view import ConversationView

    with main_window(state) as window:
        number = opened(window.desk.workspace, made(turns))
        centre = window.desk.centre
        if centre is None:
            sys.exit("The window has no centre.")
        begun_s = time.thread_time()
        window.desk.workspace.selection.select(Selection(number))
        view = centre.show_view("conversation")
        QCoreApplication.processEvents()
        if not isinstance(view, ConversationView):
            sys.exit("The conversation is not there.")
        if not view.reader.isVisible():
            sys.exit("The conversation is not in sight.")
        view.reader.viewport().repaint()
        name = f"{EVENTS:,} in {turns:,} turn{'' if turns == 1 else 's'}"
        first_ms = (time.thread_time() - begun_s) * 1000
        yield [name, "opened", f"{first_ms:.0f} ms", "", ""]
        for way, values in ways(view.reader).items():
            taken = sorted(frames(view.reader, values))
            told = [f"{taken[at] * 1000:.1f} ms" for at in (len(taken) // 2, len(taken) * 95 // 100, -1)]
            yield [name, way, *told]


def shown_whole(state: Path) -> Iterator[list[str]]:
    """The frame after the key, and the longest of the turns of the event loop in which the rest is cut."""
    from PySide6.QtCore import QCoreApplication, Qt
    from PySide6.QtTest import QTest

    from tests.helpers.window import main_window
    from trace_inspector.core.rows.rows import Kind
    from trace_inspector.models.base.selection import Selection
    from trace_inspector.views.conversation.view import ConversationView

    with main_window(state) as window:
        workspace = window.desk.workspace
        number = opened(workspace, large())
        file, centre = workspace.files.get(number), window.desk.centre
        view = centre.show_view("conversation") if centre else None
        if not isinstance(view, ConversationView) or file is None:
            sys.exit("The conversation is not there.")
        for kind, what, keys in ((Kind.ANSWER, "a line of 5.2 MB", 1), (Kind.RESULT, "a result of 20 MB", 2)):
            row = next(row for row in range(len(file.table)) if file.table.kind(row) is kind)
            workspace.selection.select(Selection(number, row))
            for _ in range(20):
                QCoreApplication.processEvents()
            for _ in range(keys):
                begun_s = time.thread_time()
                QTest.keyClick(view.reader, Qt.Key.Key_Right)
                view.reader.viewport().repaint()
                shown_s = time.thread_time() - begun_s
            turns = list(loops(view.reader, QCoreApplication.processEvents))
            yield [what, f"{shown_s * 1000:.0f} ms", f"{max(turns) * 1000:.0f} ms", str(len(turns))]


def loops(reader: Reader, turn: Callable[[], object]) -> Iterator[float]:
    """The seconds that turns of the event loop take until nothing grows any more."""
    bar, still = reader.verticalScrollBar(), 0
    while still < STILL:
        before = bar.maximum()
        begun_s = time.thread_time()
        turn()
        yield time.thread_time() - begun_s
        still = still + 1 if bar.maximum() == before else 0


def ways(reader: Reader) -> dict[str, list[int]]:
    """Positions of the scroll bar: line by line, screen by screen, anywhere."""
    most = reader.verticalScrollBar().maximum()
    chance = random.Random(1)
    return {
        "by the wheel": [most // 3 + at * LINE_PX for at in range(FRAMES)],
        "upwards": [most // 2 - at * LINE_PX for at in range(FRAMES)],
        "screen by screen": [most // 4 + at * reader.viewport().height() for at in range(FRAMES)],
        "anywhere": [chance.randrange(most) for _ in range(FRAMES)],
    }


def frames(reader: Reader, values: list[int]) -> Iterator[float]:
    """The seconds that each frame takes: moving the bar, laying out, painting."""
    bar = reader.verticalScrollBar()
    step = [0, *(after - before for before, after in pairwise(values))]
    bar.setValue(values[0])
    reader.viewport().repaint()
    for delta, value in zip(step, values, strict=True):
        begun_s = time.thread_time()
        bar.setValue(bar.value() + delta if abs(delta) < NEAR_PX else value)
        reader.viewport().repaint()
        yield time.thread_time() - begun_s


def made(turns: int) -> Trace:
    """A trace of calls, results, thoughts and words."""
    from trace_inspector.core.trace.parts import Text, Thought, ToolCall, ToolResult
    from trace_inspector.core.trace.trace import Event, Steps, Trace, Turn, Usage

    chance = random.Random(2)

    def words(count: int) -> str:
        return " ".join(chance.choices(WORDS, k=count))

    def events(count: int) -> Iterator[Event]:
        for at in range(0, count, 5):
            call = ToolCall("search_places", {"query": words(3), "radius_m": at}, f"call-{at}")
            result = ToolResult(call.name, {"places": [{"name": words(2), "price": at}] * 4}, call.call_id)
            yield Event("MarketAgent", (Thought(words(60)),), time_s=1000.0 + at, duration_s=1.0)
            yield Event("MarketAgent", (call,), usage=Usage(400, candidates=20), time_s=1001.0 + at)
            yield Event("MarketAgent", (result,), time_s=1001.0 + at, duration_s=0.4)
            yield Event("MarketAgent", (Text(words(chance.randrange(5, 120))),), time_s=1002.0 + at, duration_s=1.5)
            yield Event("root_agent", state_delta={"place": words(1)}, time_s=1003.0 + at)

    each = EVENTS // turns
    return Trace(
        "long",
        tuple(
            Turn(
                at, user=(Text(words(12)),), events=tuple(events(each)), final_response=(Text(words(80)),),
                final_author="MarketAgent", steps=Steps.EVENTS, start_s=1000.0, duration_s=60.0,
            )
            for at in range(turns)
        ),
    )  # fmt: skip


def large() -> Trace:
    """A trace of one call with a large result and an answer that is one long line."""
    from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
    from trace_inspector.core.trace.trace import Event, Trace, Turn
    from trace_inspector.core.values.values import Json

    call = ToolCall("read_all", {}, "c")
    places: Json = [{"name": f"garage {at}", "price": at, "open": True} for at in range(360_000)]
    events = (Event("a", (call,)), Event("a", (ToolResult(call.name, places, "c"),)))
    return Trace("large", (Turn(0, None, (Text("?"),), events, (Text("word " * 1_040_000),), "a"),))


def opened(workspace: Workspace, trace: Trace) -> int:
    """The trace as an open file, without a child process; gives its number."""
    from trace_inspector.core.rows.row_writer import RowWriter
    from trace_inspector.work.reading import file_messages

    file = workspace.files.add(Path("/made/long.json"), "")
    if file is None:
        sys.exit("The file cannot be opened.")
    writer = RowWriter()
    for _step in writer.steps(trace):
        pass
    workspace.files.take(file_messages.RowsRead(file.number, writer.take()))
    workspace.files.take(file_messages.FileRead(file.number))
    return file.number


if __name__ == "__main__":
    main()
