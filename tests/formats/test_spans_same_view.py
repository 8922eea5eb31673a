"""One conversation in every file format and every convention: always the same turns, calls, words and counts."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.formats.span_conventions import CONVENTIONS, adk_first
from tests.formats.span_dump_files import DUMPS, debug_trace, number, readable
from tests.formats.span_files import Made, codes, jaeger, opened, otlp
from tests.helpers.tables import each
from trace_inspector.core.trace.trace import Turn, Usage, answer_text, paired_calls, turn_usage, user_text
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.values import ABSENT, Json

WRITERS = (jaeger, otlp, *DUMPS)
# ADK's development server keeps no events, so it is asked only for what stands in attributes.
FILES = [
    *((write, convention) for write in WRITERS for convention in CONVENTIONS),
    *((debug_trace, convention) for convention in CONVENTIONS if not any(made.notes for made in convention())),
]
SAME = (
    "Is it dry?",
    "Yes.",
    [("look", {"at": "sky"}, "c1", {"sky": "blue"})],
    Usage(prompt=22, candidates=14, thoughts=4),
    [("guide", "Be terse.")],
    ["guide", "guide", "guide"],
    (0.9, 0.02, 0.01),
)


def view(turn: Turn) -> object:
    """Everything of a turn that does not depend on how it was recorded."""
    return (
        user_text(turn),
        answer_text(turn),
        [
            (paired.call.name, paired.call.args, paired.call.call_id, paired.result and paired.result.value)
            for paired in paired_calls(turn)
        ],
        turn_usage(turn),
        [(told.name, told.instruction) for told in turn.agents],
        [event.author for event in turn.events],
        (turn.duration_s, turn.model_duration_s, turn.tool_duration_s),
    )


@each(("write", "convention"), FILES)
def test_the_same_view(write: Callable[..., Json], convention: Callable[[], list[Made]]) -> None:
    spans = convention()
    contents = opened(json.loads(json.dumps(write(*spans))))
    (trace,) = contents.traces
    (turn,) = trace.turns
    assert view(turn) == SAME
    assert (trace.span_count, len(turn.spans), contents.findings) == (4, 4, ())


@each(("write", "convention"), FILES)
def test_every_place_is_one_of_the_file(write: Callable[..., Json], convention: Callable[[], list[Made]]) -> None:
    value = write(*convention())
    (turn,) = opened(value).traces[0].turns
    parts = [*turn.user, *(part for event in turn.events for part in event.parts), *(turn.final_response or ())]
    places = [turn.place, *(event.place for event in turn.events), *(part.place for part in parts)]
    assert [place for place in places if _seen_through(value, place) is ABSENT] == []


def _seen_through(value: Json, place: str) -> object:
    """The value at a pointer that may lead through JSON in a string."""
    tokens = place.split("/")
    for length in range(len(tokens), 0, -1):
        found = resolve(value, "/".join(tokens[:length]))
        if length < len(tokens) and isinstance(found, str):
            return resolve(json.loads(found), "/" + "/".join(tokens[length:]))
        if found is not ABSENT:
            return found if length == len(tokens) else ABSENT
    return ABSENT


def test_ids_that_are_numbers_keep_every_digit() -> None:
    contents = opened(debug_trace(*adk_first()))
    (trace,) = contents.traces
    assert (contents.format, trace.id) == ("adk-debug-trace", str(number("t1")))
    assert trace.turns[0].spans[0].id == str(number("a"))
    assert trace.turns[0].spans[1].parent_id == str(number("a"))


@each(
    "shape",
    [
        lambda value: value,
        lambda value: {"spans": value},
        lambda value: [[span] for span in value],  # a list a line
        lambda value: [{"data": value}],
    ],
)
def test_the_envelopes_of_dumps(shape: Callable[[Json], Json]) -> None:
    contents = opened(shape(readable(*adk_first())))
    assert (contents.format, view(contents.traces[0].turns[0])) == ("spans", SAME)


def test_one_span_alone() -> None:
    value = readable(adk_first()[1])
    assert isinstance(value, list)
    contents = opened(value[0])
    assert (contents.format, contents.traces[0].turns[0].place) == ("spans", "")
    assert codes(contents) == ["guessed-borders", "parent-missing"]
