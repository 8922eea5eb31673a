"""A judge is asked by the command alone, whatever engine is named: the same verdicts, and a sentence that says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.judge_server import model_server
from tests.helpers.resuming import CASES, TURNS, judged_files, start

YES = '{"reasoning": "the same", "is_the_agent_response_valid": "valid"}'
TOLD = "waited: the limit of questions is that of the key"


def printed(arguments: list[str], url: str) -> Any:
    """What the command prints, in a process of its own."""
    process = start(arguments, url)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    return json.loads(out)


@pytest.mark.parametrize("engine", ["local:2", "factory:concurrent.futures:ProcessPoolExecutor"])
def test_a_judged_run_is_the_same_on_an_engine(engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = judged_files(tmp_path)
    with model_server(lambda _prompt, _number: YES) as server:
        monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "alone"))
        alone = printed(files, server.url)
        monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "engine"))
        on_engine = printed([*files, "--on", engine], server.url)
    assert on_engine["cases"] == alone["cases"]
    assert len(server.prompts) == 2 * CASES * TURNS, "each question is asked once by each run"
    assert any(TOLD in note and engine in note for note in on_engine["run"]["notes"])
    assert not any(TOLD in note for note in alone["run"]["notes"])
