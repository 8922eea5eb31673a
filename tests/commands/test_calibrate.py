"""`calibrate`: a judge beside what people say of the same outputs: figures, exit codes, bad input."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from tests.helpers.calibrated import (
    FAIL,
    PASS,
    PEOPLE,
    Line,
    answered,
    labels_of,
    only,
    queue_of,
    twelve_outputs,
)
from trace_inspector.cli import main


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return twelve_outputs(tmp_path_factory.mktemp("judged") / "orders.evalset_result.json")


@pytest.fixture(scope="module")
def queue(judged: Path) -> list[Line]:
    return queue_of(judged)


def test_the_figures_of_a_question_are_told(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = labels_of(tmp_path / "Ana.jsonl", answered(queue, PEOPLE))
    found = only(capsys, judged, "--labels", labels)
    assert found["question"] == "final_response_match_v2"
    assert found["n"] == 12
    assert found["confusion"] == {"tp": 3, "fp": 1, "fn": 2, "tn": 6}
    assert found["sensitivity"]["value"] == pytest.approx(3 / 5)
    assert found["specificity"]["value"] == pytest.approx(6 / 7)
    assert found["precision"]["value"] == pytest.approx(3 / 4)
    assert found["accuracy"]["value"] == pytest.approx(9 / 12)
    assert found["base_rate"] == pytest.approx(7 / 12)
    assert found["raw_pass_rate"] == pytest.approx(8 / 12)
    assert found["corrected"]["ppi"]["value"] == pytest.approx(7 / 12)
    assert found["corrected"]["rogan_gladen"]["value"] == pytest.approx(7 / 12)
    assert found["kappa"]["low"] < found["kappa"]["value"] < found["kappa"]["high"]
    assert found["alpha"] is None
    assert found["stale"] is False
    assert found["unsure"] == 0
    for name in ("sensitivity", "specificity", "precision", "accuracy", "kappa", "ac1"):
        assert found[name]["interval"], name


def test_a_disagreement_has_its_place_and_both_reasons(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = answered(queue, PEOPLE)
    lines[4]["note"] = "It names the wrong street."
    found = only(capsys, judged, "--labels", labels_of(tmp_path / "a.jsonl", lines))
    assert [(each["judge"], each["people"]) for each in found["disagreements"]] == [
        (FAIL, PASS),
        (PASS, FAIL),
        (PASS, FAIL),
    ]
    missed = found["disagreements"][1]
    assert missed["subject"] == queue[4]["subject"]
    assert missed["people_notes"] == [{"rater": "Ana", "note": "It names the wrong street."}]
    path, _sign, pointer = missed["place"].partition("#")
    assert path == str(judged)
    assert pointer.startswith("/evalCaseResults/4/")
    assert main(["calibrate", str(judged), "--labels", str(tmp_path / "a.jsonl")]) == 0
    out = capsys.readouterr().out
    assert missed["place"] in out
    assert "Ana: It names the wrong street." in out


def test_words_say_what_the_figures_mean(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = labels_of(tmp_path / "a.jsonl", answered(queue, [*PEOPLE[:10], "unsure", "unsure"]))
    assert main(["calibrate", str(judged), "--labels", str(labels)]) == 0
    out = capsys.readouterr().out
    assert "10 outputs of 12 with a verdict and a label, by 1 rater; 2 labels unsure, counted nowhere" in out
    assert "of 5 failures it found 3" in out
    assert "People labelled only 5 failing outputs: the intervals of κ and AC1 may be too narrow" in out
    assert "of 5 good outputs it let 4 pass" in out
    assert "saying the same always would get 50 %" in out


def test_unsure_counts_nowhere_and_is_said(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without = only(capsys, judged, "--labels", labels_of(tmp_path / "a.jsonl", answered(queue, PEOPLE[:9])))
    values = [*PEOPLE[:9], "unsure", "unsure", "unsure"]
    unsure = only(capsys, judged, "--labels", labels_of(tmp_path / "b.jsonl", answered(queue, values)))
    assert unsure["unsure"] == 3
    assert unsure["n"] == without["n"] == 9
    assert unsure["kappa"] == without["kappa"]


def test_overrules_do_not_count_and_labels_that_are_not_blind_are_told(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = answered(queue, PEOPLE, blind=True, at="2026-01-01T00:00:00.000000Z")
    overruled = answered(queue[:2], [PASS, PASS], overrules=True, at="2026-01-02T00:00:00.000000Z")
    labels = labels_of(tmp_path / "a.jsonl", [*lines, *overruled])
    found = only(capsys, judged, "--labels", labels)
    assert found["confusion"] == {"tp": 3, "fp": 1, "fn": 2, "tn": 6}
    assert found["notes"] == [
        "2 overrules are not counted: people overrule what they disagree with, which is no draw"
    ]
    assert found["not_blind"] == 0
    seen = labels_of(tmp_path / "b.jsonl", [*lines[:9], *answered(queue[9:], PEOPLE[9:])])
    assert only(capsys, judged, "--labels", seen)["not_blind"] == 3
    assert main(["calibrate", str(judged), "--labels", str(seen)]) == 0
    assert "3 labels not marked as blind, so that the verdict may have been in sight" in capsys.readouterr().out
    alone = labels_of(tmp_path / "c.jsonl", overruled)
    assert main(["calibrate", str(judged), "--labels", str(alone)]) == 3


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 0, ""),
        (["--min", "sensitivity=0.6", "--min", "accuracy=0.75"], 0, ""),
        (["--min", "sensitivity=0.61"], 1, "sensitivity does not reach 0.61: it is 0.600"),
        (["--min", "accuracy=0.5", "--by-interval"], 1, "the lower end of its interval is 0.428"),
        (["--min", "accuracy=0.42", "--by-interval"], 0, ""),
        (["--min", "kappa=0.4", "--min", "ac1=0.4", "--min", "specificity=0.8"], 0, ""),
        (["--by-interval"], 2, "Add --min"),
        (["--question", "hallucinations_v1"], 3, "nothing to compare of “hallucinations_v1”"),
        (["--question", "final_*"], 0, ""),
    ],
)
def test_minima_decide_the_exit_code(
    judged: Path,
    queue: list[Line],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    code: int,
    said: str,
) -> None:
    labels = labels_of(tmp_path / "a.jsonl", answered(queue, PEOPLE))
    assert main(["calibrate", str(judged), "--labels", str(labels), *words]) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("minimum", ["kappa", "kappa=", "kappa=x", "kappa=nan", "alpha=0.5", "kappa=1.1", "=0.5"])
def test_what_is_no_minimum_is_a_usage_error(judged: Path, minimum: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", str(judged), "--labels", "x.jsonl", "--min", minimum]) == 2
    assert "KIND=VALUE" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("values", "words", "code", "said"),
    [
        ([], [], 3, "There are no labels in these files"),
        (["fail"], [], 3, "nothing to compare"),
        (["unsure"] * 12, [], 3, "nothing to compare"),
        (["withdrawn"] * 12, [], 3, "There are no labels"),
        (["pass"] * 12, [], 0, ""),
        (["pass"] * 12, ["--min", "kappa=0.1"], 3, "kappa cannot be told: one class only"),
        (["pass"] * 12, ["--min", "sensitivity=0.1"], 3, "sensitivity cannot be told"),
        (["pass"] * 12, ["--min", "sensitivity=0.1", "--min", "accuracy=0.9"], 1, "accuracy does not reach"),
        ([0.9] * 6 + [0.1] * 6, [], 0, ""),
        ([None] * 12, [], 3, "There are no labels"),
    ],
)
def test_labels_that_tell_little_end_in_a_sentence(
    judged: Path,
    queue: list[Line],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    values: list[object],
    words: list[str],
    code: int,
    said: str,
) -> None:
    lines = [{name: value for name, value in line.items() if value is not None} for line in answered(queue, values)]
    labels = labels_of(tmp_path / "a.jsonl", lines)
    assert main(["calibrate", str(judged), "--labels", str(labels), *words]) == code
    heard = capsys.readouterr()
    assert said in heard.err
    assert "Traceback" not in heard.err


def test_a_number_fails_below_the_threshold_of_the_judge(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    numbers = [0.0 if value == FAIL else 0.5 for value in PEOPLE]
    found = only(capsys, judged, "--labels", labels_of(tmp_path / "a.jsonl", answered(queue, numbers)))
    assert found["confusion"] == {"tp": 3, "fp": 1, "fn": 2, "tn": 6}


def test_labels_of_other_outputs_are_counted_apart(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    others = [{**line, "subject": hashlib.sha256(line["subject"].encode()).hexdigest()} for line in queue]
    labels = labels_of(tmp_path / "a.jsonl", [*answered(queue, PEOPLE), *answered(others, PEOPLE)])
    assert main(["calibrate", str(judged), "--labels", str(labels), "--json"]) == 0
    heard = capsys.readouterr()
    assert "12 of 24 labels are about outputs or questions of which these results have no verdict" in heard.err
    assert json.loads(heard.out)["questions"][0]["n"] == 12


def test_a_line_that_is_no_label_is_told_with_its_place(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = labels_of(tmp_path / "a.jsonl", answered(queue, PEOPLE))
    with labels.open("a") as file:
        file.write('{"subject": "x"}\n')
    assert main(["calibrate", str(judged), "--labels", str(labels)]) == 0
    assert f"{labels}:13: This is no label" in capsys.readouterr().err
    assert main(["calibrate", str(judged), "--labels", str(labels), "--min", "accuracy=0.75"]) == 1
    assert "while some lines are no labels" in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["result", "labels"])
def test_what_cannot_be_read_ends_with_2(
    judged: Path, tmp_path: Path, missing: str, capsys: pytest.CaptureFixture[str]
) -> None:
    there = labels_of(tmp_path / "a.jsonl", [])
    words = {
        "result": [tmp_path / "none.json", "--labels", there],
        "labels": [judged, "--labels", tmp_path / "none.jsonl"],
    }
    assert main(["calibrate", *map(str, words[missing])]) == 2
    assert "none.json" in capsys.readouterr().err
