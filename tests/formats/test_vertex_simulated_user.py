"""A request of Vertex AI without words of a user gets a simulated one; one that has words of a user does not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from tests.formats import vertex_golden_files as made
from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Scenario
from trace_inspector.core.golden.golden_change import Simulated
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats import BY_NAME

FORMAT = BY_NAME["vertex-item"]
assert FORMAT.editing is not None
EDITING = FORMAT.editing
WANTED = Scenario("Hello", "Ask for a seat.")


def changed(raw: JsonObject, scenario: Scenario) -> JsonObject:
    return EDITING.changed(raw, EDITING.read(raw, "", "s"), Simulated(scenario))


def prompt_of(raw: JsonObject) -> object:
    request = raw["evaluationRequest"]
    assert isinstance(request, dict)
    return request.get("prompt")


def test_a_request_without_a_prompt_gets_a_simulated_user_and_another_one() -> None:
    raw = made.whole({"rubrics": {}})
    first = changed(raw, WANTED)
    assert prompt_of(first) == {"userScenario": {"startingPrompt": "Hello", "conversationPlan": "Ask for a seat."}}
    read = EDITING.read(first, "", "s").scenario
    assert read is not None
    assert replace(read, place="") == WANTED
    second = changed(first, replace(read, plan="Ask for two."))
    assert prompt_of(second) == {"userScenario": {"startingPrompt": "Hello", "conversationPlan": "Ask for two."}}


def test_words_of_a_user_do_not_give_way_to_a_simulated_one() -> None:
    with pytest.raises(EditError, match="has scripted messages of the user"):
        changed(made.whole({"prompt": {"text": "Is it free?"}}), WANTED)
