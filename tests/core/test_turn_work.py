"""What took time in a turn: as trees printed from what readers give, in good order and in none."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.rows.timing import NOWHERE, Form, Mark, Sign, Work, address, event_of, part_of
from trace_inspector.core.rows.turn_work import work_of_spans, work_of_turn
from trace_inspector.core.trace.parts import Part, Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Span, SpanKind, Turn, Usage


def printed(work: Work) -> list[str]:
    """Form, label, start and length of each piece, below the one around it; derived times in brackets."""
    lines, depths = [], dict[int, int]()
    for at in range(len(work)):
        depths[at] = 0 if work.around[at] == NOWHERE else depths[work.around[at]] + 1
        times = f"{work.begin_s[at]:g}+{work.duration_s[at]:g}" if at < work.timed else "untimed"
        times = f"({times})" if work.mark[at] & Mark.DERIVED else times
        lines.append(f"{'  ' * depths[at]}{Form(work.form[at]).name.lower()} {work.label[at]} {times}")
    return lines


def path(work: Work) -> list[str]:
    return [work.label[at] for at in work.path]


CALL, RESULT = ToolCall("search", {"q": 1}, "c1"), ToolResult("search", {"ok": 1}, "c1")


def traced() -> Turn:
    """As a tracer tells it: spans for everything, events for models and tools."""
    return Turn(
        0,
        user=(Text("Where?"),),
        start_s=100.0,
        duration_s=10.0,
        events=(
            Event("A", (CALL,), "model", 100.0, 2.0, Usage(50, cached=20), "m-1", span_id="model1"),
            Event("A", (RESULT,), None, 102.0, 6.0, span_id="tool"),
            Event("A", (), "model", 108.0, 2.0, Usage(80), "m-1", span_id="model2"),
        ),
        spans=(
            Span("agent", "invoke_agent A", SpanKind.AGENT, "run", 100.0, 10.0),
            Span("run", "invocation", SpanKind.RUN, None, 100.0, 10.0),
            Span("model1", "call_llm", SpanKind.MODEL, "agent", 100.0, 2.0),
            Span("inner", "generate", SpanKind.MODEL, "model1", 100.5, 1.0),
            Span("tool", "execute_tool search", SpanKind.TOOL, "agent", 102.0, 6.0),
            Span("get2", "GET", SpanKind.PLUMBING, "tool", 105.0, 3.0),
            Span("get1", "GET", SpanKind.PLUMBING, "tool", 102.0, 1.0),
            Span("model2", "call_llm", SpanKind.MODEL, "agent", 108.0, 2.0),
        ),
    )


def test_events_and_spans_make_one_tree_with_the_waiting_between_requests() -> None:
    work = work_of_turn(traced())
    assert printed(work) == [
        "transport invocation 100+10",
        "  agent A 100+10",
        "    model m-1 100+2",
        "      model generate 100.5+1",
        "    tool search 102+6",
        "      transport GET 102+1",
        "      wait waiting (103+2)",
        "      transport GET 105+3",
        "    model m-1 108+2",
    ]
    hidden = [work.label[at] for at in range(len(work)) if work.mark[at] & Mark.PLUMBING]
    assert hidden == ["invocation", "generate", "GET", "waiting", "GET"]
    assert work.plumbing == len(hidden)
    assert (work.start_s, work.end_s, work.derived) == (100.0, 110.0, False)


def test_the_path_goes_over_models_and_tools_not_over_what_is_inside_of_them() -> None:
    assert path(work_of_turn(traced())) == ["m-1", "search", "m-1"]


def test_work_inside_of_a_tool_is_not_on_the_path_beside_it() -> None:
    model, tool, answer = traced().events
    inner = Event("B", (Text("x"),), "model", 103.0, 4.995, None, "inner", span_id="inside")
    spans = (*traced().spans, Span("inside", "call_llm", SpanKind.MODEL, "tool", 103.0, 4.995))
    turn = replace(traced(), events=(model, replace(tool, duration_s=5.0), answer, inner), spans=spans)
    assert path(work_of_turn(turn)) == ["m-1", "search", "m-1"]


def test_prompts_signs_and_lengths() -> None:
    work = work_of_turn(traced())
    assert (list(work.prompts.tokens), list(work.prompts.cached)) == ([50, 80], [20, 0])
    assert (list(work.prompts.begin_s), list(work.prompts.end_s)) == ([100, 108], [102, 110])
    signs = [(Sign(sign).name, time_s) for sign, time_s in zip(work.sign, work.sign_s, strict=True)]
    assert signs == [("USER", 100), ("CALL", 102), ("RESULT", 108), ("TEXT", 110)]
    assert (list(work.model_lengths_s), list(work.tool_lengths_s)) == ([2.0, 2.0], [6.0])
    assert (list(work.model_s), list(work.tool_s)) == ([100, 102, 108, 110], [102, 108])
    assert list(work.busy_s) == [100, 110]


def test_a_call_that_states_no_length_beside_others_that_do_took_not_0_seconds() -> None:
    model, tool, answer = traced().events
    events = (replace(model, duration_s=None), replace(tool, duration_s=None), replace(answer, duration_s=0.0))
    work = work_of_turn(replace(traced(), events=events, spans=()))
    assert (list(work.model_lengths_s), list(work.tool_lengths_s)) == ([0.0], [])
    moments = [work.label[at] for at in range(len(work)) if work.mark[at] & Mark.MOMENT]
    assert moments == ["m-1", "search"]


def test_a_tool_is_addressed_by_its_call_and_a_model_by_its_event() -> None:
    work = work_of_turn(traced())
    places = {work.label[at]: (event_of(work.address[at]), part_of(work.address[at])) for at in range(len(work))}
    assert places["search"] == (0, 0)
    assert places["m-1"] == (2, NOWHERE)
    assert places["generate"] == (NOWHERE, 3)
    assert work.address.index(address(0, NOWHERE)) == 2


def session(*times_s: float | None) -> Turn:
    """As a session tells it: a moment for each event, no length for any."""
    parts: tuple[tuple[Part, ...], ...] = ((CALL,), (RESULT,), (Text("Here."),))
    events = tuple(Event("A", part, time_s=time_s) for part, time_s in zip(parts, times_s, strict=True))
    return Turn(0, user=(Text("?"),), start_s=10.0, duration_s=9.0, events=events, guessed=frozenset({"times"}))


def test_where_no_lengths_are_stated_they_are_derived_from_the_moments() -> None:
    work = work_of_turn(session(12.0, 17.0, 19.0))
    assert printed(work) == [
        "agent A (10+9)",
        "  model model call (10+2)",
        "  tool search (12+5)",
        "  model model call (17+2)",
    ]
    assert path(work) == ["model call", "search", "model call"]
    assert work.derived


def test_nothing_is_derived_from_moments_that_go_back() -> None:
    assert printed(work_of_turn(session(12.0, 11.0, 19.0)))[1:] == [
        "  model model call (10+2)",
        "  tool search 11+0",
        "  model model call (11+8)",
    ]


def test_nothing_is_derived_where_some_lengths_are_stated() -> None:
    turn = session(12.0, 17.0, 19.0)
    stated = replace(turn, events=(replace(turn.events[0], duration_s=1.0), *turn.events[1:]))
    assert printed(work_of_turn(stated))[1:] == [
        "  model model call 12+1",
        "  tool search 17+0",
        "  model model call 19+0",
    ]


def test_what_has_no_time_comes_last_and_is_counted() -> None:
    work = work_of_turn(session(None, 17.0, None))
    assert printed(work) == [
        "agent A (10+7)",
        "  tool search (10+7)",
        "model model call untimed",
        "model model call untimed",
    ]
    assert work.timed == 2


@each("time_s", [None, math.nan, math.inf, -math.inf, 1.76e18])
def test_a_turn_whose_times_cannot_be_drawn_has_none(time_s: float | None) -> None:
    work = work_of_turn(Turn(0, events=(Event("A", (Text("x"),), time_s=time_s),), start_s=time_s, duration_s=5.0))
    assert math.isnan(work.start_s)
    assert (work.timed, len(work), len(work.busy_s), len(work.path)) == (0, 1, 0, 0)


def test_a_turn_without_bounds_goes_from_its_first_piece_to_its_last() -> None:
    work = work_of_turn(replace(traced(), start_s=None, duration_s=None))
    assert (work.start_s, work.end_s, work.derived) == (100.0, 110.0, True)


def test_a_turn_that_does_not_say_when_it_ended_goes_to_its_last_piece() -> None:
    work = work_of_turn(replace(traced(), duration_s=None))
    assert (work.start_s, work.end_s, work.derived) == (100.0, 110.0, True)


def test_a_turn_with_nothing_but_a_start_is_a_moment() -> None:
    work = work_of_turn(Turn(0, start_s=5.0))
    assert (work.start_s, work.end_s, list(work.busy_s)) == (5.0, 5.0, [5.0, 5.0])


def test_a_negative_length_is_kept_and_drawn_as_a_moment() -> None:
    work = work_of_turn(Turn(0, start_s=0.0, duration_s=9.0, events=(Event("", (Text("x"),), None, 5.0, -3.0),)))
    assert printed(work) == ["model model call 5+-3"]
    assert work.stop_s(0) == 5.0
    assert not work.path


def other(name: str, parent: str | None, start_s: float | None, length_s: float | None = 1.0) -> Span:
    return Span(name, name, SpanKind.OTHER, parent, start_s, length_s)


def test_orphans_stand_on_top_and_circles_are_cut() -> None:
    spans = (
        other("child of nobody", "gone", 4.0),
        other("own parent", "own parent", 3.0),
        other("ring a", "ring c", 0.0),
        other("ring b", "ring a", 1.0),
        other("ring c", "ring b", 2.0),
        other("leaf", "ring c", 2.5),
    )
    work = work_of_spans(spans)
    assert printed(work) == [
        "transport ring a 0+1",
        "  transport ring b 1+1",
        "    transport ring c 2+1",
        "      transport leaf 2.5+1",
        "transport own parent 3+1",
        "transport child of nobody 4+1",
    ]


def test_below_something_without_a_time_stands_below_what_is_around_that() -> None:
    work = work_of_spans((other("a", None, 0.0), other("b", "a", None), other("c", "b", 0.5)))
    assert printed(work) == ["transport a 0+1", "  transport c 0.5+1", "transport b untimed"]


def test_of_spans_with_the_same_id_the_first_has_the_children() -> None:
    work = work_of_spans((other("a", None, 0.0), replace(other("a", None, 5.0), name="again"), other("c", "a", 6.0)))
    assert printed(work) == ["transport a 0+1", "  transport c 6+1", "transport again 5+1"]


def test_children_may_reach_beyond_their_parents() -> None:
    spans = (Span("s", "POST", SpanKind.PLUMBING, None, 50.0, 100.0), *traced().spans)
    work = work_of_turn(replace(traced(), spans=spans))
    assert list(work.busy_s) == [50, 150]
    assert (work.start_s, work.end_s) == (100, 110)


def test_long_pauses_and_far_times_are_apart() -> None:
    work = work_of_spans((other("1970", None, 0.0), other("today", None, 1.8e9), other("9999", None, 2.5e11)))
    assert list(work.busy_s) == [0, 1, 1.8e9, 1.8e9 + 1, 2.5e11, 2.5e11 + 1]


def test_a_thousand_nested_spans_are_no_recursion() -> None:
    spans = tuple(other(str(at), str(at - 1), float(at), 2_000.0) for at in range(3_000))
    assert len(printed(work_of_spans(spans))) == 3_000


NAMES = st.sampled_from(["a", "b", "c", "d", "e", None])
TIMES = st.one_of(st.none(), st.floats(allow_nan=True, allow_infinity=True), st.floats(-10, 10))
SPANS = st.lists(
    st.builds(Span, NAMES.map(str), st.text(max_size=3), st.sampled_from(SpanKind), NAMES, TIMES, TIMES), max_size=12
)
EVENTS = st.lists(
    st.builds(
        Event,
        st.sampled_from(["A", "B", ""]),
        st.lists(st.sampled_from([CALL, RESULT, Text("x"), ToolResult("lost")]), max_size=3).map(tuple),
        time_s=TIMES,
        duration_s=TIMES,
        span_id=NAMES,
        model=st.sampled_from([None, "m"]),
    ),
    max_size=8,
).map(tuple)


@examples(40, 1000)
@given(EVENTS, SPANS, TIMES, TIMES)
def test_whatever_a_reader_gives_every_piece_has_one_place(
    events: tuple[Event, ...], spans: list[Span], start_s: float | None, length_s: float | None
) -> None:
    work = work_of_turn(Turn(0, events=events, spans=tuple(spans), start_s=start_s, duration_s=length_s))
    assert work.timed <= len(work)
    assert all(work.around[at] < at for at in range(len(work)))
    assert all(math.isfinite(work.begin_s[at]) and math.isfinite(work.duration_s[at]) for at in range(work.timed))
    assert all(math.isnan(work.begin_s[at]) for at in range(work.timed, len(work)))
    covered = {event.span_id for event in events if event.span_id}
    told = [part_of(place) for place in work.address if event_of(place) == NOWHERE and part_of(place) != NOWHERE]
    assert sorted(told) == [at for at, span in enumerate(spans) if span.id not in covered]
    assert list(work.busy_s) == sorted(work.busy_s)
    if not math.isnan(work.start_s):
        length = sum(end - begin for begin, end in zip(work.path_begin_s, work.path_end_s, strict=True))
        assert length <= work.end_s - work.start_s + 1e-9
