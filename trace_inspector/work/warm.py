"""A child process that stays, for short requests of which only the newest counts."""

from __future__ import annotations

import pickle
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from trace_inspector.core.errors import InspectorError
from trace_inspector.work.child import Channel, Child, Failed

# Made once in the child, then called with each request; keeps there what the next request may need again.
Service: TypeAlias = Callable[[], Callable[[Any], object]]
_END = b""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a request: a value, or a sentence about why there is none."""

    value: object = None
    sentence: str = ""


class Warm:
    """Starts the child with the first request, and again after a crash. Lives in the main thread."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._number = 0
        self._then: Callable[[Answer], None] | None = None
        self._outbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._inbox: deque[bytes | None] = deque()
        self._child: Child | None = None
        self._thread: threading.Thread | None = None

    @property
    def waiting(self) -> bool:
        """Whether an answer is due."""
        return self._then is not None

    def ask(self, request: object, then: Callable[[Answer], None]) -> None:
        """Send a request; `then` gets its answer, unless another request comes first."""
        if self._child is None:
            self._start()
        self._number += 1
        self._then = then
        self._outbox.put(pickle.dumps((self._number, request)))

    def drain(self) -> None:
        """Deliver what has come."""
        while self._inbox:
            message = self._inbox.popleft()
            if message is None:
                self._ended()
                continue
            value = pickle.loads(message)  # written by our own child, over a pipe nobody else holds
            match value:
                case (int() as number, Answer() as answer) if number == self._number:
                    self._deliver(answer)
                case Failed():
                    self._deliver(Answer(sentence=value.sentence))

    def stop(self) -> None:
        """End the child and wait until it is gone."""
        self._then = None
        if self._child is not None:
            self._child.stop()
            self._ended()

    def _start(self) -> None:
        outbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._outbox, self._inbox = outbox, deque()
        self._child = Child(_serve, (self._service,), _pieces(outbox), lambda: outbox.put(_END))
        self._thread = threading.Thread(target=_listen, args=(self._child, self._inbox), name="warm child")
        self._thread.start()

    def _ended(self) -> None:
        child, thread, self._child, self._thread = self._child, self._thread, None, None
        if thread is not None:
            thread.join()
        self._inbox.clear()
        if child is not None:
            self._deliver(Answer(sentence=child.crash() or "The background process ended. Try again."))

    def _deliver(self, answer: Answer) -> None:
        then, self._then = self._then, None
        if then is not None:
            then(answer)


def _pieces(outbox: queue.SimpleQueue[bytes]) -> Iterator[bytes]:
    while piece := outbox.get():
        yield piece


def _listen(child: Child, inbox: deque[bytes | None]) -> None:
    try:
        inbox.extend(child.messages())
    finally:
        inbox.append(None)


def _serve(channel: Channel, service: Service) -> None:
    answer = service()
    while piece := channel.newest():
        number, request = pickle.loads(piece)
        try:
            channel.send((number, Answer(answer(request))))
        except InspectorError as problem:
            channel.send((number, Answer(sentence=str(problem))))
