"""ADK's conformance tests: specifications are cases, recordings are conversations."""

from __future__ import annotations

from tests.formats.conformance_files import recordings, spec
from tests.formats.span_files import codes, opened
from tests.helpers.sound import assert_sound
from tests.helpers.tables import each
from trace_inspector.core.trace.trace import Usage, answer_text, paired_calls, turn_usage, user_text
from trace_inspector.core.values.values import Json


def test_a_specification_is_a_case() -> None:
    contents = opened(spec(), "spec.yaml")
    (suite,) = contents.suites
    (case,) = suite.cases
    assert (contents.format, suite.id, suite.description) == ("adk-conformance", "spec", "Asks twice.")
    assert [user_text(turn) for turn in case.turns] == ["Is it dry?", "And now?"]
    assert case.session is not None
    assert (case.session.app, case.session.state) == ("guide", {"city": "Oslo"})
    assert [(extra.name, extra.value) for extra in case.turns[1].extras] == [("state_delta", {"hour": 2})]
    assert codes(contents) == []
    assert_sound(contents)


def test_recordings_are_turns_by_the_message_they_belong_to() -> None:
    contents = opened(recordings(), "generated-recordings.yaml")
    (trace,) = contents.traces
    first, second = trace.turns
    assert [(user_text(turn), answer_text(turn)) for turn in trace.turns] == [
        ("Is it dry?", "Yes."),
        ("And now?", "No."),
    ]
    (paired,) = paired_calls(first)
    assert paired.result is not None
    assert (paired.call.name, paired.call.args, paired.result.value) == ("look", {"at": "sky"}, {"sky": "blue"})
    assert turn_usage(first) == Usage(prompt=11, candidates=7)
    assert [event.model for event in first.events if event.role == "model"] == ["m-1", "m-2"]
    assert (trace.agents[0].name, trace.agents[0].instruction) == ("guide", "Be terse.")
    assert len(second.events) == 1
    assert codes(contents) == []
    assert_sound(contents)


@each(
    ("value", "expected"),
    [
        ({"recordings": [{"user_message_index": 0, "llm_recording": 3}]}, ["not-a-recording"]),
        ({"recordings": [{"user_message_index": "x", "tool_recording": {}}, 7]}, ["not-an-object", "no-index"]),
        ({"recordings": [{"user_message_index": 1, "llm_recording": {"llm_responses": [{"content": 3}]}}]}, []),
        ({"agent": "a", "description": None, "user_messages": [{}, {"content": 3}]}, []),
    ],
)
def test_what_is_odd_is_told(value: Json, expected: list[str]) -> None:
    contents = opened(value)
    assert (contents.format, codes(contents)) == ("adk-conformance", expected)
    assert_sound(contents)
