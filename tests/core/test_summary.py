from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from tests.helpers.tables import each
from trace_inspector.core.trace.parts import Code, Media, Part, Text, Thought, ToolCall, ToolResult, Transfer, Unknown
from trace_inspector.core.trace.summary import (
    LINE_CHARS,
    argument_spans,
    call_line,
    compact,
    label_of,
    one_line,
    transfer_target,
)
from trace_inspector.core.values.values import ABSENT, Json


@each(
    ("text", "line"),
    [
        ("plain", "plain"),
        ("  two\n\t words ", "two words"),
        ("left\u202eright", "left\N{REPLACEMENT CHARACTER}right"),
        ("bell\x07", "bell\N{REPLACEMENT CHARACTER}"),
        ("half \ud83d emoji", "half \N{REPLACEMENT CHARACTER} emoji"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("PDF\u200cها", "PDF\u200cها"),
        ("👩\u200d👩\u200d👧 ❤\ufe0f", "👩\u200d👩\u200d👧 ❤\ufe0f"),
        ("pass\u200dword", "pass\N{REPLACEMENT CHARACTER}word"),
        ("ب\u200c ب\u200d", "ب\N{REPLACEMENT CHARACTER} ب\N{REPLACEMENT CHARACTER}"),
        ("ب\u200c\u200dب", "ب" + 2 * "\N{REPLACEMENT CHARACTER}" + "ب"),
        ("ب\u202eب\u2066ب", "ب\N{REPLACEMENT CHARACTER}ب\N{REPLACEMENT CHARACTER}ب"),
        ("x" * 300, "x" * (LINE_CHARS - 1) + "…"),
    ],
)
def test_one_line_folds_and_shows_control_characters(text: str, line: str) -> None:
    assert one_line(text) == line


@given(st.text(st.characters(exclude_categories=[])))
def test_a_line_is_short_and_printable_whatever_the_text(text: str) -> None:
    line = one_line(text, 40)
    assert len(line) <= 40
    assert line.replace("\u200c", "").replace("\u200d", "").isprintable()


_VALUES: st.SearchStrategy[Json] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('ab \n"\\', max_size=60),
    lambda below: st.lists(below, max_size=60) | st.dictionaries(st.text("ab ", max_size=40), below, max_size=20),
    max_leaves=80,
)


@examples(40, 1000)
@given(_VALUES, st.sampled_from([8, 30, 60, 200]))
def test_a_value_is_the_beginning_of_its_json_and_says_where_it_goes_on(value: Json, limit: int) -> None:
    assert compact(value, limit) == one_line(json.dumps(value, ensure_ascii=False), limit)


def test_of_a_large_value_no_more_is_written_than_shows() -> None:
    deep: Json = []
    for _level in range(5_000):
        deep = [deep]
    assert compact(deep) == "[" * 60 + "…" + "]" * 60
    large: Json = ["x" * 20_000_000] * 1_000
    assert compact(large, 8) == '["xxxxx…'


def test_absent_and_null_arguments_look_different() -> None:
    calls = [ToolCall("f", ABSENT), ToolCall("f", None), ToolCall("f", {})]
    assert [call_line(call) for call in calls] == ["f()", "f(null)", "f()"]
    assert compact(ABSENT) == ""


@each(
    ("part", "label"),
    [
        (Text("Hello\nthere"), "“Hello there”"),
        (Thought("one"), "thought, 1 word"),
        (Thought("one two"), "thought, 2 words"),
        (ToolCall("search", {"q": "parking", "n": 3}), 'search(q="parking", n=3)'),
        (ToolResult("search", {"spots": 40}), 'search: {"spots": 40}'),
        (ToolResult("search", "no such street", is_error=True), 'search: error: "no such street"'),
        (ToolResult("search"), "search: no result"),
        (Transfer("intake"), "transfer to intake"),
        (Media("image/png", 12), "image/png, 12 bytes"),
        (Media("", None), "media"),
        (Code("print(1)"), "code: print(1)"),
        (Code("1", is_result=True), "code result: 1"),
        (Unknown("ui", {"a": 1}), 'ui: {"a": 1}'),
    ],
)
def test_every_part_has_a_line(part: Part, label: str) -> None:
    assert label_of(part) == label


@each(
    ("call", "target"),
    [
        (ToolCall("transfer_to_agent", {"agent_name": "intake"}), "intake"),
        (ToolCall("transfer_to_agent", {"agent_name": 3}), ""),
        (ToolCall("transfer_to_agent", {"agent_name": "intake", "why": "x"}), ""),
        (ToolCall("transfer_to_agent"), ""),
        (ToolCall("transfer", {"agent_name": "intake"}), ""),
    ],
)
def test_a_call_that_hands_over_is_said_in_words(call: ToolCall, target: str) -> None:
    assert transfer_target(call) == target
    assert (call_line(call) == f"transfer to {target}") is bool(target)


names = st.text(st.characters(exclude_categories=[]), min_size=1, max_size=8)
values: st.SearchStrategy[Json] = (
    st.text(max_size=90) | st.integers() | st.none() | st.lists(st.integers(), max_size=4)
)


@examples(40, 1000)
@given(names, st.dictionaries(names, values, max_size=14))
def test_each_span_is_where_its_value_stands_in_the_line(name: str, args: dict[str, Json]) -> None:
    call = ToolCall(name, args)
    line, spans = call_line(call), argument_spans(call)
    for argument, (start, end) in spans.items():
        shown = compact(args[argument], 60)
        assert line[start:end] == shown[: end - start] or line.endswith("…")
        assert line[:start].endswith(f"{one_line(argument, 60)}=")


def test_spans_of_what_is_cut_off_are_left_out() -> None:
    call = ToolCall("f", {f"argument_{number}": "x" * 50 for number in range(10)})
    spans = argument_spans(call)
    assert list(spans) == ["argument_0", "argument_1", "argument_2"]
    assert max(end for _start, end in spans.values()) <= len(call_line(call))
