"""How far the judges of open files are trusted: by labels on what they judged, now or before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.helpers.calibrated import FAIL, PASS, answered, labels_of, queue_of, result_of
from trace_inspector.cli import main
from trace_inspector.core.review.label import Level
from trace_inspector.flows.review import kept_calibrations, open_calibration
from trace_inspector.flows.review.open_calibration import OpenCalibration, calibrate_open
from trace_inspector.resources import folder
from trace_inspector.settings import data_folder

MATCH, QUALITY = "final_response_match_v2", "rubric_based_final_response_quality_v1"
JUDGE = [PASS, PASS, FAIL, PASS, FAIL, PASS]


def judge(model: str, samples: int = 3) -> dict[str, object]:
    return {"threshold": 0.5, "judgeModelOptions": {"judgeModel": model, "numSamples": samples}}


def result(path: Path, words: str, criterion: dict[str, object]) -> Path:
    outputs = [(f"case-{index}", f"{words} {index}.", verdict) for index, verdict in enumerate(JUDGE)]
    return result_of(path, outputs, criterion=criterion)


def mark(found: OpenCalibration, path: Path) -> tuple[str, bool] | None:
    got = found.marks.get((str(path), Level.TURN, MATCH))
    return None if got is None else (got.text, got.is_stale)


@pytest.fixture
def labelled(tmp_path: Path) -> tuple[Path, Path]:
    """What a judge said, and labels that differ from it in one place."""
    judged = result(tmp_path / "old.evalset_result.json", "Answer", judge("one"))
    people = [FAIL, *JUDGE[1:]]
    return judged, labels_of(tmp_path / "Ana.jsonl", answered(queue_of(judged), people))


def test_a_judge_is_trusted_by_what_it_judged_and_stale_once_it_is_another(
    labelled: tuple[Path, Path], tmp_path: Path
) -> None:
    judged, labels = labelled
    same = result(tmp_path / "same.evalset_result.json", "Other", judge("one"))
    other = result(tmp_path / "other.evalset_result.json", "Other", judge("two"))
    fewer = result(tmp_path / "fewer.evalset_result.json", "Other", judge("one", 1))
    asked = [str(path) for path in (judged, same, other, fewer)]
    found = calibrate_open(asked, "", [str(labels)])
    agrees = "agrees with people on 5 of 6"
    assert mark(found, judged) == mark(found, same) == (agrees, False)
    assert mark(found, other) == ("calibration is stale: the judge’s model changed", True)
    stale = mark(found, fewer)
    assert stale is not None
    assert stale[1]
    alone = calibrate_open([str(same)], "", [str(labels)])  # it is known from before
    assert mark(alone, same) == (agrees, False)
    assert [each.compared for each in alone.calibrations] == [0]


def test_all_criteria_together_are_no_judge_that_is_known_elsewhere(labelled: tuple[Path, Path]) -> None:
    judged, labels = labelled
    lines = answered(queue_of(judged, "--question", "overall"), [FAIL, *JUDGE[1:]])
    labels_of(labels, [*lines, *answered(queue_of(judged), [FAIL, *JUDGE[1:]])])
    found = calibrate_open([str(judged)], "", [str(labels)])
    assert {each.question: each.compared for each in found.calibrations} == {"overall": 6, MATCH: 6}
    assert [question for _path, _level, question in found.marks] == [MATCH]
    assert [each.question for each in kept_calibrations.read()] == [MATCH]


def test_nothing_is_said_without_labels(labelled: tuple[Path, Path]) -> None:
    judged, labels = labelled
    calibrate_open([str(judged)], "", [str(labels)])
    found = calibrate_open([str(judged)], "", [])
    assert (found.marks, found.calibrations, found.labels) == ({}, (), 0)


def test_what_was_kept_is_passed_over_where_it_is_damaged(labelled: tuple[Path, Path]) -> None:
    judged, labels = labelled
    calibrate_open([str(judged)], "", [str(labels)])
    kept = data_folder() / kept_calibrations.FILE
    (line,) = kept.read_text("utf-8").splitlines()
    kept.write_text(f'{{"question": 3}}\n\x00\n{line}\n[{line[:40]}\n', "utf-8")
    (known,) = kept_calibrations.read()
    assert (known.compared, known.agreeing) == (6, 5)
    before = kept.read_bytes()
    calibrate_open([str(judged)], "", [str(labels)])
    assert kept.read_bytes() == before  # nothing new was measured


def test_large_files_are_not_read_and_named(labelled: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    judged, labels = labelled
    monkeypatch.setattr(open_calibration, "MOST_BYTES", 100)
    found = calibrate_open([str(judged), str(judged.with_name("gone.json"))], "", [str(labels)])
    assert found.too_large == (str(judged), str(judged.with_name("gone.json")))
    assert found.calibrations == ()


def test_before_and_after_a_change_of_the_judge_stand_side_by_side(tmp_path: Path) -> None:
    samples = folder("samples")
    run, golden, judge = (samples / name for name in ("run-0412.json", "retail.evalset.json", "judge-replies.json"))
    stated = json.loads((samples / "test_config.json").read_text("utf-8"))
    for votes in (3, 1):
        stated["criteria"][QUALITY]["judge_model_options"]["num_samples"] = votes
        criteria = tmp_path / f"{votes}.json"
        criteria.write_text(json.dumps(stated), "utf-8")
        words = ["--golden", str(golden), "--criteria", str(criteria), "--judge", f"recorded:{judge}"]
        assert main(["evaluate", str(run), *words]) == 1
    found = calibrate_open([str(run)], "", [str(samples / "labels")])
    before, after = (each for each in found.calibrations if each.question == QUALITY)
    assert (before.judge.samples, after.judge.samples) == (3, 1)
    assert (bool(before.stale), after.stale) == (True, "")
    assert before.rejudged is not None
    assert before.rejudged.both_right + before.rejudged.both_wrong == after.compared == 15
    assert found.marks[str(run), Level.TURN, QUALITY].text.startswith("agrees with people on 13 of 15")
    assert {file for file, _trace in found.labelled[QUALITY, Level.TURN]} == {str(run)}


def test_disagreements_are_listed_first_and_no_more_than_the_window_takes(
    labelled: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    judged, labels = labelled
    monkeypatch.setattr(open_calibration, "MOST_OUTPUTS", 3)
    (found,) = calibrate_open([str(judged)], "", [str(labels)]).calibrations
    assert found.compared == 6
    assert [each.is_right for each in found.outputs] == [False, True, True]
    assert {each.people_failed for each in found.outputs[1:]} == {True, False}
