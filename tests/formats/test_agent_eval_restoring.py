"""From other formats to agent-eval's rows and back, and from rows to others and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.formats import agent_eval_files as files
from tests.formats.adk_files import RESULT, WRITABLE, encoded
from tests.helpers.tables import each
from trace_inspector.core.errors import UsageError
from trace_inspector.core.values.difference import same
from trace_inspector.core.values.json_numbers import json_text, parse_exactly
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.convert_file import convert_files, save_converted
from trace_inspector.flows.opening.open_file import open_file

CONVERSATIONS = [name for name in WRITABLE if name != "adk-eval-config"]
# A row with numbers that Python would spell otherwise, and a key that nobody knows.
ODD = {
    "question_id": "odd",
    "final_session_state": files.simulated()["final_session_state"],
    "deep": {"x": [1, 2, {"y": None}]},
}
ROWS = {
    "simulated": [files.simulated()],
    "two": [files.simulated(eval_results=files.results()), files.live(question_id="live")],
    "repeats": [files.simulated(), files.simulated(session_id="session-2")],
    "questions": files.golden(),
    "odd": [ODD],
    "one row": files.live(),
    "empty": {"golden_questions": []},
}


def there(text: str, target: str, folder: Path, name: str = "b.json") -> Path:
    """A file converted; where the new file lies."""
    path, out = folder / "a.json", folder / name
    path.write_text(text, encoding="utf-8")
    made = convert_files([path], target)
    assert made.gone == ()
    save_converted(made, out)
    return out


def back(path: Path, target: str) -> Json:
    """What converting back gives."""
    return parse_exactly(convert_files([path], target).data)


@each(
    ("origin", "name"),
    [*((origin, "b.json") for origin in CONVERSATIONS), ("adk-session", "b.jsonl"), ("adk-eval-result", "b.jsonl")],
)
def test_rows_of_another_format_and_back(origin: str, name: str, tmp_path: Path) -> None:
    made = there(WRITABLE[origin], "agent-eval", tmp_path, name)
    assert open_file(made).contents.format == "agent-eval"
    assert same(back(made, origin), parse_exactly(WRITABLE[origin]))


@each("target", CONVERSATIONS)
@each("kind", ROWS)
def test_another_format_of_rows_and_back(kind: str, target: str, tmp_path: Path) -> None:
    text = json.dumps(ROWS[kind]).replace('"x": [1,', '"x": [1.0e2, 0.10, -0, 9007199254740993, 1,')
    made = there(text, target, tmp_path)
    assert same(back(made, "agent-eval"), parse_exactly(text))


def test_rows_on_lines_are_spelled_as_they_were(tmp_path: Path) -> None:
    path, made = tmp_path / "a.jsonl", tmp_path / "b.json"
    text = "".join(json.dumps(row).replace("[1,", "[1.50, 1e400,") + "\n" for row in (ODD, files.live()))
    path.write_text(text, encoding="utf-8")
    save_converted(convert_files([path], "adk-eval-set"), made)
    again = tmp_path / "c.jsonl"
    save_converted(convert_files([made], "agent-eval"), again)
    assert "[1.50, 1e400," in again.read_text(encoding="utf-8")
    assert len(again.read_text(encoding="utf-8").splitlines()) == 2


def test_what_a_whole_file_carries_stands_in_its_first_row(tmp_path: Path) -> None:
    value = json.loads(RESULT)
    value["eval_case_results"] = [value["eval_case_results"][0], {**value["eval_case_results"][0], "eval_id": "b"}]
    made = there(json.dumps(value), "agent-eval", tmp_path)
    first, *others = json.loads(made.read_bytes())
    assert "file" in first["traceInspector"]
    assert all("file" not in row["traceInspector"] for row in others)
    assert all("leftovers" in row["traceInspector"] for row in (first, *others))
    assert same(back(made, "adk-eval-result"), parse_exactly(json.dumps(value)))


def test_fewer_rows_than_cases_carry_the_whole_file(tmp_path: Path) -> None:
    value: Any = parse_exactly(WRITABLE["adk-eval-set"])
    said = {"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Yes."}]}}
    value["eval_cases"][0]["actual_conversation"] = [said]
    made = there(json_text(value), "agent-eval", tmp_path)
    (row,) = json.loads(made.read_bytes())
    assert row["traceInspector"].keys() == {"version", "origin", "file"}
    assert same(back(made, "adk-eval-set"), value)


def test_an_edit_of_a_row_between_wins(tmp_path: Path) -> None:
    made = there(RESULT, "agent-eval", tmp_path)
    text = made.read_text(encoding="utf-8")
    assert text.count("Booked.") > 1
    made.write_text(text.replace("Booked.", "Booked for two."), encoding="utf-8")
    assert "Booked for two." in json_text(back(made, "adk-eval-result"))


def test_a_file_without_cases_comes_back(tmp_path: Path) -> None:
    value = {"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": [], "more": 1}
    path, out = tmp_path / "a.json", tmp_path / "b.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    save_converted(convert_files([path], "agent-eval"), out)
    assert json.loads(out.read_bytes())["golden_questions"] == []
    assert same(back(out, "adk-eval-result"), parse_exactly(json.dumps(value)))


def test_a_result_encoded_twice_comes_back_as_the_text_it_was(tmp_path: Path) -> None:
    assert back(there(str(encoded(RESULT)), "agent-eval", tmp_path), "adk-eval-result") == RESULT


def test_questions_are_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(files.golden()), encoding="utf-8")
    made = convert_files([path], "agent-eval")
    assert made.data == path.read_bytes()
    made = convert_files([there(json.dumps(files.golden()), "adk-eval-set", tmp_path)], "agent-eval")
    with pytest.raises(UsageError, match="one JSON object"):
        save_converted(made, tmp_path / "c.csv")
