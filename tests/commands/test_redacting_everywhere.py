"""What is redacted stands in no report of any kind, wherever a file had it and however it is spelled there."""

from __future__ import annotations

import base64
import html
import json
import re
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.eval_sets import call, case, turn, write_eval_set
from trace_inspector.cli import main
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.runs.redacted_reports import OF_FILES
from trace_inspector.flows.runs.requested_reports import RUN_REPORTS

WRITERS = {"diff": list(OF_FILES), "evaluate": list(RUN_REPORTS)}


def told(folder: Path, *command: str, kinds: list[str] | None = None) -> tuple[int, dict[str, str]]:
    """The exit code, and each report by its kind as a person reads it."""
    kinds = WRITERS[command[0]] if kinds is None else kinds
    ended = main([*command, *(f"--report={kind}={folder / f'report.{kind}'}" for kind in kinds)])
    paths = {kind: folder / f"report.{kind}" for kind in kinds}
    return ended, {kind: _plain(path.read_text("utf-8")) for kind, path in paths.items() if path.exists()}


def _plain(report: str) -> str:
    return report + html.unescape(re.sub("<[^>]*>", "", report)) + " ".join(report.split())


def event(author: str, *parts: Json, name: str = "e") -> JsonObject:
    return {"id": name, "invocationId": "inv-5050", "author": author, "content": {"parts": [*parts]}, "timestamp": 1}


def session(path: Path, *events: JsonObject, user: str = "u") -> Path:
    value = {"id": "c1", "appName": "app-6060", "userId": user, "state": {}, "events": [*events], "lastUpdateTime": 3}
    path.write_text(json.dumps(value), "utf-8")
    return path


