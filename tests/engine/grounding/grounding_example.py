"""An example of the rules: one sentence, its label, and what it may rest on."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import SentenceSupport

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
