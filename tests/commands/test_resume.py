"""`evaluate --resume` after Ctrl+C, a kill, a full disk: what is done stays, and the end is the same."""

from __future__ import annotations

import signal
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, field

from tests.commands.test_evaluate_full_disk import LIMITED
from tests.helpers.judge_server import Fault, ModelServer, Says, model_server
from tests.helpers.resuming import CASES, IN_FLIGHT, TURNS, judged_files, outcome, start
from tests.helpers.signals import heeding_ctrl_c
from trace_inspector.settings import data_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
YES = '{"reasoning": "the same", "is_the_agent_response_valid": "valid"}'
HELD_FROM = 25


class Model(Struct):
    """Answers so many questions, then lets all others wait until it is let go; reached when all are on their way."""

    most: int = HELD_FROM
    reached: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)
    fault: Fault | None = None

    def says(self, _prompt: str, number: int) -> Says:
        if number >= self.most and not self.let_go.is_set():
            if number == self.most + IN_FLIGHT - 1:
                self.reached.set()
            self.let_go.wait(200)
        return self.fault or YES


@pytest.fixture
def held() -> Iterator[tuple[ModelServer, Model]]:
    model = Model()
    with model_server(model.says) as server:
        try:
            yield server, model
        finally:
            model.let_go.set()


