"""`calibrate`: several people, parts of labels, clusters, rubrics, changed judges, and the page."""

from __future__ import annotations

import json
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.helpers.calibrated import (
    FAIL,
    JUDGE,
    PASS,
    PEOPLE,
    Line,
    answered,
    labels_of,
    only,
    queue_of,
    result_of,
    told,
    twelve_outputs,
)
from trace_inspector.cli import main
from trace_inspector.flows.review.calibrating import calibrate, judged_results
from trace_inspector.flows.review.label_files import read_label_files
from trace_inspector.resources import folder

SAMPLES = folder("samples")
QUALITY = "rubric_based_final_response_quality_v1"


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return twelve_outputs(tmp_path_factory.mktemp("judged") / "orders.evalset_result.json")


@pytest.fixture(scope="module")
def queue(judged: Path) -> list[Line]:
    return queue_of(judged)


def test_people_who_are_divided_decide_nothing_and_are_the_ceiling(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = labels_of(tmp_path / "Ana.jsonl", answered(queue, PEOPLE))
    turned = [PASS if PEOPLE[0] == FAIL else FAIL, *PEOPLE[1:]]
    second = labels_of(tmp_path / "Ben.jsonl", answered(queue, turned, rater="Ben"))
    found = only(capsys, judged, "--labels", tmp_path)
    assert found["raters"] == 2
    assert found["undecided"] == 1
    assert found["n"] == 11
    assert 0.5 < found["alpha"]["value"] < 1
    assert (first.exists(), second.exists()) == (True, True)


def test_the_test_part_alone_counts_and_its_openings_are_told(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [*answered(queue[:6], PEOPLE[:6], split="dev"), *answered(queue[6:], PEOPLE[6:], split="test")]
    labels = labels_of(tmp_path / "a.jsonl", lines)
    found = only(capsys, judged, "--labels", labels)
    assert (found["split"], found["n"], found["left_out"]) == ("test", 6, 6)
    assert found["notes"] == []
    again = only(capsys, judged, "--labels", labels)
    assert again["notes"] == []
    changed = result_of(
        tmp_path / "changed.evalset_result.json",
        [(f"case-{index:02}", f"Answer {index}.", PASS) for index in range(12)],
        criterion={"threshold": 0.5, "judgeModelOptions": {"judgeModel": "another", "numSamples": 3}},
    )
    other = only(capsys, changed, "--labels", labels)
    assert other["judge"]["digest"] != found["judge"]["digest"]
    (note,) = other["notes"]
    assert "another judge was measured on this test part before" in note
    elsewhere = result_of(  # the same question about other outputs, by a third judge
        tmp_path / "elsewhere.evalset_result.json",
        [(f"other-{index:02}", f"Other {index}.", PASS) for index in range(12)],
        criterion={"threshold": 0.5, "judgeModelOptions": {"judgeModel": "third", "numSamples": 3}},
    )
    lines = answered(queue_of(elsewhere), PEOPLE, split="test")
    capsys.readouterr()
    third = only(capsys, elsewhere, "--labels", labels_of(tmp_path / "b.jsonl", lines))
    assert (third["n"], third["notes"]) == (12, [])


def test_an_output_of_the_test_part_stays_there_whoever_labels_it_again(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = answered(queue, PEOPLE, split="test", at="2026-01-01T00:00:00.000000Z")
    own_again = answered(queue[:4], PEOPLE, at="2026-01-02T00:00:00.000000Z")
    others = answered(queue[:8], PEOPLE, rater="Ben")
    labels = labels_of(tmp_path / "a.jsonl", [*first, *own_again, *others])
    found = only(capsys, judged, "--labels", labels)
    assert (found["split"], found["n"], found["left_out"], found["raters"]) == ("test", 12, 0, 2)
    (sealed,) = calibrate(
        judged_results([str(judged)]), read_label_files([labels]).labels, may_open=lambda *_of: False
    ).calibrations
    assert (sealed.compared, sealed.labels.sealed) == (0, 12)


def test_labels_of_the_dev_part_alone_are_said_to_flatter(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = labels_of(tmp_path / "a.jsonl", answered(queue, PEOPLE, split="dev"))
    assert main(["calibrate", str(judged), "--labels", str(labels)]) == 0
    assert "on which the judge is tuned" in capsys.readouterr().out


def test_the_page_escapes_what_people_and_judges_say(judged: Path, queue: list[Line], tmp_path: Path) -> None:
    lines = answered(queue, PEOPLE, note="<script>alert(1)</script>")
    labels = labels_of(tmp_path / "a.jsonl", lines)
    page = tmp_path / "calibration.html"
    assert main(["calibrate", str(judged), "--labels", str(labels), "--html", str(page)]) == 0
    text = page.read_text("utf-8")
    tags: list[str] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, _attributes: tags.append(tag)  # type: ignore[method-assign, assignment]
    parser.feed(text)
    assert "script" not in tags
    assert "&lt;script&gt;" in text
    assert "default-src 'none'" in unescape(text)
    for word in ("sensitivity", "κ", "by PPI", "3 disagreements", "people: fail"):
        assert word in text
    assert main(["calibrate", str(judged), "--labels", str(labels), "--html", str(judged)]) == 2
    assert main(["calibrate", str(judged), "--labels", str(labels), "--html", str(labels)]) == 2
    assert json.loads(labels.read_text("utf-8").splitlines()[0])["rater"] == "Ana"


def test_outputs_of_one_case_are_a_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    widths = []
    for name, cases in (("apart", 40), ("together", 4)):
        outputs = [
            (f"case-{index % cases:02}", f"{name} {index}", FAIL if index % cases % 4 == 0 else PASS)
            for index in range(40)
        ]
        result = result_of(tmp_path / f"{name}.evalset_result.json", outputs)
        queue = queue_of(result)
        people = [
            FAIL if line["case"] in ("case-00", "case-01") or line["case"] > "case-30" else PASS for line in queue
        ]
        capsys.readouterr()
        found = only(capsys, result, "--labels", labels_of(tmp_path / f"{name}.jsonl", answered(queue, people)))
        assert found["n"] == 40
        widths.append(found["accuracy"]["high"] - found["accuracy"]["low"])
        assert ("Korn" in found["accuracy"]["interval"]) is (name == "together")
    assert widths[1] > 2 * widths[0]


def test_a_judge_of_the_samples_is_calibrated_with_its_rubrics(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = tmp_path / "judged.json"
    judge = ["--judge", f"recorded:{SAMPLES / 'judge-replies.json'}", "--report", f"adk={result}"]
    golden = ["--golden", str(SAMPLES / "retail.evalset.json")]
    assert main(["evaluate", str(SAMPLES / "run-0412.json"), *golden, *judge]) == 1
    queue = queue_of(result, "--question", f"{QUALITY}*")
    values = [FAIL if index % 5 == 0 else PASS for index in range(len(queue))]
    labels = labels_of(tmp_path / "a.jsonl", answered(queue, values))
    capsys.readouterr()
    found = told(capsys, result, "--labels", labels)["questions"]
    names = {each["question"] for each in found}
    assert QUALITY in names
    rubrics = [each for each in found if each["question"].startswith(f"{QUALITY}/")]
    assert rubrics
    assert all(each["judge"]["rubric"] for each in rubrics)
    assert len({each["judge"]["digest"] for each in rubrics}) == len(rubrics)


def test_a_question_with_a_single_label_leaves_a_minimum_open(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = answered(queue_of(judged, "--question", "overall")[:1], [PASS])
    labels = labels_of(tmp_path / "a.jsonl", [*answered(queue, PEOPLE), *one])
    assert main(["calibrate", str(judged), "--labels", str(labels)]) == 0
    assert main(["calibrate", str(judged), "--labels", str(labels), "--min", "accuracy=0.5"]) == 3
    assert "overall (turn): accuracy cannot be told: fewer than 2" in capsys.readouterr().err


def test_options_of_a_judge_that_are_no_json_are_no_traceback(
    queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = {"judgeModel": ["no", "name"], "numSamples": "many", "judgeModelConfig": {"temperature": float("nan")}}
    result = result_of(
        tmp_path / "odd.evalset_result.json",
        [(f"case-{index:02}", f"Answer {index}.", each) for index, each in enumerate(JUDGE)],
        criterion={"threshold": 0.5, "judgeModelOptions": odd},
    )
    found = only(capsys, result, "--labels", labels_of(tmp_path / "a.jsonl", answered(queue, PEOPLE)))
    assert found["judge"]["model"] is None
    assert found["judge"]["samples"] is None


def test_levels_are_measured_apart(judged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for level, values in (("turn", PEOPLE), ("case", [PASS, FAIL] * 6)):
        asked = queue_of(judged, "--question", "overall", "--level", level)
        lines += answered(asked, values)
    capsys.readouterr()
    found = told(capsys, judged, "--labels", labels_of(tmp_path / "a.jsonl", lines))["questions"]
    assert [(each["question"], each["level"], each["n"]) for each in found] == [
        ("overall", "case", 12),
        ("overall", "turn", 12),
    ]
    assert found[0]["confusion"] == {"tp": 2, "fp": 2, "fn": 4, "tn": 4}
    assert found[1]["confusion"] == {"tp": 3, "fp": 1, "fn": 2, "tn": 6}


def test_a_reworded_rubric_is_another_question(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = tmp_path / "judged.json"
    judge = ["--judge", f"recorded:{SAMPLES / 'judge-replies.json'}", "--report", f"adk={result}"]
    golden = ["--golden", str(SAMPLES / "retail.evalset.json")]
    assert main(["evaluate", str(SAMPLES / "run-0412.json"), *golden, *judge]) == 1
    queue = queue_of(result, "--question", f"{QUALITY}/answers_the_question@*")
    old = [{**line, "question": line["question"].partition("@")[0] + "@000000000000"} for line in queue]
    labels = labels_of(tmp_path / "a.jsonl", [*answered(queue, [PASS, FAIL] * 3), *answered(old, [PASS] * 4)])
    capsys.readouterr()
    found = only(capsys, result, "--labels", labels)
    assert found["n"] == 6
    assert found["notes"] == ["4 labels answer another wording of this rubric, and are not counted"]


def test_of_two_judges_the_one_before_is_stale(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = labels_of(tmp_path / "a.jsonl", answered(queue, PEOPLE))
    changed = result_of(
        tmp_path / "changed.evalset_result.json",
        [(f"case-{index:02}", f"Answer {index}.", each) for index, each in enumerate(PEOPLE)],
        criterion={"threshold": 0.5, "judgeModelOptions": {"judgeModel": "another", "numSamples": 3}},
    )
    before, after = told(capsys, judged, changed, "--labels", labels)["questions"]
    assert (before["stale"], after["stale"]) == (True, False)
    assert before["confusion"]["fn"] == 2
    assert after["confusion"]["fn"] == 0
    assert after["judge"]["model"] == "another"
    assert after["judge"]["samples"] == 3
    assert after["rejudged"] is None
    assert before["rejudged"] == {
        "both_right": 9,
        "only_before": 0,
        "only_after": 3,
        "both_wrong": 0,
        "p": pytest.approx(0.25),
    }
    assert main(["calibrate", str(judged), str(changed), "--labels", str(labels), "--min", "accuracy=1"]) == 0
    assert main(["calibrate", str(changed), str(judged), "--labels", str(labels), "--min", "accuracy=1"]) == 1
    capsys.readouterr()
    assert main(["calibrate", str(judged), str(changed), "--labels", str(labels)]) == 0
    out = capsys.readouterr().out
    assert "Stale: a result that was given later" in out
    assert (
        "right on 3 where this one is wrong, wrong on 0 where it is right, and as right on 9 outputs (p = 0.25" in out
    )


def test_the_judge_of_the_last_result_is_in_use_also_where_it_was_there_before(
    queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = labels_of(tmp_path / "a.jsonl", answered(queue, PEOPLE))
    results = []
    for name, model in (("monday", "one"), ("tuesday", "two"), ("wednesday", "one")):
        results.append(
            result_of(
                tmp_path / f"{name}.evalset_result.json",
                [(f"case-{index:02}", f"Answer {index}.", each) for index, each in enumerate(JUDGE)],
                criterion={"threshold": 0.5, "judgeModelOptions": {"judgeModel": model}},
            )
        )
    found = told(capsys, *results, "--labels", labels)["questions"]
    assert [(each["judge"]["model"], each["stale"]) for each in found] == [("two", True), ("one", False)]


def test_scores_that_are_no_numbers_are_no_verdicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = [(f"case-{index:02}", f"Answer {index}.", PASS) for index in range(6)]
    result = result_of(tmp_path / "nan.evalset_result.json", outputs)
    queue = queue_of(result)
    labels = labels_of(tmp_path / "a.jsonl", answered(queue, [PASS, FAIL] * 3))
    text = result.read_text("utf-8").replace('"score": 1.0, "evalStatus": 1', '"score": NaN, "evalStatus": 3')
    result.write_text(text, "utf-8")
    capsys.readouterr()
    assert main(["calibrate", str(result), "--labels", str(labels), "--json"]) == 3
    found = json.loads(capsys.readouterr().out)
    assert [question["n"] for question in found["questions"]] in ([], [0])
