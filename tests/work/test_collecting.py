from __future__ import annotations

import gc
import threading
import weakref

from pytestqt.qtbot import QtBot

from trace_inspector.work.processes import collecting
from trace_inspector.work.processes.collecting import Collecting


class Ring:
    def __init__(self) -> None:
        self.itself = self


def busy(many: int) -> None:
    """What makes Python look for rings by itself."""
    kept = [Ring() for _at in range(many)]
    del kept


def test_rings_go_on_the_main_thread_alone(qtbot: QtBot) -> None:
    where: list[str] = []
    gc.enable()  # tests of the window run without
    one = Collecting()
    one.start()
    try:
        ring = Ring()
        weakref.finalize(ring, lambda: where.append(threading.current_thread().name))
        del ring
        thread = threading.Thread(target=busy, args=(50_000,), name="elsewhere")
        thread.start()
        thread.join()
        assert where == []
        qtbot.waitUntil(lambda: bool(where), timeout=60_000)
    finally:
        one.stop()
        one.deleteLater()
    assert where == [threading.main_thread().name]


def test_nothing_is_collected_that_is_not_worth_it() -> None:
    gc.collect()
    before = gc.get_stats()
    collecting.collect()
    assert gc.get_stats() == before
