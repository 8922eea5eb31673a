from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.core.verdict.triage import Bucket
from trace_inspector.models.search.filter_language import (
    FIELDS,
    LONGEST,
    Comparator,
    FilterError,
    Term,
    completions,
    parse,
    quoted,
)

Read = tuple[str, str, tuple[str, ...], float, bool]


def read(text: str) -> list[Read]:
    terms = parse(text)
    assert not isinstance(terms, FilterError), terms.sentence
    return [(term.field.name, term.compare.value, term.values, term.number, term.negated) for term in terms]


@each(
    ("text", "terms"),
    [
        ("", []),
        ("  ", []),
        ("parking", [("text", ":", ("parking",), 0, False)]),
        ('"parking lots"', [("text", ":", ("parking lots",), 0, False)]),
        ("-parking", [("text", ":", ("parking",), 0, True)]),
        ("-", [("text", ":", ("-",), 0, False)]),
        ("verdict:failed", [("verdict", ":", ("failed",), 0, False)]),
        ("Verdict:FAILED,error", [("verdict", ":", ("failed", "error"), 0, False)]),
        ("verdict=failed", [("verdict", ":", ("failed",), 0, False)]),
        ("-agent:Market*", [("agent", ":", ("market*",), 0, True)]),
        ("latency>2s", [("latency", ">", (), 2.0, False)]),
        ("latency<=1.5min", [("latency", "<=", (), 90.0, False)]),
        ("latency>250ms", [("latency", ">", (), 0.25, False)]),
        ("tokens>4k", [("tokens", ">", (), 4000.0, False)]),
        ("turn:2", [("turn", ":", (), 2.0, False)]),
        (
            'tool:search text:"a b",c x',
            [
                ("tool", ":", ("search",), 0, False),
                ("text", ":", ("a b", "c"), 0, False),
                ("text", ":", ("x",), 0, False),
            ],
        ),
        ("12:30", [("text", ":", ("12:30",), 0, False)]),
        ("a,b", [("text", ":", ("a", "b"), 0, False)]),
    ],
)
def test_what_is_written_is_meant(text: str, terms: list[Read]) -> None:
    assert read(text) == terms


@each(
    ("text", "at", "words"),
    [
        ("verdit:failed", 0, "Did you mean “verdict”"),
        ("zzz:1", 0, "Known are verdict"),
        ("x verdict:faild", 10, "Did you mean “failed”"),
        ("verdict:", 8, "as in verdict:failed"),
        ("latency>soon", 8, "ms, s"),
        ("latency>2parsecs", 8, "latency>2s"),
        ("turn>x", 5, "with a number, as in turn:2"),
        ("tool>3", 0, "cannot be compared as more or less"),
        ('text:"parking', 0, "quotation mark"),
        ("a" * (LONGEST + 1), LONGEST, "at most"),
    ],
)
def test_what_cannot_be_meant_is_explained_with_its_place(text: str, at: int, words: str) -> None:
    wrong = parse(text)
    assert isinstance(wrong, FilterError)
    assert wrong.position == at
    assert words in wrong.sentence


@given(st.text(max_size=80))
def test_any_text_is_read_or_explained(text: str) -> None:
    found = parse(text)
    if isinstance(found, FilterError):
        assert 0 <= found.position <= len(text)
        assert found.sentence.endswith(".") or found.sentence.endswith("?")
    else:
        assert all(isinstance(term, Term) for term in found)


@given(st.text(max_size=40).filter(lambda text: '"' not in text and text.strip()))
def test_a_quoted_value_is_read_back(value: str) -> None:
    ((name, _compare, values, _number, _negated),) = read(f"text:{quoted(value)}")
    assert (name, values) == ("text", (value.casefold(),))


@each(
    ("text", "offered"),
    [
        ("ver", [(0, "verdict:")]),
        ("x -ver", [(3, "verdict:")]),
        ("lat", [(0, "latency>")]),
        ("tu", [(0, "turn:")]),
        ("verdict:fa", [(8, "failed")]),
        ("verdict:failed,pa", [(15, "passed")]),
        ("tri", [(0, "triage:")]),
        ("triage:t", [(7, "timeout"), (7, "tool_missing"), (7, "text_mismatch")]),
        ("tool:se", []),
        ("unknown:x", []),
    ],
)
def test_what_may_stand_there_is_offered(text: str, offered: list[tuple[int, str]]) -> None:
    assert [(at, new) for at, new, _meaning in completions(text, len(text))] == offered


def test_each_kind_of_failure_is_explained_and_counted() -> None:
    offered = completions("triage:", 7, counts=lambda field: {"timeout": 1, "unknown": 1_200} if field else {})
    assert {one.text for one in offered} == {bucket.name.lower() for bucket in Bucket}
    told = {one.text: one.meaning for one in offered}
    assert told["timeout"] == "1 case: it took too long"
    assert told["unknown"] == "1,200 cases: something else"
    assert told["tool_missing"] == "0 cases: an expected call was not made, or not as expected"


def test_every_example_is_an_example() -> None:
    for known in FIELDS:
        ((name, compare, *_rest),) = read(known.example)
        assert name == known.name
        assert Comparator(compare)
