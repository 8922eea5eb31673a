"""Kills a receiver again and again while programs send to it, and looks whether everything it answered is recorded.

`python -m tests.helpers.listen_rounds ROUNDS SEED FOLDER` prints figures as JSON.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import random
import subprocess
import sys
import threading
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import asdict

from tests.helpers.sent_spans import request, turn_spans
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


def send(port: int, sender: int, answered: set[str]) -> None:
    """Send one turn after the other until nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=240)
    try:
        for number in range(100_000):
            conversation = f"{sender}-{number}"
            body = request(turn_spans(sender * 100_000 + number + 1, conversation, f"Number {number}?", "Yes."))
            connection.request("POST", "/v1/traces", body, {"Content-Type": "application/json"})
            if connection.getresponse().read() == b"{}":
                answered.add(conversation)
    except (OSError, http.client.HTTPException):
        return  # it was killed
    finally:
        connection.close()


def one_round(folder: Path, number: int, chance: random.Random, figures: Figures) -> None:
    """Kill it at a random moment, and read what is there."""
    file = folder / f"{number}.jsonl"
    command = [sys.executable, "-m", "tests.helpers.listen_rounds", "serve", str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        sets: list[set[str]] = [set() for _ in range(SENDERS)]
        senders = [threading.Thread(target=send, args=(port, at, answered)) for at, answered in enumerate(sets)]
        for sender in senders:
            sender.start()
        threading.Event().wait(chance.random() * MOST_S)
        process.kill()
        for sender in senders:
            sender.join()
    answered = set[str]().union(*sets)
    seen: list[str] = []
    for path in parts(file):
        figures.parts += 1
        data = path.read_bytes()
        figures.cut_lines += bool(data) and not data.endswith(b"\n")
        if data:
            seen += [trace.id for trace in open_file(path).contents.traces]
    figures.rounds += 1
    figures.answered += len(answered)
    figures.recorded_unanswered += len(set(seen) - answered)
    if missing := answered - set(seen):
        figures.wrong.append(f"round {number}: {len(missing)} of {len(answered)} are not in the recording")
    if len(seen) != len(set(seen)):
        figures.wrong.append(f"round {number}: some are shown twice")


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
