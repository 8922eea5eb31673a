"""An example of the rules: one sentence, its label, and what it may rest on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import SentenceSupport

YES: Final = SentenceSupport.SUPPORTED
NO: Final = SentenceSupport.UNSUPPORTED
NONE: Final = SentenceSupport.NOT_APPLICABLE


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, its label, and what it may rest on: a tool result, the user's words, or instructions."""

    sentence: str
    support: SentenceSupport
    result: Json = None
    user: str = ""
    told: str = ""
