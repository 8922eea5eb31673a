"""How fast it listens: spans in batches, then single spans, from programs of their own, while each turn is judged.

`python -m benchmarks.listening [SECONDS [SPANS_A_SECOND]]`: what was answered and recorded, how long an answer and a
verdict take, whether verdicts come later and memory grows as time goes on, and what was lost. With a rate only that.
`python -m benchmarks.listening 600 2000` is the long run.
"""

from __future__ import annotations

import http.client
import json
import multiprocessing
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from multiprocessing.queues import SimpleQueue
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.documents.protobuf.wire import length_field
from trace_inspector.documents.recording.recordings import parts
from trace_inspector.flows.live.arrivals import Arrivals
from trace_inspector.flows.live.growing import Growing
from trace_inspector.flows.live.listener import Listening
from trace_inspector.flows.live.receiver import receiver
from trace_inspector.flows.runs.evaluate_files import Request, open_given
from trace_inspector.work.live.listening import TICK_S

SPANS_OF_A_TURN, TURNS_OF_A_BATCH = 8, 64
CONNECTIONS = 4
STAMP = 19  # digits of the time in nanoseconds, which each conversation begins with
UNSENT = "0" * STAMP  # stands there until it is sent
WORDS = "The order was sent on Monday, and it arrives on Thursday. "
FIXED_64 = 1
QUIET_S = 1.0  # without news it is over
PARTS = 6  # of the verdicts, by time


class Load(Struct, frozen=True):
    """What is sent: turns in a request, and how many requests a second."""

    title: str
    turns: int
    spans: int  # of a turn
    each_second: float
    is_together: bool = True  # whether all connections send at the same moment


def in_batches(spans_a_second: int, *, is_together: bool = True) -> Load:
    """Spans at that rate, in batches of 512: each connection sends one at the same time as the others, or in turn."""
    spans = TURNS_OF_A_BATCH * SPANS_OF_A_TURN
    title = f"{spans_a_second:,} spans a second in batches of {spans}"
    return Load(title, TURNS_OF_A_BATCH, SPANS_OF_A_TURN, spans_a_second / spans, is_together)


LOADS = (
    in_batches(5000),
    Load("200 requests a second of one span", 1, 1, 200),
)


def attribute(key: str, value: str) -> bytes:
    """An attribute."""
    return length_field(1, key.encode()) + length_field(2, length_field(1, value.encode()))


def span(trace: bytes, number: int, parent: int | None, name: str, attributes: dict[str, str]) -> bytes:
    """A span of that trace, and its parent by number."""
    now = time.time_ns()
    fields = [length_field(1, trace), length_field(2, trace[:7] + bytes([number]))]
    if parent is not None:
        fields.append(length_field(4, trace[:7] + bytes([parent])))
    fields.append(length_field(5, name.encode()))
    fields += [bytes([tag << 3 | FIXED_64]) + now.to_bytes(8, "little") for tag in (7, 8)]
    fields += [length_field(9, attribute(key, value)) for key, value in attributes.items()]
    return length_field(2, b"".join(fields))


def turn(trace: bytes, conversation: str, spans: int) -> bytes:
    """The spans of a turn, the root last; of one alone, the root is the call of the model."""
    asked = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "Where is my order?"}]}])
    said = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": WORDS * 3}]}])
    model = {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.conversation.id": conversation,
        "gen_ai.input.messages": asked,
        "gen_ai.output.messages": said,
    }
    if spans == 1:
        return span(trace, 1, None, "chat m", model)
    tool = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "find_order"}
    agent = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "shop",
        "gen_ai.conversation.id": conversation,
    }
    plumbing = [span(trace, number, 2, "POST", {"http.method": "POST"}) for number in range(4, spans + 1)]
    return b"".join(
        (*plumbing, span(trace, 3, 1, "execute_tool find_order", tool), span(trace, 2, 1, "chat m", model),
         span(trace, 1, None, "invoke_agent shop", agent))
    )  # fmt: skip


