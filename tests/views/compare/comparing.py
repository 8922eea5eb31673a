"""An eval set and a session that went another way, open in the window with Compare in front."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from PySide6.QtTest import QTest

from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.compare.sides import ref_of
from trace_inspector.views.compare.page import ComparePage
from trace_inspector.views.shell.main_window import MainWindow

WAIT_MS = 60_000
Call = tuple[str, JsonObject]
TurnOf = tuple[str, list[Call], str]


def until(there: Callable[[], bool]) -> None:
    """Let the event loop run until something holds."""
    for _turn in range(WAIT_MS // 10):
        if there():
            return
        QTest.qWait(10)
    raise AssertionError("it did not come")


def said(text: str, role: str) -> JsonObject:
    return {"role": role, "parts": [{"text": text}]}


def eval_set(path: Path, *turns: TurnOf, case: str = "one") -> Path:
    """One case of an ADK eval set."""
    conversation: list[Json] = [
        {
            "invocation_id": f"inv-{at}",
            "user_content": said(asked, "user"),
            "final_response": said(answer, "model"),
            "intermediate_data": {"tool_uses": [{"name": name, "args": args} for name, args in calls]},
        }
        for at, (asked, calls, answer) in enumerate(turns)
    ]
    value = {"eval_set_id": "set", "eval_cases": [{"eval_id": case, "conversation": conversation}]}
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
    return path


def session(path: Path, *turns: TurnOf) -> Path:
    """One ADK session."""
    events: list[Json] = []

    def add(author: str, content: JsonObject, turn: int) -> None:
        number = len(events)
        events.append(
            {
                "author": author,
                "invocation_id": f"i{turn}",
                "id": str(number),
                "timestamp": number,
                "content": content,
            }
        )

    for turn, (asked, calls, answer) in enumerate(turns):
        add("user", said(asked, "user"), turn)
        for at, (name, args) in enumerate(calls):
            call: JsonObject = {"id": f"{turn}-{at}", "name": name, "args": args}
            result: JsonObject = {"id": f"{turn}-{at}", "name": name, "response": {"ok": at}}
            add("agent", {"role": "model", "parts": [{"function_call": call}]}, turn)
            add("agent", {"role": "user", "parts": [{"function_response": result}]}, turn)
        add("agent", said(answer, "model"), turn)
    value = {"app_name": "a", "user_id": "u", "id": path.stem, "state": {}, "last_update_time": 1.0, "events": events}
    path.write_text(json.dumps(value, ensure_ascii=False))
    return path


def opened(window: MainWindow, *paths: Path) -> list[OpenFile]:
    """The files, read to their ends."""
    workspace = window.desk.workspace
    workspace.files.open(paths)
    until(lambda: len(workspace.files) >= len(paths) and all(f.state is FileState.READY for f in workspace.files))
    return [next(file for file in workspace.files if file.path == path) for path in paths]


def compare_page(window: MainWindow) -> ComparePage:
    """Compare in front."""
    assert window.desk.centre is not None
    page = window.desk.centre.show_view("compare")
    assert isinstance(page, ComparePage)
    return page


def compared(window: MainWindow, *paths: Path) -> ComparePage:
    """The first conversations of these files side by side."""
    files = opened(window, *paths)
    page = compare_page(window)
    choose_pair(page, *files)
    return page


def each_compared(
    window: MainWindow, folder: Path, sides: Mapping[str, tuple[Sequence[TurnOf], Sequence[TurnOf]]]
) -> Iterator[tuple[str, ComparePage]]:
    """Goldens, each beside a run of its own: opened together, and one pair after the other in front, by name."""
    goldens, runs = [], []
    for number, (golden, run) in enumerate(sides.values()):
        goldens.append(eval_set(folder / f"set-{number}.evalset.json", *golden, case=f"case-{number}"))
        runs.append(session(folder / f"s-{number}.json", *run))
    files = opened(window, *goldens, *runs)
    page = compare_page(window)
    for name, golden_file, run_file in zip(sides, files[: len(sides)], files[len(sides) :], strict=True):
        choose_pair(page, golden_file, run_file)
        yield name, page


def choose_pair(page: ComparePage, *files: OpenFile) -> None:
    """The first conversations of these files side by side."""
    page.compare.choose_sides(tuple(ref_of(file, file.table.tops[0]) for file in files))
    shown(page)


def shown(page: ComparePage) -> None:
    """Wait until the rows are there that were asked for."""
    until(lambda: page.compare.rows is not None and not page.compare.busy)
    QTest.qWait(1)


def settled(window: MainWindow, page: ComparePage) -> None:
    """Wait until an edit is taken up, and compared again."""
    done: list[bool] = []
    window.desk.workspace.goldens.settled(lambda: done.append(True))
    until(lambda: bool(done))
    shown(page)


def told(page: ComparePage) -> list[str]:
    """What the rows in sight say, a line for each."""
    return [" | ".join(one.layout.texts()) for one in page.rows.visible_rows()]
