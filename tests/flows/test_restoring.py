"""From A to B and back to A: the original again, also when B was edited between; and what is said of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats.adk_files import EVAL_SET, RESULT, SESSION, WRITABLE, encoded
from tests.formats.span_files import agent, jaeger, model, says, user
from trace_inspector.core.finding import Severity
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.json_numbers import json_text, parse_exactly
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.convert_file import Converted, convert_files, save_converted, side_path
from trace_inspector.formats.writing import reserved_key_conversion as conversion

TARGETS = [name for name in WRITABLE if name != "adk-eval-config"]
PAIRS = [(a, b) for a in WRITABLE for b in TARGETS if a != b]


def there(text: str | Json, target: str, folder: Path) -> Path:
    """A file converted; where the new file lies."""
    path, out = folder / "a.json", folder / "b.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    save_converted(convert_files([path], target), out)
    return out


def back(path: Path, target: str) -> Json:
    """What converting back gives."""
    return parse_exactly(convert_files([path], target).data)


def edited(path: Path, old: str, new: str) -> None:
    """Change one text of a file, which must stand there outside our own key."""
    value = parse_exactly(path.read_bytes())
    assert _replace(value, old, new), f"{old} stands nowhere"
    path.write_text(json_text(value), encoding="utf-8")


def _replace(value: Any, old: str, new: str) -> int:
    count = 0
    for key, item in list(value.items() if isinstance(value, dict) else enumerate(value)):
        if item == old:
            value[key] = new
            count += 1
        elif isinstance(item, dict | list) and key != "traceInspector":
            count += _replace(item, old, new)
    return count


@pytest.mark.parametrize(("origin", "target"), PAIRS)
def test_there_and_back_restores_values_order_and_spelling(origin: str, target: str, tmp_path: Path) -> None:
    text = WRITABLE[origin]
    assert same(back(there(text, target, tmp_path), origin), parse_exactly(text))


@pytest.mark.parametrize(("origin", "target"), PAIRS)
def test_nothing_of_it_is_gone_for_good(origin: str, target: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(WRITABLE[origin], encoding="utf-8")
    made = convert_files([path], target)
    assert made.gone == ()
    assert [loss.code for loss in made.losses].count("kept-beside") == 1
    assert not any(loss.code.endswith("-lost") for loss in made.losses)


@pytest.mark.parametrize("target", ["adk-eval-set", "adk-session"])
def test_a_result_encoded_twice_comes_back_as_the_text_it_was(target: str, tmp_path: Path) -> None:
    text = encoded(RESULT)
    assert back(there(text, target, tmp_path), "adk-eval-result") == RESULT


def test_a_list_of_events_and_a_list_of_sessions(tmp_path: Path) -> None:
    one = json.loads(SESSION)
    for value in (one["events"], [one], [one, {**one, "id": "s2"}]):
        made = there(json.dumps(value), "adk-eval-set", tmp_path)
        assert same(back(made, "adk-session"), parse_exactly(json.dumps(value)))


def test_three_formats_and_all_the_way_back(tmp_path: Path) -> None:
    first = there(SESSION, "adk-eval-set", tmp_path)
    second = tmp_path / "c.json"
    save_converted(convert_files([first], "adk-eval-result"), second)
    again = tmp_path / "d.json"
    save_converted(convert_files([second], "adk-eval-set"), again)
    assert same(back(again, "adk-session"), parse_exactly(SESSION))


def _with(text: str, old: str, new: str) -> Json:
    value = json.loads(text)
    assert _replace(value, old, new)
    return parse_exactly(json.dumps(value))


@pytest.mark.parametrize("target", ["adk-eval-set", "adk-eval-result"])
def test_an_edit_of_a_session_between_wins_and_the_rest_is_restored(target: str, tmp_path: Path) -> None:
    made = there(SESSION, target, tmp_path)
    edited(made, "Booked.", "Booked for two.")
    edited(made, "Thanks", "Thank you")
    wanted = _with(json.dumps(_with(SESSION, "Booked.", "Booked for two.")), "Thanks", "Thank you")
    assert same(back(made, "adk-session"), wanted)


@pytest.mark.parametrize("target", ["adk-session", "adk-eval-result"])
def test_an_edit_of_an_eval_set_between(target: str, tmp_path: Path) -> None:
    made = there(EVAL_SET, target, tmp_path)
    edited(made, "Two seats?", "Three seats?")
    assert same(back(made, "adk-eval-set"), parse_exactly(EVAL_SET.replace("Two seats?", "Three seats?")))


def test_an_edit_of_what_was_expected_leaves_what_was_recorded(tmp_path: Path) -> None:
    made = there(RESULT, "adk-eval-set", tmp_path)
    edited(made, "Booked.", "Booked for two.")
    assert same(back(made, "adk-eval-result"), parse_exactly(RESULT.replace("Booked.", "Booked for two.")))


def test_a_case_taken_out_or_moved_between(tmp_path: Path) -> None:
    both: Any = parse_exactly(EVAL_SET)
    both["eval_cases"][1] = {**both["eval_cases"][0], "eval_id": "b", "tags": ["other"]}
    made = there(json_text(both), "adk-eval-result", tmp_path)
    value: Any = parse_exactly(made.read_bytes())
    value["eval_case_results"].reverse()
    made.write_text(json_text(value), encoding="utf-8")
    restored: Any = back(made, "adk-eval-set")
    assert restored["eval_cases"] == both["eval_cases"][::-1]
    del value["eval_case_results"][0]
    made.write_text(json_text(value), encoding="utf-8")
    alone: Any = back(made, "adk-eval-set")
    assert alone["eval_cases"] == both["eval_cases"][:1]
    assert alone["own"] == both["own"]


def test_a_turn_added_between_stands_beside_the_restored_ones(tmp_path: Path) -> None:
    made = there(SESSION, "adk-eval-set", tmp_path)
    value = json.loads(made.read_text(encoding="utf-8"))
    new = {"invocation_id": "e-3", "user_content": {"parts": [{"text": "One more"}], "role": "user"}}
    value["eval_cases"][0]["conversation"].append(new)
    made.write_text(json.dumps(value), encoding="utf-8")
    restored: Any = back(made, "adk-session")
    original = json.loads(SESSION)
    assert restored["events"][: len(original["events"])] == original["events"]
    assert [event["content"]["parts"] for event in restored["events"][6:]] == [[{"text": "One more"}]]


def test_what_people_wrote_beside_a_case_goes_along(tmp_path: Path) -> None:
    made = there(SESSION, "adk-eval-set", tmp_path)
    value = json.loads(made.read_text(encoding="utf-8"))
    value["eval_cases"][0]["traceInspector"]["notes"] = {"/eval_id": "Ask Ann."}
    made.write_text(json.dumps(value), encoding="utf-8")
    session = tmp_path / "c.json"
    save_converted(convert_files([made], "adk-session"), session)
    assert same(parse_exactly(session.read_bytes()), parse_exactly(SESSION))
    assert side_path(session).exists()
    again: Any = back(session, "adk-eval-set")
    assert again["eval_cases"][0]["traceInspector"]["notes"] == {"/eval_id": "Ask Ann."}


def test_the_side_file_of_a_session(tmp_path: Path) -> None:
    made = there(EVAL_SET, "adk-session", tmp_path)
    side = tmp_path / "b.json.trace-inspector.json"
    ours = json.loads(side.read_text(encoding="utf-8"))
    assert (ours["version"], ours["origin"]) == (1, {"format": "adk-eval-set"})
    copied = convert_files([made], "adk-session")
    assert (copied.data, copied.side) == (made.read_bytes(), side.read_bytes())


def test_a_side_file_of_what_lay_there_before_goes_away(tmp_path: Path) -> None:
    made = there(EVAL_SET, "adk-session", tmp_path)
    save_converted(Converted(b"{}"), made)
    assert not side_path(made).exists()
    side_path(made).write_text('{"mine": 1}', encoding="utf-8")
    save_converted(Converted(b"{}"), made)
    assert side_path(made).exists()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"version": 2, "origin": {"format": "adk-eval-set"}}'])
def test_a_broken_or_foreign_side_file_is_as_good_as_none(text: str, tmp_path: Path) -> None:
    made = there(EVAL_SET, "adk-session", tmp_path)
    with_it = back(made, "adk-eval-set")
    side_path(made).write_text(text, encoding="utf-8")
    without = back(made, "adk-eval-set")
    side_path(made).unlink()
    assert without == back(made, "adk-eval-set") != with_it


@pytest.mark.parametrize(
    "left", [{"/eval_cases/7/x": 1, "no pointer": 2, "/": 3}, {"": None}, {"": []}, {"/eval_cases": 5}, 7, [1]]
)
def test_leftovers_that_fit_nowhere_break_nothing(left: Json, tmp_path: Path) -> None:
    made = there(EVAL_SET, "adk-eval-result", tmp_path)
    value = json.loads(made.read_text(encoding="utf-8"))
    for owner in (value, *value["eval_case_results"]):
        owner["traceInspector"] = {"version": 1, "origin": {"format": "adk-eval-set"}, "leftovers": left}
        made.write_text(json.dumps(value), encoding="utf-8")
        restored = json.loads(convert_files([made], "adk-eval-set").data)
        assert len(restored["eval_cases"]) == len(value["eval_case_results"])


def test_spans_are_gone_for_good_and_said_so(tmp_path: Path) -> None:
    spans = jaeger(agent("a", None, "guide"), model("m", "a", 1, asked=[user("q")], said=says("ok")))
    path = tmp_path / "t.json"
    path.write_text(json.dumps(spans), encoding="utf-8")
    made = convert_files([path], "adk-eval-set")
    assert [loss.code for loss in made.gone] == ["spans-lost"]


def test_more_than_the_bound_is_not_kept_and_that_is_a_loss(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion, "MAX_LEFT_CHARS", 100)
    path = tmp_path / "a.json"
    path.write_text(EVAL_SET, encoding="utf-8")
    made = convert_files([path], "adk-session")
    assert "leftovers-lost" in [loss.code for loss in made.gone]
    assert all(loss.severity is not Severity.ERROR or loss.code.endswith("-lost") for loss in made.losses)
    assert made.side is None


def test_keys_of_an_older_file_that_nobody_reads_are_gone_and_said_so(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"query": "q", "reference": "a", "expected_tool_use": [], "own": 1}]', encoding="utf-8")
    assert [loss.code for loss in convert_files([path], "adk-eval-set").gone] == ["unread-lost"]
    path.write_text('[{"query": "q", "reference": "a", "expected_tool_use": []}]', encoding="utf-8")
    assert convert_files([path], "adk-eval-set").gone == ()


def test_a_restored_file_keeps_what_it_carries_from_elsewhere(tmp_path: Path) -> None:
    first = there(SESSION, "adk-eval-set", tmp_path)
    second = tmp_path / "c.json"
    save_converted(convert_files([first], "adk-eval-result"), second)
    value: Any = parse_exactly(second.read_bytes())
    value["eval_case_results"][0]["own"] = "added since"
    second.write_text(json_text(value), encoding="utf-8")
    made = convert_files([second], "adk-eval-set")
    assert [loss.code for loss in made.gone] == ["leftovers-lost"]
    assert same(parse_exactly(made.data), parse_exactly(first.read_bytes()))
