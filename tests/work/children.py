"""What children do in these tests: top-level functions, so that a spawned process finds them by name."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from trace_inspector.core.errors import ReadError, Stopped
from trace_inspector.work.processes.child import Channel, Progress


def count(channel: Channel, last: int) -> None:
    """Send numbers, each as progress and as a message."""
    for number in range(1, last + 1):
        channel.send(Progress(number, last, f"{number} of {last}"))
        channel.send(number)


def tell_priority(channel: Channel) -> None:
    """Send by how much others go before."""
    channel.send(os.getpriority(os.PRIO_PROCESS, 0))


def send_objects(channel: Channel, count: int) -> None:
    """One message of many objects."""
    channel.send([[number] for number in range(count)])


def echo(channel: Channel) -> None:
    """Send back what comes in, and how often."""
    pieces = list(channel.incoming())
    for piece in pieces:
        channel.send(piece)
    channel.send(len(pieces))


def echo_at_once(channel: Channel) -> None:
    """Send back each piece as it comes in."""
    for piece in channel.incoming():
        channel.send(piece)


def say_number_and_wait(channel: Channel) -> None:
    """Say which process this is, then wait."""
    channel.send(os.getpid())
    signal.pause()


def shout_before_listening(channel: Channel, size: int) -> None:
    """Fill the pipe in one direction while the other side fills it in the other."""
    channel.send(b"x" * size)
    channel.send(sum(len(piece) for piece in channel.incoming()))


def refuse(channel: Channel) -> None:
    """Fail with a sentence."""
    channel.send("before")
    raise ReadError("This is no JSON.", path="a.json", line=3, column=4)


def break_down(_channel: Channel) -> None:
    """Fail without one."""
    words = "a word of a trace"
    raise KeyError(words)


def run_out_of_memory(_channel: Channel) -> None:
    """What a huge file can do."""
    raise MemoryError


def give_up(_channel: Channel) -> None:
    """Somebody pressed Stop."""
    raise Stopped


def leave(channel: Channel, code: int) -> None:
    """End without a word."""
    channel.send("before")
    os._exit(code)


def be_killed(_channel: Channel, number: int) -> None:
    """As the system does when memory runs out, or when a library crashes."""
    os.kill(os.getpid(), number)


def wait_for_ever(channel: Channel) -> None:
    """Say that it waits, then wait."""
    channel.send("waiting")
    signal.pause()


def hold_open(_channel: Channel, path: str) -> None:
    """Hold a named pipe open, with a process of its own that holds it too, until both are gone."""
    with Path(path).open("wb"):
        subprocess.Popen([sys.executable, "-c", "import signal; print('held', flush=True); signal.pause()"],
                         stdout=os.open(path, os.O_WRONLY)).wait()  # fmt: skip


def say_number_and_hold_open(channel: Channel, path: str) -> None:
    """The same, and say first which process this is."""
    channel.send(os.getpid())
    hold_open(channel, path)


class Doubler:
    """A service that remembers how often it was asked."""

    def __init__(self) -> None:
        self._asked = 0

    def __call__(self, number: int) -> tuple[int, int]:
        if number < 0:
            raise ReadError("There is nothing below zero.")
        if number == 13:
            os._exit(3)
        self._asked += 1
        return number * 2, self._asked


def start_and_wait(function_name: str, arguments: Sequence[object]) -> None:
    """A parent of its own, to be killed: starts a child and waits for it."""
    from trace_inspector.work.processes.child import Child

    for _message in Child(globals()[function_name], arguments).messages():
        pass


def tell_surroundings(channel: Channel, variable: str) -> None:
    """Say what this process is: a variable, its folder, and whether it had to import what all need."""
    channel.send((os.environ.get(variable, ""), str(Path.cwd()), "trace_inspector.work.preloaded" in sys.modules))


def tell_niceness(channel: Channel) -> None:
    """How far it lets others go first."""
    channel.send(os.getpriority(os.PRIO_PROCESS, 0))