@pytest.mark.parametrize(
    ("key", "secret"),
    [("user_id", "alice@x.org"), ("author", "agent7name"), ("app_name", "app-6060"), ("invocation_id", "inv-5050")],
)
def test_keys_that_readers_know(key: str, secret: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = session(
        tmp_path / "trace.json",
        event("user", {"text": "Hi"}),
        event("agent7name", {"text": "Ho"}),
        user="alice@x.org",
    )
    started: JsonObject = {"app_name": "app-6060", "user_id": "alice@x.org"}
    golden = {**case("c1", turn("Hi", "Ha", [call("f", x=1)])), "session_input": started}
    write_eval_set(tmp_path / "golden.json", golden)
    command = ("evaluate", str(trace), "--golden", str(tmp_path / "golden.json"))
    bare = told(tmp_path, *command)[1]
    assert key == "app_name" or any(secret in report for report in bare.values())
    ended, reports = told(tmp_path, *command, "--redact-key", key)
    assert ended == 1
    assert set(reports) == set(WRITERS["evaluate"])
    assert [kind for kind, report in reports.items() if secret in report] == []
    assert secret not in capsys.readouterr().err


def test_reasons_hold_no_pieces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file: JsonObject = {"address": "Unit 47B-9921 Kestrel Row", "salary": "$84,321.50", "born": "March 4, 1971"}
    trace = session(
        tmp_path / "trace.json",
        event("user", {"text": "What is on my file?"}),
        event("a", {"functionCall": {"id": "f", "name": "file", "args": {}}}),
        event("a", {"functionResponse": {"id": "f", "name": "file", "response": file}}),
        event("a", {"text": "Your address is Unit 12C-1111 Kestrel Row. You earn $99,321.50. "
                            "You were born on March 5, 1972. So it is Unit 47B-9921 Kestrel Row."}),
    )  # fmt: skip
    keys = [word for key in file for word in ("--redact-key", key)]
    pieces = ("47B", "9921", "84,321", "84321", "1971")
    bare = told(tmp_path, "evaluate", str(trace))[1]
    assert any(piece in bare["html"] for piece in pieces)
    reports = told(tmp_path, "evaluate", str(trace), *keys)[1]
    # Digits among others are an id or a time that happens to have them.
    whole = {piece: re.compile(rf"(?<![0-9a-f]){piece}(?![0-9a-f])") for piece in pieces}
    assert [
        (kind, piece) for kind, report in reports.items() for piece in pieces if whole[piece].search(report)
    ] == []
    assert "local_grounding" in reports["html"]
    assert not any(piece in capsys.readouterr().out.split("[redacted]", 1)[-1] for piece in pieces[:2])


def test_what_a_matcher_says_of_a_value(tmp_path: Path) -> None:
    args = {
        "user": "u",
        "password": {"$matchType": "contains", "$matchValue": "needle-1", "$originalValue": "needle-1 2"},
    }
    expected = {"toolCall": {"tool": "login", "args": args}}
    steps = [{"userInput": {"text": "hi"}}, {"expectation": expected}]
    golden = {"name": "m", "displayName": "m", "golden": {"turns": [{"steps": steps}]}}
    seen = {"tool": "login", "args": {"user": "u", "password": "observed-1"}}
    outcomes = [{"expectation": expected, "observedToolCall": seen, "outcome": "FAIL"}]
    result = {
        "name": "projects/e/locations/eu/apps/t/evaluations/m/results/1", "evaluationStatus": "FAIL",
        "executionState": "COMPLETED",
        "goldenResult": {"turnReplayResults": [{"conversation": "c", "expectationOutcome": outcomes}]},
    }  # fmt: skip
    for name, value in (("golden", golden), ("result", result)):
        (tmp_path / f"{name}.json").write_text(json.dumps(value))
    command = ("evaluate", str(tmp_path / "result.json"), "--golden", str(tmp_path / "golden.json"))
    assert "needle-1" in told(tmp_path, *command)[1]["ces"]
    reports = told(tmp_path, *command, "--redact-key", "password")[1]
    assert "ces" in reports
    assert [kind for kind, report in reports.items() if "needle" in report or "observed-1" in report] == []


def test_notes_about_broken_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for side in "AB":
        paths.append(write_eval_set(tmp_path / f"call 5551234 {side}.json", case("c", turn("q", side, []))))
        paths[-1].write_text(paths[-1].read_text()[:-3])
    ended, reports = told(tmp_path, "diff", *map(str, paths), "--redact", r"\d{7}")
    assert ended == 1
    out = capsys.readouterr().out
    assert "call [redacted] A.json" in out
    assert not any("5551234" in text for text in (out, *reports.values()))


@pytest.mark.parametrize("word", ["left", "table", "same", "main", "none", "color", "turn", "true", "case", "status"])
def test_a_secret_may_be_a_word_of_the_report(word: str, tmp_path: Path) -> None:
    paths = [
        write_eval_set(tmp_path / f"{side}.json", case("c", turn("q", "a", [call("f", place=word, side=side)])))
        for side in "AB"
    ]
    wishes = ("--redact-key", "place", "--redact", r"\d+")
    ended, reports = told(tmp_path, "diff", *map(str, paths), *wishes)
    assert (ended, set(reports)) == (1, set(WRITERS["diff"]))
    ended, reports = told(tmp_path, "evaluate", str(paths[0]), "--golden", str(paths[1]), *wishes)
    assert (ended, set(reports)) == (1, set(WRITERS["evaluate"]))


def test_no_input_is_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace, golden = (
        write_eval_set(tmp_path / name, case("c", turn("q", "a", [call("f", x=x)])))
        for name, x in (("trace.json", 1), ("golden.json", 2))
    )
    criteria, beside = tmp_path / "criteria.json", tmp_path / "test_config.json"
    for path in (criteria, beside):
        path.write_text('{"criteria": {"response_match_score": 0.5}}')
    replies = tmp_path / "replies.json"
    replies.write_text('{"replies": []}')
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    command = ["evaluate", str(trace), "--golden", str(golden), "--criteria", str(criteria)]
    judged = [*command, "--judge", f"recorded:{replies}"]
    for path in (trace, golden, criteria, beside):
        assert main([*command, f"--report=html={path}"]) == 2
        told_so = capsys.readouterr()
        assert "is one of those evaluated or compared" in told_so.err
        assert not told_so.out
    assert main([*judged, f"--report=html={replies}"]) == 2
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize("command", ["diff", "evaluate"])
def test_no_report_is_written_into_an_archive(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:

    other = write_eval_set(tmp_path / "other.json", case("c", turn("q", "a", [])))
    archive = tmp_path / "runs.zip"
    with zipfile.ZipFile(archive, "w") as opened:
        opened.write(other, "x.json")
    before = archive.read_bytes()
    for target, said in (
        (archive / "x.json", "cannot be written into an archive"),
        (archive, "is one of those evaluated or compared"),
    ):
        assert main([command, str(archive), *(["--golden"] if command == "evaluate" else []), str(other),
                     f"--report=html={target}"]) == 2  # fmt: skip
        assert said in capsys.readouterr().err
    assert archive.read_bytes() == before


CHARACTERS = st.characters(codec="utf-8", exclude_categories=("Cs", "Zs", "Zl", "Zp"))
SECRETS = st.text(CHARACTERS, min_size=6, max_size=24).filter(
    lambda text: len(set(text.lower())) > 4 and text == text.strip() and "redacted" not in text
)
PLACES = ("value", "said", "key", "json", "json in json", "prose", "id", "question", "percent", "base64")


def planted(secret: str, places: list[str], side: str) -> JsonObject:
    args: JsonObject = {"password": secret, "side": side}
    named = {
        "value": secret, "said": f"it is {secret}, yes", "json": json.dumps({"x": secret}),
        "json in json": f"see {json.dumps(json.dumps({'x': secret}))}", "prose": f"x=({secret})",
        "percent": f"https://x.example/?q={quote(secret)}&n=1", "base64": base64.b64encode(secret.encode()).decode(),
    }  # fmt: skip
    args |= {place: named[place] + side for place in places if place in named}
    if "key" in places:
        args[secret] = side
    question = f"Why {secret}?" if "question" in places else "Why?"
    return case(
        f"case {secret}" if "id" in places else "case", turn(question, f"{secret} it is {side}", [call("f", **args)])
    )


@examples(10, 25)
@given(SECRETS, st.lists(st.sampled_from(PLACES), max_size=5, unique=True), st.sampled_from(["diff", "evaluate"]))
def test_a_planted_secret_stands_nowhere(secret: str, places: list[str], command: str) -> None:
    with TemporaryDirectory() as made:
        folder = Path(made)
        left, right = (write_eval_set(folder / f"{side}.json", planted(secret, places, side)) for side in "AB")
        golden = ("--golden",) if command == "evaluate" else ()
        _ended, reports = told(folder, command, str(left), *golden, str(right), "--redact-key", "password")
        spelled = {secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], quote(secret)}
        spelled.add(base64.b64encode(secret.encode()).decode().rstrip("="))
        assert [(kind, one) for kind, report in reports.items() for one in spelled if one in report] == []
