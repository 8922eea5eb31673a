"""The codebook: tags of old labels mean what it says today, and its file is what git and people can work with."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.campaigns import examples
from trace_inspector.core.review.codebook import Codebook, CodebookError, Mode, joined
from trace_inspector.core.review.codebook_text import codebook_text, read_codebook

A, B, C = ("ab" * 32, "cd" * 32, "ef" * 32)


def names(book: Codebook, tags: tuple[str, ...], subject: str = A) -> list[str]:
    return [mode.name for mode in book.modes_of(tags, subject)]


def test_a_tag_without_an_entry_is_a_mode_of_its_own() -> None:
    assert names(Codebook(), ("wrong  date", "Wrong Date", " ", "rude")) == ["wrong date", "rude"]


def test_tags_follow_renaming_and_merging() -> None:
    book = Codebook().renamed("date", "wrong date").renamed("wrong date", "Date off").merged(["day"], "Date off")
    assert names(book, ("date", "day", "wrong date", "DAY")) == ["Date off"]
    assert book.mode("day").was == ("date", "wrong date", "day")


def test_a_name_in_use_is_not_taken_again() -> None:
    book = Codebook((Mode("a"), Mode("b", was=("old",))))
    with pytest.raises(CodebookError, match="Merge the two"):
        book.renamed("a", " B ")
    assert book.renamed("a", "A").modes[0] == Mode("A")
    assert names(book.renamed("a", "old"), ("old", "a")) == ["old"], "a name of today has precedence"


def test_renamed_back_has_no_history() -> None:
    assert Codebook().renamed("a", "b").renamed("b", "a") == Codebook((Mode("a", was=("b",)),))


def test_split_outputs_count_in_the_new_mode_alone_and_come_back_with_a_merge() -> None:
    book = Codebook((Mode("date", outputs=(B,)),)).split("date", "year", [A, B])
    assert names(book, ("date",), A) == ["year"]
    assert names(book, (), B) == ["year"]
    assert names(book, ("date",), C) == ["date"]
    assert names(book.split("year", "century", [A]), ("date",), A) == ["century"]
    elsewhere = book.merged(["year"], "tool")
    assert names(elsewhere, ("date",), A) == ["tool"]
    again = book.merged(["year"], "date")
    assert names(again, ("date",), A) == ["date"]
    assert again.mode("date").without == ()
    assert names(book.placed("date", [A]), ("date",), A) == ["date", "year"]


def test_descriptions_are_kept_by_merging() -> None:
    book = Codebook().described("a", "One. ").described("b", "Two.").merged(["a", "b"], "b")
    assert book.modes == (Mode("b", "Two.\nOne.", ("a",)),)


@pytest.mark.parametrize("name", ["", " \n", "x" * 1_001])
def test_odd_names_are_refused(name: str) -> None:
    with pytest.raises(CodebookError, match="name"):
        Codebook().placed(name, [A])


_WORDS = st.text(max_size=12)
_NAMES = st.text(min_size=1, max_size=12).map(lambda text: " ".join(text.split())).filter(bool)
_SUBJECTS = st.lists(st.sampled_from([A, B, C]), max_size=3, unique=True).map(sorted).map(tuple)
_MODES = st.builds(
    Mode,
    _NAMES,
    _WORDS.map(str.strip),
    st.lists(_NAMES, max_size=3, unique=True).map(tuple),
    _SUBJECTS,
    _SUBJECTS,
    st.dictionaries(
        st.sampled_from(["colour", "an odd “key”"]),
        st.recursive(
            st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | _WORDS,
            lambda inner: st.lists(inner, max_size=2) | st.dictionaries(_WORDS, inner, max_size=2),
            max_leaves=4,
        ),
        max_size=2,
    ),
)


@given(st.lists(_MODES, max_size=4, unique_by=lambda mode: mode.key))
@examples(100, 3_000)
def test_what_is_written_is_read_again(modes: list[Mode]) -> None:
    book = Codebook(tuple(modes))
    text = codebook_text(book)
    tomllib.loads(text)
    assert read_codebook(text)[0] == book
    assert codebook_text(read_codebook(text)[0]) == text


def test_half_a_character_does_not_break_the_file() -> None:
    assert read_codebook(codebook_text(Codebook((Mode("a\ud83d", "b\x7f\x00"),))))[0].modes == (
        Mode("a?", "b\x7f\x00"),
    )


def test_two_of_one_name_are_one() -> None:
    book, odd = joined([Mode("a", "x", ("old",)), Mode(" A", "y", outputs=(A,)), Mode("b", was=("old",))])
    assert book.modes == (Mode("a", "x\ny", ("old",), (A,)), Mode("b", was=("old",)))
    assert odd == ["“old” is an earlier name of “a” and of “b”: it counts as the first."]
    assert names(book, ("old",)) == ["a"]


@pytest.mark.parametrize(
    ("text", "sentence", "line"),
    [
        ("[[mode]]\nname = 'a'\n<<<<<<< HEAD\n", "Git left a conflict", 3),
        ("[[mode]]\nname = \n", "no TOML", 2),
        ("mode = 3", "a section of its own", 0),
        ("[[modes]]\nname = 'a'", "“modes” is nothing that a codebook has", 0),
        ("[[mode]]\n", "Mode 1: A mode needs a name", 0),
        ("[[mode]]\nname = 7", "Mode 1: “name” must be a text", 0),
        ("[[mode]]\nname = 'a'\nwas = 'b'", "Mode 1: “was” must be a list of texts", 0),
        ("[[mode]]\nname = 'a'\noutputs = ['b']", "Mode 1: outputs are told by 64 hexadecimal digits", 0),
        ("a = " + "[" * 5_000, "nested too deeply", 0),
        ("[[mode]]\nname = 'a'\n" * 2_001, "at most 2,000 modes", 0),
    ],
)
def test_what_is_no_codebook_is_told_with_its_line(text: str, sentence: str, line: int) -> None:
    with pytest.raises(CodebookError, match=sentence) as told:
        read_codebook(text)
    assert told.value.line == line
