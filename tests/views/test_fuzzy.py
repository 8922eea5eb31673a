from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trace_inspector.views.widgets.fuzzy import ranked, score

TITLES = ["Expand all", "Evaluate", "Open files…", "Open folder…", "Previous failing turn", "Next failing turn"]


def best(query: str) -> str:
    return TITLES[ranked(query, [(title, "") for title in TITLES])[0]]


def test_the_start_of_a_word_beats_letters_strewn_about() -> None:
    assert best("ev") == "Evaluate"
    assert best("of") == "Open files…"
    assert best("nft") == "Next failing turn"
    assert best("fold") == "Open folder…"


def test_a_title_beats_a_caption() -> None:
    entries = [("Stop", "Evaluate"), ("Evaluate", "Evaluate")]
    assert ranked("eval", entries) == [1, 0]


def test_no_query_keeps_the_order() -> None:
    assert ranked("  ", [("b", ""), ("a", "")]) == [0, 1]


def test_letters_out_of_order_do_not_match() -> None:
    assert score("ba", "ab") is None


@given(st.text(max_size=40), st.data())
def test_letters_of_a_text_in_order_are_found(text: str, data: st.DataObject) -> None:
    keep = data.draw(st.lists(st.booleans(), min_size=len(text), max_size=len(text)))
    folded = text.casefold()
    query = "".join(letter for letter, kept in zip(folded, keep, strict=False) if kept)
    found = score(query, text)
    # A query that folds once more into other letters than it was made of is nobody's typing.
    assert found is not None or query.casefold() != query
