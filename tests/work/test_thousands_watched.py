"""Thousands of open files: a change of any is told by the system, and what looks at files looks at few at a time."""

from __future__ import annotations

import os
import random
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from trace_inspector.work.reading.disk_notices import DiskNotices
from trace_inspector.work.reading.disk_watch import A_ROUND, DiskWatch

MANY = 3_000
DRAWN = 3


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("thousands")
    made = [folder / f"{number}.json" for number in range(MANY)]
    for path in made:
        path.write_bytes(b"[]")
    return made


@pytest.fixture
def looks(paths: list[Path], monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often Python asks the system about each of the files."""
    counted, ours, stat = Counter[str](), {str(path) for path in paths}, os.stat

    def counting(path: Any, *given: Any, **named: Any) -> os.stat_result:
        if str(path) in ours:
            counted[str(path)] += 1
        return stat(path, *given, **named)

    monkeypatch.setattr(os, "stat", counting)
    return counted


def drawn(paths: list[Path], seed: int) -> list[Path]:
    return random.Random(seed).sample(paths, DRAWN)


def test_the_system_tells_of_any_of_thousands_without_a_look_at_each(
    paths: list[Path], looks: Counter[str], qtbot: QtBot
) -> None:
    notices, told = DiskNotices(), list[str]()
    notices.file_changed.connect(told.append)
    for path in paths:
        notices.watch(str(path))
    last = paths[-1]

    def is_told_of_the_last() -> bool:
        last.write_bytes(b"[1]")  # until it is watched, as all before it are then
        return str(last) in told

    qtbot.waitUntil(is_told_of_the_last)
    told.clear()
    assert set(looks.values()) == {1}  # when each was begun with
    looks.clear()
    changed = drawn(paths[:-1], seed=1)
    for path in changed:
        path.write_bytes(b"[2]")
    qtbot.waitUntil(lambda: len(told) >= DRAWN)
    assert sorted(told) == sorted(map(str, changed))
    assert looks.total() == 0
    for path in changed:
        notices.watch(str(path))
        notices.watch(str(paths[0]))  # is watched already
    qtbot.waitUntil(lambda: len(looks) == DRAWN)
    changed[0].write_bytes(b"[3]")
    qtbot.waitUntil(lambda: len(told) > DRAWN)
    assert told[DRAWN:] == [str(changed[0])]
    assert looks.total() == DRAWN
    notices.stop()


def test_what_looks_by_itself_comes_to_each_of_thousands_in_short_rounds(
    paths: list[Path], looks: Counter[str], qapp: QCoreApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The thread is left out: its rounds are gone through here, one after the other."""
    assert qapp
    watch, told, sizes = DiskWatch(), list[int](), list[int]()
    watch.changed.connect(lambda number, _there: told.append(number))
    watch._thread = threading.Thread()  # none is started
    for number, path in enumerate(paths):
        watch.watch(number, path)

    def wait(_seconds: float) -> None:
        sizes.append(looks.total())
        looks.clear()
        if len(sizes) == MANY // A_ROUND:
            watch._leave.set()

    def go_through_all() -> list[int]:
        sizes.clear()
        watch._leave.clear()
        watch._follow()
        return sizes

    monkeypatch.setattr(watch._leave, "wait", wait)
    assert max(go_through_all()) <= 2 * A_ROUND  # the first time also whether it is a folder
    changed = drawn(paths, seed=2)
    for path in changed:
        path.write_bytes(b"[changed]")
    assert go_through_all() == [A_ROUND] * (MANY // A_ROUND)
    QCoreApplication.processEvents()
    assert sorted(told) == sorted(paths.index(path) for path in changed)
