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
from collections.abc import Mapping, Sequence
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
    sent_s: dict[str, float] = field(default_factory=dict)  # when all of a reply was sent
    open: int = 0
    changed: threading.Condition = field(default_factory=threading.Condition)
    began: threading.Event = field(default_factory=threading.Event)

    def says(self, _prompt: str, _number: int) -> Says:
        self.began.set()
        with self.changed:
            self.open += 1
            wait_s = self.chance.random() * 0.05
        time.sleep(wait_s)
        return YES

    def sent(self, prompt: str) -> None:
        with self.changed:
            self.sent_s[prompt] = time.monotonic()
            self.open -= 1
            self.changed.notify_all()

    def sent_before(self, moment_s: float) -> dict[str, float]:
        """The replies to a process that was killed then, by seconds before; the next process begins anew.

        What a killed process had asked is answered first: such a reply reaches nobody, and is none to the next one.
        """
        with self.changed:
            if not self.changed.wait_for(lambda: self.open == 0, 60):
                raise TimeoutError
            found = {prompt: moment_s - sent_s for prompt, sent_s in self.sent_s.items()}
            self.sent_s = {}
        return found


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
        asked = 0
        sure: dict[str, float] = {}  # replies that must have been kept, by seconds before the kill
        wrong: list[str] = []
        rows: set[tuple[int, bytes]] = set()
        for kill in range(kills):
            judge.began.clear()
            process = start([*arguments, "--resume"] if kill else arguments, server.url)
            if chance.random() < 0.9:
                judge.began.wait(10)
            time.sleep(chance.random() * 0.6)
            figures.kills_after_the_end += process.poll() is not None
            process.kill()
            killed_s = time.monotonic()
            process.communicate(timeout=240)
            figures.kills += 1
            figures.kills_before_the_first_question += not server.prompts
            early_s = judge.sent_before(killed_s)
            wrong += _asked_again(server.prompts[asked:], sure)
            asked = len(server.prompts)
            sure |= {prompt: before_s for prompt, before_s in early_s.items() if before_s > SURE_S}
            rows |= _rows(place)
        resumed = outcome(start([*arguments, "--resume"], server.url))
        wrong += _asked_again(server.prompts[asked:], sure)
    if resumed.code != 0 or resumed.run != expected:
        wrong.append(f"another end, code {resumed.code}: {resumed.err}")
    twice = len(server.prompts) - len({*server.prompts})
    if twice > kills * IN_FLIGHT:
        wrong.append(f"{twice} were asked twice")
    if lost := rows - _rows(place):
        wrong.append(f"{len(lost)} verdicts were lost")
    figures.done_before += len(rows)
    figures.asked_again += twice
    figures.wrong += wrong


def _asked_again(asked: Sequence[str], sure: Mapping[str, float]) -> list[str]:
    told = "asked again, though its reply was sent {:.3f} s before the kill"
    return [told.format(sure[prompt]) for prompt in asked if prompt in sure]


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
