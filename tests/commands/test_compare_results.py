"""Files of results held against each other: a changed golden, repeats turn by turn, and how far a judge wavers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.commands.test_results_read_again import GOLDEN, WHALES, conversation, judged_by, put
from tests.formats.test_adk_eval_result_reader import case, invocation, metric, results, row
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json


def result(path: Path, status: int, expected: Json) -> str:
    """A result of google-adk itself, which says nothing of its golden but what was expected."""
    score = 1.0 if status == 1 else 0.0
    judged = metric(status=status, score=score)
    each = row(0, expected, eval_metric_results=[judged])
    value = results(case(each, status=status, overall_eval_metric_results=[judged]))
    return str(put(path, value))


def test_a_golden_that_was_changed_between_files_of_others_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = result(tmp_path / "base.json", 1, invocation(0, "golden"))
    other = result(tmp_path / "other.json", 2, invocation(0, "another golden"))
    assert main(["compare-runs", base, other]) == 3
    told = capsys.readouterr().out
    assert told.startswith("not comparable: c1 (its golden was changed between the runs)\n")


def test_ids_and_times_of_goldens_that_are_made_anew_change_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """google-adk gives the turns of an older golden new ids and times with every run."""
    base = result(tmp_path / "base.json", 1, invocation(0, "golden"))
    again = invocation(0, "golden") | {"invocation_id": "made-anew", "creation_timestamp": 17.5}
    assert main(["compare-runs", base, result(tmp_path / "again.json", 2, again)]) == 1
    assert capsys.readouterr().out.startswith("regressed: c1\n")


def test_what_a_run_lacks_is_no_other_golden(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A result of ours has no row for a turn that the trace does not have; older ones have no digest either."""
    golden = put(tmp_path / "g.json", conversation("s", GOLDEN))
    files = []
    for name, turns in (("whole", GOLDEN), ("short", GOLDEN[:2])):
        trace = put(tmp_path / f"{name}.json", conversation(name, turns))
        files.append(tmp_path / f"{name}-result.json")
        main(["evaluate", str(trace), "--golden", str(golden), "--report", f"adk={files[-1]}"])
    for digest in (True, False):
        for path in files:
            value = json.loads(path.read_text())
            if not digest:
                del value["eval_case_results"][0]["traceInspector"]["golden"]["digest"]
            put(path, value)
        capsys.readouterr()
        assert main(["compare-runs", *map(str, files)]) == 1
        assert capsys.readouterr().out.startswith("regressed: a\n")


def test_repeats_of_a_file_tell_the_turns_that_fail_and_how_far_the_judge_wavers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = put(tmp_path / "g.json", conversation("s", GOLDEN))
    recorded = [GOLDEN, [GOLDEN[0], WHALES, *GOLDEN[1:]], [GOLDEN[0], (GOLDEN[1][0], "Nothing."), GOLDEN[2]]]
    traces = [str(put(tmp_path / f"t{at}.json", conversation(f"t{at}", one))) for at, one in enumerate(recorded)]
    criteria = put(
        tmp_path / "c.json", {"criteria": {"response_match_score": 0.9, "final_response_match_v2": judged_by(3)}}
    )
    replies: list[Json] = [
        {
            "metric": "final_response_match_v2",
            "case": "a",
            "turn": turn,
            "sample": sample,
            "reply": f'{{"is_the_agent_response_valid": "{"invalid" if sample == 1 else "valid"}",\n}}',
        }
        for turn in range(4)
        for sample in range(3)
    ]
    judge = put(tmp_path / "j.json", {"version": 1, "replies": replies})
    report = str(tmp_path / "r.json")
    args = ["--golden", str(golden), "--criteria", str(criteria), "--judge", f"recorded:{judge}"]
    assert main(["evaluate", *traces, *args, "--report", f"adk={report}"]) == 1
    flaky = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("flaky: "))
    assert "extra turn 2 failed in 1 of 1" in flaky
    assert "judge’s votes" in flaky
    assert main(["compare-runs", report, report]) == 0
    told = capsys.readouterr().out.splitlines()
    assert flaky.replace("flaky:", "flaky in the baseline:") in told


def test_the_second_repeat_of_a_file_knows_its_golden_turns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A result of google-adk tells each turn's golden beside it, in every repeat."""
    bad = metric(status=2, score=0.0)
    rows = [row(at, invocation(at)) for at in range(2)]
    fails = [rows[0], rows[1] | {"eval_metric_results": [bad]}]
    repeats = [case(*rows), case(*fails, status=2), case(row(7), *fails, status=2)]
    path = put(tmp_path / "r.json", results(*repeats))
    assert main(["compare-runs", str(path), str(path)]) == 0
    assert "turn 2 failed in 2 of 3\n" in capsys.readouterr().out
