"""Ends children of a real window at random while a job runs and an edit is unsaved, closes it, and checks the rest.

`python -m tests.helpers.death_rounds ROUNDS SEED FOLDER` prints figures as JSON, and what went wrong on stderr.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct, field

from tests.helpers import screen as screens
from tests.helpers.observed_window import JOBS
from trace_inspector.documents.saving.journal import JournalWriter
from trace_inspector.flows.goldens.recovery import find_recoverable, recover
from trace_inspector.resources import folder as resource_folder

ROOT = Path(__file__).resolve().parents[2]
TITLE = "Trace Inspector"
QUESTION = "Save before quitting"
WAIT_S = 60.0
LIMIT_S = 2.0  # from Ctrl+Q to the end of everything
LONGEST_S = 0.5  # at random, before the deaths and before Ctrl+Q
# Each is somebody, or several: the server that children are forked from, the child that edits, that of the job,
# Python's tracker of semaphores, and the process group of the server, which is the window's own.
VICTIMS = (
    ("server",), ("edits",), ("job",), ("server", "edits"), ("server", "job"), ("edits", "job"),
    ("server", "edits", "job"), ("tracker",), ("server", "tracker", "job"), ("group",),
)  # fmt: skip


class Figures(Struct):
    """What the rounds came to."""

    rounds: int = 0
    killed: Counter[str] = field(default_factory=Counter)
    by_signal: Counter[str] = field(default_factory=Counter)
    jobs: Counter[str] = field(default_factory=Counter)
    closed_by_key: int = 0
    closed_by_signal: int = 0  # which reached the window as well
    close_s: list[float] = field(default_factory=list)  # from Ctrl+Q or the signal to the end of all processes
    offered: int = 0
    late: int = 0  # took longer than the limit
    wrong: list[str] = field(default_factory=list)


class Round(Struct):
    """One window: what it edits and runs, and who dies."""

    number: int
    job: str
    victims: tuple[str, ...]
    number_of_signal: int
    before_s: float
    after_s: float

    @property
    def text(self) -> str:
        """What the golden says after the edit."""
        return f"edited in round {self.number}"

    def __str__(self) -> str:
        name = signal.Signals(self.number_of_signal).name
        return f"round {self.number} ({self.job}; {name} to {', '.join(self.victims)})"


def chosen(number: int, chance: random.Random) -> Round:
    """A round at random."""
    return Round(
        number,
        chance.choice(JOBS),
        chance.choice(VICTIMS),
        chance.choice((signal.SIGKILL, signal.SIGTERM)),
        chance.random() * LONGEST_S,
        chance.random() * LONGEST_S,
    )


def golden_file(path: Path) -> Path:
    """A suite with one golden."""
    said = [{"role": role, "parts": [{"text": text}]} for role, text in (("user", "Hello?"), ("model", "Hi."))]
    turn = {"invocation_id": "i", "user_content": said[0], "final_response": said[1]}
    value = {"eval_set_id": path.stem, "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}
    path.write_text(json.dumps(value, indent=2) + "\n")
    return path


def large_file(path: Path) -> Path:
    """A suite that takes seconds to be read."""
    value = json.loads(golden_file(path).read_text())
    (case,) = value["eval_cases"]
    value["eval_cases"] = [{**case, "eval_id": f"case {at}"} for at in range(30_000)]
    path.write_text(json.dumps(value))
    return path


class Campaign:
    """Rounds that follow each other with one data folder: each start offers what the round before left behind."""

    def __init__(self, shown: screens.Screen, folder: Path, seed: int) -> None:
        self.figures = Figures()
        self._shown = shown
        self._folder = folder
        self._chance = random.Random(seed)
        self._large = large_file(folder / "large.evalset.json")
        self._left: list[list[object]] = []  # what the next start has to offer
        self._journal: Path | None = None

    def run(self, rounds: int) -> Figures:
        """All rounds, and a last start that only looks at what is offered."""
        os.environ["TRACE_INSPECTOR_DATA"] = str(self._folder / "data")
        for number in range(1, rounds + 1):
            this = chosen(number, self._chance)
            try:
                self._one(this)
            except (screens.NotInTimeError, subprocess.TimeoutExpired) as problem:
                self._wrong(this, str(problem))
            self.figures.rounds += 1
        with self._started(Round(rounds + 1, "", (), signal.SIGKILL, 0, 0)) as (program, report):
            self._check_offer(report, "the last start")
            window = program.wait_for_window(TITLE)
            self._shown.focus(window)
            self._shown.press("ctrl+q")
            program.end()
        return self.figures

    @contextmanager
    def _started(self, this: Round) -> Iterator[tuple[screens.Program, Path]]:
        place = self._folder / f"round {this.number}"
        place.mkdir()
        report, file = place / "report", golden_file(place / f"round-{this.number}.evalset.json")
        report.touch()
        samples = sorted(str(path) for path in resource_folder("samples").glob("r*.json"))
        others = {"evaluate": samples, "load": [str(self._large)]}.get(this.job, [])
        command = [
            sys.executable, "-P", "-m", "tests.helpers.observed_window", str(file), this.job, str(report), this.text,
            *others,
        ]  # fmt: skip
        own = {"TRACE_INSPECTOR_DATA": str(self._folder / "data"), "PYTHONPATH": str(ROOT)}
        with screens.program(command, self._shown, place, own) as program:
            yield program, report
        shutil.rmtree(place / "from a stranger", ignore_errors=True)

    def _one(self, this: Round) -> None:
        with self._started(this) as (program, report):
            window = program.wait_for_window(TITLE)
            told = self._wait_for(report, program, "running")
            self._check_offer(report, str(this))
            self._forget()
            edits = told["edited"]
            self._left = []
            if not isinstance(edits, list) or len(edits) != 3 or edits[2] != 1:
                self._wrong(this, f"the edit was not made: {edits}")
                return
            self._left = [[str(report.parent / f"round-{this.number}.evalset.json"), 1]]
            time.sleep(this.before_s)
            begun_s = time.monotonic()
            self._kill(this, program.process.pid, int(edits[0]))
            if "group" in this.victims:
                self.figures.closed_by_signal += 1
            else:
                time.sleep(this.after_s)
                begun_s = self._close(window)
                self.figures.closed_by_key += 1
            code = program.process.wait(WAIT_S)
            left = program.left()
            took_s = time.monotonic() - begun_s
            self._judge(this, program, code, left, took_s)

    def _judge(self, this: Round, program: screens.Program, code: int, left: list[str], took_s: float) -> None:
        figures = self.figures
        figures.jobs[this.job] += 1
        figures.killed["+".join(this.victims)] += 1
        figures.by_signal[signal.Signals(this.number_of_signal).name] += 1
        figures.close_s.append(round(took_s, 2))
        figures.late += took_s > LIMIT_S
        wanted = -signal.SIGKILL if "group" in this.victims and this.number_of_signal == signal.SIGKILL else 0
        if code != wanted:
            self._wrong(this, f"ended with {code}")
        if left:
            self._wrong(this, f"left running: {left}")
        if program.said():
            self._wrong(this, f"said: {program.said()}")
        self._look_at_journal(this)
        sys.stderr.write(f"{this}: {took_s:.2f} s\n")

    def _close(self, window: str) -> float:
        """Ctrl+Q, and the answer that keeps the edits; when the key was pressed."""
        self._shown.focus(window)
        begun_s = time.monotonic()
        self._shown.press("ctrl+q")
        if not screens.wait_until(lambda: bool(self._shown.windows(QUESTION)), WAIT_S):
            raise screens.NotInTimeError("Nobody was asked what becomes of the edit.")
        self._shown.focus(self._shown.windows(QUESTION)[0])
        self._shown.press("shift+Tab", "shift+Tab", "Return")
        return begun_s

    def _kill(self, this: Round, window: int, edits: int) -> None:
        """End them at once, whoever they are."""
        found = _processes(window)
        server = next((one for one in found if "multiprocessing.forkserver" in one.command), None)
        tracker = next((one for one in found if "resource_tracker" in one.command), None)
        parents = {window, server.number if server else 0}
        jobs = [
            one.number
            for one in found
            if one.parent in parents
            and one.number not in (edits, server and server.number, tracker and tracker.number)
        ]
        victims = {
            "server": [server.number] if server else [],
            "tracker": [tracker.number] if tracker else [],
            "edits": [edits],
            "job": jobs,
        }
        for victim in this.victims:
            if victim == "group":
                os.killpg(window, this.number_of_signal)
            for number in victims.get(victim, []):
                with suppress(ProcessLookupError):
                    os.kill(number, this.number_of_signal)

    def _wait_for(self, report: Path, program: screens.Program, what: str) -> dict[str, object]:
        def is_there() -> bool:
            return what in _told(report) or program.process.poll() is not None

        if not screens.wait_until(is_there, WAIT_S) or what not in _told(report):
            raise screens.NotInTimeError(f"The window did not report “{what}”. {program.said()}")
        return _told(report)

    def _check_offer(self, report: Path, when: str) -> None:
        if self._left:
            screens.wait_until(lambda: bool(_told(report).get("offered")), WAIT_S)
        offered = _told(report).get("offered", [])
        if offered == self._left:
            self.figures.offered += bool(offered)
        else:
            self.figures.wrong.append(f"{when}: offered {offered}, not {self._left}")

    def _look_at_journal(self, this: Round) -> None:
        """What the journals that are left lead to, tried with a copy of them."""
        data, again = self._folder / "data", self._folder / "again"
        shutil.rmtree(again, ignore_errors=True)
        shutil.copytree(data / "journals", again / "journals")
        self._journal = next(iter((data / "journals").glob("*.journal")), None)
        os.environ["TRACE_INSPECTOR_DATA"] = str(again)
        found = find_recoverable()
        texts = []
        for one in found.recoverable:
            session = recover(one, _unnoted)
            texts.append(session.state.document.data.decode())
            session.close()
        os.environ["TRACE_INSPECTOR_DATA"] = str(data)
        if len(texts) != 1 or this.text not in texts[0]:
            self._wrong(this, f"{len(texts)} files to recover, {found.problems}; none has the edit")

    def _forget(self) -> None:
        if self._journal is not None:
            self._journal.unlink(missing_ok=True)
            self._journal = None

    def _wrong(self, this: Round, what: str) -> None:
        self.figures.wrong.append(f"{this}: {what}")
        sys.stderr.write(f"{this}: {what}\n")


class _Process(Struct, frozen=True):
    number: int
    parent: int
    command: str


def _processes(session: int) -> list[_Process]:
    """The living processes of a session, but for the one that leads it."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, rest = int(status.parent.name), status.read_text(errors="replace").rpartition(")")[2].split()
            if int(rest[3]) == session != number and rest[0] != "Z":
                command = (status.parent / "cmdline").read_text(errors="replace").replace("\0", " ")
                found.append(_Process(number, int(rest[1]), command))
        except OSError:
            continue  # it ended while we looked
    return found


def _told(report: Path) -> dict[str, object]:
    """The last of each that a window reported."""
    lines = report.read_text().splitlines()
    return dict(json.loads(line) for line in lines if line.endswith("]"))


def _unnoted(_journal: JournalWriter) -> None:
    """Nobody waits for the disk."""


def main() -> None:
    """Rounds, a seed, a folder."""
    rounds, seed, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    with screens.screen() as shown:
        figures = Campaign(shown, folder, seed).run(rounds)
    sys.stdout.write(json.dumps({name: getattr(figures, name) for name in Figures.__struct_fields__}))


if __name__ == "__main__":
    main()
