"""An example of the rules: one sentence, its label, and what it may rest on."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from trace_inspector.core.trace.parts import Text, ToolResult
from trace_inspector.core.trace.trace import Event, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import Sentence, SentenceSupport
from trace_inspector.engine.grounding.decision.judge import judge_spans
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.text.sentences import split

YES: Final = SentenceSupport.SUPPORTED
NO: Final = SentenceSupport.UNSUPPORTED
NONE: Final = SentenceSupport.NOT_APPLICABLE


class Example(Struct, frozen=True):
    """A sentence, its label, and what it may rest on: a tool result, the user's words, or instructions."""

    sentence: str
    support: SentenceSupport
    result: Json = None
    user: str = ""
    told: str = ""


def judged_one(result: Json, sentence: str, user: str = "Please have a look.") -> Sentence:
    """One sentence judged beside one result."""
    evidence = Evidence()
    parts = (ToolResult("look_up", result, place="/result"),)
    evidence.add_turn(Turn(0, user=(Text(user),), events=(Event("agent", parts),)))
    (judged,) = judge_spans(sentence, split(sentence), evidence)
    return judged


def label_of(result: Json, sentence: str) -> str:
    """What one sentence is called beside one result."""
    return judged_one(result, sentence).support.value
