"""`rebase`: proposals write no golden, decisions give the expected files to the byte, hand edits survive."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.rebase_suite import Raw, Suite, suite
from trace_inspector.cli import main
from trace_inspector.core.errors import SaveError
from trace_inspector.documents.base.document import Document
from trace_inspector.documents.saving.saving import save
from trace_inspector.flows.rebasing import rebase_files

CASES = 40
HEAD = '{"traceInspectorRebase": 1, "rows": [\n'


@pytest.fixture
def made(tmp_path: Path) -> Suite:
    return suite(tmp_path, CASES)


def rebase(made: Suite, *more: str | Path, json_too: bool = False) -> int:
    runs = ("--base", str(made.base), "--new", str(made.new))
    return main(["rebase", str(made.golden), *runs, *map(str, more), *(["--json"] if json_too else [])])


def proposed(made: Suite, path: Path) -> dict[str, Any]:
    assert rebase(made, "--propose", path) == 1
    value: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return value


def decide(made: Suite, path: Path) -> dict[str, Any]:
    """Accept what many cases have, reject the rest."""
    value = proposed(made, path)
    many = max(row["count"] for row in value["rows"]) / 4
    for row in value["rows"]:
        row["decision"] = "accept" if row["count"] > many else "reject"
    path.write_text(json.dumps(value), "utf-8")
    return value


def test_few_decisions_give_the_expected_file(
    made: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, path = made.golden.read_bytes(), tmp_path / "decisions.json"
    rows = decide(made, path)["rows"]
    assert made.golden.read_bytes() == before
    assert sum(row["decision"] == "accept" for row in rows) == 6
    assert any(row["sentence"] == '“currency: "USD"” added to “book” in 39 cases' for row in rows)
    capsys.readouterr()
    assert rebase(made, "--decisions", path, "-o", tmp_path / "out", json_too=True) == 0
    assert (tmp_path / "out" / made.golden.name).read_bytes() == made.expected.read_bytes()
    assert made.golden.read_bytes() == before
    told = json.loads(capsys.readouterr().out)
    red = {mark["case"] for mark in told["marks"] if mark["after"] != "PASSED"}
    assert red == {*made.singles, *made.regressed}
    assert told["verdicts"] == {"before": {"FAILED": CASES}, "after": {"FAILED": 6, "PASSED": CASES - 6}}


def test_in_place_and_again(made: Suite, tmp_path: Path) -> None:
    path = tmp_path / "decisions.json"
    decide(made, path)
    assert rebase(made, "--decisions", path) == 0
    after = made.golden.read_bytes()
    assert after == made.expected.read_bytes()
    assert rebase(made, "--decisions", path) == 0
    assert made.golden.read_bytes() == after


def test_decisions_apply_to_another_suite(made: Suite, tmp_path: Path) -> None:
    path, there = tmp_path / "decisions.json", tmp_path / "there"
    decide(made, path)
    there.mkdir()
    other = suite(there, 9, seed=2)
    assert rebase(other, "--decisions", path) == 0
    assert other.golden.read_bytes() == other.expected.read_bytes()


def edit(path: Path, change: Any, number: int = 0) -> None:
    value = json.loads(path.read_text("utf-8"))
    change(value["eval_cases"][number])
    path.write_text(json.dumps(value, indent=2) + "\n", "utf-8")


def turn(case: Raw) -> Raw:
    first: Raw = case["conversation"][0]
    return first


def test_a_hand_edit_of_the_same_value_is_a_conflict(
    made: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = suite(tmp_path, 8)
    edit(made.golden, lambda case: turn(case)["intermediate_data"]["tool_uses"][1]["args"].update(limit=7))
    path = tmp_path / "decisions.json"
    value = decide(made, path)
    (row,) = [row for row in value["rows"] if row["conflicts"]]
    assert row["conflicts"] == [{"case": "trip_0000", "why": "this argument was edited in the golden"}]
    capsys.readouterr()
    assert rebase(made, "--decisions", path, "-o", tmp_path / "out") == 1
    assert "conflict: trip_0000, turn 1: “limit” of “search”" in capsys.readouterr().out
    case = json.loads((tmp_path / "out" / made.golden.name).read_text("utf-8"))["eval_cases"][0]
    args = next(call["args"] for call in turn(case)["intermediate_data"]["tool_uses"] if call["name"] == "search")
    assert args["limit"] == 7
    row["exceptions"] = {"trip_0000": "reject"}
    path.write_text(json.dumps(value), "utf-8")
    assert rebase(made, "--decisions", path, "-o", tmp_path / "out") == 0


def test_loosened_with_a_rule(tmp_path: Path) -> None:
    made = suite(tmp_path, 12)
    path = tmp_path / "decisions.json"
    value = decide(made, path)
    row = next(row for row in value["rows"] if row.get("relation") == "times 10")
    row |= {"decision": "loosen", "matcher": {"match": "any"}}
    path.write_text(json.dumps(value), "utf-8")
    assert rebase(made, "--decisions", path, "-o", tmp_path / "out") == 0
    case = json.loads((tmp_path / "out" / made.golden.name).read_text("utf-8"))["eval_cases"][0]
    assert case["traceInspector"]["matchers"]["/conversation/0/intermediate_data/tool_uses/2/args/limit"] == {
        "match": "any"
    }


def test_nothing_differs(made: Suite) -> None:
    runs = ["--base", str(made.base), "--new", str(made.base)]
    assert main(["rebase", str(made.golden), *runs]) == 0


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("{", "", ""),
        ("[]", ":1:1", "This is no file of decisions"),
        ('{"traceInspectorRebase": 2}', ":1:26", "Only version 1"),
        ('{"traceInspectorRebase": 1, "rows": [\n{"kind": "x"}]}', ":2:10", "“kind” must be one of argument added"),
        (
            '{"traceInspectorRebase": 1, "rows": [\n{"kind": "answer", "decision": "yes"}]}',
            ":2:32",
            "A decision is one",
        ),
        (
            '{"traceInspectorRebase": 1, "rows": [\n{"kind": "answer", "decision": "loosen"}]}',
            ":2:32",
            "Only an argument",
        ),
    ],
)
def test_bad_decisions(
    made: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, place: str, words: str
) -> None:
    path = tmp_path / "decisions.json"
    path.write_text(text, "utf-8")
    before = made.golden.read_bytes()
    assert rebase(made, "--decisions", path) == 2
    complaint = capsys.readouterr().err
    assert f"decisions.json{place}" in complaint
    assert words in complaint
    assert made.golden.read_bytes() == before


def test_what_cannot_be_done(made: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert rebase(made, "--propose", made.golden) == 2
    assert "one of those that are read" in capsys.readouterr().err
    assert rebase(made, "-o", tmp_path / "out") == 2
    path = tmp_path / "decisions.json"
    decide(made, path)
    assert rebase(made, "--propose", path) == 2
    assert "holds decisions already" in capsys.readouterr().err


def test_a_conflict_about_words_is_settled_for_its_case(tmp_path: Path) -> None:
    made = suite(tmp_path, 8)
    edit(made.golden, lambda case: turn(case)["final_response"]["parts"][0].update(text="It costs 7 dollars."))
    path = tmp_path / "decisions.json"
    value = decide(made, path)
    assert rebase(made, "--decisions", path, "-o", tmp_path / "out") == 1
    (row,) = [row for row in value["rows"] if row["conflicts"]]
    assert row["conflicts"] == [{"case": "trip_0000", "why": "these words were edited in the golden"}]
    row["exceptions"] = {"trip_0000": "accept"}
    path.write_text(json.dumps(value), "utf-8")
    assert rebase(made, "--decisions", path, "-o", tmp_path / "out") == 0
    case, new = (
        json.loads(file.read_text("utf-8"))["eval_cases"][0]
        for file in (tmp_path / "out" / made.golden.name, made.new)
    )
    assert turn(case)["final_response"] == turn(new)["final_response"]


def test_the_given_goldens_and_runs_are_never_written_over(
    made: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "decisions.json"
    decide(made, path)
    before = made.golden.read_bytes()
    assert rebase(made, "--decisions", path, "-o", tmp_path) == 2
    assert "one of those that are read" in capsys.readouterr().err
    assert made.golden.read_bytes() == before


def test_files_are_put_back_when_one_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made, path = suite(tmp_path, 6), tmp_path / "decisions.json"
    whole = json.loads(made.golden.read_text("utf-8"))
    goldens = [tmp_path / "a.evalset.json", tmp_path / "b.evalset.json"]
    for golden, cases in zip(goldens, (whole["eval_cases"][:3], whole["eval_cases"][3:]), strict=True):
        golden.write_text(json.dumps({**whole, "eval_cases": cases}, indent=2), "utf-8")
    command = ["rebase", *map(str, goldens), "--base", str(made.base), "--new", str(made.new)]
    assert main([*command, "--propose", str(path)]) == 1
    value = json.loads(path.read_text("utf-8"))
    for row in value["rows"]:
        row["decision"] = "accept"
    path.write_text(json.dumps(value), "utf-8")
    before = [golden.read_bytes() for golden in goldens]

    def full(document: Document, target: Path, **options: Any) -> object:
        if target == goldens[1]:
            target.write_bytes(b"half")
            raise SaveError("The disk is full.", path=str(target))
        return save(document, target, **options)

    monkeypatch.setattr(rebase_files, "save", full)
    assert main([*command, "--decisions", str(path)]) == 2
    assert "The disk is full" in capsys.readouterr().err
    assert [golden.read_bytes() for golden in goldens] == before


def test_an_exception_for_a_case_that_is_not_there_is_told(
    made: Suite, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "decisions.json"
    value = decide(made, path)
    value["rows"][0]["exceptions"] = {"trip_0000": "reject", "trip_00000": "reject"}
    path.write_text(json.dumps(value), "utf-8")
    rebase(made, "--decisions", path, "-o", tmp_path / "out")
    assert "exceptions for cases that are not here: “trip_00000”" in capsys.readouterr().err


def test_a_rule_is_proposed_for_all_only_where_all_have_the_same(tmp_path: Path) -> None:
    value = proposed(suite(tmp_path, 12), tmp_path / "decisions.json")
    limit = next(row for row in value["rows"] if row.get("relation") == "times 10")
    assert limit["matcher"] is None or limit["matcher"]["match"] == "ignore"
    added = next(row for row in value["rows"] if row.get("argument") == "/currency")
    assert added["matcher"] == {"match": "ignore"}


def test_cases_with_a_simulated_user_are_told(made: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    def simulate(case: Raw) -> None:
        del case["conversation"]
        case["conversation_scenario"] = {"starting_prompt": "Hi", "conversation_plan": "Book a trip."}

    edit(made.golden, simulate)
    assert rebase(made, json_too=True) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["simulated"] == ["trip_0000"]
    assert not any("trip_0000" in row["cases"] for row in told["rows"])
    assert rebase(made) == 1
    assert "1 case with a simulated user: trip_0000" in capsys.readouterr().out
