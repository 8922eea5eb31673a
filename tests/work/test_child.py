from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.work import children
from trace_inspector.work.processes.child import AS_THE_WINDOW, GIVING_WAY, Child, Failed

posix = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs POSIX signals and pipes")


def said(function: Callable[..., None], *arguments: object, payload: Sequence[bytes] = ()) -> tuple[list[Any], str]:
    """All messages of a child, and how it says that it crashed."""
    child = Child(function, arguments, payload)
    return [pickle.loads(message) for message in child.messages()], child.crash()


def test_messages_come_in_order() -> None:
    messages, crash = said(children.count, 3)
    assert [message for message in messages if isinstance(message, int)] == [1, 2, 3]
    assert crash == ""


def test_the_payload_arrives_whole() -> None:
    pieces = [b"a", b"b" * 1_000_000, b"c"]
    assert said(children.echo, payload=pieces)[0] == [*pieces, 3]


def test_both_sides_may_send_at_once() -> None:
    size = 4_000_000
    messages, _crash = said(children.shout_before_listening, size, payload=[b"y" * size])
    assert messages == [b"x" * size, size]


@posix
def test_who_gives_way_has_a_lower_priority_still() -> None:
    usual, *others = (
        next(iter(map(pickle.loads, child.messages())))
        for child in (
            Child(children.tell_priority, ()),
            Child(children.tell_priority, (), niceness=AS_THE_WINDOW),
            Child(children.tell_priority, (), niceness=GIVING_WAY),
        )
    )
    assert others[0] < usual < others[1]


def test_a_failure_with_a_sentence_keeps_it() -> None:
    assert said(children.refuse) == (["before", Failed("a.json:3:4: This is no JSON.")], "")


def test_a_mistake_of_ours_is_a_sentence_with_details_apart() -> None:
    ((failed,), crash) = said(children.break_down)
    assert failed.sentence == "Something broke inside (KeyError)."
    assert "break_down" in failed.details
    assert crash == ""


def test_a_lack_of_memory_is_a_sentence() -> None:
    ((failed,), _crash) = said(children.run_out_of_memory)
    assert "not enough memory" in failed.sentence


def test_stopped_is_no_failure() -> None:
    assert said(children.give_up) == ([], "")


def test_an_unexpected_exit_is_a_sentence() -> None:
    messages, crash = said(children.leave, 7)
    assert messages == ["before"]
    assert crash == "The background process ended unexpectedly (exit code 7). Try again."


@posix
@pytest.mark.parametrize(("number", "words"), [(signal.SIGKILL, "memory ran out"), (signal.SIGSEGV, "signal 11")])
def test_a_killed_child_is_a_sentence(number: int, words: str) -> None:
    messages, crash = said(children.be_killed, number)
    assert messages == []
    assert words in crash


@posix
def test_a_stopped_child_is_gone_and_no_crash() -> None:
    child = Child(children.wait_for_ever, ())
    messages = child.messages()
    assert pickle.loads(next(messages)) == "waiting"
    child.stop()
    assert list(messages) == []
    assert child.crash() == ""


def test_a_child_stopped_before_its_start_never_starts() -> None:
    child = Child(children.leave, (7,))
    child.stop()
    assert list(child.messages()) == []
    assert child.crash() == ""


@posix
def test_a_child_lets_the_window_go_first() -> None:
    ((niceness,), _crash) = said(children.tell_niceness)
    assert niceness > os.getpriority(os.PRIO_PROCESS, 0)


@posix
def test_a_stopped_child_takes_its_own_children_with_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    child = Child(children.hold_open, (str(pipe),))
    waiting = threading.Thread(target=lambda: list(child.messages()))
    waiting.start()
    with pipe.open("rb") as held:
        assert held.readline() == b"held\n"
        child.stop()
        assert held.read() == b""  # the end of the pipe: nobody holds it any more
    waiting.join()


@posix
def test_a_child_that_is_killed_from_outside_leaves_nothing_running_that_it_started(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    child = Child(children.say_number_and_hold_open, (str(pipe),))
    messages = child.messages()
    number = pickle.loads(next(messages))
    with pipe.open("rb") as held:
        assert held.readline() == b"held\n"
        os.kill(number, signal.SIGKILL)
        assert list(messages) == []
        assert held.read() == b""
    assert "memory ran out" in child.crash()


@posix
def test_a_child_dies_with_its_parent_and_takes_its_own_children_with_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    code = f"from tests.work.children import start_and_wait\nstart_and_wait('hold_open', [{str(pipe)!r}])"
    script = tmp_path / "parent.py"
    script.write_text(f"if __name__ == '__main__':\n    {code.replace(chr(10), chr(10) + '    ')}\n", "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    with subprocess.Popen([sys.executable, str(script)], env=environment) as parent, pipe.open("rb") as held:
        assert held.readline() == b"held\n"
        parent.kill()
        assert held.read() == b""
