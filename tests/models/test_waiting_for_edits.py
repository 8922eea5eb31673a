"""Whoever waits for all edits is called when none is under way: also none that was asked for in the meantime."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.models.conftest import WAIT_MS
from tests.models.test_goldens import eval_set, with_city
from trace_inspector.models.base.open_file import OpenFile
from trace_inspector.models.workspace.workspace import Workspace


@pytest.mark.parametrize("waiters", [1, 3])
def test_an_edit_asked_for_while_rows_are_told_is_waited_for_too(
    waiters: int, qtbot: QtBot, opened: Callable[..., OpenFile], workspace: Workspace, tmp_path: Path
) -> None:
    file = opened(eval_set(tmp_path / "weather.evalset.json", "Paris", "Rome")).number
    goldens, place = workspace.goldens, "/eval_cases/0"
    heard: list[tuple[bool, object]] = []

    def hear() -> None:
        case = goldens.case(file, place)
        heard.append((goldens.busy or not goldens.rows.current, case and case.turns[0].events[0].parts))

    goldens.change(file, place, "City", with_city("Oslo"))
    for _waiter in range(waiters):
        goldens.settled(hear)
    once = [partial(goldens.change, file, place, "City", with_city("Bergen"))]
    goldens.queue.received.connect(lambda _message: once and once.pop()())
    qtbot.waitUntil(lambda: len(heard) == waiters, timeout=WAIT_MS)
    assert {under_way for under_way, _parts in heard} == {False}
    assert all("Bergen" in str(parts) for _under_way, parts in heard)


def test_at_once_where_nothing_is_under_way(workspace: Workspace) -> None:
    heard: list[bool] = []
    workspace.goldens.settled(lambda: heard.append(True))
    assert heard == [True]
