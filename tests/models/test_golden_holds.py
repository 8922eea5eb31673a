"""What each format holds of a golden: found out by changing one, written down in docs/goldens.md, and kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.golden_probes import probe, refusal
from tests.helpers.tables import each
from trace_inspector.formats import FORMATS
from trace_inspector.models.golden.field import GoldenField, Kind, text_of, value_of
from trace_inspector.models.golden.format_limits import why_not, why_not_described
from trace_inspector.models.golden.rubrics import _OF_CASE, _OF_TURN, _PROBES
from trace_inspector.models.golden.values import NotJson
from trace_inspector.views.golden import (
    case_section,
    criteria_section,
    expectations_section,
    notes_section,
    scenario_section,
    session_section,
)

SYSTEMS = ("adk-eval-set", "ces-evaluation", "vertex-item")
PAGE = Path(__file__).parents[2] / "docs" / "goldens.md"
OF_TURN = (
    *(expectations_section._of_turn(0, *line) for line in expectations_section._TURN),
    _OF_TURN,
    notes_section._note("note-turn", "", notes_section._turn_place(0)),
    notes_section._note("note-call", "", notes_section._call_place(0, 0)),
    criteria_section._field("criteria-turn", "", criteria_section._turn(0)),
)
OF_CASE = (
    *case_section._FIELDS,
    *session_section._FIELDS,
    expectations_section._SENTENCES,
    _OF_CASE,
    *_PROBES.values(),
    notes_section._note("note-case", "", lambda case: case.place),
    criteria_section._field("criteria-case", "", lambda case: case),
)
NAMES = {
    "case-id": "Id of the case",
    "case-title": "Title beside the id",
    "case-description": "Description",
    "case-tags": "Tags (Vertex AI: labels)",
    "session-app": "App of the session",
    "session-user": "User of the session",
    "session-id": "Id of the session",
    "session-state": "State at the start",
    "final-state": "State at the end",
    "case-sentences": "Sentences that the whole conversation must meet",
    "rubric-text": "Rubrics of the case",
    "rubric-id": "Id of a rubric",
    "rubric-type": "Type of a rubric",
    "rubric-group": "Group of a rubric",
    "rubric-description": "Description of a rubric (Vertex AI: its group's name)",
    "rubric-importance": "Importance of a rubric",
    "note-case": "Note on the case",
    "criteria-case": "Criteria of the case",
    "turn-transfers": "Agents to whom a turn hands over",
    "turn-results": "Answers of tools in a turn",
    "turn-mocks": "Mocked answers of tools",
    "turn-variables": "Variables that a turn sets",
    "turn-no-calls": "No tool may be called",
    "turn-skips": "Expectations that are not judged",
    "rubric-text-turn": "Rubrics of a turn",
    "note-turn": "Note on a turn",
    "note-call": "Note on a call",
    "criteria-turn": "Criteria of a turn",
    "scenario-prompt": "First words of the simulated user",
    "scenario-plan": "Its plan or task",
    "scenario-persona": "Its persona",
    "scenario-turns": "Maximum turns",
    "scenario-facts": "What only the user knows",
    "scenario-goal": "What is to become of its goal",
    "scenario-variables": "Variables of the scenario",
}
FIELDS = {field.id: field for field in (*OF_CASE, *OF_TURN, *scenario_section._FIELDS)}


def held(system: str, field: GoldenField) -> str:
    """In the page's words."""
    kinds = {"script": False, "scenario": True}
    if field in scenario_section._FIELDS:
        kinds.pop("script")
    if field in OF_TURN:
        kinds.pop("scenario")
    able = [name for name, scenario in kinds.items() if not why_not(system, field, scenario=scenario)]
    return "–" if not able else "yes" if len(able) == len(kinds) else f"{able[0]}s only"


def rows() -> Iterator[str]:
    for name, field in FIELDS.items():
        yield f"| {NAMES[name]} | {' | '.join(held(system, field) for system in SYSTEMS)} |"


@each("line", list(rows()), ids=list(FIELDS))
def test_the_page_says_what_formats_hold(line: str) -> None:
    assert line in PAGE.read_text().splitlines()


@each("name", list(FIELDS))
@each("system", SYSTEMS)
def test_what_is_held_is_taken_back_by_the_old_value(system: str, name: str) -> None:
    field = FIELDS[name]
    editing = next(known.editing for known in FORMATS if known.name == system)
    assert editing is not None
    for scenario in (False, True):
        if why_not(system, field, scenario=scenario):
            continue
        raw, before = probe(system, scenario=scenario)
        new = raw
        for change in field.change(before, field.probe):
            new = editing.changed(new, editing.read(new, "/cases/0", ""), change)
        text = text_of(field.kind, field.value(editing.read(new, "/cases/0", "")))
        assert value_of(field.kind, text) == field.probe or field.kind in (Kind.LINE, Kind.TEXT)


@each("name", list(FIELDS))
@each("system", [format_.name for format_ in FORMATS])
def test_the_table_says_what_the_formats_do(system: str, name: str) -> None:
    for scenario in (False, True):
        expected = refusal(system, FIELDS[name], scenario=scenario)
        assert why_not(system, FIELDS[name], scenario=scenario) == expected


def test_the_formats_that_describe_a_suite_are_those_of_the_table() -> None:
    able = [
        format_.name for format_ in FORMATS if format_.editing is not None and format_.editing.described is not None
    ]
    assert [format_.name for format_ in FORMATS if not why_not_described(format_.name)] == able


@each(
    ("kind", "text", "sentence"),
    [
        (Kind.OBJECT, '{"a": 1,\n"b" 2}', "Line 2, column 5: a colon is missing here"),
        (Kind.OBJECT, "[1]", "This must be an object"),
        (Kind.VALUE, "[" * 5_000, "nested too deeply"),
        (Kind.VALUE, '{"a": NaN}', "not JSON"),
        (Kind.VALUE, "x" * 500_000, "too long"),
        (Kind.COUNT, "-1", "whole number"),
        (Kind.COUNT, "٣", "whole number"),
        (Kind.COUNT, "9" * 400, "whole number"),
    ],
    ids=["colon", "list", "deep", "nan", "long", "minus", "digit", "large"],
)
def test_what_means_nothing_is_a_sentence(kind: Kind, text: str, sentence: str) -> None:
    with pytest.raises(NotJson, match=sentence):
        value_of(kind, text)
