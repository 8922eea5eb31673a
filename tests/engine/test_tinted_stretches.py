"""Which stretches of a text are tinted: those in which a side stands alone."""

from __future__ import annotations

from trace_inspector.engine.trace_grid.tints import apart_among, apart_in


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


def test_long_texts_are_compared_word_by_word_to_their_end() -> None:
    many = " ".join(f"word{at}" for at in range(600))
    texts: list[str | None] = [
        f"{many} left of it. {'and so on ' * 250}",
        f"more words in front, {many} right of it. {'and so on ' * 250}",
    ]
    assert tinted(texts, 0) == ["left"]
    assert tinted(texts, 1) == ["more words in front,", "right"]


def test_emoji_of_several_parts_and_joined_words_are_tinted_as_a_whole() -> None:
    family, smaller = "👩\u200d👩\u200d👧\u200d👦", "👩\u200d👩\u200d👧"
    assert tinted([f"so {family}!", f"so {smaller}!"], 0) == [family]
    assert tinted(["این می\u200cخواهم است", "این می\u200cروم است"], 0) == ["می\u200cخواهم"]


def test_texts_that_have_nothing_in_common_end_soon() -> None:
    texts: list[str | None] = ["a." * 30_000, "b." * 30_000]
    assert apart_among(texts, 0, apart_in)[0][0] == 0
    assert sum(end - start for start, end in apart_among(texts, 0, apart_in)) >= 50_000
