"""Sessions, older files and eval sets become the invocations that google-adk 2.13.0 makes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.tables import each
from trace_inspector.core.finding import Severity
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.open_file import open_file
from trace_inspector.formats.adk.eval_set.eval_set_writer import write

PATH = Path(__file__).parent.parent / "data" / "adk-2.13.json"


def entries(kind: str) -> list[Any]:
    """The conversions of one kind, named."""
    listed = json.loads(PATH.read_text(encoding="utf-8"))["vectors"]
    return [
        pytest.param(entry["job"]["data"], entry["output"]["result"], id=entry["job"]["name"])
        for entry in listed
        if entry["job"].get("mode") == "convert" and entry["job"]["kind"] == kind
    ]


def opened(value: Json, folder: Path, name: str = "made.json") -> Contents:
    """What a file with this value holds."""
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return open_file(path).contents


def cases(contents: Contents) -> list[dict[str, Any]]:
    """The cases of the eval set that is written."""
    written: list[dict[str, Any]] = json.loads(write(contents).text)["eval_cases"]
    return written


def plain(value: Any) -> Any:
    """A value without what google-adk fills in: empty lists of calls, and our own key."""
    if isinstance(value, dict):
        return {
            key: plain(item)
            for key, item in value.items()
            if key != "traceInspector" and not (key in ("tool_uses", "tool_responses") and item == [])
        }
    return [plain(item) for item in value] if isinstance(value, list) else value


@each(("data", "result"), entries("session"))
def test_sessions(data: Json, result: dict[str, Any], tmp_path: Path) -> None:
    contents = opened(data, tmp_path)
    assert contents.format == "adk-session"
    (case,) = cases(contents)
    assert case["conversation"] == result["invocations"]


def test_what_google_adk_leaves_out_of_an_invocation_is_kept_beside(tmp_path: Path) -> None:
    said: Json = {"role": "model", "parts": [{"executableCode": {"code": "1", "language": "PYTHON"}}]}
    told: Json = [
        {"author": "user", "invocationId": "i", "content": {"parts": [{"text": "q"}]}},
        {"author": "bot", "invocationId": "i", "timestamp": 2.0, "actions": {"stateDelta": {"x": 1}}},
        {"author": "bot", "invocationId": "i", "errorCode": "E"},
        {"author": "bot", "invocationId": "i", "content": said},
        {"author": "bot", "invocationId": "i", "content": {"parts": [{"text": "a"}]}},
    ]
    (case,) = cases(opened({"id": "s", "appName": "a", "userId": "u", "events": told}, tmp_path))
    assert case["conversation"][0]["intermediate_data"] == {"invocation_events": [{"author": "bot"}]}
    assert case["session_input"] == {"app_name": "a", "user_id": "u"}
    left = case["traceInspector"]["leftovers"]
    assert left["/session_input/session_id"] == "s"
    code = {"executable_code": {"code": "1", "language": "PYTHON"}}
    assert left["/conversation/0/intermediate_data/other_events"] == [
        {"at": 0, "author": "bot", "state_delta": {"x": 1}, "time_s": 2.0},
        {"at": 1, "author": "bot", "error": "E"},
        {"at": 2, "author": "bot", "content": {"parts": [code], "role": "model"}},
    ]


@each(("data", "result"), entries("legacy"))
def test_older_files(data: Json, result: dict[str, Any], tmp_path: Path) -> None:
    wanted = result["eval_set"]
    for case in wanted["eval_cases"]:
        del case["creation_timestamp"]  # the time of the conversion
        for invocation in case["conversation"]:
            del invocation["creation_timestamp"], invocation["invocation_id"]  # fresh each time
    contents = opened(data, tmp_path, "converted.evalset.json")
    assert contents.format == "adk-legacy"
    assert plain(cases(contents)) == wanted["eval_cases"]
    written = json.loads(write(contents).text)
    assert (written["eval_set_id"], written["name"]) == (wanted["eval_set_id"], wanted["name"])


@each(("data", "result"), entries("evalset"))
def test_eval_sets(data: Json, result: dict[str, Any], tmp_path: Path) -> None:
    contents = opened(data, tmp_path)
    if "error" in result:
        refused = [finding for finding in contents.findings if finding.severity is not Severity.INFO]
        assert refused, "what google-adk rejects is named"
        return
    wanted = result["eval_set"]["eval_cases"]
    for case in wanted:
        del case["myKey"], case["session_input"]["other"]  # unknown keys stay in the file, and in no other
    assert plain(cases(contents)) == wanted


def test_every_conversion_is_tested() -> None:
    assert [len(entries(kind)) for kind in ("session", "legacy", "evalset")] == [6, 1, 4]
