"""Runs with a judge that can be stopped and gone on with: their files, their processes, and what they come to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from tests.helpers.judge_server import VARIABLES

CASES, TURNS, IN_FLIGHT = 20, 2, 4
METRIC = "final_response_match_v2"
GEMINI = {"GOOGLE_API_KEY": "a-secret"}
_OF_TIME = ("id", "started", "started_s", "run")


class Outcome(Struct, frozen=True):
    """The exit code, the printed run without its times, and what was said beside it."""

    code: int
    run: dict[str, Any]
    err: str


def judged_files(folder: Path, cases: int = CASES, turns: int = TURNS) -> list[str]:
    """The arguments of a run with one question a turn, each of its own words, and one that nobody is asked."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = [
        {
            "eval_id": f"case {case}",
            "conversation": [
                {
                    "invocation_id": f"e{turn}",
                    "user_content": {"role": "user", "parts": [{"text": f"question {case}-{turn}"}]},
                    "final_response": {"role": "model", "parts": [{"text": f"answer {case}-{turn}"}]},
                }
                for turn in range(turns)
            ],
        }
        for case in range(cases)
    ]
    for name in ("traces", "golden"):
        (folder / f"{name}.json").write_text(json.dumps({"eval_set_id": "set", "eval_cases": listed}))
    options = {"threshold": 0.9, "judge_model_options": {"judge_model": "small", "num_samples": 1}}
    criteria = {"criteria": {METRIC: options, "response_match_score": 0.5}}
    (folder / "criteria.json").write_text(json.dumps(criteria))
    named = [str(folder / f"{name}.json") for name in ("traces", "golden", "criteria")]
    judge = ["--judge", "openai:small", "--in-flight", str(IN_FLIGHT), "--json"]
    return ["evaluate", named[0], "--golden", named[1], "--criteria", named[2], *judge]


def start(
    arguments: Sequence[str], url: str, how: Sequence[str] = ("-m", "trace_inspector")
) -> subprocess.Popen[str]:
    """The command in a process of its own, whose judge is at that address."""
    environment = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    return subprocess.Popen(
        [sys.executable, *how, *arguments],
        env={**environment, "OPENAI_BASE_URL": f"{url}/v1", **GEMINI, "GOOGLE_GEMINI_BASE_URL": url},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def outcome(process: subprocess.Popen[str]) -> Outcome:
    """What a process came to when it has ended."""
    out, err = process.communicate(timeout=240)
    run = json.loads(out) if out else {}
    return Outcome(process.returncode, {name: value for name, value in run.items() if name not in _OF_TIME}, err)
