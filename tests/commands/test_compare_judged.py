"""`compare-runs` with labels: what a judge says of both runs, and what people would say."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.calibrated import FAIL, PASS, answered, labels_of, queue_of, result_of
from trace_inspector.cli import main

MATCH = "final_response_match_v2"


def judge(model: str) -> dict[str, object]:
    return {"threshold": 0.5, "judgeModelOptions": {"judgeModel": model, "numSamples": 3}}


def run_of(path: Path, words: str, verdicts: list[str], model: str = "one") -> Path:
    outputs = [(f"case-{index:02}", f"{words} {index}.", verdict) for index, verdict in enumerate(verdicts)]
    return result_of(path, outputs, criterion=judge(model))


JUDGE = [FAIL] * 8 + [PASS] * 32  # of 40 outputs, of which people fail 12 that are labelled
PEOPLE = [FAIL] * 7 + [PASS] + [FAIL] * 5 + [PASS] * 27


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_of(tmp_path_factory.mktemp("runs") / "base.evalset_result.json", "Answer", JUDGE)


@pytest.fixture(scope="module")
def labels(base: Path) -> Path:
    return labels_of(base.with_name("Ana.jsonl"), answered(queue_of(base), PEOPLE))


def compared(base: Path, new: Path, labels: Path | None, tmp_path: Path) -> dict[str, Any]:
    out = tmp_path / "compared.json"
    words = [] if labels is None else ["--labels", str(labels)]
    main(["compare-runs", str(base), str(new), *words, "--fail-on", "never", "--report", f"json={out}"])
    found: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return found


def test_both_runs_are_corrected_and_one_without_labels_by_those_of_the_other(
    base: Path, labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = run_of(tmp_path / "new.evalset_result.json", "Another", [FAIL] * 4 + [PASS] * 36)
    (found,) = compared(base, new, labels, tmp_path)["judged"]
    assert (found["question"], found["level"]) == (MATCH, "turn")
    before, after = found["base"], found["new"]
    assert (before["raw_pass_rate"], before["judged"], before["labelled"]) == (0.8, 40, 40)
    assert before["corrected"]["ppi"]["value"] == pytest.approx(28 / 40)  # all are labelled
    assert before["corrected"]["ppi"]["low"] < 0.7 < before["corrected"]["ppi"]["high"]
    assert (after["raw_pass_rate"], after["labels_of_other_run"]) == (0.9, True)
    assert after["corrected"]["ppi"]["value"] is None
    assert after["corrected"]["ppi"]["reason"] == "the labelled outputs are none of these"
    finds, alarms = 7 / 12, 1 / 28
    failing = (0.1 - alarms) / (finds - alarms)
    assert after["corrected"]["rogan_gladen"]["value"] == pytest.approx(1 - failing)
    lines = capsys.readouterr().out
    assert f"{MATCH}: the judge passes 80 % of 40 → 90 % of 40" in lines
    assert "by PPI: 70 % (53 to 85 %) → not corrected (the labelled outputs are none of these), if" in lines
    assert "if the judge is right as often on the labelled outputs as on the others" in lines


def test_another_judge_is_not_corrected_by_labels_on_what_it_never_saw(
    base: Path, labels: Path, tmp_path: Path
) -> None:
    new = run_of(tmp_path / "new.evalset_result.json", "Another", JUDGE, "two")
    after = compared(base, new, labels, tmp_path)["judged"][0]["new"]
    assert after["corrected"]["rogan_gladen"]["value"] is None
    assert "the judge’s model changed" in after["corrected"]["rogan_gladen"]["reason"]


def test_a_judge_no_better_than_chance_is_refused(base: Path, tmp_path: Path) -> None:
    tossed = labels_of(tmp_path / "Ben.jsonl", answered(queue_of(base), [FAIL, PASS] * 20))
    before = compared(base, base, tossed, tmp_path)["judged"][0]["base"]
    assert before["corrected"]["ppi"]["value"] is None
    assert "hardly better than chance" in before["corrected"]["ppi"]["reason"]


def test_without_labels_nothing_is_added_and_reports_have_what_is_known(
    base: Path, labels: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compared(base, base, None, tmp_path)["judged"] == []
    assert "the judge passes" not in capsys.readouterr().out
    assert main(["labels", "import", str(labels)]) == 0
    reports = [f"--report={kind}={tmp_path / f'compared.{kind}'}" for kind in ("html", "markdown")]
    main(["compare-runs", str(base), str(base), *reports])
    for kind in ("html", "markdown"):
        text = unescape((tmp_path / f"compared.{kind}").read_text("utf-8"))
        assert f"{MATCH}, by PPI: 70 % (53 to 85 %) → 70 % (53 to 85 %), if labelled outputs are" in text


def test_failure_modes_that_rose_and_fell_are_told_by_the_codebook_beside_the_labels(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    new = run_of(tmp_path / "new.evalset_result.json", "Another", JUDGE)
    folder = tmp_path / "labels"
    folder.mkdir()
    rude = [{"tags": ["rude"]} for _ in range(20)] + [{"tags": ["late"]} for _ in range(2)] + [{}] * 18
    later = [{"tags": ["late again"]} for _ in range(3)] + [{}] * 37
    before, after = (queue_of(run) for run in (base, new))
    values = [FAIL] * 22 + [PASS] * 18
    labels_of(folder / "Ana.jsonl", [a | b for a, b in zip(answered(before, values), rude, strict=True)])
    labels_of(
        folder / "Ben.jsonl",
        [a | b for a, b in zip(answered(after, values, rater="Ben"), later, strict=True)],
    )
    (folder / "codebook.toml").write_text('[[mode]]\nname = "late"\nwas = ["late again"]\n', "utf-8")
    found = compared(base, new, folder, tmp_path)["failure_modes"]
    assert (found["base_outputs"], found["new_outputs"]) == (40, 40)
    told = {mode["mode"]: (mode["base"]["count"], mode["new"]["count"], mode["verdict"]) for mode in found["modes"]}
    assert told == {"rude": (20, 0, "fell"), "late": (2, 3, None)}
    assert found["modes"][0]["difference"]["value"] == pytest.approx(-0.5)
    lines = capsys.readouterr().out
    assert "Failure mode rude: 50 % → 0 % of 40 → 40 labelled turns (−50 points, −" in lines
    assert ": it fell\n" in lines
    assert "Failure mode late: 5 % → 8 % of 40 → 40 labelled turns (+2 points, −" in lines
    (folder / "codebook.toml").write_text("no codebook", "utf-8")
    broken = compared(base, new, folder, tmp_path)
    assert {mode["mode"] for mode in broken["failure_modes"]["modes"]} == {"rude", "late", "late again"}
    assert any("called as they were tagged" in note for note in broken["notes"])
