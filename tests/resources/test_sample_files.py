"""The sample files: written by their generator, and in the forms they claim to be in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.finding import Severity
from trace_inspector.core.review.label import Answer
from trace_inspector.core.review.subjects import turn_subject
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.flows.review.label_files import read_label_files
from trace_inspector.resources import folder

SAMPLES = folder("samples")
GENERATOR = Path(__file__).resolve().parents[2] / "packaging" / "make_samples.py"
WRITTEN = ["judge-replies.json", "retail.evalset.json", "run-0405.json", "run-0412.json", "test_config.json"]
LABELS = ["labels/Jonas.jsonl", "labels/Mara.jsonl"]
APP = "other-systems/ticket-desk"
OF_OTHER_SYSTEMS = [
    "other-systems/agent-eval.jsonl",
    "other-systems/ces-conversation.json",
    "other-systems/ces-result.json",
    f"{APP}/agents/desk/desk.json",
    f"{APP}/agents/desk/instruction.txt",
    f"{APP}/agents/payments/instruction.txt",
    f"{APP}/agents/payments/payments.json",
    f"{APP}/app.json",
    f"{APP}/evaluationExpectations/asks-first/asks-first.json",
    f"{APP}/evaluations/move-seats/move-seats.json",
    f"{APP}/global_instruction.txt",
    f"{APP}/tools/find_booking/find_booking.json",
    f"{APP}/tools/find_booking/python_function/python_code.py",
    f"{APP}/tools/move_seats/move_seats.json",
    f"{APP}/tools/send_tickets/send_tickets.json",
    "other-systems/vertex-items.json",
]


def load(name: str) -> Any:
    return json.loads((SAMPLES / name).read_text(encoding="utf-8"))


def below(folder: Path) -> list[str]:
    """Every file in a folder and in those in it."""
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("samples")
    subprocess.run([sys.executable, str(GENERATOR), str(target)], check=True, timeout=240)
    return target


def test_the_generator_writes_all_of_them(generated: Path) -> None:
    assert below(generated) == sorted([*WRITTEN, *LABELS, *OF_OTHER_SYSTEMS])
    assert below(SAMPLES) == sorted([*WRITTEN, *LABELS, *OF_OTHER_SYSTEMS, "README.md"])


@pytest.mark.parametrize("name", [*WRITTEN, *LABELS, *OF_OTHER_SYSTEMS])
def test_a_file_is_what_the_generator_writes(generated: Path, name: str) -> None:
    assert (SAMPLES / name).read_bytes() == (generated / name).read_bytes()


def test_the_readme_names_every_case_and_file() -> None:
    text = (SAMPLES / "README.md").read_text(encoding="utf-8")
    cases = [case["eval_id"] for case in load("retail.evalset.json")["eval_cases"]]
    opened = [name.removeprefix("other-systems/") for name in OF_OTHER_SYSTEMS if not name.startswith(APP)]
    named = [*cases, "seattle_tea_001", *WRITTEN, *LABELS, *opened, "ticket-desk/"]
    assert [word for word in named if f"`{word}`" not in text] == []


@each(
    ("name", "format_name"),
    [
        ("agent-eval.jsonl", "agent-eval"),
        ("ces-conversation.json", "ces-conversation"),
        ("ces-result.json", "ces-result"),
        ("ticket-desk", "ces-app"),
        ("vertex-items.json", "vertex-item"),
    ],
)
def test_each_other_system_is_read_as_such_and_nothing_in_it_is_wrong(name: str, format_name: str) -> None:
    contents = open_file(SAMPLES / "other-systems" / name).contents
    assert contents.format == format_name
    assert {finding.code for finding in contents.findings if finding.severity is Severity.ERROR} == set()
    assert format_name == "agent-eval" or not [one for one in contents.findings if one.severity is Severity.WARNING]


def test_the_desk_is_judged_against_its_app_and_the_first_difference_is_the_row(
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = SAMPLES / "other-systems"
    arguments = [str(files / "ces-conversation.json"), "--golden", str(files / "ticket-desk")]
    assert main(["evaluate", *arguments, "--json"]) == 1
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert (case["id"], case["status"]) == ("move-seats", "FAILED")
    reasons = [
        metric["reason"] for turn in case["turns"] for metric in turn["metrics"] if metric["status"] == "FAILED"
    ]
    assert "“row” differs" in reasons[0]
    assert any("find_booking" in reason for reason in reasons[1:])


def test_both_forms_of_expected_calls_are_used() -> None:
    turns = [turn for case in load("retail.evalset.json")["eval_cases"] for turn in case["conversation"]]
    forms = [tuple(turn["intermediate_data"]) for turn in turns]
    assert set(forms) == {("invocation_events",), ("tool_uses", "tool_responses")}


def test_no_rubric_id_is_given_twice_to_a_turn() -> None:
    criteria = load("test_config.json")["criteria"]["rubric_based_final_response_quality_v1"]
    for case in load("retail.evalset.json")["eval_cases"]:
        for turn in case["conversation"]:
            rubrics = [*criteria["rubrics"], *case.get("rubrics", []), *turn.get("rubrics", [])]
            ids = [rubric["rubric_id"] for rubric in rubrics]
            assert len(ids) == len(set(ids))


def test_spans_lie_inside_their_parents() -> None:
    for trace in load("run-0412.json")["data"]:
        times = {span["spanID"]: (span["startTime"], span["startTime"] + span["duration"]) for span in trace["spans"]}
        assert len(times) == len(trace["spans"])
        for span in trace["spans"]:
            for reference in span["references"]:
                first, last = times[reference["spanID"]]
                start, end = times[span["spanID"]]
                assert first <= start <= end <= last, span["operationName"]


def test_ids_in_the_otlp_file_have_their_length_and_parents_exist() -> None:
    spans = load("run-0405.json")["resourceSpans"][0]["scopeSpans"][0]["spans"]
    ids = {span["spanId"] for span in spans}
    assert len(ids) == len(spans)
    for span in spans:
        assert len(bytes.fromhex(span["traceId"])) == 16
        assert len(bytes.fromhex(span["spanId"])) == 8
        assert span.get("parentSpanId") is None or span["parentSpanId"] in ids


def replies(case: str, turn: int) -> list[str]:
    return [
        reply["reply"]
        for reply in load("judge-replies.json")["replies"]
        if (reply["case"], reply["turn"]) == (case, turn)
    ]


def test_two_of_three_judges_see_the_planted_claim() -> None:
    verdicts = [reply.count("Verdict: no") for reply in replies("seattle_coffee_001", 1)]
    assert verdicts == [1, 0, 1]
    others = [reply["reply"] for reply in load("judge-replies.json")["replies"] if "Verdict: no" in reply["reply"]]
    assert len(others) == 2


def test_exactly_one_reply_is_malformed() -> None:
    rows = [reply["reply"].splitlines() for reply in load("judge-replies.json")["replies"]]
    counts = [[sum(row.startswith(key) for row in reply) for key in ("Property: ", "Rationale: ")] for reply in rows]
    assert [stated - given for stated, given in counts if stated != given] == [1]
    assert sum("Rationale: " in row for row in replies("seattle_coffee_002", 1)[2].splitlines()) == 1


def test_every_turn_of_every_case_has_three_replies() -> None:
    expected = {
        (case["eval_id"], turn)
        for case in load("retail.evalset.json")["eval_cases"]
        for turn in range(len(case["conversation"]))
    }
    by_turn: dict[tuple[str, int], list[int]] = {}
    for reply in load("judge-replies.json")["replies"]:
        by_turn.setdefault((reply["case"], reply["turn"]), []).append(reply["sample"])
    assert set(map(tuple, by_turn.values())) == {(0, 1, 2)}
    assert set(by_turn) == {*expected, ("portland_books_001", 2)}


def test_each_label_is_about_a_turn_of_the_samples_and_both_raters_find_faults_that_the_other_does_not() -> None:
    turns = [
        (trace.id, turn.index, turn_subject(turn))
        for run in ("run-0405.json", "run-0412.json")
        for trace in open_file(SAMPLES / run).contents.traces
        for turn in trace.turns
    ]
    read = read_label_files([SAMPLES / "labels"])
    assert read.findings == ()
    assert len(read.labels) == 60
    assert {(label.case, label.turn, label.subject) for label in read.labels} <= set(turns)
    said = {label.key: label.value for label in read.labels}
    assert len(said) == 60
    assert {rater for rater, _subject, _question in said} == {"Mara", "Jonas"}
    others = {"Mara": "Jonas", "Jonas": "Mara"}
    alone = {
        rater
        for (rater, subject, question), value in said.items()
        if value is Answer.FAIL and said[others[rater], subject, question] is Answer.PASS
    }
    assert alone == {"Mara", "Jonas"}
