"""A screen without a monitor, a program on it, and somebody who presses keys."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct

from tests.helpers.traps import lay_traps
from trace_inspector.commands.window.qt_probe import missing_libraries

TOOLS = ("Xvfb", "xdotool")
LOOK_AGAIN_S = 0.05
END_S = 60.0
GRACE_S = 20.0
REPORT_TITLE = "Save report"


class NotInTimeError(AssertionError):
    """The program did not do in time what was waited for."""


def why_not() -> str:
    """The reason why no real window can be tried here; "" when one can."""
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        return f"not installed: {', '.join(missing)}"
    libraries = missing_libraries({"DISPLAY"})
    return f"missing libraries: {', '.join(libraries)}" if libraries else ""


class Screen(Struct, frozen=True):
    """An X server of our own: nobody's desktop is touched."""

    display: str

    def environment(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """For programs that open a window here."""
        kept = {
            name: value for name, value in os.environ.items() if name not in ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
        }
        return {**kept, "DISPLAY": self.display, **(extra or {})}

    def windows(self, title: str) -> list[str]:
        """The ids of the visible windows whose title has these words."""
        return self._tool("search", "--onlyvisible", "--name", title).split()

    def title(self, window: str) -> str:
        """The title of a window."""
        return self._tool("getwindowname", window).strip()

    def focus(self, window: str) -> None:
        """Give a window the keyboard; without a window manager nobody else does."""
        self._tool("windowfocus", "--sync", window)

    def press(self, *keys: str) -> None:
        """Press keys by name: "F5", "ctrl+q"."""
        self._tool("key", "--clearmodifiers", *keys)

    def write(self, text: str) -> None:
        """Press the keys of a text."""
        self._tool("type", "--delay", "20", text)

    def _tool(self, *arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments], env=self.environment(), capture_output=True, text=True, timeout=240, check=False
        )
        return done.stdout


@contextmanager
def screen(size: str = "1280x1024x24") -> Iterator[Screen]:
    """An X server for as long as the block runs, on a display of our own number.

    Servers that choose the lowest free number can end up on the socket of one that is just ending.
    """
    display = f":{1_000 + os.getpid() % 60_000}"
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", display, "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", "-noreset"],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            if not told.readline().strip():  # written once the server takes connections
                raise NotInTimeError(f"Xvfb did not start on {display}.")
        yield Screen(display)
    finally:
        server.terminate()
        server.wait(END_S)


class Program(Struct, frozen=True):
    """A program that runs on a screen, and what it says."""

    process: subprocess.Popen[bytes]
    shown: Screen
    spoken: Path
    mark: Path  # is there when it ran something of the folder that it was started in

    def wait_for_window(self, title: str, limit_s: float = 60.0) -> str:
        """The id of the window, once it is there; the program must not end before."""

        def there() -> bool:
            if self.process.poll() is not None:
                raise NotInTimeError(f"The program ended with {self.process.returncode}: {self.said()}")
            return bool(self.shown.windows(title))

        if not wait_until(there, limit_s):
            raise NotInTimeError(f"No window “{title}” within {limit_s:.0f} s. {self.said()}")
        return self.shown.windows(title)[0]

    def evaluate_and_save(self, window: str, report: Path) -> None:
        """Press F5, then ask the palette for a report until there is a verdict to report, and save it.

        The files may still be on their way, and a second F5 begins anew: so each time there is more patience. On a
        busy machine keys can be pressed before the dialog is there that they are meant for: then it is asked again.
        """
        was_asked = False
        for patience_s in (1, 2, 4, 8, 16, 32):
            if self._evaluated_within(patience_s):
                was_asked = True
                if self._saved(report):
                    self.shown.focus(window)
                    return
        problem = "No report was saved" if was_asked else "There was nothing to report"
        raise NotInTimeError(f"{problem}. {self.said()}")

    def _saved(self, report: Path) -> bool:
        for dialog in self.shown.windows(REPORT_TITLE)[:1]:
            self.shown.focus(dialog)
            self.shown.press("ctrl+a")
            self.shown.write(str(report))
            self.shown.press("Return")
        return wait_until(lambda: report.is_file() and bool(report.stat().st_size), END_S)

    def _evaluated_within(self, patience_s: float) -> bool:
        self.shown.press("F5")
        until_s = time.monotonic() + patience_s
        while time.monotonic() < until_s:
            self.shown.press("ctrl+shift+p")
            self.shown.write("save report")
            self.shown.press("Return")
            # Not Escape when nothing came: with the palette gone that would stop the evaluation.
            if wait_until(lambda: bool(self.shown.windows(REPORT_TITLE)), 1.0):
                return True
        return False

    def end(self) -> int:
        """Its exit code, once it has ended of itself."""
        return self.process.wait(END_S)

    def left(self) -> list[str]:
        """What it left running, after a moment for helpers that end with it; needs a system with /proc."""
        wait_until(lambda: not running_in(self.process.pid), GRACE_S)
        return list(running_in(self.process.pid).values())

    def said(self) -> str:
        """Its output so far, and its reports of faults."""
        told = (self.spoken, *self.spoken.parent.glob("data/crash.txt"))
        return "".join(file.read_text(encoding="utf-8", errors="replace") for file in told)


@contextmanager
def program(
    command: Sequence[str], shown: Screen, folder: Path, variables: Mapping[str, str] | None = None
) -> Iterator[Program]:
    """Start a program in a session of its own, with all it keeps under `folder`; afterwards nothing runs.

    It starts in a folder that a stranger filled.
    """
    strange = folder / "from a stranger"
    mark = lay_traps(strange)
    own = {
        "TRACE_INSPECTOR_DATA": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "PYTHONFAULTHANDLER": "1",  # for a crash while Python ends
        **(variables or {}),
    }
    spoken = folder / "said.txt"
    with spoken.open("wb") as out:
        process = subprocess.Popen(
            command,
            cwd=strange,
            env=shown.environment(own),
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield Program(process, shown, spoken, mark)
    finally:
        for number in (*running_in(process.pid), process.pid):  # each child has a group of its own
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
        process.wait(END_S)


def wait_until(there: Callable[[], bool], limit_s: float) -> bool:
    """Look until it is there; false when it was not in time."""
    until_s = time.monotonic() + limit_s
    while not there():
        if time.monotonic() > until_s:
            return False
        time.sleep(LOOK_AGAIN_S)
    return True


def running_in(session: int) -> dict[int, str]:
    """The processes of a session that still run, by number, with their names."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = status.read_text(encoding="utf-8", errors="replace").rpartition(")")
        except OSError:
            continue  # it ended while we looked
        state, _parent, _group, its_session = rest.split()[:4]
        if int(its_session) == session and state != "Z":
            found[int(status.parent.name)] = name.partition("(")[2]
    return found
