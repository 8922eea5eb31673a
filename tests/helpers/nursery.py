"""Children that start at once: forked from a process that has imported already what every child imports.

The program spawns its children, and so do the tests of that (`tests/work`, `tests/end_to_end`). In hundreds of tests
of the window the same second of imports would be most of their time.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import pytest

from trace_inspector.work import child

QT = ("disk_watch", "jobs", "watchdog")
ROOMS = ("core", "documents", "formats", "engine", "store", "flows", "work")


def _modules() -> list[str]:
    """Every module of the rooms that children work in; none of it touches a window."""
    found = []
    for room in ROOMS:
        package = importlib.import_module(f"trace_inspector.{room}")
        found += [module.name for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]
    return [name for name in found if name.rpartition(".")[2] not in QT]


class Nursery:
    """Stands where a context of multiprocessing does, as far as `Child` needs one."""

    def __init__(self) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(_modules())

    def Pipe(self) -> tuple[Connection, Connection]:  # noqa: N802 - as multiprocessing calls it
        return self._context.Pipe()

    def Process(self, *, target: Callable[..., None], args: Sequence[object]) -> BaseProcess:  # noqa: N802
        return self._context.Process(target=as_of_now, args=(dict(os.environ), target, *args))


def as_of_now(environment: Mapping[str, str], target: Callable[..., None], *args: object) -> None:
    """In the child, which has the environment of the day its parent was born: give it today's."""
    os.environ.clear()
    os.environ.update(environment)
    target(*args)


@pytest.fixture(scope="session")
def nursery() -> Nursery:
    """With its first child: the first test would wait until everything is imported, and be said to have stalled."""
    made = Nursery()
    first = made.Process(target=_nothing, args=())
    first.start()
    first.join()
    return made


def _nothing() -> None:
    """What a first child does."""


@pytest.fixture(autouse=True)
def from_the_nursery(monkeypatch: pytest.MonkeyPatch, nursery: Nursery) -> None:
    """Every child that the test starts comes from there."""
    monkeypatch.setattr(child, "CONTEXT", nursery)
