"""A loss is told by where a word stands, not by whether it stands anywhere in the new file."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from tests.formats.rich_contents import CALL, EVENT, JUDGED, RICH, TRACE, TURN, around
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.expectation import Expectation, Expects
from trace_inspector.core.trace.parts import Text
from trace_inspector.core.verdict.verdict import MetricVerdict, Status
from trace_inspector.formats import FORMATS
from trace_inspector.formats.writing.conversion_losses import written_with_losses

TARGETS = {known.name: known for known in FORMATS if known.write is not None}


def repeating(value: object, word: str, other: str) -> Any:
    """The same with another word wherever this one stands."""
    if isinstance(value, Struct):
        names = value.__struct_fields__
        return replace(value, **{name: repeating(getattr(value, name), word, other) for name in names})
    if isinstance(value, list | tuple):
        return type(value)(repeating(one, word, other) for one in value)
    if isinstance(value, dict):
        return {key: repeating(one, word, other) for key, one in value.items()}
    return other if value == word else value


def lost(contents: Contents, target: str) -> set[str]:
    """The fields that the package's own sentence names."""
    losses = written_with_losses(TARGETS[target], contents).losses
    said = next((loss.message for loss in losses if loss.code == "fields-lost"), ": .")
    return {one.rsplit(" (", 1)[0] for one in said.split(": ", 1)[1].removesuffix(".").split("), ")} - {""}


@cache
def lost_before(kind: str, target: str) -> set[str]:
    """What is lost of rich contents as they are."""
    return lost(RICH[kind], target)


@each("other", ["user words", "ser words"])
@each(
    "word",
    ["title words", "plain tag", "note words", "overruled by me", "expected note", "fact words", "event e1",
     "E: event broken", "candidate one", "persona played", "grounding words", "delta words", "final state",
     "option words", "expected sentence", "variable words", "suite name"],
)  # fmt: skip
def test_what_is_lost_is_named_though_its_words_stand_elsewhere(word: str, other: str) -> None:
    repeated = {kind: repeating(contents, word, other) for kind, contents in RICH.items()}
    changed = [kind for kind, contents in RICH.items() if repeated[kind] != contents]
    assert changed
    for kind in changed:
        for target in TARGETS:
            assert lost(repeated[kind], target) == lost_before(kind, target)


def test_a_number_that_is_lost_is_named_though_it_stands_elsewhere() -> None:
    call = replace(CALL, args={"seats": 77})
    turn = replace(TURN, events=(replace(EVENT, parts=(call,)),))
    trace = replace(TRACE, turns=(turn,))
    judged = replace(JUDGED, metrics=(MetricVerdict("tone", 77, Status.PASSED),))
    assert "scores" in lost(Contents("made up", traces=(trace,), reported=(judged,)), "adk-session")


@pytest.mark.parametrize("target", ["adk-session", "adk-eval-set"])
def test_an_expected_answer_is_lost_though_the_agent_has_said_so(target: str) -> None:
    """A session holds what was said; a set's script is what is expected."""
    said = replace(TURN, expectations=(Expectation(Expects.ANSWER, (Text("answer words"),)),))
    contents = around(Case("case id", "suite1", turns=(said,)))
    assert ("expected calls, results and words" in lost(contents, target)) == (target == "adk-session")


@each(
    ("kind", "target", "field"),
    [
        ("scenario", "ces-evaluation", "first messages of scenarios"),  # a part of the task
        ("scenario", "agent-eval", "first messages of scenarios"),  # an input
        ("script", "adk-session", "sessions"),
        ("recording", "adk-eval-set", "sessions of recordings"),
        ("script", "agent-eval", "calls"),  # as expected ones
        ("script", "adk-eval-set", "transfers"),  # under our own key
    ],
)
def test_what_stands_under_another_name_is_not_lost(kind: str, target: str, field: str) -> None:
    assert field not in lost(RICH[kind], target)
