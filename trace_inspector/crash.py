"""When the program itself fails: a report of types and places, never of what the traces say.

One file in the data folder takes the reports of every running window and, from inside the interpreter, the stacks
of a hard crash. It is opened for appending, so that the next start can read and empty it while others still write.
"""

from __future__ import annotations

import faulthandler
import os
import platform
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO

from msgspec import Struct, field

from trace_inspector.private_files import make_folder, open_private
from trace_inspector.version import __version__

FILE_NAME = "crash.txt"
SHOWN_CHARS = 64_000
MAX_REPORTS = 20  # of one process: a failing paint event fails sixty times a second
MAX_CHAIN = 10


def take_earlier(folder: Path) -> str:
    """What earlier runs left in the report, which is emptied; "" when nothing failed."""
    file = folder / FILE_NAME
    try:
        with open_private(file, "r+") as reports:
            text = reports.read(SHOWN_CHARS)
            reports.truncate(0)
    except OSError:
        return ""
    return text.strip()


def report(error: BaseException, last_records: Sequence[str] = ()) -> str:
    """Versions, the types of the chain of errors and where they were raised, and the last log records."""
    lines = [_versions()]
    for cause in _chain(error):
        lines.append(f"{type(cause).__module__}.{type(cause).__qualname__}")
        lines.extend(f"  {_short(frame.filename)}:{frame.lineno} in {frame.name}" for frame in _frames(cause))
    if last_records:
        lines.append("last records:")
        lines.extend(f"  {record}" for record in last_records)
    return "\n".join(lines) + "\n"


def unseen() -> str:
    """The report on an end that left no trace in this program: killed from outside, or the machine stopped."""
    return f"{_versions()}\nIt ended without a word: most likely it was killed, or the computer stopped.\n"


def keep(error: BaseException, folder: Path) -> Path:
    """Add a report of an error to the file in that folder, for the next start of the window to show."""
    file = folder / FILE_NAME
    with open_private(file, "a") as reports:
        reports.write(report(error) + "\n")
    return file


@contextmanager
def guarded(folder: Path, last_records: Callable[[], Sequence[str]], notify: Callable[[str], None]) -> Iterator[None]:
    """Write a report of whatever nobody caught, and hand it to `notify` on the thread that failed."""
    with _appended(folder) as file:
        keeper = _Keeper(file, last_records, notify)
        hooks = (sys.excepthook, threading.excepthook)
        was_enabled = faulthandler.is_enabled()
        faulthandler.enable(file)
        sys.excepthook = keeper.take
        threading.excepthook = keeper.take_from_thread
        try:
            yield
        finally:
            sys.excepthook, threading.excepthook = hooks
            faulthandler.disable()
            if was_enabled and sys.__stderr__:
                faulthandler.enable(sys.__stderr__)


def _appended(folder: Path) -> IO[str]:
    """The file for reports; where it cannot be written, they are only told while the window runs."""
    try:
        return open_private(make_folder(folder) / FILE_NAME, "a")
    except OSError:
        return Path(os.devnull).open("a", encoding="utf-8")


class _Keeper(Struct):
    """The two hooks, with where they write and how often they did."""

    file: IO[str]
    last_records: Callable[[], Sequence[str]]
    notify: Callable[[str], None]
    reports: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """For sys.excepthook."""
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        with self.lock:
            self.reports += 1
            if self.reports > MAX_REPORTS:
                return
            text = report(error.with_traceback(trace), self.last_records())
            self.file.write(text + "\n")
            self.file.flush()
        self.notify(text)

    def take_from_thread(self, failed: threading.ExceptHookArgs) -> None:
        """For threading.excepthook."""
        if failed.exc_value is not None and not issubclass(failed.exc_type, SystemExit):
            self.take(failed.exc_type, failed.exc_value, failed.exc_traceback)


def _versions() -> str:
    return f"Trace Inspector {__version__}, Python {platform.python_version()}, {platform.system()}"


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    for _ in range(MAX_CHAIN):
        if current is None:
            return
        yield current
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)


def _frames(error: BaseException) -> traceback.StackSummary:
    return traceback.StackSummary.extract(traceback.walk_tb(error.__traceback__), limit=40, lookup_lines=False)


def _short(filename: str) -> str:
    # The folders above the package say who uses the program and where; nobody needs that in a report.
    return "/".join(Path(filename).parts[-3:])
