"""Patterns of files and people: usable ones pass, those that nobody could build or search in time do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.engine.scoring.patterns import first_groups, groups_of, is_found, why_unusable


@each(
    "pattern",
    [
        r"\d{4}-\d{2}-\d{2}",
        "a{1,9}" * 150,
        r"[{}]{3}\{1000}",
        r"[]a{9]+",
        "(?:x{100}){100}",
        r"(?P<n>\d+) (?=b)(?<!c)",
        "",
        "a{,5}b",
        "{",
        "x{y}",
    ],
)
def test_usable(pattern: str) -> None:
    assert why_unusable(pattern) == ""


@each(
    ("pattern", "why"),
    [
        ("((a{1000}){1000}){10}", "repetitions are too large"),
        ("(?:(?:[ab]{100}){100}){100}", "repetitions are too large"),
        ("a{99999999999}", "repetitions are too large"),
        ("(?i:(a|b|c){900}){900}", "repetitions are too large"),
        ("(", "not a regular expression"),
        ("(?:" * 5_000 + "a" + ")" * 5_000, "not a regular expression"),
    ],
)
def test_unusable(pattern: str, why: str) -> None:
    assert why in why_unusable(pattern)


@given(st.text(alphabet="ab(){}[]\\?*+|,019^:", max_size=40))
def test_any_text_is_usable_or_not(pattern: str) -> None:
    assert isinstance(why_unusable(pattern), str)


def test_searching_has_a_limit() -> None:
    with pytest.raises(TimeoutError):
        is_found("^(a|aa)+$", "a" * 60 + "b")
    with pytest.raises(TimeoutError):
        list(first_groups("^(a|aa)+$", "a" * 60 + "b"))


def test_groups() -> None:
    assert groups_of("(a)(?:b)(c)") == 2
    assert list(first_groups("x(a)?", "x xa")) == ["a"]