def undisturbed(files: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a run comes to that nobody stops, with a data folder of its own."""
    with monkeypatch.context() as context, model_server(lambda _prompt, _number: YES) as server:
        context.setenv("TRACE_INSPECTOR_DATA", str(folder / "undisturbed"))
        return outcome(start(files, server.url))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on_and_ends_like_one_that_nobody_stopped(
    number: signal.Signals, tmp_path: Path, held: tuple[ModelServer, Model], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, model = held
    files = judged_files(tmp_path)
    with heeding_ctrl_c():
        first = start(files, server.url)
    assert model.reached.wait(200)
    first.send_signal(number)
    first.communicate(timeout=240)
    model.let_go.set()
    resumed = outcome(start([*files, "--resume"], server.url))
    assert resumed.run == undisturbed(files, tmp_path, monkeypatch).run
    assert resumed.code == 0
    said = resumed.err
    assert f"{IN_FLIGHT} questions to the judge were in flight when it stopped and are asked again" in said
    assert len(server.prompts) == CASES * TURNS + IN_FLIGHT
    again = outcome(start([*files, "--resume"], server.url))
    assert f"{CASES} of {CASES} cases are done." in again.err
    assert again.run == resumed.run
    assert len(server.prompts) == CASES * TURNS + IN_FLIGHT, "nothing was asked"


def test_fresh_replies_of_the_stopped_run_are_not_asked_for_again(
    tmp_path: Path, held: tuple[ModelServer, Model]
) -> None:
    server, model = held
    files = judged_files(tmp_path)
    with model_server(lambda _prompt, _number: YES) as other:
        assert outcome(start(files, other.url)).code == 0
    first = start([*files, "--refresh"], server.url)
    assert model.reached.wait(200)
    first.kill()
    first.communicate(timeout=240)
    model.let_go.set()
    done = outcome(start([*files, "--refresh", "--resume"], server.url))
    assert done.code == 0
    assert len(server.prompts) == CASES * TURNS + IN_FLIGHT
    assert "4 questions to the judge were in flight" in done.err


def test_a_failed_call_never_counts_as_done(tmp_path: Path) -> None:
    files = judged_files(tmp_path)
    answers: list[Says] = []

    def says(prompt: str, _number: int) -> Says:
        return Fault(400) if "question 3-1" in prompt and not answers else YES

    with model_server(says) as server:
        first = outcome(start(files, server.url))
        asked = len(server.prompts)
        answers.append("from now on")
        resumed = outcome(start([*files, "--resume"], server.url))
        assert len(server.prompts) == asked + 1
    assert resumed.code == 0
    scores = [turn["metrics"][0]["score"] for case in first.run["cases"] for turn in case["turns"]]
    assert (scores.count(None), scores.count(1.0)) == (1, CASES * TURNS - 1)
    assert f"{CASES - 1} of {CASES} cases are done, 1 failed and is evaluated again." in resumed.err
    assert {turn["metrics"][0]["score"] for case in resumed.run["cases"] for turn in case["turns"]} == {1.0}


def test_two_processes_cannot_go_on_with_one_run(tmp_path: Path, held: tuple[ModelServer, Model]) -> None:
    server, model = held
    files = judged_files(tmp_path)
    first = start(files, server.url)
    assert model.reached.wait(200)
    busy = outcome(start([*files, "--resume"], server.url))
    assert busy.code == 2
    assert "This run is going on in another process." in busy.err
    model.let_go.set()
    assert outcome(first).code == 0
    done = outcome(start([*files, "--resume"], server.url))
    assert f"{CASES} of {CASES} cases are done." in done.err


def test_a_full_disk_ends_the_questions_and_the_run_goes_on_later(tmp_path: Path) -> None:
    files = judged_files(tmp_path)
    with model_server(lambda _prompt, _number: YES) as server:
        full = outcome(start(files, server.url, ["-c", LIMITED, "150000"]))
        asked = len(server.prompts)
        assert full.code == 3, full.err
        assert asked < CASES * TURNS
        reasons = {case["reason"] for case in full.run["cases"] if case["status"] == "PENDING"}
        assert len(reasons) == 1
        assert "Make room in the data folder, and give the same command with --resume" in reasons.pop()
        resumed = outcome(start([*files, "--resume"], server.url))
        assert resumed.code == 0
        assert len(server.prompts) - CASES * TURNS <= IN_FLIGHT
    assert len(resumed.run["cases"]) == CASES


def test_a_ledger_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    files = judged_files(tmp_path)
    with model_server(lambda _prompt, _number: YES) as server:
        assert outcome(start(files, server.url)).code == 0
        with closing(sqlite3.connect(data_folder() / "ledger.db")) as newer:
            newer.execute("PRAGMA user_version = 999")
        before = (data_folder() / "ledger.db").read_bytes()
        refused = outcome(start([*files, "--resume"], server.url))
        assert refused.code == 2
        assert "a newer version of Trace Inspector wrote it" in refused.err
        assert "Evaluate without --resume" in refused.err
        without = outcome(start(files, server.url))
        assert without.code == 0
        assert "The run itself goes on." in without.err
        assert len(server.prompts) == CASES * TURNS
    assert (data_folder() / "ledger.db").read_bytes() == before


def test_a_damaged_ledger_costs_no_reply(tmp_path: Path) -> None:
    files = judged_files(tmp_path)
    with model_server(lambda _prompt, _number: YES) as server:
        first = outcome(start(files, server.url))
        path = data_folder() / "ledger.db"
        path.write_bytes(b"no database at all" * 500)
        resumed = outcome(start([*files, "--resume"], server.url))
        assert resumed.code == 0
        assert "The ledger of runs was damaged" in resumed.err
        assert "none is asked for again" in resumed.err
        assert len(server.prompts) == CASES * TURNS
    assert len(resumed.run["cases"]) == len(first.run["cases"]) == CASES
    assert [*data_folder().glob("ledger.db.damaged*")]


def test_resuming_without_a_stopped_run_says_so(tmp_path: Path) -> None:
    files = judged_files(tmp_path)
    with model_server(lambda _prompt, _number: YES) as server:
        done = outcome(start([*files, "--resume"], server.url))
    assert done.code == 0
    assert "No run of these files with these options is in the ledger, so this one begins anew." in done.err
    refused = outcome(start([*files, "--resume", "--no-cache"], "http://127.0.0.1:9"))
    assert (refused.code, "leave out --no-cache" in refused.err) == (2, True)
