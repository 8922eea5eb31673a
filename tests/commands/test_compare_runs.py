"""The command `compare-runs` from the outside: files of results, kept runs, exit codes, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, RunVerdict, Status
from trace_inspector.engine.reports.run_summary import summarise
from trace_inspector.flows.runs import compare_stored
from trace_inspector.flows.runs.store_run import MOST_LISTED, list_runs, rename
from trace_inspector.resources import folder
from trace_inspector.settings import ready_data_folder
from trace_inspector.store import runs
from trace_inspector.store.database import database

VALID = '{"reasoning": "They say the same.", "is_the_agent_response_valid": "valid"}'


def results(path: Path, **statuses: int) -> Path:
    """A result file of ADK: 1 passed, 2 failed, 3 not evaluated."""
    cases: list[Json] = []
    for name, status in statuses.items():
        metric: JsonObject = {
            "metric_name": "response_match_score", "threshold": 0.8, "score": 1.0 if status == 1 else 0.2,
            "eval_status": status,
        }  # fmt: skip
        cases.append(
            {
                "eval_set_id": "s", "eval_id": name, "final_eval_status": status, "session_id": name,
                "overall_eval_metric_results": [metric], "eval_metric_result_per_invocation": [],
            }
        )  # fmt: skip
    value = {"eval_set_result_id": path.stem, "eval_set_id": "s", "eval_case_results": cases, "creation_timestamp": 1}
    path.write_text(json.dumps(value))
    return path


def test_what_became_of_each_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = results(tmp_path / "base.json", a=1, b=2, c=1, gone=1, odd=3)
    new = results(tmp_path / "new.json", a=2, b=1, c=1, fresh=1, odd=1)
    assert main(["compare-runs", str(base), str(new)]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "regressed: a",
        "improved: b",
        "not comparable: odd (in the baseline it is not evaluated)",
        "new: fresh",
        "gone: gone",
        "response_match_score: 0.733 → 0.733 (+0, -1 to +1 with 95 % confidence) over 3 cases",
        "seconds a turn: not known in the baseline and the candidate",
        "tokens a turn: not known in the baseline and the candidate",
        (
            "Of 3 cases decided in both runs, 1 got worse, 1 got better (p = 1 by chance); "
            "66.7 % of them passed before, 66.7 % now"
        ),
        "1 regressed, 1 improved, 1 unchanged, 1 new, 1 gone, 1 not comparable",
    ]
    assert main(["compare-runs", str(base), str(new), "--fail-on", "never"]) == 0
    assert main(["compare-runs", str(new), str(new)]) == 0


def test_nothing_comparable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = results(tmp_path / "base.json", a=1), results(tmp_path / "new.json", b=1)
    assert main(["compare-runs", str(base), str(new)]) == 3
    assert main(["compare-runs", str(base), str(new), "--fail-on", "never"]) == 3
    capsys.readouterr()


def test_half_a_file_of_results_is_not_compared_silently(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base, new = results(tmp_path / "base.json", a=1, b=1), results(tmp_path / "new.json", a=1, b=1)
    new.write_bytes(new.read_bytes()[:-300])
    assert main(["compare-runs", str(base), str(new)]) == 0
    assert f"Note: {new}:1:" in capsys.readouterr().out


def test_folders_hold_repeats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for run, statuses in (("base", (1, 1, 2)), ("new", (1, 2, 2))):
        (tmp_path / run).mkdir()
        for at, status in enumerate(statuses):
            results(tmp_path / run / f"{at}.json", a=status)
    assert main(["compare-runs", str(tmp_path / "base"), str(tmp_path / "new")]) == 1
    first = capsys.readouterr().out.splitlines()[0]
    assert first == (
        "regressed: a (2 of 3 passed, 21 % to 94 % with 95 % confidence → "
        "1 of 3 passed, 6 % to 79 % with 95 % confidence; p = 1 by chance)"
    )


def test_a_report_for_a_review_stays_short_however_much_wavers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for run in ("base", "new"):
        (tmp_path / run).mkdir()
        for at, status in enumerate((1, 2)):
            results(
                tmp_path / run / f"{at}.json",
                **{f"case {number} {'of a long name ' * 5}": status for number in range(500)},
            )
    report = tmp_path / "report.md"
    assert (
        main(["compare-runs", str(tmp_path / "base"), str(tmp_path / "new"), "--report", f"markdown={report}"]) == 0
    )
    capsys.readouterr()
    text = report.read_text()
    assert len(text) < 60_000
    assert re.search(r"^- \d+ more figures are left out$", text, re.MULTILINE)


def test_repeats_with_scores_beyond_all_measure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for at, score in ((1, 1.7e308), (2, -1.7e308)):
        one = results(tmp_path / f"{at}.json", a=at)
        one.write_text(one.read_text().replace('"score": 1.0', f'"score": {score}').replace("0.2", str(score)))
    assert main(["compare-runs", str(tmp_path), str(tmp_path)]) == 0
    assert "flaky in the baseline: a: 1 of 2 passed" in capsys.readouterr().out


@pytest.mark.parametrize("score", [1e308, -1e308, 1e200, 1e-308])
def test_scores_beyond_all_measure(score: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for run, failed in (("base", 2), ("new", 1)):
        paths.append(results(tmp_path / f"{run}.json", a=1, b=2, c=failed))
        value = json.loads(paths[-1].read_text())
        for case in value["eval_case_results"][:2]:
            case["overall_eval_metric_results"][0]["score"] = score if run == "base" else score / 3
        paths[-1].write_text(json.dumps(value))
    assert main(["compare-runs", *map(str, paths)]) == 0
    told = capsys.readouterr()
    assert told.out.splitlines()[0] == "improved: c"
    assert not told.err


def test_kept_runs_by_id_and_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn: JsonObject = {
        "user_content": {"parts": [{"text": "Hello?"}]},
        "final_response": {"parts": [{"text": "Yes."}]},
    }
    golden = tmp_path / "golden.json"
    golden.write_text(json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}))
    trace = tmp_path / "trace.json"
    for words in ("Yes.", "No."):
        turn["final_response"] = {"parts": [{"text": words}]}
        trace.write_text(json.dumps({"eval_set_id": "t", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]}))
        main(["evaluate", str(trace), "--golden", str(golden), "--only", "response_match_score"])
    capsys.readouterr()
    newest, oldest = (line.id for line in list_runs().lines)
    rename(oldest, "baseline")
    assert main(["compare-runs", "baseline", newest]) == 1
    assert capsys.readouterr().out.splitlines()[0] == "regressed: a"
    assert main(["compare-runs", "baseline", "unheard-of"]) == 2
    assert "no run named “unheard-of”" in capsys.readouterr().err


def test_a_kept_run_is_found_however_many_are_newer(capsys: pytest.CaptureFixture[str]) -> None:
    with database(ready_data_folder()) as store:
        for number in range(MOST_LISTED + 3):
            case = CaseVerdict("a", "s", "t", Status.PASSED, (MetricVerdict("m", 1.0, Status.PASSED, 0.5),))
            run = RunVerdict(f"run-{number:04}", Status.PASSED, 1000.0 + number, "", "", (case,))
            assert runs.save(store, run, {}, {}, summarise(run)) == ""
    rename("run-0000", "release")
    assert "run-0000" not in [line.id for line in list_runs().lines]
    for name in ("release", "run-0000"):
        assert main(["compare-runs", name, "run-1002"]) == 0
    capsys.readouterr()
    assert main(["compare-runs", "run-000", "run-1002"]) == 2
    assert "10 runs are named “run-000”" in capsys.readouterr().err
    assert main(["compare-runs", "run-1001", "run-\udc80"]) == 2
    assert "no run named" in capsys.readouterr().err


def test_another_golden_and_another_judge_are_reasons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    golden, trace = tmp_path / "golden.json", tmp_path / "trace.json"
    turn: JsonObject = {
        "user_content": {"parts": [{"text": "Hello?"}]},
        "final_response": {"parts": [{"text": "Yes."}]},
    }
    other = turn | {"final_response": {"parts": [{"text": "No."}]}}

    def suite(**cases: JsonObject) -> str:
        listed = [{"eval_id": name, "conversation": [conversation]} for name, conversation in cases.items()]
        return json.dumps({"eval_set_id": "s", "eval_cases": listed})

    def run(*options: str) -> str:
        main(["evaluate", str(trace), "--golden", str(golden), "--only", *options])
        return list_runs().lines[0].id

    trace.write_text(suite(a=turn, b=turn))
    golden.write_text(suite(a=turn, b=turn))
    first = run("response_match_score")
    golden.write_text(suite(first=turn, a=turn, b=other))  # one more before them, and one that was changed
    second = run("response_match_score")
    capsys.readouterr()
    assert main(["compare-runs", first, second]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "not comparable: b (its golden was changed between the runs)",
        "new: first",
    ]
    judged = []
    for path in (tmp_path / "one.json", tmp_path / "two.json"):
        listed = [
            {"metric": "final_response_match_v2", "case": case, "turn": 0, "sample": sample, "reply": VALID}
            for case in ("a", "b", "first")
            for sample in range(5)
        ]
        path.write_text(json.dumps({"version": 1, "replies": listed}))
        judged.append(run("final_response_match_v2", "--judge", f"recorded:{path}"))
    capsys.readouterr()
    assert main(["compare-runs", *judged]) == 3
    assert "not comparable: a (different judges: " in capsys.readouterr().out
    assert main(["compare-runs", judged[0], judged[0]]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("of", ["kept runs", "files", "both"])
def test_goldens_of_two_files_that_are_named_alike_are_two_cases(
    of: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In kept runs, in their result files, and from one to the other."""
    calls: dict[str, JsonObject] = {name: {"name": name, "args": {}} for name in ("one", "two", "wrong")}

    def suite(path: Path, asked: str, call: JsonObject) -> str:
        turn = {"user_content": {"parts": [{"text": asked}]}, "intermediate_data": {"tool_uses": [call]}}
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            json.dumps({"eval_set_id": "basic", "eval_cases": [{"eval_id": "a", "conversation": [turn]}]})
        )
        return str(path)

    def run(one: str, two: str) -> str:
        traces = [
            suite(tmp_path / "traces" / f"{name}.json", name, calls[did])
            for name, did in (("one", one), ("two", two))
        ]
        goldens = [str(tmp_path / name / "basic.json") for name in ("one", "two")]
        made = len(list_runs().lines)
        report = tmp_path / f"r{made}.json"
        args = ["--golden", *goldens, "--only", "tool_trajectory_avg_score", "--report", f"adk={report}"]
        main(["evaluate", *traces, "--pair-by", "text", *args])
        return str(report) if of == "files" or (of == "both" and made % 2) else list_runs().lines[0].id

    for name in ("one", "two"):
        suite(tmp_path / name / "basic.json", name, calls[name])
    first, second = run("one", "wrong"), run("wrong", "two")
    suite(tmp_path / "two" / "basic.json", "two", calls["wrong"])
    third = run("one", "two")
    capsys.readouterr()
    assert main(["compare-runs", first, second]) == 1
    told = ["regressed: a (one/basic.json)", "improved: a (two/basic.json)"]
    assert capsys.readouterr().out.splitlines()[:2] == told
    assert main(["compare-runs", second, third]) == 0
    told = [
        "improved: a (one/basic.json)",
        "not comparable: a (two/basic.json) (its golden was changed between the runs)",
    ]
    assert capsys.readouterr().out.splitlines()[:2] == told


