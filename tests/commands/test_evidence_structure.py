"""`evidence --structure-only`: nothing of a file but names is in the page, and what was equal is so still."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

import pytest

from benchmarks import evidence_secrets
from tests.formats import adk_files, ces_result_files, vertex_files
from trace_inspector.cli import main
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.open_file import open_file

SYSTEMS: dict[str, Json] = {
    "adk": json.loads(adk_files.RESULT),
    "adk-session": json.loads(adk_files.SESSION),
    "ces": json.loads(json.dumps(ces_result_files.RESULTS["golden"])),
    "vertex": vertex_files.full_list(),
}
DATA = {"args", "arguments", "response", "state", "output", "parameters"}
MARK = "zqx"
NUMBERS = 73_190_000


def marked(value: Json, counter: count[int], *, data: bool = False) -> Json:
    """The value with a mark in every sentence, and in every text and number of arguments, results and states."""
    if isinstance(value, dict):
        return {key: marked(item, counter, data=data or key in DATA) for key, item in value.items()}
    if isinstance(value, list):
        return [marked(item, counter, data=data) for item in value]
    if isinstance(value, str) and (data or " " in value) and not value.lstrip().startswith(("{", "[")):
        return f"{value} {MARK}{next(counter)}"
    if data and isinstance(value, int | float) and not isinstance(value, bool):
        return NUMBERS + next(counter)
    return value


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_text_and_no_value_is_in_the_page(system: str, tmp_path: Path) -> None:
    run, target, whole = tmp_path / "run.json", tmp_path / "page.html", tmp_path / "whole.html"
    counter = count(1)
    run.write_text(json.dumps(marked(SYSTEMS[system], counter)))
    assert next(counter) > 3
    assert main(["evidence", str(run), "-o", str(whole)]) == 0
    assert any(MARK in text for text in evidence_secrets.texts_in(whole.read_text())), (
        "they are there without the option"
    )
    assert main(["evidence", str(run), "--structure-only", "-o", str(target)]) == 0
    left = [text for text in evidence_secrets.texts_in(target.read_text()) if MARK in text or "7319" in text]
    assert left == []


def test_no_secret_is_left_not_even_an_ordinary_word(tmp_path: Path) -> None:
    words = ["sunshine", "on the blue shelf behind the door", "four eight fifteen"]
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    told = [{"role": "user", "content": f"we always say {word} there"} for word in words]
    run.write_text(json.dumps({"messages": [*told, {"role": "assistant", "content": "Noted."}]}))
    assert main(["evidence", str(run), "--structure-only", "-o", str(target)]) == 0
    texts = list(evidence_secrets.texts_in(target.read_text()))
    assert [word for word in words for text in texts if word in text] == []


def test_steps_and_verdicts_open_again_and_equal_values_are_equal(tmp_path: Path) -> None:
    def call(amount: int, to: str, number: int) -> dict[str, Json]:
        text = json.dumps({"amount": amount, "to": to})
        return {"id": f"c{number}", "type": "function", "function": {"name": "pay", "arguments": text}}

    run, target = tmp_path / "run.json", tmp_path / "page.html"
    calls = [call(5, "Ann", 1), call(5, "Bob", 2)]
    run.write_text(
        json.dumps({"messages": [{"role": "user", "content": "Pay"}, {"role": "assistant", "tool_calls": calls}]})
    )
    assert main(["evidence", str(run), "--structure-only", "-o", str(target)]) == 0
    (trace,) = open_file(target).contents.traces
    first, second = (made.args for made in calls_of(trace.turns[0]))
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert [*first] == [*second] == ["amount", "to"]
    assert first["amount"] == second["amount"]
    assert first["to"] != second["to"]


@pytest.mark.parametrize("system", ["adk", "ces", "vertex"])
def test_scores_and_cases_are_those_of_the_file(system: str, tmp_path: Path) -> None:
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    run.write_text(json.dumps(SYSTEMS[system]))
    assert main(["evidence", str(run), "--structure-only", "-o", str(target)]) == 0
    before, after = (open_file(path).contents.reported for path in (run, target))
    shown = [
        [(case.case_id, case.status, [(m.metric, m.score) for m in case.metrics]) for case in side]
        for side in (before, after)
    ]
    assert shown[0] == shown[1] != []


def test_a_name_that_is_a_secret_goes_as_well(tmp_path: Path) -> None:
    key = "sk_live_" + "51Hq8Zr3Vw0Lk2Nb7Tx9"
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    text = json.dumps({key: 1, "a key, as it is data": 2})
    made = {"id": "c1", "type": "function", "function": {"name": "pay", "arguments": text}}
    run.write_text(
        json.dumps({"messages": [{"role": "user", "content": "Pay"}, {"role": "assistant", "tool_calls": [made]}]})
    )
    assert main(["evidence", str(run), "--structure-only", "-o", str(target)]) == 0
    texts = list(evidence_secrets.texts_in(target.read_text()))
    assert not any(key in text or "as it is data" in text for text in texts)


def test_what_stands_where_a_name_should_goes_as_well(tmp_path: Path) -> None:
    said = "ask Ann at ann@example.org"
    call = {"id": "c1", "type": "function", "function": {"name": f"tool: {said}", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": [{"type": said, "x": 1}, {"type": "text", "text": "Pay"}], said: 1},
        {"role": "assistant", "tool_calls": [call], "model": said},
        {"role": said, "content": "done"},
    ]
    run, target = tmp_path / "run.json", tmp_path / "page.html"
    run.write_text(json.dumps({"id": said, "model": said, "messages": messages, f"field {said}": 3}))
    assert main(["evidence", str(run), "--structure-only", "-o", str(target)]) == 0
    assert not any(
        "ann@example" in text or "ask Ann" in text for text in evidence_secrets.texts_in(target.read_text())
    )
