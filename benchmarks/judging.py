"""How fast a live judge is asked: against a stand-in that takes a while for each reply, beside a bare client."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from benchmarks.measure import table
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import Trace, Turn
from trace_inspector.core.values.values import JsonObject
from trace_inspector.engine.criteria.case_verdict import Frame
from trace_inspector.engine.judges.backends.openai import OpenAIBackend
from trace_inspector.engine.judges.call_limits import Use
from trace_inspector.engine.judges.live import LiveJudge
from trace_inspector.engine.metrics import METRICS
from trace_inspector.engine.running.live_runner import run_live
from trace_inspector.engine.running.runner import WorkItem
from trace_inspector.engine.scoring.metric import MODEL
from trace_inspector.store.database import database
from trace_inspector.store.judge_calls import StoredCalls

IN_FLIGHT = 32
CASES, TURNS = 160, 10
RUNS = 3
_TWELVE = "stock shelf article store counted pieces red blue Leeds Graz Monday twelve"
ANSWER = " ".join([_TWELVE] * 5)
REPLY = '{"reasoning": "the same pieces", "is_the_agent_response_valid": "valid"}'


def main() -> None:
    """Rates at two latencies, and how long stopping takes."""
    lines = [("latency", "ideal", "bare client", "judged", "of ideal", "of the bare client", "processor time a call")]
    for latency_ms in (250, 50):
        ideal = IN_FLIGHT / (latency_ms / 1000)
        with stand_in(latency_ms) as url:
            rates = [(_bare(url), _judged(url)) for _ in range(RUNS)]
        bare, judged = (statistics.median(pace.rate for pace in column) for column in zip(*rates, strict=True))
        bare_ms, judged_ms = (min(pace.processor_ms for pace in column) for column in zip(*rates, strict=True))
        shares = f"{judged / ideal:.1%}", f"{judged / bare:.1%}"
        processor = f"{judged_ms:.2f} ms, the bare client’s {bare_ms:.2f} ms"
        lines.append((f"{latency_ms} ms", f"{ideal:.0f}/s", f"{bare:.0f}/s", f"{judged:.0f}/s", *shares, processor))
    table(f"{CASES * TURNS:,} judged turns, {IN_FLIGHT} in flight, median of {RUNS}", lines)
    with stand_in(250) as url:
        stops = [_stopping_ms(url) for _ in range(RUNS)]
    table(
        "Ctrl+C in the middle of a run, replies taking 250 ms",
        [("until nothing runs any more", f"{max(stops):.0f} ms at most of {RUNS}")],
    )


class _Pace(Struct, frozen=True):
    """Calls a second, and the processor time that each took here."""

    rate: float
    processor_ms: float


class _Watch:
    """Measures a pace from when it is made."""

    def __init__(self) -> None:
        self._began_s, self._used_s = time.perf_counter(), time.process_time()

    def pace(self) -> _Pace:
        """So far, for all calls of a run."""
        calls = CASES * TURNS
        took_s, used_s = time.perf_counter() - self._began_s, time.process_time() - self._used_s
        return _Pace(calls / took_s, used_s / calls * 1000)


def _judged(url: str) -> _Pace:
    """Judged turns, with every reply kept in a database."""
    items = [_item(case) for case in range(CASES)]
    with tempfile.TemporaryDirectory() as folder, database(Path(folder)) as store:
        backend = OpenAIBackend({"OPENAI_BASE_URL": f"{url}/v1"}, 30)
        watch = _Watch()
        cache = StoredCalls(store)
        judged = list(run_live(items, METRICS, lambda: LiveJudge({MODEL: backend}, Use("m", IN_FLIGHT), cache)))
        pace = watch.pace()
    if len(judged) != CASES or any(verdict.metrics[0].score != 1.0 for _at, verdict in judged):
        raise RuntimeError("the run is not complete")
    return pace


def _bare(url: str) -> _Pace:
    """Replies when nothing is done but asking, in the quickest way: a client for each call in flight."""

    async def ask_all() -> _Pace:
        import httpx2

        free = asyncio.Semaphore(IN_FLIGHT)
        body = {"model": "m", "messages": [{"role": "user", "content": " ".join([ANSWER] * 3)}]}
        trusted = httpx2.create_ssl_context()
        idle = [httpx2.AsyncClient(timeout=30, verify=trusted) for _ in range(IN_FLIGHT)]

        async def ask() -> None:
            async with free:
                client = idle.pop()
                (await client.post(f"{url}/v1/chat/completions", json=body)).json()
                idle.append(client)

        watch = _Watch()
        await asyncio.gather(*(ask() for _ in range(CASES * TURNS)))
        pace = watch.pace()
        for client in idle:
            await client.aclose()
        return pace

    return asyncio.run(ask_all())


def _stopping_ms(url: str) -> float:
    """How long a run takes to end once it is interrupted, everything in flight."""
    items = [_item(case) for case in range(CASES)]
    backend = OpenAIBackend({"OPENAI_BASE_URL": f"{url}/v1"}, 30)
    live = run_live(items, METRICS, lambda: LiveJudge({MODEL: backend}, Use("m", IN_FLIGHT)))
    next(live)
    signal.setitimer(signal.ITIMER_REAL, 0.1)
    sent: list[float] = []

    def interrupt(_number: int, _frame: object) -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for _verdict in live:
            pass
    except KeyboardInterrupt:
        return (time.perf_counter() - sent[0]) * 1000
    finally:
        signal.signal(signal.SIGALRM, before)
    raise RuntimeError("the run was over before it could be stopped")


def _item(case: int) -> WorkItem:
    turns = tuple(
        Turn(
            at,
            user=(Text(f"How many pieces are there in store {case}, shelf {at}?"),),
            final_response=(Text(ANSWER),),
        )
        for at in range(TURNS)
    )
    options: JsonObject = {"judge_model_options": {"num_samples": 1}}
    criterion = Criterion("final_response_match_v2", 0.8, options)
    return WorkItem(Case(f"case {case}", turns=turns), Trace(f"trace {case}", turns), (criterion,), Frame())


@contextmanager
def stand_in(latency_ms: int) -> Iterator[str]:
    """A model in a process of its own that replies after a while, to any number of calls at once."""
    command = [sys.executable, "-m", "benchmarks.judging", str(latency_ms)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            if process.stdout is None:
                raise RuntimeError("the stand-in says nothing")
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
        finally:
            process.kill()


async def _serve(latency_s: float) -> None:
    choice = {"message": {"role": "assistant", "content": REPLY}, "finish_reason": "stop"}
    body = json.dumps({"choices": [choice], "usage": {"prompt_tokens": 200, "completion_tokens": 20}}).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()

    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                sent = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(sent.split(b"content-length:")[1].split(b"\r\n")[0])
                await reader.readexactly(length)
                await asyncio.sleep(latency_s)
                writer.write(head + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(reply, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(_serve(int(sys.argv[1]) / 1000))
    else:
        main()
