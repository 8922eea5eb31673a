"""The answers that a golden turn expects, and how each is compared: by meaning, whole or in part."""

from __future__ import annotations

from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Text, spoken_text
from trace_inspector.core.trace.trace import Turn, answer_text

EQUALS, CONTAINS, SEMANTIC_SIMILARITY = "EQUALS", "CONTAINS", "SEMANTIC_SIMILARITY"


def expected_answers(golden: Turn) -> tuple[Expectation, ...]:
    """The expectations of words; a golden without expectations of any kind expects its own answer."""
    if golden.expectations:
        return tuple(expectation for expectation in golden.expectations if expectation.kind is Expects.ANSWER)
    if golden.final_response is None:
        return ()
    return (Expectation(Expects.ANSWER, golden.final_response, place=golden.place),)


def compared_by(expectation: Expectation) -> str:
    """How an answer is compared: what is not stated, and what is not known, is compared by its meaning."""
    word = expectation.compared_by
    return word if word in (EQUALS, CONTAINS) else SEMANTIC_SIMILARITY


def expected_words(expectation: Expectation) -> str:
    """The words that are expected."""
    return spoken_text(expectation.parts)


def agent_words(turn: Turn) -> str:
    """All text of the agent in a turn, intermediate and final."""
    return "\n".join(agent_texts(turn))


def agent_texts(turn: Turn) -> list[str]:
    """The same, one thing after the other."""
    texts = [
        part.text
        for event in turn.events
        if event.author != "user"
        for part in event.parts
        if isinstance(part, Text) and part.text
    ]
    answer = answer_text(turn)
    return [*texts, answer] if answer else texts


def answer_place(turn: Turn) -> str:
    """The place of the final answer's text."""
    return next((part.place for part in turn.final_response or () if isinstance(part, Text)), "")
