"""CES's own client as a second opinion, where it is installed: what is written parses, and what it dumps is read."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.formats import ces_golden_files as made
from tests.formats.adk_files import WRITABLE
from tests.formats.ces_wishes import CES_SCENARIO, CES_TURN
from tests.formats.further_wishes import Wish
from tests.formats.span_files import opened
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import answer_text, calls_of, user_text
from trace_inspector.core.values.json_numbers import parse_exactly
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats import BY_NAME
from trace_inspector.formats.ces.evaluation.evaluation_writer import write
from trace_inspector.formats.common.fields import or_null

FORMAT = BY_NAME["ces-evaluation"]

client = pytest.importorskip("google.cloud.ces_v1beta", reason="google-cloud-ces is not installed")
ORIGINS: dict[str, Json] = {
    **{name: parse_exactly(text) for name, text in WRITABLE.items() if name != "adk-eval-config"},
    "golden": made.full_golden(),
    "scenario": made.scenario(),
}


def evaluations(contents: Contents) -> list[JsonObject]:
    """Each evaluation that is written."""
    value = json.loads(write(contents).text)
    listed = without_newer(value.get("evaluations", [value]))
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def without_newer(value: Json) -> Json:
    """A value without what this client is too old for: the variables of an event."""
    if isinstance(value, list):
        return [without_newer(item) for item in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == {"event", "variables"}:
        return {"event": value["event"]}
    return {key: without_newer(item) for key, item in value.items()}


def as_doubles(value: Json) -> Json:
    """A value as a Struct keeps it: all numbers are doubles."""
    if isinstance(value, list):
        return [as_doubles(item) for item in value]
    if isinstance(value, dict):
        return {key: as_doubles(item) for key, item in value.items()}
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def told(case: Case) -> Iterator[object]:
    """What a case says, without places."""
    yield case.tags
    yield [(rubric.id, rubric.text) for rubric in case.rubrics]
    yield [(one.kind, one.reference) for one in case.expectations]
    yield [(one.metric, one.threshold, one.options) for one in case.criteria]
    yield [(matcher.match, matcher.text) for matcher in case.matchers]
    if case.scenario is not None:
        yield case.scenario.plan, case.scenario.facts, case.scenario.max_turns, case.scenario.goal
    for turn in case.turns:
        yield user_text(turn), answer_text(turn), [event.state_delta for event in turn.events]
        yield [(call.name, as_doubles(or_null(call.args)), call.call_id) for call in calls_of(turn)]
        yield [(one.kind, one.skipped, one.note, one.compared_by) for one in turn.expectations]
        yield [(one.metric, one.threshold, one.options) for one in turn.criteria]


@each("origin", ORIGINS)
def test_what_is_written_parses_and_says_the_same(origin: str) -> None:
    for value in evaluations(opened(ORIGINS[origin], "made.json")):
        parsed = client.Evaluation.from_json(json.dumps(value))
        (before,) = opened(value, "x.json").suites[0].cases
        dumps = (
            client.Evaluation.to_json(parsed, always_print_fields_with_no_presence=False),
            json.dumps(client.Evaluation.to_dict(parsed), default=str),
        )
        for dump in dumps:
            (after,) = opened(json.loads(dump), "x.json").suites[0].cases
            assert [*told(after)] == [*told(before)]


EDITED = [(made.full_golden(), CES_TURN), (made.scenario(), CES_SCENARIO)]
WISHES = [(raw, wish) for raw, wishes in EDITED for wish in wishes.values()]
NAMES = [what for _, wishes in EDITED for what in wishes]


@each(("raw", "wish"), WISHES, ids=NAMES)
def test_what_is_edited_parses(raw: JsonObject, wish: Wish) -> None:
    assert FORMAT.editing is not None
    case = FORMAT.editing.read(raw, "", "s")
    edited = without_newer(FORMAT.editing.changed(raw, case, wish.change(case)))
    assert isinstance(edited, dict)
    for key in ("golden", "scenario"):
        if isinstance(owner := edited.get(key), dict):
            listed = owner.get("evaluationExpectations")
            named = listed if isinstance(listed, list) else []
            owner["evaluationExpectations"] = [one for one in named if isinstance(one, str)]
    assert client.Evaluation.from_json(json.dumps(edited))


@pytest.mark.parametrize(
    ("message", "value"), [("EvaluationDataset", made.dataset()), ("EvaluationExpectation", made.criterion())]
)
def test_the_files_made_for_tests_are_such_as_the_client_reads(message: str, value: JsonObject) -> None:
    assert getattr(client, message).from_json(json.dumps(value))
