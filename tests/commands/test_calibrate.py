"""`calibrate`: a judge beside what people say of the same outputs, with figures, exit codes, JSON and a page."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from trace_inspector.cli import main
from trace_inspector.resources import folder

SAMPLES = folder("samples")
QUALITY = "rubric_based_final_response_quality_v1"
PASS, FAIL = "pass", "fail"
Line = dict[str, Any]


def result_of(path: Path, outputs: Iterable[tuple[str, str, str]], **more: object) -> Path:
    """A result file of (case, words of the answer, what the judge says), with a judged criterion on each turn."""
    cases = []
    for case, answer, verdict in outputs:
        score = 1.0 if verdict == PASS else 0.0
        metric = {
            "metricName": "final_response_match_v2",
            "threshold": 0.5,
            "score": score,
            "evalStatus": 1 if verdict == PASS else 2,
            **more,
        }
        invocation = {
            "invocationId": f"{case}-1",
            "userContent": {"role": "user", "parts": [{"text": "Where is my order?"}]},
            "finalResponse": {"role": "model", "parts": [{"text": answer}]},
        }
        cases.append(
            {
                "evalSetFile": "orders.evalset.json",
                "evalSetId": "orders",
                "evalId": case,
                "finalEvalStatus": metric["evalStatus"],
                "evalMetricResults": [],
                "overallEvalMetricResults": [metric],
                "evalMetricResultPerInvocation": [
                    {
                        "actualInvocation": invocation,
                        "expectedInvocation": invocation,
                        "evalMetricResults": [metric],
                    }
                ],
                "sessionId": f"session {case}",
            }
        )
    written = {
        "evalSetResultId": "orders_1",
        "evalSetResultName": "orders_1",
        "evalSetId": "orders",
        "evalCaseResults": cases,
        "creationTimestamp": 1.0,
    }
    path.write_text(json.dumps(written), "utf-8")
    return path


def queue_of(result: Path, *words: str) -> list[Line]:
    """A line for every output of a result, in the order of the cases."""
    out = result.with_suffix(".queue.jsonl")
    question = [] if "--question" in words else ["--question", "final_response_match_v2"]
    assert main(["labels", "sample", str(result), "--n", "100000", *question, *words, "-o", str(out)]) == 0
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return sorted(lines, key=lambda line: str(line["case"]))


def labels_of(path: Path, lines: Iterable[Line]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def answered(queue: Iterable[Line], values: Iterable[object], **more: object) -> list[Line]:
    return [{**line, "value": value, "rater": "Ana", **more} for line, value in zip(queue, values, strict=False)]


# tp 3, fp 1, fn 2, tn 6
JUDGE = [FAIL] * 4 + [PASS] * 8
PEOPLE = [FAIL] * 3 + [PASS] + [FAIL] * 2 + [PASS] * 6


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("judged") / "orders.evalset_result.json"
    return result_of(path, [(f"case-{index:02}", f"Answer {index}.", each) for index, each in enumerate(JUDGE)])


@pytest.fixture(scope="module")
def queue(judged: Path) -> list[Line]:
    return queue_of(judged)


def told(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> dict[str, Any]:
    assert main(["calibrate", *map(str, words), "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def only(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> dict[str, Any]:
    (question,) = told(capsys, *words, code=code)["questions"]
    assert isinstance(question, dict)
    return question


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
    assert "12 of 24 labels are about outputs or questions that these results do not have" in heard.err
    assert json.loads(heard.out)["questions"][0]["n"] == 12


def test_a_line_that_is_no_label_is_told_with_its_place(
    judged: Path, queue: list[Line], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = labels_of(tmp_path / "a.jsonl", answered(queue, PEOPLE))
    with labels.open("a") as file:
        file.write('{"subject": "x"}\n')
    assert main(["calibrate", str(judged), "--labels", str(labels)]) == 0
    assert f"{labels}:13: This is no label" in capsys.readouterr().err


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
    assert main(["calibrate", str(judged), str(changed), "--labels", str(labels)]) == 0
    out = capsys.readouterr().out
    assert "Stale: a result that was given later" in out
    assert (
        "right on 3 where this one is wrong, wrong on 0 where it is right, and as right on 9 outputs (p = 0.25" in out
    )


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
