"""A screen without a monitor, a program on it, and somebody who presses keys."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from trace_inspector.commands.qt_probe import missing_libraries

TOOLS = ("Xvfb", "xdotool")
LOOK_AGAIN_S = 0.05
END_S = 20.0


class NotInTimeError(AssertionError):
    """The program did not do in time what was waited for."""


def why_not() -> str:
    """The reason why no real window can be tried here; "" when one can."""
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        return f"not installed: {', '.join(missing)}"
    libraries = missing_libraries({"DISPLAY"})
    return f"missing libraries: {', '.join(libraries)}" if libraries else ""


@dataclass(frozen=True, slots=True)
class Screen:
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

    def wait_for_window(self, title: str, process: subprocess.Popen[bytes], limit_s: float = 30.0) -> str:
        """The id of the window, once it is there; the program must not end before."""
        until_s = time.monotonic() + limit_s
        while time.monotonic() < until_s:
            found = self.windows(title)
            if found:
                return found[0]
            if process.poll() is not None:
                raise NotInTimeError(f"The program ended with {process.returncode} before its window was there.")
            time.sleep(LOOK_AGAIN_S)
        raise NotInTimeError(f"No window “{title}” within {limit_s:.0f} s.")

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
            ["xdotool", *arguments], env=self.environment(), capture_output=True, text=True, timeout=15, check=False
        )
        return done.stdout


@contextmanager
def screen(size: str = "1280x1024x24") -> Iterator[Screen]:
    """An X server on a display number nobody uses, for as long as the block runs."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            number = told.readline().strip()  # written once the server takes connections
        if not number:
            raise NotInTimeError("Xvfb did not start.")
        yield Screen(f":{number}")
    finally:
        server.terminate()
        server.wait(END_S)


def wait_for(what: str, there: Path, limit_s: float = 30.0) -> None:
    """Wait until a file is there and has something in it."""
    until_s = time.monotonic() + limit_s
    while not (there.is_file() and there.stat().st_size):
        if time.monotonic() > until_s:
            raise NotInTimeError(f"{what} was not there within {limit_s:.0f} s.")
        time.sleep(LOOK_AGAIN_S)


def left_of(group: int) -> list[str]:
    """The processes of a process group that still run, by their commands; needs a system with /proc."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = status.read_text(encoding="utf-8", errors="replace").rpartition(")")
        except OSError:
            continue
        state, _parent, its_group = rest.split()[:3]
        if int(its_group) == group and state != "Z":
            found.append(name.partition("(")[2])
    return found


def start(command: Sequence[str], environment: Mapping[str, str], said: Path) -> subprocess.Popen[bytes]:
    """Start a program in a process group of its own; what it says goes into a file."""
    with said.open("wb") as spoken:
        return subprocess.Popen(
            command, env=dict(environment), stdout=spoken, stderr=subprocess.STDOUT, start_new_session=True
        )
