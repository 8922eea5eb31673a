from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.work.children import Doubler
from trace_inspector.work.processes.request_child import Answer, Warm

WAIT_MS = 60_000


@pytest.fixture
def warm() -> Iterator[Warm]:
    made = Warm(Doubler)
    yield made
    made.stop()


def test_an_answer_that_comes_after_a_newer_question_is_dropped(qtbot: QtBot, warm: Warm) -> None:
    old, new = list[Answer](), list[Answer]()
    warm.ask(1, old.append)
    qtbot.waitUntil(lambda: bool(warm._inbox), timeout=WAIT_MS)
    warm.ask(2, new.append)

    def answered() -> bool:
        warm.drain()
        return bool(new)

    qtbot.waitUntil(answered, timeout=WAIT_MS)
    assert (old, new) == ([], [Answer((4, 2))])
    assert not warm.waiting


def test_stopping_one_that_never_started_does_nothing(warm: Warm) -> None:
    warm.stop()
    assert not warm.waiting
