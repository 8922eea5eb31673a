"""`evaluate` from the outside: criteria, exit codes, reports and words."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.helpers.eval_sets import call, case, turn, write_criteria, write_eval_set
from trace_inspector.cli import main
from trace_inspector.core.values.values import JsonObject
from trace_inspector.resources import folder
from trace_inspector.settings import data_folder


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    return write_eval_set(
        tmp_path / "golden.evalset.json",
        case(
            "parking",
            turn(
                "Where can I park?",
                "At the lot on Pine Street.",
                [call("search_places", query="parking", radius_m=500)],
            ),
            turn("Thanks", "You are welcome.", []),
        ),
    )


@pytest.fixture
def passing(tmp_path: Path, golden: Path) -> Path:
    path = tmp_path / "passing.json"
    path.write_bytes(golden.read_bytes())
    return path


@pytest.fixture
def failing(tmp_path: Path) -> Path:
    return write_eval_set(
        tmp_path / "failing.json",
        case(
            "parking",
            turn("Where can I park?", "At Pine Street.", [call("search_places", query="parking lots", radius_m=800)]),
            turn("Thanks", "You are welcome.", []),
        ),
    )


def run(*arguments: object) -> int:
    return main(["evaluate", *(str(argument) for argument in arguments)])


def test_a_pass_is_0_and_a_failure_1_with_the_call_named(
    golden: Path, passing: Path, failing: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(passing, "--golden", golden) == 0
    assert run(failing, "--golden", golden) == 1
    said = capsys.readouterr().out
    assert 'search_places: query "parking" ≠ "parking lots", radius_m 500 ≠ 800' in said
    assert "turn 1" in said


def test_fail_on(golden: Path, failing: Path, tmp_path: Path) -> None:
    assert run(failing, "--golden", golden, "--fail-on", "never") == 0
    assert run(failing, "--golden", golden, "--fail-on", "failed") == 1
    alone = write_eval_set(tmp_path / "alone.json", case("x", turn("a", "b", [])))
    assert run(alone) == 3
    assert run(alone, "--fail-on", "failed") == 0
    assert run(tmp_path / "nothing.json", "--fail-on", "never") == 2


def test_a_golden_case_without_trace_is_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = write_eval_set(
        tmp_path / "more.json", case("parking", turn("hi", "x", [])), case("unrun", turn("never asked", "y", []))
    )
    trace = write_eval_set(tmp_path / "t.json", case("parking", turn("hi", "x", [])))
    assert run(trace, "--golden", more) == 3
    assert "unrun" in capsys.readouterr().out
    assert run(trace, "--golden", more, "--case", "park*") == 0
    assert run(trace, "--golden", more, "--case", "nobody*") == 2


def test_a_criterion_beside_the_golden_was_asked_for(golden: Path, passing: Path, tmp_path: Path) -> None:
    write_criteria(tmp_path / "test_config.json", no_such_metric=0.5, response_match_score=0.5)
    assert run(passing, "--golden", golden) == 3
    write_criteria(tmp_path / "test_config.json", response_match_score=0.5)
    assert run(passing, "--golden", golden) == 0


def test_a_default_criterion_that_a_case_gives_nothing_for_is_no_failure(tmp_path: Path) -> None:
    silent = case("silent", turn("b", None, []))
    golden = write_eval_set(tmp_path / "g.json", case("full", turn("a", "x", [])), silent)
    trace = write_eval_set(tmp_path / "t.json", case("full", turn("a", "x", [])), silent)
    assert run(trace, "--golden", golden) == 0
    assert run(trace, "--golden", golden, "--only", "response_match_score") == 3


def test_criteria_named_on_the_command_line_stand_first(
    golden: Path, failing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_criteria(tmp_path / "test_config.json", tool_trajectory_avg_score=1.0)
    loose = write_criteria(tmp_path / "loose.json", tool_trajectory_avg_score={"threshold": 1, "ignoreArgs": True})
    assert run(failing, "--golden", golden, "--criteria", loose) == 0
    assert "loose.json" in capsys.readouterr().out


@pytest.mark.parametrize(
    "broken",
    [
        {"tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "nonsense"}},
        {"tool_trajectory_avg_score": {"match_type": "EXACT"}, "response_match_score": 0.5},
        {"token_usage_v1": 5},
    ],
)
def test_broken_criteria_cannot_run(
    broken: dict[str, object], golden: Path, passing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "broken.json"
    path.write_text(json.dumps({"criteria": broken}), encoding="utf-8")
    assert run(passing, "--golden", golden, "--criteria", path) == 2
    assert "broken.json" in capsys.readouterr().err


def test_under_adk_rules_a_broken_option_is_a_metric_that_could_not_run(
    golden: Path, passing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_criteria(
        tmp_path / "c.json", tool_trajectory_avg_score={"threshold": 1, "match_type": None}, response_match_score=0.5
    )
    assert run(passing, "--golden", golden, "--criteria", path, "--rules", "adk") == 3
    assert "passed on 1 metric; 1 could not run" in capsys.readouterr().out


def test_only(golden: Path, failing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(failing, "--golden", golden, "--only", "response_match_score", "--json") == 0
    metrics = json.loads(capsys.readouterr().out)["cases"][0]["metrics"]
    assert [metric["name"] for metric in metrics] == ["response_match_score"]
    assert run(failing, "--golden", golden, "--only", "tool_trajectory_avg_scor") == 2
    assert "tool_trajectory_avg_score" in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong",
    [
        ["--report", "pdf=x"],
        ["--report", "html"],
        ["--rules", "nobody"],
        ["--judge", "gemini"],
        ["--jobs", "0"],
        ["--nonsense"],
        ["--extra-turns", "perhaps"],
    ],
)
def test_usage_errors_are_2(wrong: list[str], golden: Path, passing: Path) -> None:
    assert run(passing, "--golden", golden, *wrong) == 2


def test_unreadable_and_unknown_files_are_2(golden: Path, tmp_path: Path) -> None:
    unknown = tmp_path / "unknown.json"
    unknown.write_text('{"hello": "world"}', encoding="utf-8")
    assert run(unknown, "--golden", golden) == 2
    assert run(golden, "--golden", unknown) == 2
    assert run(tmp_path / "gone.json") == 2


def test_a_recorded_run_can_be_the_golden(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    earlier, later = (folder("samples") / name for name in ("run-0405.json", "run-0412.json"))
    golden = tmp_path / "earlier.json"  # away from the criteria that lie beside the samples
    golden.write_bytes(earlier.read_bytes())
    assert run(earlier, "--golden", golden) == 0
    assert run(later, "--golden", golden) == 1
    assert "search_places: query" in capsys.readouterr().out


def test_a_golden_among_the_traces_of_a_folder_is_no_trace(
    golden: Path, failing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert failing.parent == golden.parent == tmp_path
    assert run(tmp_path, "--golden", golden, "--json") == 1
    cases = json.loads(capsys.readouterr().out)["cases"]
    assert [(case["id"], case["status"]) for case in cases] == [("parking", "FAILED")]


def test_a_lone_eval_set_is_not_its_own_golden(golden: Path) -> None:
    assert run(golden) == 3


def test_reports_are_written_and_agree(golden: Path, failing: Path, tmp_path: Path) -> None:
    junit, page, adk = tmp_path / "r.xml", tmp_path / "r.html", tmp_path / "r.json"
    assert (
        run(
            failing,
            "--golden",
            golden,
            "--report",
            f"junit={junit}",
            "--report",
            f"html={page}",
            "--report",
            f"adk={adk}",
        )
        == 1
    )
    suite = ET.parse(junit).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    failure = suite.find(".//failure")
    assert failure is not None
    assert "radius_m 500 ≠ 800" in str(failure.get("message"))
    text = page.read_text(encoding="utf-8")
    assert "default-src &#x27;none&#x27;" in text
    assert "<script" not in text
    assert "radius_m 500 ≠ 800" in text
    result = json.loads(adk.read_text(encoding="utf-8"))
    assert result["eval_case_results"][0]["final_eval_status"] == 2
    assert len(result["eval_case_results"][0]["eval_metric_result_per_invocation"]) == 2


def test_cases_of_one_id_keep_their_own_turns_in_a_report(tmp_path: Path) -> None:
    twice = write_eval_set(tmp_path / "t.json", case("c", turn("one", "x", [])), case("c", turn("two", "y", [])))
    run(twice, "--golden", twice, "--report", f"adk={tmp_path / 'r.json'}")
    results = json.loads((tmp_path / "r.json").read_text())["eval_case_results"]
    rows = [result["eval_metric_result_per_invocation"][0]["actual_invocation"] for result in results]
    assert sorted(row["user_content"]["parts"][0]["text"] for row in rows) == ["one", "two"]


def test_a_report_that_cannot_be_written_is_2(golden: Path, passing: Path, tmp_path: Path) -> None:
    assert run(passing, "--golden", golden, "--report", f"html={tmp_path / 'no' / 'such' / 'r.html'}") == 2


def test_markup_in_traces_stays_text(tmp_path: Path) -> None:
    nasty = "<script>alert(1)</script>\u202e\x1b[31m"
    golden = write_eval_set(tmp_path / "g.json", case(nasty, turn(nasty, nasty, [call(nasty)])))
    trace = write_eval_set(tmp_path / "t.json", case(nasty, turn(nasty, "other", [])))
    page, junit = tmp_path / "r.html", tmp_path / "r.xml"
    assert run(trace, "--golden", golden, "--report", f"html={page}", "--report", f"junit={junit}") == 1
    assert "<script" not in page.read_text(encoding="utf-8")
    assert "\x1b" not in junit.read_text(encoding="utf-8")
    ET.parse(junit)


def test_several_jobs_give_the_same_verdicts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = [case(f"c{number}", turn(f"question {number}", "x", [call("f", n=number % 2)])) for number in range(6)]
    golden = write_eval_set(tmp_path / "g.json", *cases)
    wrong = [case(f"c{number}", turn(f"question {number}", "x", [call("f", n=0)])) for number in range(6)]
    trace = write_eval_set(tmp_path / "t.json", *wrong)
    assert run(trace, "--golden", golden, "--json") == 1
    alone = json.loads(capsys.readouterr().out)["cases"]
    assert run(trace, "--golden", golden, "--json", "--jobs", "2") == 1
    assert json.loads(capsys.readouterr().out)["cases"] == alone


def test_the_run_is_kept(golden: Path, passing: Path) -> None:
    assert run(passing, "--golden", golden) == 0
    with sqlite3.connect(data_folder() / "trace-inspector.db") as database:
        rows = database.execute("SELECT status, cases FROM run").fetchall()
    database.close()
    assert rows == [("PASSED", 1)]


def test_a_data_folder_that_cannot_be_made_is_said_and_changes_nothing_else(
    golden: Path, passing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("TRACE_INSPECTOR_DATA", str(tmp_path / "file" / "below"))
    assert run(passing, "--golden", golden) == 0
    assert "not stored" in capsys.readouterr().err


RUBRICS: JsonObject = {
    "threshold": 1.0,
    "judge_model_options": {"num_samples": 1},
    "rubrics": [{"rubric_id": "short", "rubric_content": {"text_property": "The answer is short."}}],
}


def test_without_judge_a_judged_criterion_decides_nothing(
    golden: Path, passing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    criteria = write_criteria(tmp_path / "c.json", rubric_based_final_response_quality_v1=RUBRICS)
    replies = tmp_path / "judge-replies.json"
    listed = [
        {
            "metric": "rubric_based_final_response_quality_v1",
            "case": "parking",
            "turn": at,
            "sample": 0,
            "reply": f"ID: short\nProperty: The answer is short.\nRationale: it is\nVerdict: {verdict}",
        }
        for at, verdict in enumerate(("yes", "no"))
    ]
    replies.write_text(json.dumps({"version": 1, "replies": listed}), encoding="utf-8")
    assert run(passing, "--golden", golden, "--criteria", criteria) == 3
    assert "--judge" in capsys.readouterr().out
    assert run(passing, "--golden", golden, "--criteria", criteria, "--judge", f"recorded:{replies}") == 1
    said = capsys.readouterr().out
    assert "recorded replies" in said
    assert "no by 1 of 1 votes: it is" in said


@pytest.mark.parametrize(
    "text", ["{}", '{"version": 2, "replies": []}', '{"version": 1, "replies": [{"metric": 1}]}']
)
def test_broken_replies_are_refused(text: str, golden: Path, passing: Path, tmp_path: Path) -> None:
    path = tmp_path / "replies.json"
    path.write_text(text, encoding="utf-8")
    assert run(passing, "--golden", golden, "--judge", f"recorded:{path}") == 2


def test_ctrl_c_is_130_with_what_was_done_kept(
    golden: Path, passing: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from trace_inspector.commands import evaluate as command

    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(command._Progress, "__call__", interrupt)
    assert run(passing, "--golden", golden) == 130
    assert "parking" in capsys.readouterr().out


def test_no_report_carries_raw_control_characters_or_half_ones(tmp_path: Path) -> None:
    hostile = "a\x00\x07\x1b[31m\x9b\x7f\ud83d<img src=x onerror=alert(1)>"
    path = write_eval_set(tmp_path / "hostile.json", case(hostile, turn(hostile, hostile, [])))
    pages = {kind: tmp_path / f"report.{kind}" for kind in ("html", "junit", "adk")}
    given = [word for kind, page in pages.items() for word in ("--report", f"{kind}={page}")]
    assert run(path, "--golden", path, *given) == 0
    for page in pages.values():
        text = page.read_bytes().decode("utf-8")
        assert [char for char in "\x00\x07\x1b\x9b\x7f" if char in text] == []
    assert "<img" not in pages["html"].read_text(encoding="utf-8") + pages["junit"].read_text(encoding="utf-8")


def test_a_report_that_cannot_be_written_costs_no_verdict(
    golden: Path, failing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "kept.xml"
    reports = ("--report", f"html={tmp_path / 'gone' / 'r.html'}", "--report", f"junit={kept}")
    assert run(failing, "--golden", golden, *reports) == 2
    captured = capsys.readouterr()
    assert "FAILED  parking" in captured.out
    assert len(captured.err.splitlines()) == 1
    assert ET.parse(kept).getroot().get("failures") == "1"
    with contextlib.closing(sqlite3.connect(data_folder() / "trace-inspector.db")) as store:
        assert store.execute("SELECT count(*) FROM run").fetchone() == (1,)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break differently there")
def test_a_failure_stays_one_when_its_reader_left(golden: Path, failing: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    line = [sys.executable, "-u", "-m", "trace_inspector", "evaluate", str(failing), "--golden", str(golden)]
    done = subprocess.run(line, stdout=writing, stderr=subprocess.PIPE, timeout=240, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_result_is_scored_again_by_the_criteria_it_records(
    golden: Path, failing: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    criteria = write_criteria(tmp_path / "criteria.json", response_match_score=0.25)
    result = tmp_path / "history" / "shop.evalset_result.json"
    result.parent.mkdir()
    assert run(failing, "--golden", golden, "--criteria", criteria, "--report", f"adk={result}") == 0
    write_criteria(golden.parent / "test_config.json", tool_trajectory_avg_score=1.0)
    capsys.readouterr()
    assert run(result, "--golden", golden) == 0
    assert "Criteria: recorded in shop.evalset_result.json." in capsys.readouterr().out


def test_without_any_golden_that_is_the_reason(passing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(passing) == 3
    assert "no golden: none was given" in capsys.readouterr().out


def test_what_needs_no_golden_misses_none(passing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(passing, "--only", "local_grounding") == 3
    told = capsys.readouterr().out
    assert "no golden" not in told
    assert "nothing that was asked for has a threshold to pass or fail by" in told
