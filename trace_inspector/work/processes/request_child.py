"""A child process that stays, for short requests: only the newest counts, or all are handled in order."""

from __future__ import annotations

import pickle
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from msgspec import Struct

from trace_inspector.core.errors import InspectorError
from trace_inspector.work.processes.child import Channel, Child, Failed

# Made once in the child, then called with each request; keeps there what the next request may need again.
Service: TypeAlias = Callable[[], Callable[[Any], object]]
# The same, with a channel for further messages.
StreamingService: TypeAlias = Callable[[Channel], Callable[[Any], object]]
Then: TypeAlias = Callable[["Answer"], None]
_END = b""
_ENDED = "The background process ended. Try again."
_ENDING_S = 0.5  # the longest wait for the thread of an ended child


class Answer(Struct, frozen=True):
    """The answer to a request: a value, or a sentence about the failure. `ended`: the child is gone."""

    value: object = None
    sentence: str = ""
    ended: bool = False


class Warm:
    """Starts the child with the first request, and again after a crash. Lives in the main thread.

    A newer request silences the one before. With `progressed`, for messages in between, all requests are answered.
    """

    def __init__(self, service: Service | StreamingService, progressed: Callable[[Any], None] | None = None) -> None:
        self._service = service
        self._progressed = progressed
        self._number = 0
        self._then: dict[int, Then] = {}
        self._outbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._inbox: deque[bytes | None] = deque()
        self._child: Child | None = None
        self._thread: threading.Thread | None = None
        self._died_unheard = False  # while no answer was awaited
        self._was_heard = False  # its failure was reported before it ended

    @property
    def waiting(self) -> bool:
        """Whether an answer is due."""
        return bool(self._then)

    def ask(self, request: object, then: Then) -> None:
        """Send a request; `then` gets its answer, unless a newer one silences it."""
        self._number += 1
        if self._progressed is None:
            self._then.clear()
        self._then[self._number] = then
        if self._died_unheard:  # a new child lacks the state of the one before
            if not self._inbox:
                self._inbox.append(pickle.dumps(Failed(_ENDED)))  # comes later, as all answers do
            return
        if self._child is None:
            self._start()
        self._outbox.put(pickle.dumps((self._number, request), pickle.HIGHEST_PROTOCOL))

    def drain(self, deadline_s: float | None = None) -> None:
        """Deliver messages that have arrived, within the time budget."""
        while self._inbox:
            self._take(self._inbox.popleft())
            if deadline_s is not None and time.perf_counter() > deadline_s:
                return

    def stop(self) -> threading.Thread | None:
        """End the child. Returns the thread that waits for its end, if any."""
        self._then.clear()
        self._died_unheard = False
        child, thread, self._child, self._thread = self._child, self._thread, None, None
        self._inbox.clear()
        if child is not None:
            child.stop()
        return thread

    def _take(self, message: bytes | None) -> None:
        if message is None:
            self._ended()
            return
        value = pickle.loads(message)  # pickled by our own child, over a private pipe
        match value:
            case (int() as number, Answer() as answer):
                self._deliver(number, answer)
            case Failed():
                self._died_unheard, self._was_heard = False, bool(self._then)
                self._deliver_all(Answer(sentence=value.sentence, ended=True))
            case _ if self._progressed is not None:
                self._progressed(value)

    def _start(self) -> None:
        outbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._outbox, self._inbox, self._was_heard = outbox, deque(), False
        serve = _serve_newest if self._progressed is None else _serve_all
        self._child = Child(serve, (self._service,), _pieces(outbox), lambda: outbox.put(_END))
        self._thread = threading.Thread(
            target=_listen, args=(self._child, self._inbox), name="warm child", daemon=True
        )
        self._thread.start()

    def _ended(self) -> None:
        child, thread, self._child, self._thread = self._child, self._thread, None, None
        if thread is not None:
            thread.join(_ENDING_S)
        self._inbox.clear()
        if child is not None:
            self._died_unheard = self._progressed is not None and not (self._then or self._was_heard)
            self._deliver_all(Answer(sentence=child.crash() or _ENDED, ended=True))

    def _deliver(self, number: int, answer: Answer) -> None:
        then = self._then.pop(number, None)
        if then is not None:
            then(answer)

    def _deliver_all(self, answer: Answer) -> None:
        for number in list(self._then):
            self._deliver(number, answer)


def _pieces(outbox: queue.SimpleQueue[bytes]) -> Iterator[bytes]:
    while piece := outbox.get():
        yield piece


def _listen(child: Child, inbox: deque[bytes | None]) -> None:
    try:
        inbox.extend(child.messages())
    finally:
        inbox.append(None)


def _serve_newest(channel: Channel, service: Service) -> None:
    answer = service()
    while piece := channel.newest():
        _serve(channel, answer, piece)


def _serve_all(channel: Channel, service: StreamingService) -> None:
    answer = service(channel)
    for piece in channel.incoming():
        _serve(channel, answer, piece)


def _serve(channel: Channel, answer: Callable[[Any], object], piece: bytes) -> None:
    number, request = pickle.loads(piece)
    try:
        channel.send((number, Answer(answer(request))))
    except InspectorError as problem:
        channel.send((number, Answer(sentence=str(problem))))
