"""Which stretches of a text are tinted: those in which a side stands alone."""

from __future__ import annotations

from trace_inspector.engine.side_by_side.tints import apart_among, apart_in


def tinted(texts: list[str | None], at: int) -> list[str]:
    text = texts[at] or ""
    return [text[start:end].strip() for start, end in apart_among(texts, at, apart_in)]


def test_of_two_each_shows_what_the_other_does_not_have() -> None:
    texts: list[str | None] = ["one two three", "one 2 three"]
    assert (tinted(texts, 0), tinted(texts, 1)) == (["two"], ["2"])


def test_of_three_the_golden_shows_only_what_neither_run_has() -> None:
    texts: list[str | None] = ["one two three", "one 2 three", "one two 3"]
    assert tinted(texts, 0) == []
    assert (tinted(texts, 1), tinted(texts, 2)) == (["2"], ["3"])
    assert tinted(["one two three four", "one 2 three 4", "one zwei drei 4"], 0) == ["two", "four"]


def test_a_golden_that_one_run_repeats_to_the_word_does_not_stand_alone() -> None:
    texts: list[str | None] = ["one two", "one two", "something else"]
    assert (tinted(texts, 0), tinted(texts, 1)) == ([], [])
    assert "something" in " ".join(tinted(texts, 2))


def test_against_nothing_all_of_it_stands_alone() -> None:
    assert tinted(["one two", None], 0) == ["one two"]
    assert tinted([None, "one two", "one two"], 2) == ["one two"]
    assert tinted(["one two", None, "one 2"], 0) == ["two"]


def test_a_place_where_something_is_lacking_is_marked_where_both_others_have_more() -> None:
    def carets(texts: list[str]) -> list[tuple[int, int]]:
        return apart_among(texts, 0, lambda text, other: apart_in(text, other, carets=True))

    assert carets(['"parking"', '"parking lots"', '"parking lots"']) == carets(['"parking"', '"parking lots"'])
    assert len(carets(['"parking"', '"parking lots"'])) == 1
    assert carets(['"parking"', '"parking lots"', '"parking"']) == []
