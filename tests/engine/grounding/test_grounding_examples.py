"""One sentence against one piece of evidence: what the rules must say, by kind and by language."""

from __future__ import annotations

from typing import Final

import pytest

from tests.engine.grounding.grounding_english import ENGLISH
from tests.engine.grounding.grounding_example import YES, Example
from tests.engine.grounding.grounding_languages import OTHERS
from tests.engine.grounding.grounding_stories import HARDER
from trace_inspector.core.parts import Part, Text, ToolResult
from trace_inspector.core.trace import Agent, Event, Turn
from trace_inspector.engine.grounding.evidence import Evidence
from trace_inspector.engine.grounding.judge import judge_spans
from trace_inspector.engine.grounding.sentences import split

ALL: Final = ENGLISH + HARDER + OTHERS


def told(example: Example) -> Evidence:
    evidence = Evidence()
    evidence.add_agents([Agent("Helper", example.told, place="/agents/0")] if example.told else [])
    parts: tuple[Part, ...] = (
        (ToolResult("search", example.result, place="/result"),) if example.result is not None else ()
    )
    user = (Text(example.user, "/user"),) if example.user else ()
    evidence.add_turn(Turn(0, user=user, events=(Event("agent", parts),)))
    return evidence


@pytest.mark.parametrize(
    "example",
    ALL,
    ids=lambda example: f"{example.sentence[:40]}-{example.label.value}",
)
def test_a_sentence_gets_its_label(example: Example) -> None:
    sentences = judge_spans(example.sentence, split(example.sentence), told(example))
    assert [(one.label, one.reason) for one in sentences] == [(example.label, sentences[0].reason)]


@pytest.mark.parametrize(
    "example",
    [one for one in ALL if one.label is YES],
    ids=lambda one: one.sentence[:40],
)
def test_support_always_comes_with_an_excerpt_and_its_place(example: Example) -> None:
    (sentence,) = judge_spans(example.sentence, split(example.sentence), told(example))
    assert sentence.excerpt
    assert sentence.source
    assert sentence.place in {"/result", "/user", "/agents/0"}
