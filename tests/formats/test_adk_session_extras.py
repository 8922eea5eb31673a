"""What an ADK session says beside words and calls: times, paths, actions, odd ids and words nobody knows."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from tests.formats import ces_result_files as ces
from tests.formats.session_files import call, event, said, session
from tests.formats.span_files import codes, opened
from tests.helpers.tables import each
from trace_inspector.core.finding import Severity
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.trace.trace import Agent, Turn, stated_duration_s
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.formats import BY_NAME
from trace_inspector.formats.adk.eval_set.eval_set_writer import write as write_eval_set
from trace_inspector.formats.adk.session.session_writer import write as write_session
from trace_inspector.formats.common.format import Source

ASKED = event("user", said("q"))


def only_turn(*events: Json) -> Turn:
    """The one turn that some events make."""
    (turn,) = opened(session(*events)).traces[0].turns
    return turn


@each(
    ("times", "start_s", "duration_s"),
    [
        ([1.0, 2.5, 4.0], 1.0, 3.0),
        ([1.0, 4.0, 2.5], 1.0, 3.0),
        ([1.0, 1.0], 1.0, None),
        ([5.0, 1.0], 5.0, None),
        ([1.0], 1.0, None),
        ([0.1, 0.3], 0.1, 0.2),
    ],
)
def test_a_turn_takes_as_long_as_its_events_span(
    times: list[float], start_s: float, duration_s: float | None
) -> None:
    first, *rest = times
    turn = only_turn(event("user", said("q"), at=first), *(event("bot", said("a"), at=at) for at in rest))
    assert (turn.start_s, turn.duration_s) == (start_s, duration_s)
    assert turn.guessed == (frozenset() if duration_s is None else {"times"})


def test_a_derived_duration_is_shown_and_never_written_or_judged() -> None:
    contents = opened(session(ASKED, event("bot", said("a"), at=3.5)))
    (turn,) = contents.traces[0].turns
    assert (turn.duration_s, stated_duration_s(turn)) == (2.5, None)
    (invocation,) = json.loads(write_eval_set(contents).text)["eval_cases"][0]["conversation"]
    assert "duration" not in invocation
    assert [loss.code for loss in write_session(contents).losses] == []


def test_events_before_the_question_and_without_one() -> None:
    turn = only_turn(event("bot", said("hello"), at=4.0), event("bot", said("there"), at=5.0))
    assert (turn.start_s, turn.duration_s) == (None, 1.0)


def test_what_has_no_field_is_kept_under_its_own_name() -> None:
    actions: JsonObject = {
        "stateDelta": {"x": 1},
        "artifactDelta": {"a.png": 2},
        "requestedAuthConfigs": {},
        "requestedToolConfirmations": {"c1": {"hint": "sure?"}},
        "skipSummarization": False,
    }
    turn = only_turn(
        ASKED,
        event(
            "bot",
            call("slow"),
            at=2.0,
            longRunningToolIds=["c1"],
            actions=actions,
            nodeInfo={"path": "", "outputFor": None},
            avgLogprobs=0.0,
            usageMetadata={"promptTokenCount": 3, "totalTokenCount": 3, "promptTokensDetails": [{"tokenCount": 3}]},
        ),
    )
    at = "/events/1"
    assert turn.events[0].extras == (
        Extra("longRunningToolIds", ["c1"], f"{at}/longRunningToolIds"),
        Extra("avgLogprobs", 0.0, f"{at}/avgLogprobs"),
        Extra("artifactDelta", {"a.png": 2}, f"{at}/actions/artifactDelta"),
        Extra("requestedToolConfirmations", {"c1": {"hint": "sure?"}}, f"{at}/actions/requestedToolConfirmations"),
        Extra("promptTokensDetails", [{"tokenCount": 3}], f"{at}/usageMetadata/promptTokensDetails"),
    )


def test_extras_are_written_where_they_stood() -> None:
    none: JsonObject = {"stateDelta": {}, "artifactDelta": {}, "requestedAuthConfigs": {}}
    value = session(
        event("user", said("q"), id="e-1-1", actions={**none, "requestedToolConfirmations": {}}),
        event(
            "bot",
            said("a"),
            at=9.0,
            branch="root.sub",
            usageMetadata={"promptTokenCount": 3, "totalTokenCount": 3, "trafficType": "ON_DEMAND"},
            actions={**none, "requestedToolConfirmations": {"c1": {"hint": "sure?"}}, "escalate": True},
        ),
    )
    assert json.loads(write_session(opened(value)).text) == value


@pytest.mark.parametrize("path", [{"branch": "root.planner.cook"}, {"nodeInfo": {"path": "root@1/planner@2/cook@1"}}])
def test_agents_below_each_other_by_the_paths_of_their_events(path: JsonObject) -> None:
    contents = opened(session(ASKED, {**event("cook", said("a")), **path}, event("root", said("b"), at=2.0)))
    assert contents.traces[0].agents == (
        Agent("cook"),
        Agent("root", sub_agents=("planner",)),
        Agent("planner", sub_agents=("cook",)),
    )


def test_a_rewind_is_named_and_nothing_is_hidden() -> None:
    rewound = event("user", at=3.0, invocation="e-3", actions={"rewindBeforeInvocationId": "e-1"})
    contents = opened(session(ASKED, event("bot", said("a"), at=2.0), rewound))
    (found,) = [finding for finding in contents.findings if finding.code == "rewound"]
    assert found.pointer == "/events/2/actions/rewindBeforeInvocationId"
    assert len(contents.traces[0].turns) == 2


def test_a_reason_to_finish_that_nobody_knows() -> None:
    contents = opened(session(ASKED, event("bot", said("a"), finishReason="TIRED")))
    assert contents.traces[0].turns[0].events[0].finish_reason == "TIRED"
    (found,) = contents.findings
    assert (found.code, found.pointer, "TIRED" in found.message) == ("unknown-value", "/events/1/finishReason", True)
    assert codes(opened(session(ASKED, event("bot", said("a"), finishReason="stop")))) == []


def test_an_id_that_several_events_have() -> None:
    events = [event("bot", said(str(at)), id="same") for at in range(3)]
    contents = opened(session(ASKED, *events))
    (found,) = contents.findings
    assert (found.code, found.pointer) == ("duplicate-id", "/events/2/id")
    assert found.message.startswith("2 events have")
    assert len(contents.traces[0].turns[0].events) == 3


@each(
    ("origin", "held", "is_lost"),
    [
        ("adk-session", {"branch", "displayName", "escalate"}, False),
        ("adk-session-db", {"branch", "displayName", "escalate"}, False),
        ("agent-eval", {"branch", "displayName", "escalate"}, False),
        ("several", {"branch", "escalate"}, True),
        ("ces-conversation", set(), True),
        ("vertex-item", set(), True),
    ],
)
def test_only_what_adk_says_beside_an_event_has_a_place_in_a_session(
    origin: str, held: set[str], is_lost: bool
) -> None:
    said_beside: Any = {"branch": "root.sub", "displayName": "Bot", "actions": {"escalate": True}}
    value = session(ASKED, event("bot", said("a"), at=2.0, **said_beside))
    written = write_session(replace(opened(value), format=origin))
    told = json.loads(written.text)["events"][1]
    assert {*told, *told["actions"]} & {"branch", "displayName", "escalate"} == held
    assert ("event-extras-lost" in [loss.code for loss in written.losses]) == is_lost


def test_what_ces_says_beside_a_message_is_told_and_not_written() -> None:
    beside = _with_beside(ces.conversation())
    contents = collect("ces-conversation", BY_NAME["ces-conversation"].read(Source(beside, "talk.json")))
    assert any(event.extras for turn in contents.traces[0].turns for event in turn.events)
    written = write_session(contents)
    assert "besideIt" not in written.text
    assert [(loss.code, loss.severity) for loss in written.losses if loss.code.startswith("event-extras")] == [
        ("event-extras-lost", Severity.ERROR)
    ]


def _with_beside(value: Json) -> Json:
    """The conversation with a key that nobody knows in every message."""
    if isinstance(value, list):
        return [_with_beside(one) for one in value]
    if not isinstance(value, dict):
        return value
    more: JsonObject = {"besideIt": "kept"} if "chunks" in value else {}
    return {**{key: _with_beside(one) for key, one in value.items()}, **more}
