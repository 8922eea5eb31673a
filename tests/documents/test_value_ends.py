"""Where a value ends: the same as counting its brackets one by one, and quick however deep it is."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from trace_inspector.documents.base.json_syntax import strict_end, tolerant_end


def counted(data: bytes) -> int | None:
    """One by one, strings stepped over."""
    depth = at = 0
    while at < len(data):
        mark = data[at : at + 1]
        if mark == b'"':
            at += 1
            while at < len(data) and data[at : at + 1] != b'"':
                at += 2 if data[at : at + 1] == b"\\" else 1
            if at >= len(data):
                return None
        depth += (mark in b"[{") - (mark in b"]}")
        at += 1
        if not depth:
            return at
    return None


@given(st.sampled_from([b"[", b"{"]), st.text('[[[]]]{}"\\a,/*\n', max_size=40))
@example(b"[", "[[]]]]")
@example(b"[", "]]")
@example(b"{", '"}]"]]')
def test_it_is_where_its_brackets_are_even(first: bytes, rest: str) -> None:
    data = first + rest.encode()
    assert strict_end(data, 0, len(data)) == counted(data)
    if b"/" not in data:
        assert tolerant_end(data, 0, len(data)) == (counted(data) or len(data))


def test_brackets_in_a_row_are_one_step() -> None:
    deep = b"[" * 1_000_000 + b"]" * 999_999
    assert strict_end(deep, 0, len(deep)) is None
    assert strict_end(deep + b"]]", 0, len(deep) + 2) == len(deep) + 1
    assert strict_end(deep, 1, len(deep)) == len(deep)
