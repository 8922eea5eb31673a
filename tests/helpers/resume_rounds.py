"""Kills a judged run again and again at random moments, goes on with it, and compares what was asked and what came.

`python -m tests.helpers.resume_rounds ROUNDS SEED FOLDER` prints figures as JSON. A round is a run that is killed
once or twice, and one that goes on to the end.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict

from tests.helpers.judge_server import Says, model_server
from tests.helpers.resuming import IN_FLIGHT, judged_files, outcome, start

CASES, TURNS = 15, 2
SURE_S = 0.1  # a reply that was sent so long before the kill must have been kept
YES = '{"reasoning": "the same", "is_the_agent_response_valid": "valid"}'


class Figures(Struct):
    """What the rounds came to."""

    rounds: int = 0
    kills: int = 0
    kills_before_the_first_question: int = 0
    kills_after_the_end: int = 0
    done_before: int = 0  # cases that were done when a run went on
    asked_again: int = 0  # questions that were in flight, or whose reply had come just then
    wrong: list[str] = field(default_factory=list)


class Judge(Struct):
    """Answers each question after a while, and remembers when each reply was on its way."""

    chance: random.Random
    sent_s: dict[str, float] = field(default_factory=dict)  # when all of the first reply was sent
    lock: threading.Lock = field(default_factory=threading.Lock)
    began: threading.Event = field(default_factory=threading.Event)

    def says(self, _prompt: str, _number: int) -> Says:
        self.began.set()
        with self.lock:
            wait_s = self.chance.random() * 0.05
        time.sleep(wait_s)
        return YES

    def sent(self, prompt: str) -> None:
        self.sent_s.setdefault(prompt, time.monotonic())


def rounds(count: int, seed: int, folder: Path) -> Figures:
    """Run so many rounds."""
    figures = Figures()
    expected = _undisturbed(folder)
    for number in range(count):
        place = folder / str(number)
        os.environ["TRACE_INSPECTOR_DATA"] = str(place / "data")
        _round(place, folder / "files", random.Random(seed + number), expected, figures)
        figures.rounds += 1
        shutil.rmtree(place)
    return figures


def _undisturbed(folder: Path) -> dict[str, Any]:
    os.environ["TRACE_INSPECTOR_DATA"] = str(folder / "undisturbed")
    with model_server(lambda _prompt, _number: YES) as server:
        return outcome(start(judged_files(folder / "files", CASES, TURNS), server.url)).run


def _round(place: Path, files: Path, chance: random.Random, expected: dict[str, Any], figures: Figures) -> None:
    arguments = judged_files(files, CASES, TURNS)
    judge = Judge(random.Random(chance.random()))
    with model_server(judge.says, judge.sent) as server:
        kills = chance.choice((1, 1, 2))
        for kill in range(kills):
            judge.began.clear()
            process = start([*arguments, "--resume"] if kill else arguments, server.url)
            if chance.random() < 0.9:
                judge.began.wait(10)
            time.sleep(chance.random() * 0.6)
            figures.kills_after_the_end += process.poll() is not None
            process.kill()
            killed_s = time.monotonic()
            process.communicate(timeout=60)
            figures.kills += 1
            figures.kills_before_the_first_question += not server.prompts
            early_s = {prompt: killed_s - sent_s for prompt, sent_s in judge.sent_s.items()}
            asked = len(server.prompts)
            rows = _rows(place)
        resumed = outcome(start([*arguments, "--resume"], server.url))
        again = server.prompts[asked:]
    wrong = [
        f"asked again, though its reply was sent {early_s[prompt]:.3f} s before the kill"
        for prompt in again
        if early_s.get(prompt, 0.0) > SURE_S
    ]
    if resumed.code != 0 or resumed.run != expected:
        wrong.append(f"another end, code {resumed.code}: {resumed.err}")
    twice = asked + len(again) - len({*server.prompts})
    if twice > kills * IN_FLIGHT:
        wrong.append(f"{twice} were asked twice")
    if lost := rows - _rows(place):
        wrong.append(f"{len(lost)} verdicts were lost")
    figures.done_before += len(rows)
    figures.asked_again += twice
    figures.wrong += wrong


def _rows(place: Path) -> set[tuple[int, bytes]]:
    """The verdicts in the ledger, by number and key."""
    path = place / "data" / "ledger.db"
    if not path.exists():
        return set()
    with closing(sqlite3.connect(path)) as ledger:
        try:
            return {(number, key) for number, key in ledger.execute("SELECT number, key FROM verdict")}
        except sqlite3.OperationalError:  # killed before it had a table
            return set()


def main() -> None:
    """Rounds, a seed, a folder."""
    count, seed, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    sys.stdout.write(json.dumps(asdict(rounds(count, seed, folder))))


if __name__ == "__main__":
    main()
