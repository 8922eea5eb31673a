"""Sessions of coding agents from the outside: compared with each other, judged by what needs no golden, packed."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import cast

import pytest
import zstandard

from tests.formats import codex_files
from tests.formats.same_task_files import ANSWER, ASKED, WRITTEN, session_of
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject

PAIRS = {f"{one} and {other}": (one, other) for one, other in itertools.product(WRITTEN, repeat=2)}


def judged(path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> JsonObject:
    """The only case that `evaluate` prints."""
    main(["evaluate", str(path), "--json", *words])
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    return cast("JsonObject", case)


@each("pair", PAIRS)
def test_two_sessions_of_one_task_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str], pair: str) -> None:
    one, other = PAIRS[pair]
    first = session_of(tmp_path, one, ANSWER, "cat prices", name="first")
    second = session_of(tmp_path, other, ANSWER, "cat prices", name="second")
    assert main(["diff", str(first), str(second)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 of 1 calls match")
    second = session_of(tmp_path, other, ANSWER, "cat costs", "ls", name="second")
    assert main(["diff", str(first), str(second)]) == 1
    out = capsys.readouterr().out
    assert 'command: "cat prices" ≠ "cat costs"' in out
    assert "this call is not expected: Bash(" in out


@each("agent", WRITTEN)
def test_sentences_are_checked_against_what_the_tools_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], agent: str
) -> None:
    scores = []
    for answer in (ANSWER, "Pier 4 costs 17 dollars an hour."):
        case = judged(session_of(tmp_path, agent, answer), capsys, "--only", "local_grounding")
        (metric,) = cast("list[JsonObject]", case["metrics"])
        scores.append(metric["score"])
        assert "no golden" not in json.dumps(case)
    assert scores == [1.0, 0.0]


@each("agent", WRITTEN)
def test_local_figures_are_those_of_the_session(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], agent: str
) -> None:
    path = session_of(tmp_path, agent, ANSWER, "cat prices", "ls")
    case = judged(path, capsys)
    scores = {one["name"]: one["score"] for one in cast("list[JsonObject]", case["metrics"])}
    assert scores["tool_call_count_v1"] == 2.0
    assert scores["local_grounding"] == 1.0
    main(["inspect", str(path), "--json"])
    (document,) = json.loads(capsys.readouterr().out)["documents"]
    (turn,) = document["traces"][0]["turns"]
    assert (turn["user"], turn["final_response"], len(turn["tool_calls"])) == (ASKED, ANSWER, 2)
    assert scores["token_usage_v1"] == turn["tokens"]["total"]


def test_a_rollout_packed_by_zstandard_is_the_rollout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = "".join(json.dumps(line) + "\n" for line in codex_files.rollout()).encode()
    shown: list[Json] = []
    for name, data in (
        ("rollout.jsonl", lines),
        ("rollout.jsonl.zst", zstandard.ZstdCompressor().compress(lines[:99]) + zstandard.compress(lines[99:])),
    ):
        path = tmp_path / name
        path.write_bytes(data)
        assert main(["inspect", str(path), "--json"]) == 0
        (document,) = json.loads(capsys.readouterr().out)["documents"]
        shown.append({key: value for key, value in document.items() if key != "path"})
        path.unlink()
    assert shown[0] == shown[1]
    assert cast("JsonObject", shown[1])["format"] == "codex"
