"""What an evidence pack holds: the part of a run, or of two, that somebody shows to others, without secrets."""

from __future__ import annotations

from msgspec import Struct

from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import CaseVerdict

SHOWN_FIRST = "shown-first"  # the code of the finding that tells what was in view
VERSION = 1


class RedactedText(Struct, frozen=True):
    """One text that was taken out: what stands in its place, the rule that found it, and how often it stood there."""

    placeholder: str
    rule: str
    count: int


class EvidenceSide(Struct, frozen=True):
    """The goldens, conversations and verdicts of one run; verdicts name theirs by place in this file."""

    name: str
    suites: tuple[Suite, ...] = ()
    traces: tuple[Trace, ...] = ()
    verdicts: tuple[CaseVerdict, ...] = ()
    criteria: Criteria | None = None


class EvidencePack(Struct, frozen=True):
    """Everything in the file. `shown` is the place that is opened first, a pointer into the pack."""

    title: str
    sides: tuple[EvidenceSide, ...]
    shown: str = ""
    notes: tuple[str, ...] = ()
    redacted: tuple[RedactedText, ...] = ()
