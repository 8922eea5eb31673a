"""Every field of Vertex AI's files that the view has no place for stands beside, under the file's own name."""

from __future__ import annotations

from tests.formats import vertex_files as made
from tests.formats.span_files import opened
from tests.helpers.tables import each
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json, JsonObject

REQUEST = "/evaluationRequest"


def told(extras: tuple[Extra, ...]) -> dict[str, Json]:
    """Names and values."""
    return {extra.name: extra.value for extra in extras}


def test_an_item_says_what_it_is_called_and_when_it_was_made() -> None:
    beside: JsonObject = {
        "createTime": "2026-01-02T03:04:05.123456789Z",
        "labels": {"team": "a", "kind": "b"},
        "metadata": {"n": 9007199254740993},
        "brandNew": [1],
        "nothing": None,
    }
    contents = opened({**made.item("evaluationRequest", made.request()), **beside})
    (case,) = contents.suites[0].cases
    assert {trace.case_title for trace in contents.traces} == {"The q1"}
    said = told(case.extras)
    assert said["name"] == f"{made.ITEMS}/q1"
    assert (case.id, case.title) == ("q1", "The q1")
    assert "displayName" not in said
    assert all(said[name] == value for name, value in beside.items() if value is not None)
    assert "nothing" not in said
    assert case.tags == ("team: a", "kind: b")
    assert all(extra.place == f"/{extra.name}" for extra in case.extras if extra.name in beside)


@each(
    ("prompt", "kind"),
    [
        # B1: every member of the union
        ({"text": "a"}, "text"),
        ({"value": {"q": 1}}, "value"),
        ({"promptTemplateData": {"values": {"a": made.said("x")}}}, "promptTemplateData"),
        ({"agentData": made.agent_data()}, "agentData"),
        ({"userScenario": {"startingPrompt": "a", "conversationPlan": "b"}}, "userScenario"),
        ({"user_scenario": {"starting_prompt": "a", "conversation_plan": "b"}}, "user_scenario"),
    ],
)
def test_the_kind_of_prompt_is_told(prompt: JsonObject, kind: str) -> None:
    (suite,) = opened(made.request(prompt=prompt)).suites
    assert told(suite.cases[0].extras)["prompt"] == kind


@each(
    ("value", "name", "wanted"),
    [
        (
            made.request(
                prompt={"userScenario": {"startingPrompt": "a", "conversationPlan": "b", "testCaseTitle": "T"}}
            ),
            "testCaseTitle",
            "T",
        ),
        (made.request(prompt={"text": "a", "brandNew": 1}), "brandNew", 1),
        (made.request(), "candidate", "golden"),
        (made.request(), "rubrics: tone", {"groupId": "g1", "displayName": "Tone"}),
        (made.item("evaluationRequest", {**made.request(), "brandNew": True}), "brandNew", True),
    ],
)
def test_what_a_request_says_beside(value: JsonObject, name: str, wanted: Json) -> None:
    (suite,) = opened(value).suites
    assert told(suite.cases[0].extras)[name] == wanted


def test_what_candidates_agents_and_turns_say_beside() -> None:
    data = {**made.agent_data(), "brandNew": "d"}
    turns = data["turns"]
    assert isinstance(turns, list)
    assert isinstance(turns[0], dict)
    data["turns"] = [{**turns[0], "brandNew": "t"}]
    response: JsonObject = {"candidate": "c", "agentData": data, "brandNew": "r"}
    (trace,) = opened(made.request(candidateResponses=[response])).traces
    assert trace.candidate == "c"
    assert [(extra.name, extra.value) for extra in trace.extras] == [("brandNew", "r"), ("brandNew", "d")]
    assert told(trace.turns[0].extras) == {"brandNew": "t"}


def test_what_a_result_says_beside_its_scores() -> None:
    scored = made.verdict("small", 1, additionalResults={"depth": 2, "note": "deep"})
    held = made.result(scored, metadata=["m"], evaluationRequestRevision="r7")
    (first,) = (one for one in opened(made.item("evaluationResponse", held)).reported if one.candidate == "small")
    said = told(first.extras)
    assert said["evaluationRun"] == made.RUN
    assert said["evaluationRequestRevision"] == "r7"
    assert said["metadata"] == ["m"]
    assert said["displayName"] == "The q1"
    assert said["general_quality_v1: additionalResults"] == {"depth": 2, "note": "deep"}


def test_of_very_many_things_beside_some_are_shown_and_all_counted() -> None:
    results: list[Json] = [
        {**made.result(made.verdict("small", 1)), "metric": f"m{at}", **{f"new{nth}": nth for nth in range(9)}}
        for at in range(30)
    ]
    contents = opened(results)
    (verdict,) = contents.reported
    assert (len(verdict.metrics), len(verdict.extras)) == (30, 200)
    (found,) = (one for one in contents.findings if one.code == "more-beside")
    assert "360 things" in found.message  # run, request, metric and nine more, of thirty


def test_a_result_of_the_sdk_tells_its_summaries() -> None:
    (suite,) = opened(made.eval_result(metadata={"dataset_id": "d"}, win_rates={}, agent_info={"name": "n"})).suites
    said = told(suite.extras)
    assert said["metadata"] == {"dataset_id": "d"}
    assert said["agent_info"] == {"name": "n"}
    assert isinstance(said["summary_metrics"], list)
    only = opened({"eval_case_results": [], "summary_metrics": [{"metric_name": "m"}]})
    assert told(only.suites[0].extras) == {"summary_metrics": [{"metric_name": "m"}]}


def test_a_dataset_and_its_cases_keep_keys_of_their_own() -> None:
    (suite,) = opened(
        made.dataset(made.eval_case(team="a"), candidate_name="new", gcs_source={"uri": "gs://b"})
    ).suites
    assert told(suite.extras) == {"gcs_source": {"uri": "gs://b"}}
    assert told(suite.cases[0].extras) == {"team": "a"}


def test_candidates_have_their_names_everywhere() -> None:
    contents = opened(made.request())
    assert [trace.candidate for trace in contents.traces] == ["small", "large"]
    contents = opened(made.dataset(candidate_name="new"))
    assert {trace.candidate for trace in contents.traces} == {"new"}
    two: list[Json] = [{"response": made.said(word)} for word in ("Yes.", "No.")]
    names: JsonObject = {"candidate_names": ["old", "new"]}
    cases = [made.scored(tone=1), {**made.scored(tone=0), "response_index": 1}]
    contents = opened(
        made.eval_result(
            eval_case_results=[{"eval_case_index": 0, "response_candidate_results": [*cases]}],
            evaluation_dataset=[made.dataset(made.eval_case(responses=two))],
            metadata=names,
        )
    )
    assert [trace.candidate for trace in contents.traces] == ["old", "new"]
    assert [verdict.candidate for verdict in contents.reported] == ["old", "new"]
