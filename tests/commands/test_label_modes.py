"""`labels modes`: what people noted becomes a counted list of failure modes, without a model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from trace_inspector.cli import main
from trace_inspector.core.review.label import Answer, Label, Level
from trace_inspector.core.review.label_lines import label_line
from trace_inspector.flows.review.stored_labels import keep
from trace_inspector.resources import folder

RUN = folder("samples") / "run-0412.json"


def said(number: int, *tags: str, fails: bool = True, **more: object) -> Label:
    fields = {"rater": "Ana", "at": f"2026-11-29T08:00:{number:02d}.000000Z", "file": "run.json", "turn": 0, **more}
    value = Answer.FAIL if fails else Answer.PASS
    return Label(f"{number:064x}", Level.TURN, "overall", value, tags=tags, case=f"case {number}", **fields)  # type: ignore[arg-type]


LABELS = [
    said(0, "wrong date", first_fault="call/1"),
    said(1, "Wrong date", first_fault="call/0", turn=2),
    said(2, "rude"),
    said(3, note="The price is missing."),
    said(4, note="Forgets the price."),
    said(5, "date"),
    *(said(number, fails=False) for number in range(6, 20)),
]
CODEBOOK = """
[[mode]]
name = "another day"
description = "The answer names another day than the tool."
was = ["wrong date", "date"]
"""


def labels_in(path: Path, labels: list[Label]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{label_line(label)}\n" for label in labels), "utf-8")
    return path


@pytest.fixture
def given(tmp_path: Path) -> Path:
    return labels_in(tmp_path / "labels" / "Ana.jsonl", LABELS).parent


def as_json(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    assert main(["labels", "modes", *map(str, words), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_modes_are_counted_with_intervals_and_places(given: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (given / "codebook.toml").write_text(CODEBOOK, "utf-8")
    assert main(["labels", "modes", str(given), "--by", "turn"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "20 labelled turns, 6 of them failures; 2 failure modes; 2 without a mode.",
        "The last 1 failure brought nothing new: read on until the last 20 do not.",
        "",
        "mode         count  share  95 % interval  first example",
        "another day  3      15 %   3 to 38 %      run.json case 0 turn 1",
        "rude         1      5 %    0 to 25 %      run.json case 2 turn 1",
        "",
        "Where it first went wrong, by turn:",
        "mode         turn 1  turn 3",
        "another day  2       1",
        "rude         1",
        "",
        "Notes without a mode that are alike:",
        "  price: 2 failures",
        "    run.json case 3 turn 1: The price is missing.",
        "    run.json case 4 turn 1: Forgets the price.",
    ]


def test_json_has_every_figure_and_every_example(given: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, given, "--by", "part")
    assert [(mode["name"], mode["count"]) for mode in found["modes"]] == [("wrong date", 2), ("date", 1), ("rude", 1)]
    share = found["modes"][0]["share"]
    assert (share["value"], share["interval"]) == (0.1, "Clopper–Pearson (exact)")
    assert [example["subject"] for example in found["modes"][0]["examples"]] == [LABELS[0].subject, LABELS[1].subject]
    assert found["saturation"] == {"curve": [1, 1, 2, 3], "since_new": 0}
    assert found["where"]["columns"] == ["call", ""]
    assert found["where"]["rows"][0] == {"mode": "wrong date", "counts": [2, 0]}
    assert found["groups"] == [{"name": "price", "outputs": [LABELS[3].subject, LABELS[4].subject]}]
    assert found["failures"]["count"] == 6


def test_the_codebook_may_be_elsewhere(given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "modes.toml"
    path.write_text(CODEBOOK, "utf-8")
    found = as_json(capsys, given, "--codebook", path)
    assert found["modes"][0]["name"] == "another day"
    assert found["modes"][0]["was"] == ["wrong date", "date"]
    assert main(["labels", "modes", str(given), "--codebook", str(tmp_path / "none.toml")]) == 2
    assert "There is no such codebook" in capsys.readouterr().err


def test_recorded_conversations_tell_which_tool_and_agent(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    queue = tmp_path / "queue.jsonl"
    assert main(["labels", "sample", str(RUN), "--question", "overall", "--n", "50", "-o", str(queue)]) == 0
    more = {"value": "fail", "rater": "Ana", "tags": ["slow"], "first_fault": "call/0"}
    answered = [json.loads(line) | more for line in queue.read_text("utf-8").splitlines()]
    labels = tmp_path / "answered.jsonl"
    labels.write_text("".join(json.dumps(line) + "\n" for line in answered), "utf-8")
    capsys.readouterr()
    assert set(as_json(capsys, labels)["where"]["columns"]) == {"call"}
    tools = set(as_json(capsys, labels, "--traces", RUN)["where"]["columns"])
    assert {"get_rents", "hand-off"} < tools
    agents = as_json(capsys, labels, "--traces", RUN, "--by", "agent")["where"]["columns"]
    assert any(agents)


def test_a_baseline_tells_which_modes_rose(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    now = labels_in(tmp_path / "now.jsonl", [said(number, "rude", fails=True) for number in range(30)])
    then = labels_in(tmp_path / "then.jsonl", [said(number, fails=False) for number in range(30)])
    (change,) = as_json(capsys, now, "--baseline", then)["changes"]
    assert (change["before"]["count"], change["after"]["count"], change["difference"]["value"]) == (0, 30, 1.0)
    assert main(["labels", "modes", str(now), "--baseline", str(then)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.split() == ["rude", "0", "%", "100", "%", "+100", "+84", "to", "+100", "rose"]


def test_without_files_the_labels_of_the_data_folder_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["labels", "modes"]) == 3
    assert "There is no labelled turn" in capsys.readouterr().err
    keep(LABELS)
    assert as_json(capsys)["labelled"] == 20


def test_lines_that_are_no_labels_are_told_and_the_rest_counts(
    given: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (given / "Ben.jsonl").write_text("{}\n", "utf-8")
    assert main(["labels", "modes", str(given)]) == 1
    told = capsys.readouterr()
    assert "Ben.jsonl:1: This is no label" in told.err
    assert told.out.startswith("20 labelled turns")


def test_a_codebook_with_a_conflict_is_told_with_its_line(given: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (given / "codebook.toml").write_text("<<<<<<< HEAD\n", "utf-8")
    assert main(["labels", "modes", str(given)]) == 2
    assert "codebook.toml:1:1: Git left a conflict here." in capsys.readouterr().err
