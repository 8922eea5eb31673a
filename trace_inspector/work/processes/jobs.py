"""Numbered jobs in child processes, with their messages brought to the main thread in small helpings."""

from __future__ import annotations

import enum
import gc
import pickle
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from trace_inspector import log
from trace_inspector.work.processes import fork_server
from trace_inspector.work.processes.child import Child, Failed, Progress
from trace_inspector.work.processes.request_child import Service, StreamingService, Then, Warm

_log = log.logger("jobs")

DRAIN_MS = 50
BACKLOG_MS = 4  # until the next batch when more messages are waiting or expected
YOUNG_S = 0.3  # the messages of a job this young are looked for more often: most come at once
BUDGET_S = 0.008
SOON_S = 0.3  # a stopped job normally ends within it
LEAVING_S = 0.7  # the longest wait for jobs when the window closes
_KEPT_JOBS = 50


class JobState(enum.Enum):
    """The state of a job."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class Job(Struct, frozen=True):
    """A snapshot of one job. `fraction` and `left_s` are None while unknown."""

    number: int
    kind: str
    title: str
    state: JobState = JobState.RUNNING
    fraction: float | None = None
    note: str = ""
    left_s: float | None = None
    sentence: str = ""


class Source(Protocol):
    """Where the messages of a job come from. It is walked through in a thread of its own, which it may only block."""

    def messages(self) -> Iterator[object]:
        """What the job says, pickled where it comes from another process; `bytes` are always that."""

    def stop(self) -> None:
        """End soon; called from another thread."""

    def crash(self) -> str:
        """A sentence about how it failed; empty otherwise."""


class _Running(Struct):
    job: Job
    source: Source
    thread: threading.Thread
    inbox: deque[object]
    receive: Callable[[Any], None]
    end: Callable[[Job], None]
    started_s: float


class Jobs(QObject):
    """Starts, watches and stops jobs. Lives in the main thread; a job's messages are delivered there."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._running: dict[int, _Running] = {}
        self._finished: deque[Job] = deque(maxlen=_KEPT_JOBS)
        self._leaving: list[threading.Thread] = []
        self._warm: dict[Service | StreamingService, Warm] = {}
        self._last = 0
        self._served = 0  # the job whose turn it was last: with one that never pauses, the others get theirs too
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._drain)

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Running jobs, oldest first, then those that ended lately, newest first."""
        return (*(running.job for running in self._running.values()), *reversed(self._finished))

    @property
    def busy(self) -> bool:
        """Whether anything runs."""
        return bool(self._running)

    def start(
        self,
        kind: str,
        title: str,
        function: Callable[..., None],
        arguments: Sequence[object] = (),
        *,
        payload: Iterable[bytes] = (),
        receive: Callable[[Any], None],
        end: Callable[[Job], None],
        latest: bool = False,
    ) -> int:
        """Run `function(channel, *arguments)` in a child. With `latest`, older jobs of that kind fall silent."""
        if latest:
            for number in [running.job.number for running in self._running.values() if running.job.kind == kind]:
                self._finish(self._running[number], JobState.STOPPED)
        return self.follow(kind, title, Child(function, arguments, payload), receive=receive, end=end)

    def follow(
        self, kind: str, title: str, source: Source, *, receive: Callable[[Any], None], end: Callable[[Job], None]
    ) -> int:
        """A job whose messages come from that source."""
        self._last += 1
        inbox = deque[object]()
        name = f"job {self._last}: {kind}"
        thread = threading.Thread(target=_supervise, args=(source, inbox), name=name, daemon=True)
        job = Job(self._last, kind, title)
        self._running[job.number] = _Running(job, source, thread, inbox, receive, end, time.monotonic())
        thread.start()
        self._timer.start(BACKLOG_MS)
        self.changed.emit()
        return job.number

    def ask(self, service: Service, request: object, then: Then) -> None:
        """A short request to a child that stays; `then` gets its answer unless a newer one comes before."""
        self._warm.setdefault(service, Warm(service)).ask(request, then)
        self._timer.start(BACKLOG_MS)

    def order(
        self, service: StreamingService, request: object, then: Then, progressed: Callable[[Any], None]
    ) -> None:
        """A request to a child that handles all requests in order; `progressed` gets messages in between."""
        self._warm.setdefault(service, Warm(service, progressed)).ask(request, then)
        self._timer.start(BACKLOG_MS)

    def forget(self, service: Service | StreamingService) -> None:
        """End the child of a service; what it was asked is not answered. The next request starts another one."""
        warm = self._warm.pop(service, None)
        thread = warm.stop() if warm is not None else None
        self._leaving += [thread] if thread is not None else []

    def stop(self, number: int) -> None:
        """End a job now; undelivered messages are dropped, and its `end` is called with STOPPED."""
        running = self._running.get(number)
        if running is not None:
            self._finish(running, JobState.STOPPED)
            running.end(self._finished[-1])

    def stop_all(self) -> None:
        """End every job and wait, for a limited time, for their threads and processes. For quitting."""
        for running in list(self._running.values()):
            self._finish(running, JobState.STOPPED)
        self._leaving += [thread for warm in self._warm.values() if (thread := warm.stop()) is not None]
        if not _ended(self._leaving, SOON_S):
            fork_server.end()  # some may wait until it has imported
            if not _ended(self._leaving, LEAVING_S):
                _log.warning("A job does not end, and is not waited for.")
        self._leaving.clear()
        self._timer.stop()

    def _drain(self) -> None:
        deadline_s = time.perf_counter() + BUDGET_S
        waiting = deque(sorted(self._running.values(), key=lambda running: running.job.number <= self._served))
        answered = delivered = False
        while waiting and time.perf_counter() < deadline_s:
            running = waiting.popleft()
            if running.inbox and running.job.number in self._running:
                self._served = running.job.number
                answered = self._deliver(running, running.inbox.popleft()) or answered
                delivered = True
                waiting.append(running)
        if delivered:
            _settle()
        if answered:
            self.changed.emit()
        for warm in list(self._warm.values()):
            warm.drain(deadline_s)
        self._leaving = [thread for thread in self._leaving if thread.is_alive()]
        asked = any(warm.waiting for warm in self._warm.values())
        young_s = time.monotonic() - YOUNG_S
        if asked or any(running.inbox or running.started_s > young_s for running in self._running.values()):
            self._timer.start(BACKLOG_MS)
        elif self._running:
            self._timer.start(DRAIN_MS)

    def _deliver(self, running: _Running, message: object) -> bool:
        """Hand on one message; true when the list of jobs looks different now."""
        if message is None:
            crash = running.source.crash()
            self._finish(running, JobState.FAILED if crash else JobState.DONE, crash)
            running.end(self._finished[-1])
            return True
        # Pickled by our own child, over a private pipe.
        value = pickle.loads(message) if isinstance(message, bytes) else message
        match value:
            case Progress():
                running.job = _with_progress(running, value)
                return True
            case Failed():
                if value.details:
                    _log.error("%s\n%s", value.sentence, value.details)
                self._finish(running, JobState.FAILED, value.sentence)
                running.end(self._finished[-1])
                return True
            case _:
                running.receive(value)
                return False

    def _finish(self, running: _Running, state: JobState, sentence: str = "") -> None:
        del self._running[running.job.number]
        if state is JobState.STOPPED:
            running.source.stop()
        running.inbox.clear()
        fraction = 1.0 if state is JobState.DONE else running.job.fraction
        job = replace(running.job, state=state, fraction=fraction, sentence=sentence, left_s=None)
        self._finished.append(job)
        self._leaving.append(running.thread)
        self.changed.emit()


def _ended(threads: Iterable[threading.Thread], within_s: float) -> bool:
    """Whether all of them have ended, by then at the latest."""
    until_s = time.monotonic() + within_s
    for thread in threads:
        thread.join(max(0.0, until_s - time.monotonic()))
    return not any(thread.is_alive() for thread in threads)


def _settle() -> None:
    """What children deliver stays: out of the collector's sight, which would walk through all of it every time."""
    gc.collect(1)  # the young alone: a full collection is what must not happen here
    gc.freeze()


def _supervise(source: Source, inbox: deque[object]) -> None:
    """Only waits, for a pipe or a disk: a thread that computes would take the interpreter from the main thread."""
    try:
        inbox.extend(source.messages())
    except OSError as problem:
        sentence = (
            f"A background process could not be started: {problem.strerror}. Close other programs and try again."
        )
        inbox.append(pickle.dumps(Failed(sentence)))
    finally:
        inbox.append(None)


def _with_progress(running: _Running, progress: Progress) -> Job:
    if progress.total <= 0:
        return replace(running.job, note=progress.note)
    fraction = min(1.0, progress.done / progress.total)
    elapsed_s = time.monotonic() - running.started_s
    left_s = elapsed_s * (1 - fraction) / fraction if fraction > 0.02 and elapsed_s > 1 else None
    return replace(running.job, fraction=fraction, left_s=left_s, note=progress.note)
