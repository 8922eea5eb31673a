"""Evaluations of CES with something odd somewhere: all else is read, and every place that is named is there."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.formats import ces_golden_files as made
from tests.formats.test_every_format import pointers_in
from tests.formats.test_fuzz import ODD, put, ways
from tests.helpers.campaigns import examples
from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import Json, present
from trace_inspector.formats import BY_NAME
from trace_inspector.formats.ces.common.evaluation_schemas import CONDITIONS
from trace_inspector.formats.common.fields import Fields, camel, or_null
from trace_inspector.formats.common.format import Source

FORMAT = BY_NAME["ces-evaluation"]

KINDS = ["golden", "scenario", "snake"]


def read(value: Json) -> Contents:
    """What the reader makes of a value, whatever it is."""
    return collect(FORMAT.name, FORMAT.read(Source(value, "x.json")))


def objects(value: Json, *names: str) -> list[Fields]:
    """The objects in the list to which these keys lead."""
    fields = Fields(value if isinstance(value, dict) else {}, "")
    *around, last = names
    for name in around:
        fields = fields.object(name) or Fields({}, "")
    return fields.objects(last)


def conditions(turn: Fields) -> int:
    """How many things the steps of a turn expect."""
    stated = (step.object("expectation") for step in turn.objects("steps"))
    return sum(or_null(one.get(name)) is not None for one in stated if one for name in CONDITIONS)


@pytest.mark.parametrize("kind", KINDS)
@examples(40, 1000)
@given(data=st.data())
def test_what_is_whole_is_read_and_places_are_there(kind: str, data: st.DataObject) -> None:
    whole = made.EVALUATIONS[kind]
    value = put(whole, data.draw(st.sampled_from([*ways(whole)][1:])), data.draw(st.sampled_from(ODD)))
    contents = read(value)
    (suite,) = contents.suites
    (case,) = suite.cases
    turns = objects(value, "golden", "turns")
    assert [len(turn.expectations) for turn in case.turns] == [conditions(turn) for turn in turns]
    facts = objects(value, "scenario", "user_facts")
    assert len(case.scenario.facts if case.scenario else ()) == len(facts)
    assert all(present(resolve(value, place)) for place in pointers_in(suite))
    assert all(finding.message.endswith((".", "?")) for finding in contents.findings)


@given(st.sampled_from(KINDS), st.sampled_from(["golden", "scenario", "displayName", "tags"]))
def test_null_says_as_little_as_nothing(kind: str, name: str) -> None:
    value = made.EVALUATIONS[kind]
    assert isinstance(value, dict)
    absent: dict[str, Json] = {key: item for key, item in value.items() if camel(key) != name}
    spelled = next((key for key in value if camel(key) == name), name)
    without, null = read(absent), read({**absent, spelled: None})
    assert [case.turns for case in null.suites[0].cases] == [case.turns for case in without.suites[0].cases]
    assert [found.code for found in null.findings] == [found.code for found in without.findings]


def test_a_very_deep_argument_is_read_to_its_end() -> None:
    deep = json.loads('{"a":' * 250 + "1" + "}" * 250)
    call = {"tool": "t", "args": deep}
    (case,) = read(made.golden(made.turn(made.expects(toolCall=call)))).suites[0].cases
    assert case.turns[0].expectations[0].parts[0] == case.turns[0].events[0].parts[0]
