"""What a test started and left behind: threads, timers, processes, windows. Each names where it was made."""

from __future__ import annotations

import multiprocessing.process
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from msgspec import Struct, field
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QProcess, QThread, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

PROJECT = Path(__file__).resolve().parents[2]
GRACE_S = 20.0  # for what was told to end and only has to be waited for


class Place(Struct, frozen=True):
    """A line of code, put into words only when it is told: thousands are noted and none is read."""

    code: CodeType | None
    line: int = 0

    def __str__(self) -> str:
        if self.code is None:
            return "outside this project"
        return f"{Path(self.code.co_filename).relative_to(PROJECT)}:{self.line} in {self.code.co_name}"


class Kind(Struct, frozen=True):
    """Something that can be left running: the method that starts it, and how to tell and to wait."""

    name: str
    owner: type[Any]
    starts: str
    running: Callable[[Any], bool]
    wait: Callable[[Any], object] = lambda _thing: None


def _is_child(process: subprocess.Popen[Any]) -> bool:
    # A Popen whose start failed has no id.
    return getattr(process, "pid", None) is not None and process.poll() is None


def _ended(process: subprocess.Popen[Any]) -> None:
    try:
        process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        return


KINDS = (
    Kind("thread", threading.Thread, "start", threading.Thread.is_alive, lambda thread: thread.join(GRACE_S)),
    Kind(
        "child process",
        multiprocessing.process.BaseProcess,
        "start",
        multiprocessing.process.BaseProcess.is_alive,
        lambda process: process.join(GRACE_S),
    ),
    Kind("child process", subprocess.Popen, "__init__", _is_child, _ended),
    Kind(
        "QThread",
        QThread,
        "start",
        lambda thread: isValid(thread) and thread.isRunning(),
        lambda thread: thread.wait(int(GRACE_S * 1000)),
    ),
    Kind("QTimer", QTimer, "start", lambda timer: isValid(timer) and timer.isActive()),
    Kind(
        "QProcess",
        QProcess,
        "start",
        lambda process: isValid(process) and process.state() != QProcess.ProcessState.NotRunning,
    ),
)


class Started(Struct, frozen=True):
    """One thing that was started, held weakly: what is gone cannot leak."""

    kind: Kind
    thing: weakref.ref[Any]
    where: Place


class Recorder(Struct):
    """Everything started since the last `take`."""

    started: list[Started] = field(default_factory=list)

    def take(self) -> list[Started]:
        """Forget and return what was recorded."""
        taken, self.started = self.started, []
        return taken


def where_made() -> Place:
    """The innermost line of this project on the stack, outside this file."""
    # By hand, as `traceback` reads the source of every line: a window starts hundreds of timers.
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not _is_ours(frame.f_code.co_filename):
        frame = frame.f_back
    return Place(None) if frame is None else Place(frame.f_code, frame.f_lineno)


@cache
def _is_ours(file: str) -> bool:
    return Path(file).is_relative_to(PROJECT) and file != __file__ and "/.venv/" not in file


@contextmanager
def recording() -> Iterator[Recorder]:
    """Wrap the starting methods of every kind, so that the recorder hears of each start."""
    recorder = Recorder()
    originals = [(kind, kind.owner.__dict__[kind.starts]) for kind in KINDS]
    for kind, original in originals:
        setattr(kind.owner, kind.starts, _noting(recorder, kind, original))
    try:
        yield recorder
    finally:
        for kind, original in originals:
            setattr(kind.owner, kind.starts, original)


def _noting(recorder: Recorder, kind: Kind, original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def start(self: Any, *args: Any, **kwargs: Any) -> Any:
        # Noted before the start, so that nothing started is missed when the call itself fails.
        recorder.started.append(Started(kind, weakref.ref(self), where_made()))
        return original(self, *args, **kwargs)

    return start


def left_running(started: list[Started]) -> list[str]:
    """What still runs of it, in words; whatever is on its way out gets a moment."""
    found = []
    for one in started:
        thing = one.thing()
        if thing is None or not one.kind.running(thing):
            continue
        one.kind.wait(thing)
        if one.kind.running(thing):
            found.append(f"{one.kind.name} {_title(thing)}, started at {one.where}, still runs")
    return found


def top_level_widgets() -> list[QWidget]:
    """The windows there are, once what was told to be deleted is."""
    if not isinstance(QCoreApplication.instance(), QApplication):
        return []
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return [widget for widget in QApplication.topLevelWidgets() if widget.metaObject().className() not in QT_OWN]


# Qt keeps one of each for the next time; they belong to no test.
QT_OWN = frozenset({"QTipLabel", "QComboBoxPrivateContainer", "QShortcutContext"})


def left_open(before: list[QWidget], after: list[QWidget]) -> list[str]:
    """The windows that were not there before, in words."""
    known = {id(widget) for widget in before}
    return [
        f"window {_title(widget)}, a {type(widget).__module__}.{type(widget).__qualname__}, was left open"
        for widget in after
        if id(widget) not in known
    ]


def _title(thing: Any) -> str:
    if isinstance(thing, QWidget):
        return repr(thing.windowTitle() or thing.objectName())
    if isinstance(thing, QObject):
        return repr(thing.objectName() or type(thing).__name__)
    if isinstance(thing, subprocess.Popen):
        return repr(thing.args)
    return repr(thing)
