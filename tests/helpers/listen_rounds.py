"""Kills a receiver again and again while programs send to it, and looks whether everything it answered is recorded.

`python -m tests.helpers.listen_rounds ROUNDS SEED FOLDER` prints figures as JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import asdict

from tests.helpers.raw_grpc import RawClient, message
from tests.helpers.sent_protobuf import as_protobuf
from tests.helpers.sent_spans import request, turn_spans
from trace_inspector.core.trace.trace import Span, Trace
from trace_inspector.core.values.values import JsonObject
from trace_inspector.documents.recording.recordings import parts
from trace_inspector.flows.live.listener import Listener, Listening, bound_socket, listen
from trace_inspector.flows.opening.open_file import open_file

SENDERS = 6
MOST_BYTES = 40_000  # of a part, so that some rounds are killed when the next is begun
MOST_S = 0.25


class Figures(Struct):
    """What the rounds came to."""

    rounds: int = 0
    answered: int = 0
    recorded_unanswered: int = 0
    cut_lines: int = 0
    parts: int = 0
    wrong: list[str] = field(default_factory=list)


def serve(file: Path) -> None:
    """Listen until killed."""
    listening = Listening(port=0, record=file, most_bytes=MOST_BYTES)
    with bound_socket(listening) as bound:

        async def forever(_listener: Listener) -> None:
            print(bound.getsockname()[1], flush=True)  # noqa: T201
            await asyncio.Event().wait()

        asyncio.run(listen(listening, bound, lambda _sentence: None, forever))


def send(port: int, sender: int, answered: dict[str, set[str]]) -> None:
    """Send one turn after the other until nobody answers; by sender as JSON, as protobuf, or over gRPC."""
    try:
        with contextlib.closing(_CLIENTS[sender % len(_CLIENTS)](port)) as client:
            for number in range(100_000):
                conversation = f"{sender}-{number}"
                spans = turn_spans(sender * 100_000 + number + 1, conversation, f"Number {number}?", "Yes.")
                if client.send(spans):
                    answered[conversation] = {str(span["spanId"]) for span in spans}
    except (OSError, http.client.HTTPException):
        return  # it was killed


class _OverHttp:
    media = "application/json"

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=240)

    def send(self, spans: list[JsonObject]) -> bool:
        """Whether it was answered that the spans are there."""
        self._connection.request("POST", "/v1/traces", self._body(spans), {"Content-Type": self.media})
        response = self._connection.getresponse()
        response.read()
        return response.status == 200

    def close(self) -> None:
        self._connection.close()

    def _body(self, spans: list[JsonObject]) -> bytes:
        return request(spans)


class _AsProtobuf(_OverHttp):
    media = "application/x-protobuf"

    def _body(self, spans: list[JsonObject]) -> bytes:
        return as_protobuf(spans)


class _OverGrpc:
    def __init__(self, port: int) -> None:
        self._client = RawClient(port)

    def send(self, spans: list[JsonObject]) -> bool:
        """Whether it was answered that the spans are there."""
        number = self._client.begin(message(as_protobuf(spans)), ends=True)
        return self._client.status(number).get("grpc-status") == "0"

    def close(self) -> None:
        self._client.socket.close()


_CLIENTS: tuple[type[_OverHttp | _OverGrpc], ...] = (_OverHttp, _AsProtobuf, _OverGrpc)


def one_round(folder: Path, number: int, chance: random.Random, figures: Figures) -> None:
    """Kill it at a random moment, and read what is there."""
    file = folder / f"{number}.jsonl"
    command = [sys.executable, "-m", "tests.helpers.listen_rounds", "serve", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        of_each: list[dict[str, set[str]]] = [{} for _ in range(SENDERS)]
        senders = [threading.Thread(target=send, args=(port, at, answered)) for at, answered in enumerate(of_each)]
        for sender in senders:
            sender.start()
        threading.Event().wait(chance.random() * MOST_S)
        process.kill()
        for sender in senders:
            sender.join()
    answered = {name: ids for each in of_each for name, ids in each.items()}
    seen: list[str] = []
    shown = Counter[
        tuple[str, str]
    ]()  # each span, by the conversation that shows it and its id, which tells its trace
    for path in parts(file):
        figures.parts += 1
        data = path.read_bytes()
        figures.cut_lines += bool(data) and not data.endswith(b"\n")
        if data:
            traces = open_file(path).contents.traces
            seen += [trace.id for trace in traces]
            shown.update((trace.id, span.id) for trace in traces for span in _spans_of(trace))
    figures.rounds += 1
    figures.answered += len(answered)
    figures.recorded_unanswered += len(set(seen) - answered.keys())
    if missing := {(name, span_id) for name, ids in answered.items() for span_id in ids} - shown.keys():
        figures.wrong.append(f"round {number}: {len(missing)} spans that were answered are not in the view")
    if len(seen) != len(set(seen)) or max(shown.values(), default=1) > 1:
        figures.wrong.append(f"round {number}: some are shown twice")


def _spans_of(trace: Trace) -> Iterator[Span]:
    yield from trace.spans
    for turn in trace.turns:
        yield from turn.spans


def main(rounds: int, seed: int, folder: Path) -> None:
    """Print the figures."""
    figures, chance = Figures(), random.Random(seed)
    for number in range(rounds):
        one_round(folder, number, chance, figures)
    print(json.dumps(asdict(figures)))  # noqa: T201


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(Path(sys.argv[2]))
    else:
        main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
