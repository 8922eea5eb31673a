"""What the service demands of requests is said with its place; what only looks alike is left alone."""

from __future__ import annotations

import pytest

from tests.formats import vertex_files as made
from tests.formats.span_files import opened
from tests.formats.vertex_files import turn, with_turns
from trace_inspector.core.values import Json, JsonObject
from trace_inspector.formats import recognise


@pytest.mark.parametrize(
    ("value", "code", "pointer"),
    [
        (made.item("evaluationRequest", made.request(), gcsUri="gs://b/o"), "several-of-a-union", "/gcsUri"),
        (
            made.item("evaluationRequest", made.request(), evaluationItemType="RESULT"),
            "type-differs",
            "/evaluationItemType",
        ),
        (made.item("evaluationRequest", {}), "nothing-to-evaluate", "/evaluationRequest"),
        (made.item("harborTask", {"task": "t"}), "nothing-to-show", ""),
        (made.item("evaluationRequest", made.request(), error={"message": "No."}), "item-failed", "/error"),
        (made.request(prompt={"text": "a", "value": 1}), "several-of-a-union", "/prompt/value"),
        (made.request(prompt={}), "empty-prompt", "/prompt"),
        (made.request(goldenResponse={"text": "a", "value": 1}), "several-of-a-union", "/goldenResponse/value"),
        (made.request(candidateResponses=[{"text": "a"}]), "no-candidate", "/candidateResponses/0"),
        (
            made.request(candidateResponses=[{"candidate": "c", "text": "a"}] * 2),
            "repeated-candidate",
            "/candidateResponses/1/candidate",
        ),
        (made.result(made.verdict("nobody", 1)), "unknown-candidate", "/candidateResults/0"),
        (made.result(made.verdict("small") | {"score": "x"}), "wrong-type", "/candidateResults/0/score"),
        (with_turns(turn(None)), "no-turn-index", "/candidateResponses/0/agentData/turns/0"),
        (
            with_turns(turn(0), turn(0)),
            "repeated-turn-index",
            "/candidateResponses/0/agentData/turns/1/turnIndex",
        ),
        (with_turns(turn(1)), "turn-index-gap", "/candidateResponses/0/agentData/turns/0/turnIndex"),
        (
            with_turns(turn(0, "nobody")),
            "unknown-author",
            "/candidateResponses/0/agentData/turns/0/events/0/author",
        ),
        (with_turns(turn(0, "")), "no-author", "/candidateResponses/0/agentData/turns/0/events/0"),
        (
            with_turns({"turnIndex": 0, "events": [{"author": "clerk", "eventTime": "noon"}]}),
            "unknown-time",
            "/candidateResponses/0/agentData/turns/0/events/0/eventTime",
        ),
        (with_turns(turn(0, "user")), "unfinished", "/candidateResponses/0/agentData"),
        ({"prompt": {"agentData": {"agents": {"a": made.AGENT}}}}, "agent-id-differs", "/prompt/agentData/agents/a"),
        (
            {"prompt": {"agentData": {"agents": {"a": made.AGENT}}}},
            "unknown-sub-agent",
            "/prompt/agentData/agents/a/subAgents",
        ),
        ({"prompt": {"agentData": made.agent_data()}}, "nothing-asked", "/prompt/agentData"),
        (  # B3.4: edges of the graph, which may go in circles
            {
                "prompt": {
                    "agentData": {
                        "agents": {
                            "a": {"agentId": "a", "subAgents": ["b"]},
                            "b": {"agentId": "b", "subAgents": ["c", "d"]},
                            "c": {"agentId": "c", "subAgents": ["a"]},
                            "d": {"agentId": "d"},
                        }
                    }
                }
            },
            "agent-circle",
            "/prompt/agentData/agents/a",
        ),
        (  # B1: content is required
            with_turns({"turnIndex": 0, "events": [{"author": "clerk"}]}),
            "no-content",
            "/candidateResponses/0/agentData/turns/0/events/0",
        ),
        ({"evaluationItemType": "REQUEST", "evaluationRequest": made.request()}, "missing-field", ""),  # B1: required
        ({"displayName": "d", "evaluationRequest": made.request()}, "missing-field", ""),
        (
            made.item("evaluationRequest", made.request(), evaluationItemType="DREAM"),
            "unknown-word",
            "/evaluationItemType",
        ),
        (made.item("evaluationRequest", made.request(), evaluationItemType=1), "unknown-word", "/evaluationItemType"),
        (
            made.request(rubrics={"g": {"rubrics": [made.rubric("a", "x", importance=["HIGH"])]}}),
            "unknown-word",
            "/rubrics/g/rubrics/0/importance",
        ),
        (
            made.request(prompt={"userScenario": {"startingPrompt": "a"}}),
            "missing-field",
            "/prompt/userScenario",
        ),
    ],
)
def test_each_rule_is_a_finding_with_a_place(value: JsonObject, code: str, pointer: str) -> None:
    found = [finding for finding in opened(value).findings if finding.code == code]
    assert [finding.pointer for finding in found] == [pointer]


@pytest.mark.parametrize(
    "value",
    [
        {"prompt": "words", "response": "words"},
        {"prompt": {"template": "x"}},
        {"prompt": {"text": "x"}, "id": 1},
        {"rubrics": {}},
        {"metric": "m", "score": 1},
        {"evaluation_items": [{"a": 1}]},
        {"gcsUri": "gs://b/o"},
        [made.request(), {"a": 1}],
        [],
        {},
    ],
)
def test_what_only_looks_alike_is_left_alone(value: Json) -> None:
    assert recognise(value) is None


def test_a_graph_without_circles_is_not_said_to_have_one() -> None:
    diamond: JsonObject = {
        "a": {"agentId": "a", "subAgents": ["b", "c"]},
        "b": {"agentId": "b", "subAgents": ["d"]},
        "c": {"agentId": "c", "subAgents": ["d"]},
        "d": {"agentId": "d", "subAgents": []},
    }
    assert "agent-circle" not in [one.code for one in opened({"prompt": {"agentData": {"agents": diamond}}}).findings]
