"""What a label is about, as a digest of the output itself: the same wherever, whenever and in whatever format it was.

Ids, times, agents and thoughts are no part of it. Digests are kept with labels, so what goes into them never changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from trace_inspector.core.trace.trace import Turn, answer_text, paired_calls, user_text
from trace_inspector.core.values.canonical_json import canonical_json
from trace_inspector.core.values.values import Absent, Json, present

OVERALL = "overall"
_RUBRIC_CHARS = 12


def turn_subject(turn: Turn) -> str:
    """The digest of a turn: what the user wrote, each call with its result, and the answer."""
    return _digest(_turn(turn))


def case_subject(turns: Iterable[Turn]) -> str:
    """The digest of a whole conversation: the list of its turns."""
    return subjects_in(turns)[0]


def subjects_in(turns: Iterable[Turn]) -> tuple[str, list[str]]:
    """The digest of a whole conversation, and that of each of its turns."""
    texts = [*map(_turn, turns)]
    return _digest(f"[{','.join(texts)}]"), [*map(_digest, texts)]


def call_subject(turn: Turn, index: int) -> str:
    """The digest of a call of a turn, by its index among them."""
    return _digest(f"[{_turn(turn)},{index}]")


def sentence_subject(turn: Turn, index: int, text: str) -> str:
    """The digest of a sentence of the answer, by its index among them and its words."""
    return _digest(f"[{_turn(turn)},{index},{canonical_json(text)}]")


def rubric_question(metric: str, rubric_id: str, text: str) -> str:
    """The question whether a rubric is met; with other words it is another question."""
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{metric}/{rubric_id}@{digest[:_RUBRIC_CHARS]}"


def _turn(turn: Turn) -> str:
    """A turn without words of the user or without an answer has null there: formats differ in how they say so."""
    return canonical_json(
        {
            "user": user_text(turn) or None,
            "calls": [
                {
                    "name": paired.call.stated_name,
                    "args": _value(paired.call.args),
                    "result": _value(paired.result.value) if paired.result else None,
                }
                for paired in paired_calls(turn)
            ],
            "answer": answer_text(turn) or None,
        }
    )


def _value(value: Json | Absent) -> Json:
    return value if present(value) else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
