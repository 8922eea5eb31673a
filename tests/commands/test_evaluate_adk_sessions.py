"""`evaluate SESSION --rules adk` judges the invocations that google-adk makes of a session, not all that is in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats.session_files import call, event, result, said, session
from tests.helpers.eval_sets import case, turn, write_eval_set
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject

USAGE: JsonObject = {"promptTokenCount": 10, "candidatesTokenCount": 1}
CODE: JsonObject = {"executableCode": {"code": "print(1)", "language": "PYTHON"}}
# What google-adk 2.13 leaves out of an invocation, each with tokens that nobody counts there.
LEFT_OUT: dict[str, Json] = {
    "by the user": event("user", call("lookup"), at=2.0, usageMetadata=USAGE, modelVersion="m"),
    "without content": event("guide", at=2.0, usageMetadata=USAGE, modelVersion="m"),
    "an error": event("guide", at=2.0, usageMetadata=USAGE, modelVersion="m", errorCode="SAFETY"),
    "code alone": event("guide", CODE, at=2.0, usageMetadata=USAGE, modelVersion="m"),
    "an empty text": event("guide", said(""), at=2.0, usageMetadata=USAGE, modelVersion="m"),
    "a link": event("guide", {"fileData": {"mimeType": "image/png"}}, at=2.0, usageMetadata=USAGE, modelVersion="m"),
}


def evaluated(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, Any]:
    capsys.readouterr()
    main(["evaluate", str(path), *options, "--fail-on", "never", "--json"])
    (found,) = json.loads(capsys.readouterr().out)["cases"]
    assert isinstance(found, dict)
    return found


def figures(found: dict[str, Any]) -> dict[str, float | None]:
    return {metric["name"]: metric["score"] for metric in found["metrics"]}


def counted(found: dict[str, Any]) -> tuple[float | None, ...]:
    """Calls, model calls and tokens."""
    scores = figures(found)
    return tuple(scores[name] for name in ("tool_call_count_v1", "inference_call_count_v1", "token_usage_v1"))


def saved(path: Path, *events: Json) -> Path:
    path.write_text(json.dumps(session(event("user", said("q")), *events)), encoding="utf-8")
    return path


ANSWER = event("guide", said("a"), at=9.0, usageMetadata=USAGE, modelVersion="m")


@pytest.mark.parametrize("extra", LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_events_that_google_adk_leaves_out_are_not_counted(
    extra: Json, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = saved(tmp_path / "s.json", extra, event("user", said("and"), at=8.0), ANSWER)
    assert counted(evaluated(path, capsys, "--rules", "adk")) == (0, 1, 11)
    everything = figures(evaluated(path, capsys))
    assert everything["inference_call_count_v1"] == 2  # by our own rules all that happened


def test_events_that_google_adk_keeps_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grounded = event("guide", at=3.0, usageMetadata=USAGE, groundingMetadata={})
    path = saved(tmp_path / "s.json", event("guide", call("t"), at=2.0), event("guide", result("t", {})), grounded)
    found = figures(evaluated(path, capsys, "--rules", "adk"))
    assert (found["tool_call_count_v1"], found["inference_call_count_v1"], found["token_usage_v1"]) == (1, 1, 11)


def test_a_user_who_says_nothing_at_last_asked_nothing(tmp_path: Path) -> None:
    silent = event("user", at=2.0, content={"role": "user"})
    path, out = saved(tmp_path / "s.json", silent, ANSWER), tmp_path / "e.json"
    assert main(["convert", str(path), "--to", "adk-eval-set", "-o", str(out)]) == 0
    (invocation,) = json.loads(out.read_text(encoding="utf-8"))["eval_cases"][0]["conversation"]
    assert invocation["user_content"]["parts"] == []


def test_an_action_of_the_user_alone_asks_nothing(tmp_path: Path) -> None:
    handed_over = event("user", at=5.0, actions={"transferToAgent": "clerk"})
    path, out = tmp_path / "s.json", tmp_path / "e.json"
    path.write_text(json.dumps(session(handed_over)), encoding="utf-8")
    assert main(["convert", str(path), "--to", "adk-eval-set", "-o", str(out)]) == 0
    (invocation,) = json.loads(out.read_text(encoding="utf-8"))["eval_cases"][0]["conversation"]
    assert invocation.get("creation_timestamp", 0.0) == 0.0, "google-adk takes the time of the question"


def test_an_event_of_one_empty_part_answers_with_nothing(tmp_path: Path) -> None:
    path, out = saved(tmp_path / "s.json", event("guide", {}, at=2.0)), tmp_path / "e.json"
    assert main(["convert", str(path), "--to", "adk-eval-set", "-o", str(out)]) == 0
    (invocation,) = json.loads(out.read_text(encoding="utf-8"))["eval_cases"][0]["conversation"]
    assert invocation["final_response"] == {"parts": [], "role": "model"}
    assert invocation["intermediate_data"] == {"invocation_events": []}


def test_an_author_that_nobody_stated_is_not_made_up(tmp_path: Path) -> None:
    path, out = saved(tmp_path / "s.json", event("", said("a"), at=2.0)), tmp_path / "e.json"
    assert main(["convert", str(path), "--to", "adk-eval-set", "-o", str(out)]) == 0
    (invocation,) = json.loads(out.read_text(encoding="utf-8"))["eval_cases"][0]["conversation"]
    assert invocation["intermediate_data"] == {"invocation_events": [{"author": ""}]}


@pytest.mark.parametrize("match_type", ["EXACT", "IN_ORDER", "ANY_ORDER"])
@pytest.mark.parametrize("ignore_args", [False, True])
def test_a_call_without_a_name_is_not_one_with_an_empty_name(
    match_type: str, ignore_args: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    golden = write_eval_set(tmp_path / "g.json", case("c", turn("q", "a", [{"name": "", "args": {}}])))
    for number, name in enumerate((None, "absent", "")):
        made: JsonObject = {"args": {}} if name == "absent" else {"name": name, "args": {}}
        traces = write_eval_set(tmp_path / f"t{number}.json", case("c", turn("q", "a", [made])))
        stated = {"threshold": 1, "match_type": match_type, "ignore_args": ignore_args}
        criteria = tmp_path / "criteria.json"
        criteria.write_text(json.dumps({"criteria": {"tool_trajectory_avg_score": stated}}), encoding="utf-8")
        options = ("--golden", str(golden), "--criteria", str(criteria), "--rules", "adk")
        scores = figures(evaluated(traces, capsys, *options))
        assert scores["tool_trajectory_avg_score"] == (1.0 if name == "" else 0.0)


def test_a_call_without_a_name_stays_without_one(tmp_path: Path) -> None:
    path, out = (
        saved(tmp_path / "s.json", event("guide", {"functionCall": {"args": {}}}, at=2.0)),
        tmp_path / "e.json",
    )
    assert main(["convert", str(path), "--to", "adk-eval-set", "-o", str(out)]) == 0
    (invocation,) = json.loads(out.read_text(encoding="utf-8"))["eval_cases"][0]["conversation"]
    (made,) = invocation["intermediate_data"]["invocation_events"]
    assert made["content"]["parts"] == [{"function_call": {"args": {}}}]
