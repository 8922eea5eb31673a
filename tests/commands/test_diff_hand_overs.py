"""Handing over by a call on one side and without one on the other, as CES does it: no difference by any rule."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats import ces_golden_files as ces
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject

ANSWER: JsonObject = {"parts": [{"text": "Done."}]}
ASKED: JsonObject = {"parts": [{"text": "Book me a table"}]}


def transfer(agent: str) -> JsonObject:
    return {"name": "transfer_to_agent", "args": {"agent_name": agent}}


RESERVE: JsonObject = {"name": "reserve", "args": {"n": 2}}


def by_calls(path: Path, *calls: Json) -> Path:
    turn: JsonObject = {
        "user_content": ASKED, "final_response": ANSWER, "intermediate_data": {"tool_uses": [*calls]},
    }  # fmt: skip
    path.write_text(json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": [turn]}]}))
    return path


def without(path: Path) -> Path:
    steps = [
        ces.says(text="Book me a table"),
        ces.expects(agentTransfer={"targetAgent": f"{ces.APP}/agents/booking", "displayName": "booking"}),
        ces.expects(toolCall={"tool": "reserve", "args": {"n": 2}}),
        ces.expects(agentResponse=ces.message("Done.")),
    ]
    path.write_text(json.dumps(ces.golden(ces.turn(*steps))))
    return path


def last_line(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize("policy", ["exact", "in-order", "any-order", "partial", "ces"])
def test_the_same_hand_over_is_no_call_that_nobody_expects(
    policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = without(tmp_path / "g.json"), by_calls(tmp_path / "r.json", transfer("booking"), RESERVE)
    for paths in ((one, other), (other, one)):
        assert main(["diff", *map(str, paths), "--policy", policy]) == 0
        assert last_line(capsys) == "1 of 1 calls match"


@pytest.mark.parametrize("policy", ["exact", "ces"])
def test_another_agent_is_another_hand_over(policy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = without(tmp_path / "g.json"), by_calls(tmp_path / "r.json", transfer("billing"), RESERVE)
    assert main(["diff", *map(str, paths), "--policy", policy]) == 1
    told = "1 extra call; 1 hand-off differs" if policy == "exact" else "2 hand-offs differ"
    where = "turn 1, call 1" if policy == "exact" else "turn 1"
    assert last_line(capsys) == f"1 of 1 calls match; {told}; parts at {where}"


def test_for_ces_a_call_that_hands_over_is_none_on_either_side(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = by_calls(tmp_path / "a.json", transfer("booking"), RESERVE)
    assert main(["diff", str(one), str(by_calls(tmp_path / "b.json", RESERVE)), "--policy", "ces"]) == 1
    assert last_line(capsys) == "1 of 1 calls match; 1 hand-off differs; parts at turn 1"
    assert main(["diff", str(tmp_path / "b.json"), str(one), "--policy", "ces"]) == 0
    assert last_line(capsys) == "1 of 1 calls match; 1 hand-off differs"
