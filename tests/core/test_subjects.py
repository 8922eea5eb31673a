"""What a label is about: the output alone, as the vectors in tests/data have it."""

from __future__ import annotations

import hashlib

import pytest
from msgspec.structs import replace

from trace_inspector.core.review.subjects import (
    call_subject,
    case_subject,
    rubric_question,
    sentence_subject,
    turn_subject,
)
from trace_inspector.core.trace.parts import Text, Thought, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Steps, Turn, Usage

TURN = Turn(
    0,
    "t0",
    (Text("Two seats?"),),
    (
        Event("guide", (Thought("I look."), ToolCall("book", {"seats": 2, "at": "19:00"}, "c1"))),
        Event("guide", (ToolResult("book", {"ok": True}, "c1"),)),
    ),
    (Text("Booked."),),
    steps=Steps.EVENTS,
)
WRITTEN = (
    '{"answer":"Booked.","calls":[{"args":{"at":"19:00","seats":2},"name":"book","result":{"ok":true}}],'
    '"user":"Two seats?"}'
)


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_subjects_are_digests_of_what_the_contract_says() -> None:
    assert turn_subject(TURN) == _sha(WRITTEN)
    assert case_subject([TURN, TURN]) == _sha(f"[{WRITTEN},{WRITTEN}]")
    assert call_subject(TURN, 0) == _sha(f"[{WRITTEN},0]")
    assert sentence_subject(TURN, 1, "Booked.") == _sha(f'[{WRITTEN},1,"Booked."]')
    nothing = '{"answer":null,"calls":[{"args":null,"name":"look","result":null}],"user":null}'
    assert turn_subject(Turn(0, events=(Event("a", (ToolCall("look"),)),))) == _sha(nothing)


def test_ids_times_agents_and_thoughts_are_no_part_of_an_output() -> None:
    call, result = TURN.events
    other = replace(
        TURN,
        index=7,
        id="else",
        start_s=5.0,
        final_author="somebody",
        place="/x",
        events=(
            Event("other", (ToolCall("book", {"at": "19:00", "seats": 2.0}, "c9", "/p"),), usage=Usage(3)),
            replace(result, parts=(ToolResult("book", {"ok": True}, "c9"),), time_s=9.0),
        ),
    )
    assert turn_subject(other) == turn_subject(TURN)
    assert call.parts != other.events[0].parts


@pytest.mark.parametrize(
    "edited",
    [
        replace(TURN, user=(Text("Three seats?"),)),
        replace(TURN, final_response=(Text("Booked!"),)),
        replace(TURN, final_response=None),
        replace(TURN, events=TURN.events[:1]),
        replace(TURN, events=()),
        replace(TURN, events=(Event("a", (ToolCall("book", {"seats": "2", "at": "19:00"}, "c1"),)), TURN.events[1])),
        replace(TURN, events=(Event("a", (ToolCall("look", {"seats": 2, "at": "19:00"}, "c1"),)), TURN.events[1])),
    ],
)
def test_another_output_is_another_subject(edited: Turn) -> None:
    assert turn_subject(edited) != turn_subject(TURN)


def test_a_reworded_rubric_is_another_question() -> None:
    question = rubric_question("rubric_based_final_response_quality_v1", "polite", "The answer is polite.")
    assert question == f"rubric_based_final_response_quality_v1/polite@{_sha('The answer is polite.')[:12]}"
    assert rubric_question("m", "polite", "The answer is polite") != rubric_question(
        "m", "polite", "The answer is polite."
    )
