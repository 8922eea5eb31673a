"""Where an answer's sentences begin and end."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.tables import each
from trace_inspector.engine.grounding.text.sentences import Form, split

EXAMPLES: tuple[tuple[str, list[str]], ...] = (
    ("Hello! There are 40 spots. Shall I book?", ["Hello!", "There are 40 spots.", "Shall I book?"]),
    ("It costs $3.50. That is cheap.", ["It costs $3.50.", "That is cheap."]),
    ("Bring a card, e.g. Visa. Cash works too.", ["Bring a card, e.g. Visa.", "Cash works too."]),
    ("Open 8 a.m. to 5 p.m. The desk closes then.", ["Open 8 a.m. to 5 p.m.", "The desk closes then."]),
    ("Dr. J. R. Smith is in. Ask her.", ["Dr. J. R. Smith is in.", "Ask her."]),
    ("We ship to the U.S. and Canada. It is free.", ["We ship to the U.S. and Canada.", "It is free."]),
    ("We ship to the U.S. It is free.", ["We ship to the U.S.", "It is free."]),
    ("The answer is no. We are full.", ["The answer is no.", "We are full."]),
    ("See No. 5 for details.", ["See No. 5 for details."]),
    ("Well... maybe. Then… we go.", ["Well... maybe.", "Then… we go."]),
    ("See https://a.example/b?c=d.e. Then call.", ["See https://a.example/b?c=d.e.", "Then call."]),
    ("Version 2.0.1 of report.final.pdf is out.", ["Version 2.0.1 of report.final.pdf is out."]),
    ("“Really?” he asked. “Yes.” Fine.", ["“Really?” he asked.", "“Yes.”", "Fine."]),
    ("**It is open.** (See the map.) Go.", ["**It is open.**", "(See the map.)", "Go."]),
    ("It is full.[1] Try later.[2]", ["It is full.[1]", "Try later.[2]"]),
    ("Done 🎉\n🎉🎉", ["Done 🎉\n🎉🎉"]),
    ("🎉 Done.", ["🎉 Done."]),
    ("- one\n- two. Three.\n* four", ["- one", "- two.", "Three.", "* four"]),
    ("1. first\n2) second\n   - third", ["1. first", "2) second", "- third"]),
    ("A line that is\nwrapped here.\nAnother one", ["A line that is\nwrapped here.", "Another one"]),
    ("# Title\ntext\n\ntext two", ["# Title", "text", "text two"]),
    ("| a | b |\n|---|---|\n| 1 | 2 |", ["| a | b |\n|---|---|", "| 1 | 2 |"]),
    ("Look:\n```\nx = 1. y\n\nz\n```\nDone.", ["Look:", "```\nx = 1. y\n\nz\n```", "Done."]),
    ("Am 3. März ist frei. Der 3. Platz auch.", ["Am 3. März ist frei.", "Der 3. Platz auch."]),
    ("Das geht z. B. heute. Morgen nicht.", ["Das geht z. B. heute.", "Morgen nicht."]),
    ("¿Quiere reservar? ¡Claro! La Sra. Ruiz ayuda.", ["¿Quiere reservar?", "¡Claro!", "La Sra. Ruiz ayuda."]),
    (
        "駐車場は40台です。次です！「はい。」と言いました。",
        ["駐車場は40台です。", "次です！", "「はい。」と言いました。"],
    ),
    ("यह खुला है। यह बंद है।", ["यह खुला है।", "यह बंद है।"]),
    ("هل تريد الحجز؟ نعم.", ["هل تريد الحجز؟", "نعم."]),
    ("สวัสดี\nที่จอดรถมี 40 คัน", ["สวัสดี", "ที่จอดรถมี 40 คัน"]),
    ("one\r\n\r\ntwo\u2028three", ["one", "two\u2028three"]),
    ("...", ["..."]),
    ("", []),
    (" \n\t", []),
)


@each(("text", "expected"), EXAMPLES)
def test_sentences_are_where_a_reader_sees_them(text: str, expected: list[str]) -> None:
    assert [text[span.start : span.end] for span in split(text)] == expected


def test_each_sentence_knows_its_form() -> None:
    text = "# Title\n- item\n| a | b |\n```\ncode\n```\nprose"
    assert [span.form for span in split(text)] == [Form.HEADING, Form.ITEM, Form.ROW, Form.CODE, Form.PROSE]


# Texts made of what matters to the rules, so that they meet in every order.
PIECES = st.sampled_from(
    ["a", "B", "1", ".", "...", "。", "?", " ", "\n", "\r\n", "- ", "1. ", "# ", "|", "```", "“", "”", ")", "*", "🎉",
     "e.g.", "U.S.", "\ud800", "\x00", "\u202e", "\u2028", "।", "は", "と", "「", "」"]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(PIECES, max_size=60).map("".join)))
def test_sentences_never_overlap_and_cover_every_visible_character(text: str) -> None:
    spans = split(text)
    covered = [False] * len(text)
    last = 0
    for span in spans:
        assert last <= span.start < span.end <= len(text)
        assert not text[span.start].isspace()
        assert not text[span.end - 1].isspace()
        covered[span.start : span.end] = [True] * (span.end - span.start)
        last = span.end
    assert all(char.isspace() or is_covered for char, is_covered in zip(text, covered, strict=True))
