"""A judged run that is killed, or stopped, goes on where it was: nothing is asked twice, nothing is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, field

from tests.commands.test_evaluate_judges import METRIC, decide, eval_set
from tests.helpers.judge_server import VARIABLES, ModelServer, Says, model_server
from tests.helpers.signals import heeding_ctrl_c
from trace_inspector.engine.running.interrupts import SIGNALS

CASES, TURNS, IN_FLIGHT = 40, 2, 8
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


class Held(Struct):
    """A model that answers so many questions, and then lets all others wait until it is let go."""

    most: int
    reached: threading.Event = field(default_factory=threading.Event)
    let_go: threading.Event = field(default_factory=threading.Event)
    answered: list[str] = field(default_factory=list)

    def says(self, prompt: str, number: int) -> Says:
        if number >= self.most and not self.let_go.is_set():
            self.reached.set()
            self.let_go.wait(200)
        self.answered.append(prompt)
        return decide(prompt, number)


@pytest.fixture
def held() -> Iterator[tuple[ModelServer, Held]]:
    model = Held(CASES)
    with model_server(model.says) as server:
        try:
            yield server, model
        finally:
            model.let_go.set()


def started(folder: Path, server: ModelServer) -> subprocess.Popen[str]:
    """`evaluate` in a process of its own."""
    answers = {f"case {case}": [f"answer {case}-{turn}" for turn in range(TURNS)] for case in range(CASES)}
    traces, golden = eval_set(folder / "t.json", answers), eval_set(folder / "g.json", answers)
    criteria = folder / "criteria.json"
    options = {"threshold": 0.9, "judge_model_options": {"judge_model": "small", "num_samples": 1}}
    criteria.write_text(json.dumps({"criteria": {METRIC: options}}), encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    named = ["evaluate", str(traces), "--golden", str(golden), "--criteria", str(criteria), "--judge", "openai:small"]
    with heeding_ctrl_c():
        return subprocess.Popen(
            [sys.executable, "-m", "trace_inspector", *named, "--in-flight", str(IN_FLIGHT), "--json"],
            env={**environment, "OPENAI_BASE_URL": f"{server.url}/v1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


def finished(process: subprocess.Popen[str]) -> tuple[int, list[dict[str, Any]], str]:
    """The exit code, the cases and what was complained."""
    out, err = process.communicate(timeout=240)
    return process.returncode, json.loads(out)["cases"] if out else [], err


def all_passed(cases: list[dict[str, Any]]) -> bool:
    turns = [turn for case in cases for turn in case["turns"]]
    return len(turns) == CASES * TURNS and {turn["metrics"][0]["score"] for turn in turns} == {1.0}


def test_a_killed_run_asks_nothing_twice_but_what_was_open(tmp_path: Path, held: tuple[ModelServer, Held]) -> None:
    server, model = held
    process = started(tmp_path, server)
    assert model.reached.wait(200)
    process.kill()
    process.communicate(timeout=240)
    open_then = set(server.prompts[CASES:])
    model.let_go.set()
    code, cases, err = finished(started(tmp_path, server))
    assert code == 0, err
    assert all_passed(cases)
    asked = Counter(server.prompts)
    assert len(asked) == CASES * TURNS
    twice = {prompt for prompt, count in asked.items() if count > 1}
    assert max(asked.values()) <= 2
    # What the model had answered and the killed process had not yet read counts as open, too.
    assert len(twice) <= IN_FLIGHT
    assert open_then <= twice


@pytest.mark.parametrize("asked", SIGNALS)
def test_ctrl_c_a_polite_kill_and_a_terminal_that_closes_keep_what_is_done(
    tmp_path: Path, held: tuple[ModelServer, Held], asked: signal.Signals
) -> None:
    server, model = held
    process = started(tmp_path, server)
    assert model.reached.wait(200)
    process.send_signal(asked)
    code, cases, err = finished(process)
    assert code == 128 + asked, err
    assert "Stopped." in err
    done = [turn for case in cases for turn in case["turns"]]
    assert CASES - 3 * IN_FLIGHT <= len(done) <= CASES  # of cases that were half done nothing is told
    assert {turn["metrics"][0]["score"] for turn in done} == {1.0}
    model.let_go.set()
    code, cases, err = finished(started(tmp_path, server))
    assert code == 0, err
    assert all_passed(cases)
    prompts = Counter(server.prompts)
    assert len(prompts) == CASES * TURNS
    assert sum(prompts.values()) - len(prompts) <= IN_FLIGHT
