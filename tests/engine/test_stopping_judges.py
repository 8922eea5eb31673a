"""A judged run stops when told to, wherever it is, and Ctrl+C comes at any moment."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.engine.test_thousand_judged import items
from tests.helpers.campaigns import is_long
from tests.helpers.judge_server import Fault, model_server
from tests.helpers.raw_server import RawServer, raw_server
from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.engine.judges.backends.backend import Backend, CallFailed
from trace_inspector.engine.judges.backends.openai import OpenAIBackend
from trace_inspector.engine.judges.call_limits import Patience, Use
from trace_inspector.engine.judges.live import LiveJudge, Quota, with_retries
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.running.live_runner import run_live
from trace_inspector.engine.scoring.metric import MODEL, Ask, Reply

VALID = '{"reasoning": "r", "is_the_agent_response_valid": "valid"}'
PATIENT = Patience(first_s=1000.0, longest_s=1000.0, call_s=1000.0)


class Pressed:
    """A judge during whose n-th call Ctrl+C is pressed."""

    in_flight = 4

    def __init__(self, nth: int) -> None:
        self.left = nth

    async def ask(self, question: Ask, nth: int = 0) -> Reply:
        del question, nth
        await asyncio.sleep(0)
        self.left -= 1
        if not self.left:
            signal.raise_signal(signal.SIGINT)
        await asyncio.sleep(0)
        return Reply(VALID)

    async def close(self) -> None:
        """Nothing to let go of."""


@pytest.mark.parametrize("nth", range(1, 80, 3 if is_long() else 9))
def test_ctrl_c_at_any_moment_is_an_interrupt_and_nothing_else(nth: int) -> None:
    done = []
    before = signal.getsignal(signal.SIGINT)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with pytest.raises(KeyboardInterrupt):
            done += [
                verdict for _at, verdict in run_live(items(lambda _c, _t: "x")[:8], METRICS, lambda: Pressed(nth))
            ]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert all(verdict.metrics[0].score == 1.0 for verdict in done)


def stopped(backend: Backend, reached: threading.Event) -> list[tuple[int, CaseVerdict]]:
    """What a run brings that is stopped once a moment is reached; it hangs if stopping has to wait for anything."""
    use = Use(in_flight=4, patience=PATIENT)
    return list(
        run_live(items(lambda _c, _t: "x")[:8], METRICS, lambda: LiveJudge({MODEL: backend}, use), reached.is_set)
    )


def test_stopping_between_two_tries(backend_at: Callable[[str], Backend]) -> None:
    refused = threading.Event()

    def says(_prompt: str, number: int) -> Fault:
        if number >= 3:
            refused.set()
        return Fault(503)

    with model_server(says) as server:
        assert stopped(backend_at(server.url), refused) == []
    assert len(server.prompts) == 4


@pytest.mark.parametrize("steps", range(8))
def test_a_call_that_is_cancelled_in_the_moment_of_its_refusal_makes_no_further_try(steps: int) -> None:
    tries = []

    async def refused() -> None:
        tries.append(1)
        await asyncio.sleep(0)
        raise CallFailed("not now", again=True)

    async def cancelled_after() -> None:
        call = asyncio.create_task(with_retries(refused, PATIENT, Quota().pause))
        for _ in range(steps):
            await asyncio.sleep(0)
        call.cancel()
        done, _waits = await asyncio.wait([call], timeout=60)
        assert done == {call}
        assert call.cancelled()

    asyncio.run(cancelled_after())
    assert len(tries) <= 1


def silent(server: RawServer) -> Iterator[bytes]:
    server.let_go.wait(200)
    yield b""


def dribbling(server: RawServer) -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    while not server.let_go.wait(0.01):
        yield b"1\r\n \r\n"


@pytest.mark.parametrize("says", [silent, dribbling])
def test_stopping_while_a_reply_is_waited_for(
    says: Callable[[RawServer], Iterator[bytes]], backend_at: Callable[[str], Backend]
) -> None:
    with raw_server(says) as server:
        assert stopped(backend_at(server.url), server.asked) == []


def test_stopping_while_a_connection_is_made(backend_at: Callable[[str], Backend]) -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        try:
            for one in waiting:  # as many as the system keeps: whoever comes now is not let in
                one.settimeout(0)
                one.connect_ex(address)
            looked = iter(range(3))
            told = threading.Event()

            def after_a_while() -> bool:
                if next(looked, None) is None:
                    told.set()
                return told.is_set()

            use = Use(in_flight=4, patience=PATIENT)
            backend = backend_at(f"http://127.0.0.1:{address[1]}")
            work = items(lambda _c, _t: "x")[:8]
            assert list(run_live(work, METRICS, lambda: LiveJudge({MODEL: backend}, use), after_a_while)) == []
        finally:
            for one in waiting:
                one.close()


def test_stopping_while_a_host_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    looking, let_go = threading.Event(), threading.Event()
    threads: list[threading.Thread] = []

    def hangs(*_asked: Any, **_how: Any) -> Any:
        threads.append(threading.current_thread())
        looking.set()
        let_go.wait(200)
        raise socket.gaierror("nobody knows")

    monkeypatch.setattr(socket, "getaddrinfo", hangs)
    try:
        assert stopped(OpenAIBackend({"OPENAI_BASE_URL": "http://model.example"}, 1000.0), looking) == []
        assert all(thread.daemon for thread in threads)  # nor does the end of the program wait for them
    finally:
        let_go.set()
        for thread in threads:
            thread.join()