@pytest.mark.parametrize("name", ["agent-eval.jsonl", "ces-result.json", "vertex-items.json"])
def test_what_files_of_other_systems_report(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder("samples") / "other-systems" / name
    status = main(["compare-runs", str(path), str(path)])
    out = capsys.readouterr().out.splitlines()
    assert status == (0 if name == "ces-result.json" else 3)
    assert any(line.startswith(("seconds a turn: ", "tokens a turn: ")) for line in out)
    assert out[-1].startswith("0 regressed, 0 improved")
    if name != "ces-result.json":
        assert any("nothing passes or fails; only scores are compared" in line for line in out)


@pytest.mark.parametrize("name", ["notes.txt", "traces.json"])
def test_what_holds_no_verdicts_is_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    (tmp_path / "traces.json").write_text('{"eval_set_id": "s", "eval_cases": []}')
    good = results(tmp_path / "good.json", a=1)
    assert main(["compare-runs", str(good), str(tmp_path / name)]) == 2
    told = capsys.readouterr()
    assert name in told.err
    assert "Traceback" not in told.err


def test_calls_of_kept_runs_are_timed_by_their_traces_as_they_were(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = folder("samples")
    for name in ("run-0405.json", "run-0412.json"):
        (tmp_path / name).write_bytes((samples / name).read_bytes())
        golden = str(samples / "retail.evalset.json")
        main(["evaluate", str(tmp_path / name), "--golden", golden, "--only", "tool_trajectory_avg_score"])
    new, base = (line.id for line in list_runs().lines)
    capsys.readouterr()

    def told() -> list[str]:
        main(["compare-runs", base, new])
        return [line for line in capsys.readouterr().out.splitlines() if "call: " in line]

    assert [line.split(":")[0] for line in told()] == ["seconds a model call"] * 2 + ["seconds a tool call"] * 2
    with monkeypatch.context() as small:
        small.setattr(compare_stored, "MOST_BYTES", 1_000)
        assert told() == []
    (tmp_path / "run-0405.json").write_bytes((tmp_path / "run-0405.json").read_bytes() + b"\n")
    assert told() == [
        "seconds a model call: not known in the baseline",
        "seconds a tool call: not known in the baseline",
    ]
    (tmp_path / "run-0412.json").unlink()
    assert told() == []


def test_no_report_is_written_over_what_a_kept_run_was_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace, golden = tmp_path / "trace.json", tmp_path / "golden.json"
    for path, name in ((trace, "run-0405.json"), (golden, "retail.evalset.json")):
        path.write_bytes((folder("samples") / name).read_bytes())
    main(["evaluate", str(trace), "--golden", str(golden), "--only", "tool_trajectory_avg_score"])
    run = list_runs().lines[0].id
    for path in (trace, golden):
        before = path.read_bytes()
        for more in ([], ["--redact", re.escape(str(tmp_path))]):
            assert main(["compare-runs", run, run, "--report", f"json={path}", *more]) == 2
            assert "compared" in capsys.readouterr().err
        assert path.read_bytes() == before
    assert main(["compare-runs", run, run, "--report", f"json={tmp_path / 'told.json'}"]) in (0, 3)
    capsys.readouterr()


def test_only_what_is_beyond_chance_may_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"c{at}" for at in range(6)]
    base = results(tmp_path / "base.json", **dict.fromkeys(names, 1))
    five = results(tmp_path / "five.json", **(dict.fromkeys(names, 2) | {"c0": 1}))
    six = results(tmp_path / "six.json", **dict.fromkeys(names, 2))
    for new, status, told in (
        (five, 0, "Nothing got worse beyond what chance explains"),
        (six, 1, "Worse beyond chance: the whole"),
    ):
        assert main(["compare-runs", str(base), str(new)]) == 1
        assert "beyond" not in capsys.readouterr().out
        assert main(["compare-runs", str(base), str(new), "--fail-on", "beyond-chance"]) == status
        assert capsys.readouterr().out.splitlines()[-2] == told
    other = results(tmp_path / "other.json", another=1)
    assert main(["compare-runs", str(base), str(other), "--fail-on", "beyond-chance"]) == 3
    capsys.readouterr()
    report = tmp_path / "told.json"
    main(["compare-runs", str(base), str(six), f"--report=json={report}"])
    value = json.loads(report.read_text())
    assert (value["worse_beyond_chance"], value["cases"][0]["worse_beyond_chance"]) == (True, False)
    in_both = value["in_both"]
    assert (in_both["cases"], in_both["base_passed"], in_both["new_passed"]) == (6, 1.0, 0.0)
    assert in_both["change"]["value"] == -1.0
    assert in_both["change"]["low"] is None  # all changed alike: nothing shows how others would vary
    assert in_both["smallest_seen"] is None
    assert in_both["for_5_points"] == {"cases": 2_748, "repeats": None, "helps_most": "cases"}  # 7 of 8 change
    capsys.readouterr()


def test_a_comment_is_found_again_by_its_first_line_and_has_no_secret(tmp_path: Path) -> None:
    secret = "ghp_" + "aB3dE6gH9j" * 3 + "kLmN01"
    base = results(tmp_path / "base.json", **{f"case {secret}": 1, "b": 1})
    new = results(tmp_path / "new.json", **{f"case {secret}": 2, "b": 1})
    comment = tmp_path / "comment.md"
    assert main(["compare-runs", str(base), str(new), "--report", f"comment={comment}"]) == 1
    text = comment.read_text()
    assert text.splitlines()[0] == "<!-- trace-inspector:compare-runs -->"
    assert "[redacted github-token 1]" in text
    assert secret not in text


def test_a_comment_is_never_longer_than_code_hosts_take(tmp_path: Path) -> None:
    names = {f"case {'long name ' * 9}{number}": 1 for number in range(1_500)}
    base = results(tmp_path / "base.json", **names)
    new = results(tmp_path / "new.json", **dict.fromkeys(names, 2))
    comment = tmp_path / "comment.md"
    assert main(["compare-runs", str(base), str(new), "--report", f"comment={comment}"]) == 1
    assert len(comment.read_text()) < 65_536
