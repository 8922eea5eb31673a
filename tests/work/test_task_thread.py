"""A thread that does one thing after the other, whatever comes of each."""

from __future__ import annotations

import threading

import pytest
from pytestqt.qtbot import QtBot

from trace_inspector.core.errors import InspectorError
from trace_inspector.work.review.task_thread import TaskThread


def test_what_fails_is_told_and_the_next_is_done(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    crashes: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda crash: crashes.append(crash.exc_type))
    tasks, done, told = TaskThread("tasks"), list[int](), list[str]()
    tasks.failed.connect(told.append)

    def refuse() -> None:
        raise InspectorError("no room")

    def crash() -> None:
        raise ValueError

    for task in (lambda: done.append(1), refuse, lambda: done.append(2), crash):
        tasks.do(task)
    qtbot.waitUntil(lambda: crashes == [ValueError])
    qtbot.waitUntil(lambda: not any(thread.name == "tasks" for thread in threading.enumerate()))
    tasks.do(lambda: done.append(3))
    tasks.finish()
    assert done == [1, 2, 3]
    qtbot.waitUntil(lambda: told == ["no room"])
