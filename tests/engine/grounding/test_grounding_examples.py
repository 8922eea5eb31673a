"""One sentence against one piece of evidence: what the rules must say, by kind and by language."""

from __future__ import annotations

from typing import Final

from tests.engine.grounding.grounding_english import ENGLISH
from tests.engine.grounding.grounding_example import NO, YES, Example
from tests.engine.grounding.grounding_languages import OTHERS
from tests.engine.grounding.grounding_stories import HARDER
from tests.engine.grounding.grounding_world import GARAGES
from tests.helpers.tables import each
from trace_inspector.core.trace.parts import Part, Text, ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Turn
from trace_inspector.core.verdict.verdict import Sentence, SentenceSupport
from trace_inspector.engine.grounding.decision.judge import judge_spans
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.text.sentences import split

ALL: Final = ENGLISH + HARDER + OTHERS
FLAGS: Final = frozenset({SentenceSupport.UNSUPPORTED, SentenceSupport.CONTRADICTORY})


def told(example: Example) -> Evidence:
    evidence = Evidence()
    evidence.add_agents([Agent("Helper", example.told, place="/agents/0")] if example.told else [])
    parts: tuple[Part, ...] = (
        (ToolResult("search", example.result, place="/result"),) if example.result is not None else ()
    )
    user = (Text(example.user, "/user"),) if example.user else ()
    evidence.add_turn(Turn(0, user=user, events=(Event("agent", parts),)))
    return evidence


def judge(example: Example) -> list[Sentence]:
    return judge_spans(example.sentence, split(example.sentence), told(example))


def test_most_sentences_are_flagged_or_not_as_a_reader_would() -> None:
    """The model is fitted to most of them; what it must not do is to forget them."""
    wrong = [
        example.sentence
        for example in ALL
        if any(sentence.support in FLAGS for sentence in judge(example)) is not (example.support is NO)
    ]
    assert len(wrong) <= 0.15 * len(ALL), wrong


def test_support_always_comes_with_an_excerpt_and_its_place() -> None:
    supported = [
        sentence for example in ALL for sentence in judge(example) if sentence.support is SentenceSupport.SUPPORTED
    ]
    assert len(supported) > len(ALL) / 3
    for sentence in supported:
        assert sentence.excerpt
        assert sentence.source
        assert sentence.place in {"/result", "/user", "/agents/0"}


@each(
    ("sentence", "reason", "excerpt"),
    [
        (
            "Center Garage asks for $7,713 a day.",
            "The number $7,713 is in no tool result",
            "",
        ),
        (
            "Harbour Garage has 40 spots.",
            "The record of Harbour Garage says spots: 25; the figure is that of Center Garage.",
            "spots: 25",
        ),
        ("Center Garage costs €9.", "The record of Center Garage says price_usd: 9", "price_usd: 9"),
        ("Center Garage is covered.", "The record of Center Garage says covered: false.", "covered: false"),
        ("Center Garage has 40 spots.", "The record of Center Garage says spots: 40.", "spots: 40"),
        (
            "Guards walk past every hour.",
            "Only 1 of 5 content words stand together in the evidence; “Guards”, “walk”",
            "",
        ),
    ],
)
def test_the_reason_says_what_was_found_and_the_excerpt_shows_it(sentence: str, reason: str, excerpt: str) -> None:
    (judged,) = judge_spans(sentence, split(sentence), told(Example(sentence, NO, GARAGES)))
    assert judged.reason.startswith(reason)
    assert excerpt in judged.excerpt
    assert bool(excerpt) is bool(judged.excerpt)


def test_the_excerpt_of_a_long_passage_is_a_window_around_the_match() -> None:
    text = "Nothing of note here, really. " * 9 + "The desk has 40 chairs."
    (judged,) = judge_spans("There are 40 chairs.", split("There are 40 chairs."), told(Example("", YES, text)))
    assert judged.excerpt.startswith("…")
    assert judged.excerpt.endswith("40 chairs.")
    assert len(judged.excerpt) <= 202


LIMITS: Final = (
    Example("The cake contains nuts.", YES, "The cake contains eggs; it is free of nuts."),
    Example("The stay costs €131.", YES, {"nights": 2, "price_per_night_eur": 129}),
    Example("The flight leaves Berlin at 10:20.", YES, {"flight": {"from": "BRN", "departs": "10:20"}}),
    Example("The room was lovely and quiet.", YES, "A quiet and lovely garden surrounds the room."),
)


@each("example", LIMITS, ids=lambda example: example.sentence)
def test_the_limits_that_the_page_admits_are_the_limits(example: Example) -> None:
    (sentence,) = judge_spans(example.sentence, split(example.sentence), told(example))
    assert sentence.support is example.support
