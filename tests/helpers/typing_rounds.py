"""Types into a real window, kills it at a random moment, and compares what the next start finds with what was typed.

`python -m tests.helpers.typing_rounds ROUNDS SEED FOLDER` prints figures as JSON. Each round is a window of its own,
forked when everything is imported; its children come from one server.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from multiprocessing import forkserver
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import asdict

from tests.helpers.typing_window import JSON, SAVE, WORDS, run, script
from tests.models.test_goldens import eval_set
from trace_inspector.documents.saving.journal import JournalWriter
from trace_inspector.flows.goldens.recovery import find_recoverable, recover
from trace_inspector.work.processes import fork_server

START_S, END_S = 60.0, 30.0
LONGEST_S = 2.0  # from the first key to the kill
MOST_AGE_S = 0.5  # what was typed longer ago must be there
STEADY, BURST = 10.0, (40.0, 80.0)  # keys a second
SAVE_EVERY = 20  # keys of a burst
PAUSED, PAUSE_S = 0.5, 0.3  # of the saves: nobody types until all is said to be saved, and a moment longer
SAVING_S = 10.0
SETTLED = 0.3  # of the rounds: the kill waits until the journal has all, and nothing may be lost


class Figures(Struct):
    """What the rounds came to."""

    rounds: int = 0
    not_started: int = 0  # windows that a busy machine did not show in time
    keys: int = 0
    bursts: int = 0
    of_json: int = 0  # rounds with text that is not finished
    offered: int = 0  # rounds in which the next start has something to recover
    saved: int = 0  # rounds in which the status bar said that all was saved
    lost: list[int] = field(default_factory=list)  # keys, by round
    ages_s: list[float] = field(default_factory=list)  # of the oldest key that was lost, by round
    lags_s: list[float] = field(default_factory=list)  # from each key to the journal, and
    waits_s: list[float] = field(default_factory=list)  # of that, until it stands in its field
    late: list[str] = field(default_factory=list)  # rounds in which a key is lost that was pressed too long before
    wrong: list[str] = field(default_factory=list)


class _Round(Struct):
    folder: Path
    seed: int
    name: str = WORDS
    rate: float = STEADY
    sent_s: list[float] = field(default_factory=list)
    killed_s: float = 0.0

    @property
    def path(self) -> Path:
        return self.folder / "killed.evalset.json"

    @property
    def report(self) -> Path:
        return self.folder / "report"


def one_round(folder: Path, seed: int, figures: Figures) -> None:
    """A window, keys, a kill, and the next start."""
    chance = random.Random(seed)
    this = _Round(folder, seed, JSON if chance.random() < 0.25 else WORDS)
    if chance.random() < 0.4:
        this.rate = chance.uniform(*BURST)
    eval_set(this.path, "Graz", "Linz")
    this.report.touch()
    os.environ["TRACE_INSPECTOR_DATA"] = str(folder / "data")
    reading, writing = os.pipe()
    window = os.fork()
    if window == 0:
        os.close(writing)
        _window(this, reading)
    os.close(reading)
    try:
        if not _is_ready(this.report):
            figures.not_started += 1
            return
        _type(this, writing, chance)
        if chance.random() < SETTLED:
            _wait_for_journal(this)
        this.killed_s = time.monotonic()
    finally:
        os.kill(window, signal.SIGKILL)
        os.waitpid(window, 0)
        os.close(writing)
    _compare(this, figures)


def _window(this: _Round, keys: int) -> None:
    """In the process of the window, whose children come from the server of the process before it."""
    report = os.open(this.report, os.O_WRONLY | os.O_APPEND)
    vars(forkserver)["_forkserver"].ensure_running = lambda: None
    try:
        run(this.path, this.folder / "state", this.name, keys, report)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def _is_ready(report: Path) -> bool:
    """Whether the window says in time that it is ready."""
    until_s = time.monotonic() + START_S
    while not report.stat().st_size:
        if time.monotonic() > until_s:
            return False
        time.sleep(0.01)
    return True


def _type(this: _Round, keys: int, chance: random.Random) -> None:
    until_s = time.monotonic() + chance.random() * LONGEST_S
    next_s = time.monotonic()
    while next_s < until_s:
        time.sleep(max(0.0, next_s - time.monotonic()))
        at = len(this.sent_s)
        if this.rate != STEADY and at and at % SAVE_EVERY == 0:
            os.write(keys, SAVE.encode())
            if chance.random() < PAUSED:
                begun_s = time.monotonic()
                _wait_for_save(this)
                time.sleep(chance.random() * PAUSE_S)
                next_s = time.monotonic()
                until_s += next_s - begun_s
        this.sent_s.append(time.monotonic())
        os.write(keys, script(this.name, at + 1)[at:].encode())
        next_s += 1 / this.rate
    time.sleep(max(0.0, until_s - time.monotonic()))


def _wait_for_save(this: _Round) -> None:
    """Until the status bar says that all is saved; on a busy machine only for a while."""
    until_s = time.monotonic() + SAVING_S
    while max(_lengths(_said(this), "saved"), default=0) < len(this.sent_s) and time.monotonic() < until_s:
        time.sleep(0.01)


def _wait_for_journal(this: _Round) -> None:
    until_s = time.monotonic() + END_S
    while max(_lengths(_said(this), "journal"), default=0) < len(this.sent_s):
        if time.monotonic() > until_s:
            raise RuntimeError(f"seed {this.seed}: what was typed does not get into the journal")
        time.sleep(0.01)


def _said(this: _Round) -> list[list[str]]:
    return [line.split() for line in this.report.read_text().splitlines(keepends=True) if line.endswith("\n")]


def _lengths(said: list[list[str]], what: str) -> list[int]:
    return [int(words[1]) for words in said if words[0] == what]


def _compare(this: _Round, figures: Figures) -> None:
    said = _said(this)
    typed = len(this.sent_s)
    on_disk = _says(this.path.read_bytes(), this.name)
    kept, offered, problem = _kept(this, on_disk)
    figures.rounds += 1
    figures.keys += typed
    figures.bursts += this.rate != STEADY
    figures.of_json += this.name == JSON
    figures.offered += offered
    figures.saved += bool(_lengths(said, "saved"))
    figures.lags_s += _lags(this, said, "journal")
    figures.waits_s += _lags(this, said, "field")
    lost = typed - len(kept)
    age_s = this.killed_s - this.sent_s[len(kept)] if lost > 0 else 0.0
    figures.lost.append(lost)
    figures.ages_s.append(age_s)
    name = f"seed {this.seed}, {this.name}, {this.rate:.0f} keys/s"
    figures.wrong += [f"{name}: {each}" for each in (problem, *_problems(this, said, kept, on_disk)) if each]
    if age_s > MOST_AGE_S:
        figures.late.append(f"{name}: a key is lost that was pressed {age_s:.2f} s before")


def _problems(this: _Round, said: list[list[str]], kept: str, on_disk: str) -> Iterator[str]:
    saved = max(_lengths(said, "saved"), default=0)
    journalled = max(_lengths(said, "journal"), default=0)
    if kept != script(this.name, len(kept)) or len(kept) > len(this.sent_s):
        yield f"what is kept was never typed: {kept[-40:]!r}"
    if on_disk != script(this.name, len(on_disk)):
        yield f"what is on disk was never typed: {on_disk[-40:]!r}"
    if len(on_disk) < saved:
        yield f"{saved} characters were said to be saved, {len(on_disk)} are in the file"
    if len(kept) < journalled:
        yield f"{journalled} characters were in the journal, {len(kept)} are found"


def _lags(this: _Round, said: list[list[str]], what: str) -> Iterator[float]:
    """Of each key, how long until that had it first."""
    known = 0
    for words in said:
        if words[0] == what:
            length, at_s = int(words[1]), float(words[2])
            for key in range(known, min(length, len(this.sent_s))):
                yield at_s - this.sent_s[key]
            known = max(known, length)


def _kept(this: _Round, on_disk: str) -> tuple[str, bool, str]:
    """What stands in the field after the next start and “Recover”, whether anything was offered, and what is odd."""
    until_s = time.monotonic() + END_S
    while (left := find_recoverable()).in_use and time.monotonic() < until_s:
        time.sleep(0.02)  # what is left of the window ends
    problem = f"the next start finds {left}" if len(left.recoverable) > 1 or left.problems or left.in_use else ""
    if not left.recoverable:
        return on_disk, False, problem
    one = left.recoverable[0]
    draft = next((draft for draft in one.drafts if draft.spot.field == this.name), None)
    if draft is not None:
        return draft.text, True, problem
    session = recover(one, _unnoted)
    kept = _says(session.state.document.data, this.name)
    session.close()
    return kept, True, problem


def _says(data: bytes, name: str) -> str:
    """The text of the field in a file; nothing where it is as it was."""
    case = json.loads(data)["eval_cases"][0]
    if name == JSON:
        return json.dumps(case["session_input"]) if "session_input" in case else ""
    text = str(case["conversation"][0]["user_content"]["parts"][0]["text"])
    return "" if text == "How is Graz?" else text


def _unnoted(_journal: JournalWriter) -> None:
    """Nobody waits for the disk."""


def main() -> None:
    """Rounds, a seed, a folder."""
    rounds, seed, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    fork_server.make_ready()
    figures = Figures()
    for at in range(rounds):
        place = folder / str(seed + at)
        place.mkdir(parents=True)
        one_round(place, seed + at, figures)
        shutil.rmtree(place)
        (folder / "figures.json").write_text(json.dumps(asdict(figures)))
    sys.stdout.write(json.dumps(asdict(figures)))


if __name__ == "__main__":
    main()
