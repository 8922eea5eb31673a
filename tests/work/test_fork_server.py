"""Children are forked from a server that has imported what they need; where it cannot be, they start without it."""

from __future__ import annotations

import multiprocessing.context
import multiprocessing.util
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest

from tests.work import children
from trace_inspector.work.processes import fork_server
from trace_inspector.work.processes.child import Child

pytestmark = pytest.mark.skipif(not fork_server.HAS_SERVER, reason="there is no such server on this system")
VARIABLE = "TRACE_INSPECTOR_OF_TODAY"
LIMIT_S = 60.0


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Children wait for a server that had to be started again; who it was that a test killed is no matter."""
    monkeypatch.setattr(fork_server, "_RESTART_S", 0)


def told() -> tuple[str, str, bool]:
    child = Child(children.tell_surroundings, (VARIABLE,))
    ((variable, folder, imported),) = map(pickle.loads, child.messages())
    assert child.crash() == ""
    return variable, folder, imported


def server() -> int:
    """The number of its process."""
    number: int = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]
    return number


def test_a_child_has_imported_what_all_need_and_knows_the_folder_and_the_variables_of_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told() == ("", str(Path.cwd()), True)
    monkeypatch.setenv(VARIABLE, "tomorrow")
    monkeypatch.chdir(tmp_path)
    assert told() == ("tomorrow", str(tmp_path), True)


def test_a_server_that_was_ended_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told()[2]
    before = server()
    monkeypatch.setattr(fork_server, "_RESTART_S", 3_600)
    kill_server()
    assert told() == ("", str(Path.cwd()), False)  # this one does not wait until the new server has imported
    assert server() != before
    monkeypatch.setattr(fork_server, "_RESTART_S", 0)
    assert told()[2]


def test_children_start_without_the_server_where_there_is_no_room_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> str:
        raise OSError(36, "File name too long")

    fresh = forkserver.ForkServer()
    monkeypatch.setattr(multiprocessing.util, "get_temp_dir", nowhere)
    for name in ("ensure_running", "connect_to_new_process", "set_forkserver_preload"):
        monkeypatch.setattr(forkserver, name, getattr(fresh, name))
    fork_server.make_ready()
    assert told() == ("", str(Path.cwd()), False)


def test_whoever_stops_a_child_that_is_still_starting_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    start = fork_server.start

    def slow(*given: Any, **named: Any) -> object:
        begun.set()
        go_on.wait()
        return start(*given, **named)

    monkeypatch.setattr(fork_server, "start", slow)
    child = Child(children.wait_for_ever, ())
    thread = threading.Thread(target=lambda: list(child.messages()))
    thread.start()
    begun.wait()
    child.stop()  # would never come back
    go_on.set()
    thread.join(60)
    assert not thread.is_alive()
    assert child.crash() == ""


def test_every_child_of_many_at_once_tells_how_it_ended() -> None:
    crashes: list[str] = []

    def one(code: int) -> None:
        for _time in range(8):
            child = Child(children.leave, (code,))
            list(child.messages())
            crashes.append(child.crash())

    threads = [threading.Thread(target=one, args=(code,)) for code in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ends = {f"The background process ended unexpectedly (exit code {code}). Try again." for code in range(1, 7)}
    assert len(crashes) == 48
    assert set(crashes) == ends


def test_the_server_ends_with_the_program(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        "from multiprocessing import forkserver\n"
        "from trace_inspector.work.processes import fork_server\n"
        "if __name__ == '__main__':\n"
        "    fork_server.make_ready()\n"
        "    print(forkserver._forkserver._forkserver_pid, flush=True)\n"
        "    input()\n"
    )
    with subprocess.Popen([sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        number = int(program.stdout.readline())
        program.kill()
    deadline_s = time.monotonic() + 60
    while _runs(number) and time.monotonic() < deadline_s:
        time.sleep(0.05)
    assert not _runs(number)


def _runs(number: int) -> bool:
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_child_that_is_stopped_while_it_waits_for_the_server_starts_no_other_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = threading.Event()

    class Endless(multiprocessing.context.ForkServerProcess):
        def start(self) -> None:
            begun.set()
            while _runs(server()):
                time.sleep(0.01)
            raise EOFError

    monkeypatch.setattr(multiprocessing.context.ForkServerContext, "Process", Endless)
    child = Child(children.count, (3,))
    messages: list[bytes] = []
    thread = threading.Thread(target=lambda: messages.extend(child.messages()))
    thread.start()
    assert begun.wait(LIMIT_S)
    child.stop()
    fork_server.end()
    thread.join(LIMIT_S)
    assert (thread.is_alive(), messages, child.crash()) == (False, [], "")


def kill_server() -> None:
    """As the system does when memory runs out; returns when it is gone for everybody who asks."""
    number = server()
    os.kill(number, signal.SIGKILL)
    os.waitid(os.P_PID, number, os.WEXITED | os.WNOWAIT)


class Waiting:
    """A child that says its number and waits, with whoever walks through its messages."""

    def __init__(self) -> None:
        self.child = Child(children.say_number_and_wait, ())
        self._messages = self.child.messages()
        self.number = int(pickle.loads(next(self._messages)))
        self._thread = threading.Thread(target=lambda: list(self._messages), daemon=True)
        self._thread.start()

    def ends(self) -> bool:
        """Whether nobody waits for it any more, and it is gone."""
        self._thread.join(LIMIT_S)
        return not self._thread.is_alive() and gone(self.number)


class Payload:
    """What a child is given, put in piece by piece."""

    def __init__(self) -> None:
        self._pieces: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.put = self._pieces.put

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._pieces.get, b"")


def gone(number: int) -> bool:
    """Whether a process is gone, in time."""
    deadline_s = time.monotonic() + LIMIT_S
    while _runs(number) and time.monotonic() < deadline_s:
        time.sleep(0.01)
    return not _runs(number)


@pytest.fixture
def waiting() -> Iterator[Waiting]:
    made = Waiting()
    yield made
    with suppress(ProcessLookupError):
        os.kill(made.number, signal.SIGKILL)


def test_a_child_is_stopped_although_its_server_is_gone(waiting: Waiting) -> None:
    kill_server()
    waiting.child.stop()
    assert waiting.ends()
    assert waiting.child.crash() == ""


def test_a_child_that_is_killed_after_its_server_is_a_crash(waiting: Waiting) -> None:
    kill_server()
    os.kill(waiting.number, signal.SIGKILL)
    assert waiting.ends()
    assert waiting.child.crash() == "The background process ended unexpectedly. Try again."


def test_a_child_that_ends_well_after_its_server_is_no_crash() -> None:
    payload = Payload()
    child = Child(children.echo_at_once, (), payload)
    messages = child.messages()
    payload.put(b"before")
    assert pickle.loads(next(messages)) == b"before"
    kill_server()
    payload.put(b"after")
    payload.put(b"")
    assert [pickle.loads(message) for message in messages] == [b"after"]
    assert child.crash() == ""


def test_a_child_dies_with_its_program_although_its_server_was_gone_before(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        "import os, pickle, signal\n"
        "from multiprocessing import forkserver\n"
        "from tests.work import children\n"
        "from trace_inspector.work.processes.child import Child\n"
        "if __name__ == '__main__':\n"
        "    messages = Child(children.say_number_and_wait, ()).messages()\n"
        "    number = pickle.loads(next(messages))\n"
        "    os.kill(forkserver._forkserver._forkserver_pid, signal.SIGKILL)\n"
        "    print(number, flush=True)\n"
        "    input()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    with subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as program:
        assert program.stdout is not None
        number = int(program.stdout.readline())
        assert _runs(number)
        program.kill()
    assert gone(number)


def test_a_child_of_a_server_that_dies_before_it_says_so_takes_nothing_from_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read_signed, failed = forkserver.read_signed, list[int]()

    def once(handle: int) -> int:
        number: int = read_signed(handle)
        if not failed:
            failed.append(number)
            raise EOFError
        return number

    monkeypatch.setattr(forkserver, "read_signed", once)
    pieces = [b"a", b"b" * 1_000_000, b"c"]
    child = Child(children.echo, (), pieces)
    assert [pickle.loads(message) for message in child.messages()] == [*pieces, 3]
    assert child.crash() == ""
    assert gone(failed[0])
