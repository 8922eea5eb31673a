from __future__ import annotations

import threading

import pytest
from pytestqt.qtbot import QtBot

from trace_inspector.work.processes import watchdog
from trace_inspector.work.processes.watchdog import Watchdog


def stuck_until(told: threading.Event) -> None:
    told.wait()


def test_a_stuck_main_thread_is_told_with_its_stack(qtbot: QtBot) -> None:
    told, stacks = threading.Event(), list[str]()

    def tell(text: str) -> None:
        stacks.append(text)
        told.set()

    dog = Watchdog(limit_s=0.02, tell=tell)
    dog.start()
    for _try in range(20):  # on a busy machine it can be stuck on its way there, which is told once
        told.clear()
        with qtbot.waitSignal(dog._timer.timeout):
            pass
        stuck_until(told)
        if "in stuck_until" in stacks[-1]:
            break
    dog.stop()
    assert "in stuck_until" in stacks[-1]
    assert dog.worst_s > 0.01


def test_a_main_thread_that_turns_is_not_told(qtbot: QtBot) -> None:
    stacks: list[str] = []
    dog = Watchdog(limit_s=30, tell=stacks.append)
    dog.start()
    with qtbot.waitSignal(dog._timer.timeout):
        pass
    dog.stop()
    assert stacks == []


@pytest.mark.parametrize(("value", "wanted"), [("1", True), ("0", False), ("", False)])
def test_the_person_asks_for_it(monkeypatch: pytest.MonkeyPatch, value: str, wanted: bool) -> None:
    monkeypatch.setenv(watchdog.SWITCH, value)
    assert watchdog.is_enabled() is wanted
