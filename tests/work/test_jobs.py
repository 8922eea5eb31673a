from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.work import children
from trace_inspector.work.processes.jobs import BUDGET_S, Job, Jobs, JobState
from trace_inspector.work.processes.request_child import Answer

WAIT_MS = 60_000


@dataclass
class Heard:
    """What a job told."""

    messages: list[object] = field(default_factory=list)
    ends: list[Job] = field(default_factory=list)


class Said:
    """A source of a few messages."""

    def __init__(self, *messages: object) -> None:
        self._messages = messages

    def messages(self) -> Iterator[object]:
        yield from self._messages

    def stop(self) -> None:
        """It has ended."""

    def crash(self) -> str:
        return ""


class Busy(Said):
    """One whose messages each take a whole helping, and of which there is always another one."""

    def __init__(self) -> None:
        super().__init__()
        self._taken = threading.Semaphore(2)
        self._over = False

    def messages(self) -> Iterator[object]:
        while not self._over:
            self._taken.acquire()
            yield "more"

    def take(self, _message: object) -> None:
        """Hold the main thread until the time for deliveries is over."""
        self._taken.release()
        until_s = time.perf_counter() + 2 * BUDGET_S
        while time.perf_counter() < until_s:
            pass

    def stop(self) -> None:
        self._over = True
        self._taken.release()


@pytest.fixture
def jobs(qapp: QApplication) -> Iterator[Jobs]:
    made = Jobs(qapp)
    yield made
    made.stop_all()
    made.deleteLater()


@pytest.fixture
def start(jobs: Jobs) -> Callable[..., Heard]:
    def starting(
        function: Callable[..., None], *arguments: object, kind: str = "test", latest: bool = False
    ) -> Heard:
        heard = Heard()
        jobs.start(
            kind, "Testing", function, arguments,
            receive=heard.messages.append, end=heard.ends.append, latest=latest,
        )  # fmt: skip
        return heard

    return starting


def test_a_job_delivers_in_order_and_ends(qtbot: QtBot, jobs: Jobs, start: Callable[..., Heard]) -> None:
    heard = start(children.count, 200)
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=WAIT_MS)
    assert heard.messages == list(range(1, 201))
    (job,) = heard.ends
    assert (job.state, job.fraction, job.note, job.sentence) == (JobState.DONE, 1.0, "200 of 200", "")
    assert not jobs.busy
    assert jobs.jobs == (job,)


def test_what_is_delivered_is_kept_from_the_collector(qtbot: QtBot, start: Callable[..., Heard]) -> None:
    heard = start(children.send_objects, 1_000)
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=WAIT_MS)
    assert heard.messages[0] == [[number] for number in range(1_000)]
    assert not [thing for thing in gc.get_objects() if thing is heard.messages[0]]


def test_a_failure_ends_the_job_with_its_sentence(qtbot: QtBot, start: Callable[..., Heard]) -> None:
    heard = start(children.refuse)
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=WAIT_MS)
    assert heard.messages == ["before"]
    assert (heard.ends[0].state, heard.ends[0].sentence) == (JobState.FAILED, "a.json:3:4: This is no JSON.")


def test_a_mistake_of_ours_is_logged_without_what_the_exception_says(
    qtbot: QtBot, start: Callable[..., Heard], caplog: pytest.LogCaptureFixture
) -> None:
    heard = start(children.break_down)
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=WAIT_MS)
    assert heard.ends[0].sentence == "Something broke inside (KeyError)."
    assert "break_down" in caplog.text
    assert "a word of a trace" not in caplog.text


def test_a_crash_ends_the_job_with_a_sentence(qtbot: QtBot, start: Callable[..., Heard]) -> None:
    heard = start(children.leave, 7)
    qtbot.waitUntil(lambda: bool(heard.ends), timeout=WAIT_MS)
    assert (heard.ends[0].state, heard.ends[0].sentence) == (
        JobState.FAILED,
        "The background process ended unexpectedly (exit code 7). Try again.",
    )


def test_stop_ends_a_job_at_once_and_drops_the_rest(qtbot: QtBot, jobs: Jobs, start: Callable[..., Heard]) -> None:
    heard = start(children.wait_for_ever)
    qtbot.waitUntil(lambda: heard.messages == ["waiting"], timeout=WAIT_MS)
    jobs.stop(jobs.jobs[0].number)
    assert [job.state for job in heard.ends] == [JobState.STOPPED]
    assert not jobs.busy


def test_a_job_that_never_pauses_leaves_the_others_their_turn(qtbot: QtBot, jobs: Jobs) -> None:
    busy, quiet = Busy(), list[object]()
    jobs.follow("busy", "Never pauses", busy, receive=busy.take, end=lambda _job: None)
    jobs.follow("quiet", "Says one word", Said("word"), receive=quiet.append, end=lambda _job: None)
    qtbot.waitUntil(lambda: bool(quiet), timeout=WAIT_MS)
    busy.stop()


