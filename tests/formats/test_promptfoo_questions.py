"""What tests of promptfoo ask: prompts with names filled in, variables that ask, and figures that asserts limit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.formats.test_promptfoo import contents_of
from tests.helpers.tables import each
from trace_inspector.cli import main
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.trace.trace import user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.eval_tools.promptfoo import questions

_TEST: JsonObject = {"vars": {"question": "Where may I park?", "who": {"name": "Ann", "age": 3}}}


def asked(folder: Path, prompts: Json, *tests: Json, **more: Json) -> list[str]:
    return asked_and_told(folder, prompts, *tests, **more)[0]


def asked_and_told(folder: Path, prompts: Json, *tests: Json, **more: Json) -> tuple[list[str], dict[str, str]]:
    value: JsonObject = {"prompts": prompts, "providers": ["maker:small"], "tests": [*(tests or [_TEST])], **more}
    contents = contents_of(folder, value)
    turns = [case.turns[0] for case in contents.suites[0].cases]
    told = {finding.code: finding.message for finding in contents.findings}
    assert any(turn.guessed == {"question"} for turn in turns) == ("guessed-question" in told)
    return [user_text(turn) for turn in turns], told


FILLED: dict[str, tuple[str, str]] = {
    "a name": ("Answer: {{question}}", "Answer: Where may I park?"),
    "a name alone": (" {{- question -}} ", "Where may I park?"),
    "a name with a dot": ("{{ who.name }}: {{question}}", "Ann: Where may I park?"),
    "a number": ("{{who.age}} years", "3 years"),
    "an object": ("{{who}}", '{"name": "Ann", "age": 3}'),
}


@each("kind", FILLED)
def test_names_are_filled_in(tmp_path: Path, kind: str) -> None:
    prompt, words = FILLED[kind]
    made, told = asked_and_told(tmp_path, [prompt])
    assert made == [words]
    assert told.keys().isdisjoint({"guessed-question", "unfilled-prompt"})


UNFILLED = ("{{ question | upper }}", "{{nothing}}", "{{who.nobody}}", "{% if who %}", "{{ file }}", "{{ 1 + 1 }}")


@each("mark", UNFILLED)
def test_nothing_else_is_filled_in_and_what_stays_is_told(tmp_path: Path, mark: str) -> None:
    test: JsonObject = {"vars": {"question": "Where?", "who": {"name": "Ann"}, "file": "file://secret.txt"}}
    made, told = asked_and_told(tmp_path, f"{mark} {{{{question}}}}", test)
    assert made == [f"{mark} Where?"]
    assert f"“{mark}”" in told["unfilled-prompt"]


def test_a_value_that_looks_like_a_name_is_not_filled_in(tmp_path: Path) -> None:
    test: JsonObject = {"vars": {"question": "What does {{who}} mean?", "who": "Ann"}}
    made, told = asked_and_told(tmp_path, ["Say: {{question}}"], test)
    assert made == ["Say: What does {{who}} mean?"]
    assert "unfilled-prompt" not in told


PROMPTS: dict[str, Json] = {
    "several": ["Short: {{question}}", "Long: {{question}}"],
    "a file": ["file://prompt.txt"],
    "a file by its id": [{"id": "file://prompt.txt"}],
    "none": [],
}


@each("kind", PROMPTS)
def test_without_one_prompt_the_variable_that_asks_is_taken_and_marked(tmp_path: Path, kind: str) -> None:
    made, told = asked_and_told(tmp_path, PROMPTS[kind])
    assert made == ["Where may I park?"]
    assert told["guessed-question"].startswith("In 1 case the question is that of the variable which asks")


ASKING: dict[str, tuple[JsonObject, str]] = {
    "the question before the message": ({"message": "b", "question": "a"}, "a"),
    "in capitals": ({"Query": "a", "tone": "kind"}, "a"),
    "the only text": ({"topic": "a", "count": 3, "page": "file://b.txt"}, "a"),
    "several texts": ({"topic": "a", "tone": "b"}, ""),
    "no text": ({"count": 3, "question": "file://b.txt"}, ""),
}


@each("kind", ASKING)
def test_which_variable_asks(tmp_path: Path, kind: str) -> None:
    variables, words = ASKING[kind]
    assert asked(tmp_path, ["file://prompt.txt"], {"vars": variables}) == [words]


def test_variables_of_all_tests_are_those_of_each(tmp_path: Path) -> None:
    by_default: JsonObject = {"vars": {"tone": ["kind", "short"], "question": "Where?"}}
    tests: list[Json] = [{"vars": {"question": "Now?"}}, {"vars": {"tone": "loud"}}]
    made = asked(tmp_path, ["{{tone}}: {{question}}"], *tests, defaultTest=by_default)
    assert made == ["kind: Now?", "short: Now?", "loud: Where?"]
    contents = contents_of(
        tmp_path, {"prompts": [], "providers": [], "tests": [{"vars": {"n": 1}}], "defaultTest": by_default}
    )
    (variables,) = (one for one in contents.suites[0].cases[0].extras if one.name == "vars")
    assert variables.value == {"tone": "kind", "question": "Where?", "n": 1}
    (words,) = contents.suites[0].cases[0].turns[0].user
    assert isinstance(words, Text)
    assert words.place == "/defaultTest/vars/question"


def test_prompts_that_would_grow_without_end_stay_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(questions, "_LONGEST", 100)
    long: Json = {"vars": {"question": "x" * 60, "again": "1"}}
    assert asked(tmp_path, ["{{question}} {{again}}"], long) == ["x" * 60 + " 1"]
    made, told = asked_and_told(tmp_path, ["{{question}} {{question}}"], long)
    assert made == ["{{question}} {{question}}"]
    assert "unfilled-prompt" in told
    monkeypatch.setattr(questions, "_MOST_CHARS", 100)
    assert asked(tmp_path, ["{{question}} {{again}}"], long, long) == ["x" * 60 + " 1", "{{question}} {{again}}"]


def computed(folder: Path, capsys: pytest.CaptureFixture[str], asserts: list[Json]) -> dict[str, tuple[str, str]]:
    """The verdicts of `evaluate` on one result with these asserts, by name, with the reason."""
    result: JsonObject = {
        "testIdx": 0, "promptIdx": 0, "vars": {}, "prompt": {"raw": "Where?", "label": "p"},
        "provider": {"id": "maker:small"}, "response": {"output": "The garage at Pier 4."},
        "success": True, "latencyMs": 1500, "cost": 0.02, "failureReason": 0,
        "testCase": {"description": "parking", "assert": asserts},
        "gradingResult": {"pass": True, "score": 1, "reason": "", "componentResults": []},
    }  # fmt: skip
    path = folder / "results.json"
    path.write_text(json.dumps({"results": {"version": 3, "results": [result], "stats": {}}}), encoding="utf-8")
    main(["evaluate", str(path), "--json"])
    metrics = json.loads(capsys.readouterr().out)["cases"][0]["metrics"]
    return {
        one["name"].removeprefix("answer_check:"): (one["status"], one["reason"])
        for one in metrics
        if one["name"].startswith("answer_check:")
    }


def test_overlaps_and_figures_are_computed_beside_what_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asserts: list[Json] = [
        {"type": "rouge-n", "value": "At Pier 4", "threshold": 0.7},
        {"type": "rouge-n", "value": "A boat"},
        {"type": "bleu", "value": ["Nothing alike", "The garage at Pier 4."]},
        {"type": "not-bleu", "value": "The garage at Pier 4.", "threshold": 0.9},
        {"type": "latency", "threshold": 1500},
        {"type": "latency", "threshold": 1000, "metric": "Fast"},
        {"type": "not-cost", "threshold": 0.01},
        {"type": "cost"},
    ]
    told = computed(tmp_path, capsys, asserts)
    assert {name: status for name, (status, _reason) in told.items()} == {
        "rouge-n: At Pier 4": "PASSED",
        "rouge-n: A boat": "FAILED",
        'bleu: ["Nothing alike", "The garage at Pier 4."]': "PASSED",
        "not-bleu: The garage at Pier 4.": "FAILED",
        "latency": "PASSED",
        "Fast": "FAILED",
        "not-cost": "PASSED",
    }
    assert told["rouge-n: A boat"][1] == "ROUGE-1 as it is counted here is 0, and 0.75 is the limit"
    assert told["Fast"][1] == "the latency was 1500, and 1000 is the limit"
