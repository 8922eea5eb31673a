"""Kills the process that edits goldens again and again, and compares what is left with what was told.

`python -m tests.helpers.kill_rounds ROUNDS SEED FOLDER [aimed]` prints figures as JSON. Each round costs a
fork, not a start.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from trace_inspector.core.golden.bulk_change import AddTag
from trace_inspector.core.golden.golden_change import Answers, UserSays
from trace_inspector.documents.saving.journal import JournalWriter
from trace_inspector.flows.goldens.recovery import find_recoverable, recover
from trace_inspector.work.golden.bulk_requests import BulkHere
from trace_inspector.work.golden.requests import (
    Arrange,
    Begin,
    Change,
    EditedFileState,
    Go,
    Make,
    Request,
    Revert,
    Save,
)
from trace_inspector.work.golden.server import _GoldenServer
from trace_inspector.work.processes.child import Channel
from trace_inspector.work.processes.syncing import Syncer

CASES = 5
STEPS = 400
LONGEST_S = 0.08  # from the first request to the kill
SAVING_S = (0.0005, 0.002, 0.008)  # where it is aimed at a save, from its beginning to the kill
FILE = 1


class Figures(Struct):
    """What the rounds came to."""

    rounds: int = 0
    acknowledged: int = 0  # requests answered before the kill
    kept_in_flight: int = 0  # rounds in which the request nobody heard of was done as well
    offered: int = 0  # rounds in which the next start had edits to offer
    in_a_save: int = 0  # rounds that ended while a save was on its way
    wrong: int = 0


def suite() -> str:
    """A suite to be edited."""

    def said(text: str, role: str) -> dict[str, object]:
        return {"role": role, "parts": [{"text": text}]}

    cases = [
        {
            "eval_id": f"case {at}",
            "conversation": [
                {
                    "invocation_id": f"i{at}",
                    "user_content": said("Hello?", "user"),
                    "final_response": said("Hi.", "model"),
                }
            ],
        }
        for at in range(CASES)
    ]
    return json.dumps({"eval_set_id": "killed", "eval_cases": cases}, indent=2) + "\n"


def play(
    path: Path, seed: int, syncer: Syncer, told: Callable[[int, str], None] = lambda _step, _what: None,
    last: int = STEPS,
) -> tuple[bytes, bytes]:  # fmt: skip
    """Edit at random, the same for the same seed; `told` hears of each step before and after. What is there then."""
    _ours, theirs = multiprocessing.Pipe()
    desk = _GoldenServer(Channel(theirs), syncer)
    answer: Callable[[Request], object] = desk.do
    stand = answer(Begin(FILE, str(path), ""))
    chance = random.Random(seed)
    done = undone = 0
    for step in range(last):
        assert isinstance(stand, EditedFileState)
        asked = _request(chance, step, stand.places, done, undone)
        told(step, type(asked).__name__)
        now = answer(asked)
        assert isinstance(now, EditedFileState)
        if isinstance(asked, Go):
            done, undone = done + asked.steps, undone - asked.steps
        elif now.moved:
            done, undone = done + 1, 0
        stand = now
        told(step, "ack")
    return path.read_bytes(), desk._files[FILE].golden.session.state.document.data


def _request(chance: random.Random, step: int, places: tuple[str, ...], done: int, undone: int) -> Request:
    kind = chance.random()
    if kind < 0.15:
        return Save(FILE)
    if kind < 0.25 and done:
        return Go(FILE, -1)
    if kind < 0.3 and undone:
        return Go(FILE, 1)
    if kind < 0.33:
        return Revert(FILE)
    place = chance.choice(places)
    if kind < 0.45 and len(places) > 2:
        return Arrange(FILE, tuple(other for other in places if other != place))
    if kind < 0.5:
        return Make(FILE, BulkHere(AddTag(f"tag {step}"), places))
    turn = f"{place}/conversation/0"
    words = f"{step} " * chance.randrange(1, 60)
    return Change(FILE, ((place, (Answers(turn, words) if chance.random() < 0.5 else UserSays(turn, words),)),))


def one_round(folder: Path, seed: int, figures: Figures, *, aimed: bool = False) -> None:
    """Edit in a process of its own, kill it, at random or where it is saving, and look at what is left."""
    path, ears = folder / "killed.evalset.json", folder / "told"
    path.write_text(suite())
    os.environ["TRACE_INSPECTOR_DATA"] = str(folder / "data")
    handle = os.open(ears, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        syncer = Syncer(lambda _sentence: None)
        syncer.start()
        play(path, seed, syncer, lambda step, what: _say(handle, step, what))
        os._exit(0)
    os.close(handle)
    while (b" Save\n" if aimed else b"\n") not in ears.read_bytes():
        time.sleep(0.001)
    chance = random.Random(-seed)
    time.sleep(chance.random() * (chance.choice(SAVING_S) if aimed else LONGEST_S))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    lines = ears.read_text().splitlines()
    acks = sum(line.endswith("ack") for line in lines)
    figures.rounds += 1
    figures.acknowledged += acks
    figures.in_a_save += lines[-1].endswith("Save")
    _compare(folder, path, seed, acks, figures)


def _say(handle: int, step: int, what: str) -> None:
    os.write(handle, f"{step} {what}\n".encode())


def _compare(folder: Path, path: Path, seed: int, acks: int, figures: Figures) -> None:
    disk = path.read_bytes()
    found = find_recoverable().recoverable
    figures.offered += bool(found)
    edited = disk
    if found:
        session = recover(found[0], _unnoted)
        edited = session.state.document.data
        session.close()
    for steps in (acks, min(acks + 1, STEPS)):
        again = folder / f"again-{steps}"
        again.mkdir()
        copy = again / path.name
        copy.write_text(suite())
        os.environ["TRACE_INSPECTOR_DATA"] = str(again / "data")
        if play(copy, seed, Syncer(lambda _sentence: None), last=steps) == (disk, edited) and len(found) <= 1:
            figures.kept_in_flight += steps > acks
            return
    figures.wrong += 1
    sys.stderr.write(f"seed {seed}: {acks} acknowledged, {len(found)} offered; nothing fits what is left\n")


def _unnoted(_journal: JournalWriter) -> None:
    """Nobody waits for the disk."""


def main() -> None:
    """Rounds, a seed, a folder; “aimed” lets every other round die in a save."""
    rounds, seed, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    aims = sys.argv[4:] == ["aimed"]
    figures = Figures()
    for at in range(rounds):
        place = folder / str(at)
        place.mkdir(parents=True)
        one_round(place, seed + at, figures, aimed=aims and at % 2 == 0)
        shutil.rmtree(place)
    sys.stdout.write(json.dumps(asdict(figures)))


if __name__ == "__main__":
    main()
