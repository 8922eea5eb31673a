"""Small parts that reports share: odd characters spelled out, times of turns, titles."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.builders import trace, turn
from tests.helpers.tables import each
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Status
from trace_inspector.engine.reports.html import latency_of
from trace_inspector.engine.reports.sources import Sources
from trace_inspector.engine.reports.titles import titles_of
from trace_inspector.engine.reports.visible_text import cut, has_odd, odd_pieces, visible


@each(
    ("char", "shown"),
    [
        ("\x00", "\\x00"), ("\x1b", "\\x1b"), ("\x7f", "\\x7f"), ("\x85", "\\x85"), ("\r", "\\r"), ("\xad", "\\xad"),
        ("\u200b", "\\u200b"), ("\u202e", "\\u202e"), ("\u2060", "\\u2060"), ("\u2066", "\\u2066"),
        ("\ufeff", "\\ufeff"), ("\ud83d", "\\ud83d"), ("\U000e0041", "\\U000e0041"), ("\uffff", "\\uffff"),
    ],
)  # fmt: skip
def test_odd_characters_are_spelled_out(char: str, shown: str) -> None:
    assert visible(f"a{char}b") == f"a{shown}b"
    assert odd_pieces(f"a{char}b") == [(False, "a"), (True, shown), (False, "b")]
    assert has_odd(f"a{char}b")


@each("text", ["a\tb\nc", "可愛い", "👨\u200d👩\u200d👧", "می\u200cخواهم", "שלום", "a\xa0b"])
def test_what_scripts_need_stays(text: str) -> None:
    assert visible(text) == text


def test_line_ends_are_one() -> None:
    assert visible("a\r\nb") == "a\nb"


@given(st.text())
def test_nothing_is_lost_between_the_pieces(text: str) -> None:
    assert "".join(piece for _is_odd, piece in odd_pieces(text)) == visible(text)
    assert any(is_odd for is_odd, _piece in odd_pieces(text)) == (visible(text) != text.replace("\r\n", "\n"))
    assert has_odd(text) or odd_pieces(text) == [(False, text)]


def test_cutting_leaves_a_mark() -> None:
    assert cut("abc", 3) == "abc"
    assert cut("abcd", 3) == "ab…"


def timed(*seconds: float | None) -> tuple[list[CaseVerdict], Sources]:
    turns = [replace(turn("q", "a"), duration_s=one) for one in seconds]
    recorded = trace("t", *turns)
    return [CaseVerdict("c", "s", "t", Status.PASSED)], Sources(traces={("", "", "t"): recorded})


def test_percentiles_are_times_that_turns_took() -> None:
    found = latency_of(*timed(*(float(at) for at in range(1, 11))))
    assert found is not None
    assert found.percentiles == ((50, 5.0), (90, 9.0), (99, 10.0))
    assert [one.seconds for one in found.slowest] == [10.0, 9.0, 8.0, 7.0, 6.0]
    assert found.slowest[0].turn == 9


def test_turns_without_a_time_are_counted_and_nothing_else() -> None:
    found = latency_of(*timed(2.0, None, float("nan")))
    assert found is not None
    assert (found.timed, found.turns, found.percentiles[0]) == (1, 3, (50, 2.0))
    assert latency_of(*timed(None)) is None


def test_titles_that_are_the_same_give_way_to_names() -> None:
    names = ("response_match_score", "final_response_match_v2", "token_usage_v1", "my own\nmetric")
    verdicts = tuple(MetricVerdict(name, 1.0, Status.PASSED) for name in names)
    titles = titles_of([CaseVerdict("c", "s", "t", Status.PASSED, verdicts)])
    assert list(titles.values()) == ["response_match_score", "final_response_match_v2", "Tokens", "my own metric"]
