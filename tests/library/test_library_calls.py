"""`import trace_inspector`: what it gives equals what the commands say of the same files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import trace_inspector as ti
from tests.helpers.calibrated import PEOPLE, answered, labels_of, queue_of, twelve_outputs
from trace_inspector.cli import main
from trace_inspector.resources import folder

SAMPLES = folder("samples")
GOLDEN, EARLIER, LATER = SAMPLES / "retail.evalset.json", SAMPLES / "run-0405.json", SAMPLES / "run-0412.json"


@pytest.fixture(scope="module")
def run() -> ti.Run:
    return ti.evaluate(LATER, GOLDEN)


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    main([*map(str, arguments)])
    return json.loads(capsys.readouterr().out)


def test_a_run_is_that_of_the_command(run: ti.Run, capsys: pytest.CaptureFixture[str]) -> None:
    command = told(capsys, "evaluate", LATER, "--golden", GOLDEN, "--judge", "none", "--json")
    assert run.status == command["run"]["status"]
    assert [(case.id, case.trace, str(case.status)) for case in run.cases] == [
        (case["id"], case["trace"], case["status"]) for case in command["cases"]
    ]
    ours = [(row["case"], row["turn"], row["metric"], row["score"], row["status"]) for row in run.to_dicts()]
    theirs = [
        (case["id"], index, metric["name"], metric["score"], metric["status"])
        for case in command["cases"]
        for index, metrics in [(None, case["metrics"]), *((turn["index"], turn["metrics"]) for turn in case["turns"])]
        for metric in metrics
    ]
    assert ours == theirs
    assert run.counts[ti.Status.FAILED] == 3
    assert not run.passed


def test_a_failed_case_shows_where_it_parts(run: ti.Run, capsys: pytest.CaptureFixture[str]) -> None:
    failed = next(case for case in run.cases if case.id == "seattle_coffee_001")
    assert any("search_places" in line for line in failed.difference)
    main(["diff", str(GOLDEN), str(LATER)])
    assert set(failed.difference) <= set(capsys.readouterr().out.splitlines())
    assert not any(case.difference for case in run.cases if case.status != "FAILED")


def test_what_is_read_can_be_evaluated_alone() -> None:
    file = ti.read(LATER)
    assert (file.format, len(file.traces)) == ("jaeger", 11)
    assert file.traces[0].turns[0].calls[1].arguments == {"business": "coffee shop", "city": "Seattle"}
    golden = next(each for each in ti.read(GOLDEN).goldens if each.id == "seattle_coffee_001")
    alone = ti.evaluate(file.traces[0], golden, {"tool_trajectory_avg_score": 0.5})
    assert [(case.id, case.status, case.metrics[0].score) for case in alone.cases] == [
        ("seattle_coffee_001", "PASSED", 2 / 3)
    ]
    first_two = ti.evaluate(file.traces[:2], GOLDEN, {"response_match_score": 0.1})
    assert len({case.trace for case in first_two.cases if case.trace}) == 2


def test_values_in_memory_are_read_as_files_are() -> None:
    messages = [
        {"role": "user", "content": "Is table 7 free?"},
        {"role": "assistant", "content": None, "tool_calls": [
            {"id": "c1", "type": "function", "function": {"name": "find_table", "arguments": '{"seats": 2}'}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "yes"},
        {"role": "assistant", "content": "Table 7 is free."},
    ]  # fmt: skip
    (trace,) = ti.read(messages).traces
    assert (trace.turns[0].user, trace.turns[0].answer) == ("Is table 7 free?", "Table 7 is free.")
    assert trace.turns[0].calls[0].arguments == {"seats": 2}
    assert ti.evaluate({"messages": messages}, {"messages": messages}, {"tool_trajectory_avg_score": 1.0}).passed

    class Dumped:
        """Like a model of pydantic."""

        def model_dump(self, **_how: object) -> object:
            return {"messages": messages}

    assert ti.read(Dumped()).traces[0].turns == trace.turns  # type: ignore[arg-type]


def test_runs_are_compared_from_memory_as_from_files(tmp_path: Path) -> None:
    criteria = {"response_match_score": 0.8}
    earlier, later = (ti.evaluate(path, GOLDEN, criteria) for path in (EARLIER, LATER))
    kept = [tmp_path / "earlier.json", tmp_path / "later.json"]
    thresholds = tmp_path / "test_config.json"
    thresholds.write_text(json.dumps({"criteria": criteria}), encoding="utf-8")
    for path, source in zip(kept, (EARLIER, LATER), strict=True):
        main(
            [
                "evaluate",
                str(source),
                "--golden",
                str(GOLDEN),
                "--criteria",
                str(thresholds),
                "--report",
                f"adk={path}",
            ]
        )
    assert ti.compare(earlier, later).counts == ti.compare(*kept).counts
    assert {row["id"] for row in ti.compare(earlier, later).to_dicts()} >= {case.id for case in earlier.cases}
    assert ti.compare(kept[0], later).counts == ti.compare(earlier, later).counts


def test_a_promoted_conversation_is_a_golden_that_it_passes(tmp_path: Path) -> None:
    suite = tmp_path / "new.evalset.json"
    trace = ti.read(LATER).traces[0]
    made = ti.promote(trace, suite)
    assert made.written
    assert [golden.id for golden in ti.read(suite).goldens] == list(made.cases)
    assert ti.evaluate(trace, suite, {"tool_trajectory_avg_score": 1.0}).passed
    again = ti.promote(trace, suite, turns=[1])
    assert [len(golden.turns) for golden in ti.read(suite).goldens] == [len(trace.turns), 1]
    assert again.cases != made.cases


def test_a_judge_is_measured_against_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged = twelve_outputs(tmp_path / "orders.evalset_result.json")
    labels = labels_of(tmp_path / "Ana.jsonl", answered(queue_of(judged), PEOPLE))
    capsys.readouterr()
    (found,) = ti.calibrate(judged, labels).questions
    (command,) = told(capsys, "calibrate", judged, "--labels", labels, "--json")["questions"]
    assert found.confusion == command["confusion"]
    assert (found.sensitivity.value, found.kappa.low) == (command["sensitivity"]["value"], command["kappa"]["low"])
    assert found.corrected_pass_rate.value == command["corrected"]["ppi"]["value"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ti.read("/there/is/none.json"), "none.json"),
        (lambda: ti.read(SAMPLES), "not one of the formats|reads one file"),
        (lambda: ti.read({"nothing": "known"}), "format"),
        (lambda: ti.read([object()]), "object"),
        (lambda: ti.evaluate([], GOLDEN), "Nothing was given"),
        (lambda: ti.evaluate(LATER, GOLDEN, {"tool_trajectory_avg_score": "high"}), "tool_trajectory"),
        (lambda: ti.evaluate(LATER, GOLDEN, judge="nobody"), "nobody"),
        (lambda: ti.compare("no such run", LATER), "no such run"),
        (lambda: ti.compare(ti.Run("made up", ti.Status.PASSED), LATER), "not made by"),
    ],
)
def test_what_goes_wrong_is_a_sentence(call: Any, words: str) -> None:
    with pytest.raises(ti.InspectorError, match=words):
        call()


def test_a_bottomless_value_is_refused() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(ti.InspectorError, match="nested deeper"):
        ti.read({"messages": value})


def test_without_pyarrow_its_name_is_told(run: ti.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ti.InspectorError, match="pip install pyarrow"):
        run.to_arrow()


def test_rows_are_plain_and_of_one_shape(run: ti.Run) -> None:
    for rows in (run.to_dicts(), ti.read(LATER).to_dicts(), ti.compare(run, run).to_dicts()):
        assert rows
        assert len({tuple(row) for row in rows}) == 1
        assert json.loads(json.dumps(rows)) == rows


def test_a_golden_without_a_conversation_is_no_pass() -> None:
    exact = {"tool_trajectory_avg_score": 1.0}
    first, second = ti.read(GOLDEN).goldens[:2]
    assert ti.evaluate(first, first, exact).passed
    alone = ti.evaluate(first, [first, second], exact)
    assert not alone.passed
    assert {case.trace for case in alone.cases} >= {None}
