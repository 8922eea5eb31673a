"""Which conversations of two files `diff` holds against each other: each what fits it best, from both sides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject


def suite(path: Path, cases: dict[str, list[str]], *, name: str = "s") -> Path:
    held: list[Json] = []
    for case, questions in cases.items():
        turns: list[Json] = []
        for question in questions:
            call: JsonObject = {"name": "f", "args": {"asked": question.lower()}}
            asked: JsonObject = {"parts": [{"text": question}]}
            turns.append({"user_content": asked, "intermediate_data": {"tool_uses": [call]}})
        held.append({"eval_id": case, "conversation": turns})
    path.write_text(json.dumps({"eval_set_id": name, "eval_cases": held}))
    return path


def said(capsys: pytest.CaptureFixture[str], *paths: Path) -> str:
    main(["diff", *map(str, paths)])
    return capsys.readouterr().out.splitlines()[-1]


ONE_TWO_THREE = ["Where is it?", "How far is it?", "And the way back?"]


def test_what_asks_all_of_it_comes_before_what_asks_some(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = suite(tmp_path / "a.json", {"a": ONE_TWO_THREE})
    other = suite(tmp_path / "b.json", {"x": ONE_TWO_THREE[:1], "y": ONE_TWO_THREE})
    assert said(capsys, one, other) == "3 of 3 calls match; 1 extra turn; parts at turn 1 of x"
    assert said(capsys, other, one) == "3 of 4 calls match; 1 turn missing; parts at turn 1 of x"


def test_who_finds_the_best_one_taken_has_the_next_best(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = suite(tmp_path / "a.json", {"a": ONE_TWO_THREE, "b": ONE_TWO_THREE[:2]})
    other = suite(tmp_path / "b.json", {"x": ONE_TWO_THREE, "y": ONE_TWO_THREE})
    assert said(capsys, one, other) == "5 of 5 calls match; 1 extra turn; parts at turn 3 of b"


def test_the_same_id_is_the_same_conversation_whatever_the_suites_are_called(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reworded = [f"Please: {question}" for question in ("Show it", "Book it")]
    one = suite(tmp_path / "a.json", {"one": ["Buy this"], "two": ["Sell that"]}, name="retail_v1")
    other = suite(
        tmp_path / "b.json", dict(zip(("one", "two"), ([word] for word in reworded), strict=True)), name="v2"
    )
    assert "turn" not in said(capsys, one, other).split("; parts at")[0]


def test_an_id_that_several_have_needs_its_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, name in (("left", "old"), ("right", "new")):
        (tmp_path / folder).mkdir()
        for at in "12":
            suite(tmp_path / folder / f"{at}.json", {"same": [f"{folder} {at}"]}, name=f"{name}{at}")
    assert said(capsys, tmp_path / "left", tmp_path / "right").startswith("0 of 2 calls match; 2 turns missing")
