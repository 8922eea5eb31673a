"""What the service demands of requests is said with its place; what only looks alike is left alone.

The sections named are those of the reference on CES, Vertex AI and agent-eval.
"""

from __future__ import annotations

from tests.formats import vertex_files as made
from tests.formats.span_files import opened
from tests.formats.vertex_files import turn, with_turns
from tests.helpers.tables import each
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats import recognise


def without(value: JsonObject, name: str) -> JsonObject:
    """The object without one key."""
    return {key: held for key, held in value.items() if key != name}


@each(
    ("section", "value", "code", "pointer"),
    [
        (
            "B3.1 at most one payload",
            made.item("evaluationRequest", made.request(), gcsUri="gs://b/o"),
            "several-of-a-union",
            "/gcsUri",
        ),
        (
            "B3.1 the type pairs with what is held",
            made.item("evaluationRequest", made.request(), evaluationItemType="RESULT"),
            "type-differs",
            "/evaluationItemType",
        ),
        (
            "B3.2 a prompt, or a candidate with agent data",
            made.item("evaluationRequest", {}),
            "nothing-to-evaluate",
            "/evaluationRequest",
        ),
        (
            "B1 harborTask holds neither request nor result",
            made.item("harborTask", {"task": "t"}),
            "nothing-to-show",
            "",
        ),
        (
            "B1 error of an item",
            made.item("evaluationRequest", made.request(), error={"message": "No."}),
            "item-failed",
            "/error",
        ),
        (
            "B3.3 prompt.data is a union",
            made.request(prompt={"text": "a", "value": 1}),
            "several-of-a-union",
            "/prompt/value",
        ),
        ("B3.2 a prompt says something", made.request(prompt={}), "empty-prompt", "/prompt"),
        (
            "B3.3 candidate.data is a union, also of the golden",
            made.request(goldenResponse={"text": "a", "value": 1}),
            "several-of-a-union",
            "/goldenResponse/value",
        ),
        (
            "B1 candidate is required of a response",
            made.request(candidateResponses=[{"text": "a"}]),
            "no-candidate",
            "/candidateResponses/0",
        ),
        (
            "B3.6 results join by the candidate's name, so it stands once",
            made.request(candidateResponses=[{"candidate": "c", "text": "a"}] * 2),
            "repeated-candidate",
            "/candidateResponses/1/candidate",
        ),
        (
            "B3.6 a result's candidate is one of the request's",
            made.result(made.verdict("nobody", 1)),
            "unknown-candidate",
            "/candidateResults/0",
        ),
        (
            "B1 score is a number",
            made.result(made.verdict("small") | {"score": "x"}),
            "wrong-type",
            "/candidateResults/0/score",
        ),
        (
            "B3.5 turnIndex is required",
            with_turns(turn(None)),
            "no-turn-index",
            "/candidateResponses/0/agentData/turns/0",
        ),
        (
            "B3.5 turnIndex stands once",
            with_turns(turn(0), turn(0)),
            "repeated-turn-index",
            "/candidateResponses/0/agentData/turns/1/turnIndex",
        ),
        (
            "B3.5 turnIndex has no gaps",
            with_turns(turn(1)),
            "turn-index-gap",
            "/candidateResponses/0/agentData/turns/0/turnIndex",
        ),
        (
            "B3.4 the author is the user or a key of agents",
            with_turns(turn(0, "nobody")),
            "unknown-author",
            "/candidateResponses/0/agentData/turns/0/events/0/author",
        ),
        (
            "B1 author is required",
            with_turns(turn(0, "")),
            "no-author",
            "/candidateResponses/0/agentData/turns/0/events/0",
        ),
        (
            "E1 times are RFC 3339",
            with_turns({"turnIndex": 0, "events": [{"author": "clerk", "eventTime": "noon"}]}),
            "unknown-time",
            "/candidateResponses/0/agentData/turns/0/events/0/eventTime",
        ),
        (
            "B3.8 a completed trace ends with an agent",
            with_turns(turn(0, "user")),
            "unfinished",
            "/candidateResponses/0/agentData",
        ),
        (
            "B3.4 the key of an agent is its id",
            {"prompt": {"agentData": {"agents": {"a": made.AGENT}}}},
            "agent-id-differs",
            "/prompt/agentData/agents/a",
        ),
        (
            "B3.4 subAgents are keys of agents",
            {"prompt": {"agentData": {"agents": {"a": made.AGENT}}}},
            "unknown-sub-agent",
            "/prompt/agentData/agents/a/subAgents",
        ),
        (
            "B3.8 a prompt ends with the user",
            {"prompt": {"agentData": made.agent_data()}},
            "nothing-asked",
            "/prompt/agentData",
        ),
        (
            "B3.4 edges of the graph may go in circles",
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
        (
            "B1 content is required of an event",
            with_turns({"turnIndex": 0, "events": [{"author": "clerk"}]}),
            "no-content",
            "/candidateResponses/0/agentData/turns/0/events/0",
        ),
        (
            "B1 displayName is required",
            {"evaluationItemType": "REQUEST", "evaluationRequest": made.request()},
            "missing-field",
            "",
        ),
        (
            "B1 evaluationItemType is required",
            {"displayName": "d", "evaluationRequest": made.request()},
            "missing-field",
            "",
        ),
        (
            "B1 EvaluationItemType has four words",
            made.item("evaluationRequest", made.request(), evaluationItemType="DREAM"),
            "unknown-word",
            "/evaluationItemType",
        ),
        (
            "B1 EvaluationItemType is a word",
            made.item("evaluationRequest", made.request(), evaluationItemType=1),
            "unknown-word",
            "/evaluationItemType",
        ),
        (
            "B1 importance has four words",
            made.request(rubrics={"g": {"rubrics": [made.rubric("a", "x", importance=["HIGH"])]}}),
            "unknown-word",
            "/rubrics/g/rubrics/0/importance",
        ),
        (
            "B1 evaluationRun is required of a result",
            made.item("evaluationResponse", without(made.result(made.verdict("small", 1)), "evaluationRun")),
            "missing-field",
            "/evaluationResponse",
        ),
        (
            "B1 candidate is required of its result",
            made.result(without(made.verdict("small", 1), "candidate")),
            "missing-field",
            "/candidateResults/0",
        ),
        (
            "B1 metric is required of a candidate's result",
            made.result(without(made.verdict("small", 1), "metric")),
            "missing-field",
            "/candidateResults/0",
        ),
        (
            "B1 userScenario has a plan",
            made.request(prompt={"userScenario": {"startingPrompt": "a"}}),
            "missing-field",
            "/prompt/userScenario",
        ),
    ],
)
def test_each_rule_is_a_finding_with_a_place(section: str, value: JsonObject, code: str, pointer: str) -> None:
    found = [finding for finding in opened(value).findings if finding.code == code]
    assert [finding.pointer for finding in found] == [pointer], section


@each(
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
