"""`promote` and `coverage`: from recorded conversations to goldens on disk, and what these exercise."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.formats.session_files import call, event, result, said, session
from tests.helpers.adk_rules import refusals
from trace_inspector.cli import main
from trace_inspector.core.trace.trace import answer_text, calls_of, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import open_file


def put(path: Path, value: Json) -> str:
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
    return str(path)


def told(**more: Json) -> JsonObject:
    return session(
        event("user", said("Find a table"), at=1.0),
        event("guide", call("find", seats=2), at=2.0),
        event("guide", result("find", {"table": 7}), at=3.0),
        event("guide", said("Table 7."), at=4.0),
        event("user", said("Thanks"), at=6.0, invocation="e-2"),
        event("guide", said("Sure."), at=9.0, invocation="e-2"),
        **more,
    )


def test_a_new_suite_then_more_into_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace, suite = put(tmp_path / "s.json", told()), tmp_path / "shop.evalset.json"
    assert main(["promote", trace, "--into", str(suite)]) == 0
    note, line = capsys.readouterr().out.splitlines()
    assert (note[:17], line) == ("note: kept-beside", "find_a_table: 2 turns")
    made = suite.read_text()
    assert json.loads(made)["eval_set_id"] == "shop"
    assert main(["promote", trace, "--into", str(suite), "--turns", "2", "--expect", "answers"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "thanks: 1 turn"
    after = suite.read_text()
    assert after.startswith(made[: made.rindex("}\n  ]")])
    second = json.loads(after)["eval_cases"][1]
    assert second == {
        "eval_id": "thanks",
        "conversation": [
            {
                "user_content": {"parts": [{"text": "Thanks"}], "role": "user"},
                "final_response": {"parts": [{"text": "Sure."}], "role": "model"},
            }
        ],
    } | {key: value for key, value in second.items() if key == "traceInspector"}
    assert main(["evaluate", trace, "--golden", str(suite), "--case", "find*", "--fail-on", "failed"]) == 0


@pytest.mark.parametrize("name", ["ces-evaluation", "vertex-item"])
def test_other_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    trace, suite = put(tmp_path / "s.json", told()), tmp_path / "goldens.json"
    assert main(["promote", trace, "--into", str(suite), "--as", name]) == 0
    assert "gone" not in capsys.readouterr().out
    opened = open_file(suite).contents
    assert (opened.format, [case.id for case in opened.suites[0].cases]) == (name, ["find_a_table"])
    assert main(["promote", trace, "--into", str(suite)]) == 0
    assert [case.id for case in open_file(suite).contents.suites[0].cases] == ["find_a_table", "find_a_table_2"]


def test_several_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, suite = tmp_path / "runs", tmp_path / "goldens.json"
    folder.mkdir()
    for name in ("a", "b"):
        put(folder / f"{name}.json", told(id=name))
    assert main(["promote", str(folder), "--into", str(suite)]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ["find_a_table: 2 turns", "find_a_table_2: 2 turns"]
    assert main(["promote", str(folder), "--into", str(suite), "--turns", "1"]) == 2
    assert "turns can be chosen from one only" in capsys.readouterr().err


def result_file() -> JsonObject:
    """A run that failed, as google-adk keeps it."""
    turn: JsonObject = {
        "user_content": {"parts": [{"text": "Hi"}], "role": "user"},
        "final_response": {"parts": [{"text": "Go away."}], "role": "model"},
    }
    return {
        "eval_set_result_id": "r",
        "eval_set_id": "shop",
        "eval_case_results": [
            {
                "eval_set_id": "shop",
                "eval_id": "greeting",
                "final_eval_status": 2,
                "overall_eval_metric_results": [],
                "eval_metric_result_per_invocation": [{"actual_invocation": turn, "eval_metric_results": []}],
                "session_id": "s",
            }
        ],
    }


def test_a_failed_run_is_marked(tmp_path: Path) -> None:
    trace, suite = put(tmp_path / "r.json", result_file()), tmp_path / "goldens.json"
    assert main(["promote", trace, "--into", str(suite)]) == 0
    (golden,) = json.loads(suite.read_text())["eval_cases"]
    assert golden["eval_id"] == "greeting"
    assert golden["tags"] == ["made from: failed run"]
    assert "in r.json, which failed" in golden["traceInspector"]["notes"][""]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--turns", "7"], "no turn 7"),
        (["--turns", "0"], "not a list of turn numbers"),
        (["--expect", "luck"], "Nothing to expect is called “luck”"),
        (["--expect", "mocks"], "has no place for “mocks”"),
        (["--as", "otlp"], "Goldens cannot be written as “otlp”"),
    ],
    ids=["no such turn", "no turn", "no such thing", "no place", "no such format"],
)
def test_what_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], sentence: str
) -> None:
    trace, suite = put(tmp_path / "s.json", told()), tmp_path / "goldens.json"
    assert main(["promote", trace, "--into", str(suite), *options]) == 2
    assert sentence in capsys.readouterr().err
    assert not suite.exists()


def test_nothing_was_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace, suite = put(tmp_path / "s.json", session()), tmp_path / "goldens.json"
    assert main(["promote", trace, "--into", str(suite)]) == 2
    assert "contain no recorded conversation" in capsys.readouterr().err
    assert not suite.exists()


def test_a_file_of_another_kind_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = put(tmp_path / "s.json", told())
    before = Path(trace).read_bytes()
    assert main(["promote", trace, "--into", trace]) == 2
    assert main(["promote", trace, "--into", trace, "--as", "adk-eval-set"]) == 2
    assert "is “adk-session”" in capsys.readouterr().err
    assert Path(trace).read_bytes() == before


def test_what_would_be_gone_needs_a_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture: Json = {"inlineData": {"mimeType": "image/png"}}  # its bytes were left out when it was recorded
    trace = put(tmp_path / "s.json", session(event("user", said("Look"), picture), event("guide", said("I see."))))
    suite = tmp_path / "goldens.json"
    assert main(["promote", trace, "--into", str(suite)]) == 1
    assert not suite.exists()
    captured = capsys.readouterr()
    assert captured.out.startswith("gone: media-lost")
    assert "--allow-loss" in captured.err
    assert main(["promote", trace, "--into", str(suite), "--allow-loss"]) == 0
    assert suite.exists()


def test_coverage_of_goldens_and_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace, suite = put(tmp_path / "s.json", told()), str(tmp_path / "goldens.json")
    assert main(["promote", trace, "--into", suite, "--turns", "2"]) == 0
    capsys.readouterr()
    assert main(["coverage", suite, trace]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "agent     guide: 1 golden (thanks)",
        "tool      guide.find: no golden, seen in 1 trace",
        "1 of 2 are exercised by 1 golden",
    ]
    assert main(["coverage", suite, trace, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(line["kind"], line["name"], line["cases"]) for line in found["lines"]] == [
        ("agent", "guide", 1),
        ("tool", "find", 0),
    ]
    assert found["lines"][0]["touches"] == [{"suite": "goldens", "case": "thanks", "turn": 0}]
    assert main(["coverage", trace]) == 2
    assert "contain no goldens" in capsys.readouterr().err


CORPUS = os.environ.get("TRACE_INSPECTOR_CORPUS", "")


@pytest.mark.parametrize("name", ["adk-eval-set", "ces-evaluation", "vertex-item"])
@pytest.mark.skipif(not CORPUS, reason="TRACE_INSPECTOR_CORPUS is not set")
def test_real_sessions_into_one_suite(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    suite, paths = tmp_path / "goldens.json", sorted(Path(CORPUS, "adk-session").glob("*.json"))
    recorded = [trace for path in paths for trace in open_file(path).contents.traces if trace.turns]
    assert main(["promote", *map(str, paths), "--into", str(suite), "--as", name]) == 0
    assert "gone" not in capsys.readouterr().out
    goldens = open_file(suite).contents.suites[0].cases
    assert len({golden.id for golden in goldens}) == len(goldens) == len(recorded)
    for golden, trace in zip(goldens, recorded, strict=True):
        assert [user_text(turn) for turn in golden.turns] == [user_text(turn) for turn in trace.turns]
        assert [answer_text(turn) for turn in golden.turns] == [answer_text(turn) for turn in trace.turns]
        assert [call.args for turn in golden.turns for call in calls_of(turn)] == [
            call.args for turn in trace.turns for call in calls_of(turn)
        ]
    assert main(["coverage", str(suite)]) == 0


@pytest.mark.parametrize(
    "folder",
    ["adk-session", "adk-evalset", "otlp", "jaeger", "spans-monocle", "ces-evaluation", "ces-scrapi-result",
     "vertex-eval-dataset", "vertex-eval-result", "spans-strands-evals"],
)  # fmt: skip
@pytest.mark.skipif(not CORPUS, reason="TRACE_INSPECTOR_CORPUS is not set")
def test_every_system_into_eval_sets_that_google_adk_takes(tmp_path: Path, folder: str) -> None:
    suite, recorded = tmp_path / "goldens.json", 0
    for path in sorted(Path(CORPUS, folder).iterdir()):
        contents = open_file(path).contents
        scripts = (case.turns for one in contents.suites for case in one.cases)
        if not any((*(trace.turns for trace in contents.traces), *scripts)):
            continue
        recorded += 1
        before = suite.read_bytes() if suite.exists() else None
        assert main(["promote", str(path), "--into", str(suite), "--allow-loss"]) == 0
        assert refusals(json.loads(suite.read_bytes())) == []
        if before is not None:
            assert suite.read_bytes().startswith(before[: before.rindex(b"}\n  ]")])
    assert recorded
    assert len({case.id for case in open_file(suite).contents.suites[0].cases}) >= recorded
