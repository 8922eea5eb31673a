"""Results of CES beside their conversations: what was said, under the verdicts of the result."""

from __future__ import annotations

import json

from tests.formats import ces_result_files as made
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.trace.trace import Trace, answer_text, calls_of, turn_usage, user_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats.ces.result.result_join import Conversations, conversations_of, joined

OTHER = f"{made.APP}/conversations/talk-2"


def traces_of(*values: Json) -> list[Trace]:
    """The traces of several files."""
    return [trace for value in values for trace in opened(value).traces]


def result_with(*values: JsonObject, elsewhere: bool = True) -> Trace:
    """The first result's trace, joined with the conversations of all."""
    traces = traces_of(*values)
    return joined(traces[0], conversations_of(traces), elsewhere=elsewhere)


def test_a_replayed_turn_is_the_last_of_its_own_conversation() -> None:
    result = made.result(made.replay(), made.replay(conversation=OTHER, turnLatency=None))
    first = made.conversation(made.turn("Hello?"), made.turn("Emma?"))
    second = made.conversation(made.turn("Before?"), made.turn("Order it."), name=OTHER)
    trace = result_with(result, first, second)
    assert [user_text(turn) for turn in trace.turns] == ["Emma?", "Order it."]
    assert [turn.index for turn in trace.turns] == [0, 1]
    assert [turn.duration_s for turn in trace.turns] == [2.5, 2.5]
    assert all(turn_usage(turn).prompt == 42 for turn in trace.turns)
    assert trace.span_count == 8


def test_turns_of_one_conversation_are_its_turns_in_order() -> None:
    result = made.result(made.replay(), made.replay(), made.replay())
    trace = result_with(result, made.conversation(made.turn("Hello?"), made.turn("Emma?")))
    assert [user_text(turn) for turn in trace.turns] == ["Hello?", "Emma?", ""]
    assert answer_text(trace.turns[2]) == "There is one copy."  # as the result observed it


def test_what_comes_from_another_file_stands_where_the_result_names_it() -> None:
    trace = result_with(made.result(), made.conversation())
    (turn,) = trace.turns
    at = "/goldenResult/turnReplayResults/0"
    assert turn.place == at
    places = {part.place for event in turn.events for part in event.parts} | {part.place for part in turn.user}
    assert places == {f"{at}/conversation"}
    assert {span.place for span in turn.spans} == {f"{at}/conversation"}
    assert len({span.id for span in turn.spans}) == len(turn.spans)
    assert {span.parent_id for span in turn.spans[1:]} <= {span.id for span in turn.spans}


def test_a_scenario_is_its_whole_conversation() -> None:
    result: JsonObject = {"name": made.RESULT, "scenarioResult": made.simulated()}
    trace = result_with(result, made.conversation(made.turn("Hello?"), made.turn("Emma?")))
    assert (trace.id, [user_text(turn) for turn in trace.turns]) == ("r1", ["Hello?", "Emma?"])
    assert {call.place for turn in trace.turns for call in calls_of(turn)} == {"/scenarioResult/conversation"}


def test_latencies_stay_where_the_conversation_has_no_spans() -> None:
    times: list[Json] = [made.latency("TOOL", "01", "02")]
    bare = made.conversation(made.turn("Emma?", rootSpan=None))
    trace = result_with(made.result(made.replay(spanLatencies=times)), bare)
    assert [span.name for span in trace.turns[0].spans] == ["tool"]
    simulated: JsonObject = {"name": made.RESULT, "scenarioResult": made.simulated(spanLatencies=times)}
    assert [span.name for span in result_with(simulated, bare).spans] == ["tool"]


@each("name", [f"{made.APP}/conversations/else", "else", "", None])
def test_without_its_conversation_a_result_stays_as_it_is(name: Json) -> None:
    result = made.result(made.replay(conversation=name))
    assert result_with(result, made.conversation()) == traces_of(result)[0]


def test_a_short_name_is_found_when_only_one_conversation_ends_so() -> None:
    result = made.result(made.replay(conversation="talk-1"))
    assert user_text(result_with(result, made.conversation()).turns[0]) == "Do you have Emma?"
    twin = made.conversation(name="projects/other/locations/eu/apps/x/conversations/talk-1")
    assert user_text(result_with(result, made.conversation(), twin).turns[0]) == ""
    assert Conversations().find("talk-1") is None


def test_joining_twice_changes_nothing() -> None:
    conversation = made.conversation(made.turn("Emma?", userIntendedText="Emma"))
    once = result_with(made.result(), conversation, elsewhere=False)
    told = [extra.name for extra in once.turns[0].extras if ":" not in extra.name]  # those with one are of spans
    assert told == ["conversation", "userIntendedText"]
    assert joined(once, conversations_of(traces_of(conversation)), elsewhere=False) == once


def test_results_and_conversations_of_one_file_are_joined_at_their_own_places() -> None:
    contents = opened({"evaluationResults": [made.result()], "conversations": [made.conversation()]})
    result, conversation = contents.traces
    assert user_text(result.turns[0]) == "Do you have Emma?"
    assert result.turns[0].user[0].place.startswith("/conversations/0/turns/0/messages")
    assert result.turns[0].place == "/evaluationResults/0/goldenResult/turnReplayResults/0"
    assert (conversation.id, len(conversation.turns)) == ("talk-1", 1)
    assert [verdict.trace_id for verdict in contents.reported] == ["r1"]
    assert codes(contents) == ["in-a-reply"]


def test_an_evaluation_in_the_same_file_takes_the_place_of_what_the_result_repeats() -> None:
    evaluation: JsonObject = {"name": made.EVALUATION, "displayName": "Order", "golden": {"turns": [{"steps": []}]}}
    other = made.result(name=f"{made.APP}/evaluations/greet/results/g")
    contents = opened([made.result(), evaluation, other], "all.json")
    told = [(suite.id, [(case.id, case.place) for case in suite.cases]) for suite in contents.suites]
    assert told == [("all", [("order-a-book", "/1")]), ("all", [("greet", "/2/goldenResult/turnReplayResults")])]
    places = [verdict.golden_place for verdict in contents.reported]
    assert places == ["/1", "/2/goldenResult/turnReplayResults"]


def test_results_one_by_one_in_a_reply_are_repeats_of_one_case() -> None:
    results = [made.result(name=f"{made.EVALUATION}/results/r{number}") for number in range(3)]
    contents = opened({"content": [{"type": "text", "text": json.dumps(one)} for one in results]})
    assert [trace.case_runs for trace in contents.traces] == [3, 3, 3]
    assert [verdict.repeat for verdict in contents.reported] == [0, 1, 2]
    (suite,) = contents.suites
    assert {verdict.golden_place for verdict in contents.reported} == {suite.cases[0].place}