def test_stopping_what_does_not_run_does_nothing(jobs: Jobs) -> None:
    jobs.stop(7)
    assert jobs.jobs == ()


def test_only_the_newest_of_its_kind_delivers(qtbot: QtBot, jobs: Jobs, start: Callable[..., Heard]) -> None:
    old = start(children.wait_for_ever, latest=True)
    other = start(children.count, 1, kind="other")
    new = start(children.count, 3, latest=True)
    qtbot.waitUntil(lambda: bool(new.ends and other.ends), timeout=WAIT_MS)
    assert (old.messages, old.ends) == ([], [])
    assert (other.messages, new.messages) == ([1], [1, 2, 3])
    assert sorted(job.state.value for job in jobs.jobs) == ["done", "done", "stopped"]


def test_stop_all_leaves_no_thread(qtbot: QtBot, jobs: Jobs, start: Callable[..., Heard]) -> None:
    before = threading.active_count()
    heard = [start(children.wait_for_ever), start(children.count, 100_000)]
    qtbot.waitUntil(lambda: heard[0].messages == ["waiting"], timeout=WAIT_MS)
    answers: list[Answer] = []
    jobs.ask(children.Doubler, 1, answers.append)
    jobs.stop_all()
    assert threading.active_count() == before
    assert not jobs.busy


class Deaf(Said):
    """A source that does not end when it is told to, as one that waits for a sleeping drive."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()

    def messages(self) -> Iterator[object]:
        yield "begun"
        self.go_on.wait()


def test_a_job_that_does_not_end_is_not_waited_for(
    qtbot: QtBot, jobs: Jobs, caplog: pytest.LogCaptureFixture
) -> None:
    source, heard, returned = Deaf(), list[object](), threading.Event()
    jobs.follow("deaf", "Does not end", source, receive=heard.append, end=lambda _job: None)
    qtbot.waitUntil(lambda: heard == ["begun"], timeout=WAIT_MS)

    def let_go_late() -> None:
        if not returned.wait(WAIT_MS / 1000):
            source.go_on.set()

    rescue = threading.Thread(target=let_go_late)
    rescue.start()
    jobs.stop_all()
    assert not source.go_on.is_set(), "it was waited for until it ended"
    assert "does not end, and is not waited for" in caplog.text
    caplog.clear()
    returned.set()
    source.go_on.set()
    rescue.join()


def ask(qtbot: QtBot, jobs: Jobs, number: int) -> Answer:
    answers: list[Answer] = []
    jobs.ask(children.Doubler, number, answers.append)
    qtbot.waitUntil(lambda: bool(answers), timeout=WAIT_MS)
    (answer,) = answers
    return answer


def test_short_requests_are_answered_by_a_child_that_stays(qtbot: QtBot, jobs: Jobs) -> None:
    assert ask(qtbot, jobs, 4) == Answer((8, 1))
    assert ask(qtbot, jobs, 5) == Answer((10, 2))


def test_a_short_request_that_cannot_be_answered_gets_a_sentence(qtbot: QtBot, jobs: Jobs) -> None:
    assert ask(qtbot, jobs, -1) == Answer(sentence="There is nothing below zero.")
    assert ask(qtbot, jobs, 5) == Answer((10, 1))


def test_after_a_crash_the_next_request_starts_a_new_child(qtbot: QtBot, jobs: Jobs) -> None:
    assert "exit code 3" in ask(qtbot, jobs, 13).sentence
    assert ask(qtbot, jobs, 5) == Answer((10, 1))


def test_what_is_outdated_is_given_up_with_its_child(qtbot: QtBot, jobs: Jobs) -> None:
    assert ask(qtbot, jobs, 4) == Answer((8, 1))
    before = threading.active_count()
    outdated: list[Answer] = []
    jobs.ask(children.Doubler, 5, outdated.append)
    jobs.forget(children.Doubler)
    qtbot.waitUntil(lambda: threading.active_count() < before, timeout=WAIT_MS)
    assert ask(qtbot, jobs, 6) == Answer((12, 1))  # the first request of another child
    assert outdated == []
    jobs.forget(children.Doubler)
    jobs.forget(children.Doubler)


def test_only_the_newest_of_several_requests_is_answered(qtbot: QtBot, jobs: Jobs) -> None:
    old: list[Answer] = []
    for number in range(20):
        jobs.ask(children.Doubler, number, old.append)
    assert ask(qtbot, jobs, 50).value in {(100, asked) for asked in range(1, 22)}
    assert old == []