def send(load: Load, port: int, seconds: float, told: SimpleQueue[dict[str, float]]) -> None:
    """Send at an even pace over some connections; what was answered, and how long that took."""
    waits: list[float] = []
    statuses: Counter[int] = Counter()
    start = time.perf_counter()
    of_each = replace(load, each_second=load.each_second / CONNECTIONS)
    apart_s = 0.0 if load.is_together else 1 / load.each_second
    threads = [
        threading.Thread(target=send_over_one, args=(of_each, port, seconds, waits, statuses, index * apart_s))
        for index in range(CONNECTIONS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    waits.sort()
    told.put(
        {
            "requests": statuses.total(),
            "answered": statuses[200],
            "seconds": time.perf_counter() - start,
            "answer_p50_ms": waits[len(waits) // 2] * 1000,
            "answer_p95_ms": waits[int(len(waits) * 0.95)] * 1000,
        }
    )


def send_over_one(
    load: Load, port: int, seconds: float, waits: list[float], statuses: Counter[int], after_s: float
) -> None:
    """One connection, which begins later by so much."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    start = time.perf_counter() + after_s
    requests = int(load.each_second * seconds)
    for number in range(requests):
        due = start + number / load.each_second
        spans = b"".join(
            turn(os.urandom(16), f"{UNSENT}-{number}-{index}", load.spans) for index in range(load.turns)
        )
        body = length_field(1, length_field(2, spans))
        time.sleep(max(0.0, due - time.perf_counter()))
        sent = time.perf_counter()
        body = body.replace(UNSENT.encode(), str(time.time_ns()).encode())
        connection.request("POST", "/v1/traces", body, {"Content-Type": "application/x-protobuf"})
        response = connection.getresponse()
        response.read()
        waits.append(time.perf_counter() - sent)
        statuses[response.status] += 1


def resident_mb(pid: int | None) -> float:
    """The memory of a process, where the system tells it."""
    try:
        lines = Path(f"/proc/{pid or 'self'}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


def golden_file(folder: Path) -> Path:
    """One case, which all conversations are runs of."""
    golden = folder / "golden.evalset.json"
    asked = {"role": "user", "parts": [{"text": "Where is my order?"}]}
    invocation = {"user_content": asked, "final_response": {"role": "model", "parts": [{"text": WORDS * 3}]}}
    golden.write_text(
        json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": "order", "conversation": [invocation]}]})
    )
    return golden


def measure(load: Load, seconds: float, folder: Path) -> None:
    """One load, and its figures."""
    golden = golden_file(folder)
    record = folder / f"{load.turns}.jsonl"
    growing = Growing(record)
    arrivals = Arrivals(growing, Request((), open_given([golden])))
    context = multiprocessing.get_context("spawn")
    told: SimpleQueue[dict[str, float]] = context.SimpleQueue()
    delays: list[float] = []
    memory: list[tuple[float, float]] = []
    with receiver(Listening(port=0, record=record)) as running:
        child = next(one for one in multiprocessing.active_children() if one.name == "receiver")
        sender = context.Process(target=send, args=(load, running.port, seconds, told))
        sender.start()
        next_look = time.monotonic() + 2
        quiet_s = time.monotonic()
        used_s = time.process_time()
        while time.monotonic() - quiet_s < QUIET_S:
            came = growing.take(time.monotonic())
            arrived = arrivals.step(time.monotonic())
            delays += [time.time() - int(arrival.trace_id[:STAMP]) / 1e9 for arrival in arrived]
            if time.monotonic() > next_look:
                memory.append((resident_mb(None), resident_mb(child.pid)))
                next_look += 2
            if came or growing.changed or sender.is_alive():
                quiet_s = time.monotonic()
            if not came and not growing.changed:
                time.sleep(TICK_S)
        used_s = time.process_time() - used_s
        figures = told.get()
        sender.join()
    recorded = sum(path.read_bytes().count(b'"startTimeUnixNano"') for path in parts(record))
    spans = figures["requests"] * load.turns * load.spans
    answered = figures["answered"] * load.turns * load.spans
    print(f"{load.title}, for {figures['seconds']:.0f} s")
    print(f"  requests {figures['requests']:.0f}, answered with 200 {figures['answered']:.0f}")
    print(f"  spans sent {spans:.0f}, recorded {recorded}, turns judged {len(delays)}")
    print(f"  answered and not recorded {answered - recorded:.0f}, recorded and not judged "
          f"{recorded // load.spans - len(delays)} turns")  # fmt: skip
    print(f"  answer p50 {figures['answer_p50_ms']:.1f} ms, p95 {figures['answer_p95_ms']:.1f} ms")
    print(f"  sent to verdict {_percentiles(delays)}")
    size = max(1, len(delays) // PARTS)
    for number in range(PARTS):
        print(f"    part {number + 1} of {PARTS}: {_percentiles(delays[number * size : (number + 1) * size])}")
    print(f"  processor time of who judges: {used_s / max(recorded, 1) * 1e6:.0f} µs a span")
    for name, index in (("who judges", 0), ("receiver", 1)):
        sizes = [pair[index] for pair in memory] or [0.0]
        print(f"  memory of {name}: {sizes[0]:.0f}, {sizes[len(sizes) // 2]:.0f} and {sizes[-1]:.0f} MB")


def _percentiles(delays: list[float]) -> str:
    ordered = sorted(delays) or [0.0]
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    return ", ".join(f"{name} {ordered[int((len(ordered) - 1) * at)] * 1000:.0f} ms" for name, at in shares.items())


def main() -> None:
    """Each load in turn."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    with tempfile.TemporaryDirectory() as folder:
        loads = [in_batches(int(sys.argv[2]))] if len(sys.argv) > 2 else LOADS
        for load in loads:
            measure(load, seconds, Path(folder))


if __name__ == "__main__":
    main()
