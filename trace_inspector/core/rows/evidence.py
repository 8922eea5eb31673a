"""What an evidence pack holds: the part of a run, or of two, that somebody shows to others, without secrets."""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.golden.golden import Suite
from trace_inspector.core.trace.criteria import Criteria
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.verdict.verdict import CaseVerdict, MetricVerdict, Provenance, TurnVerdict

SHOWN_FIRST = "shown-first"  # the code of the finding that tells what was in view
COMPARED = "shown-compared"  # of those that tell what was compared: runs, or conversations and goldens
VERSION = 1
ALL_TEXTS = "every text and value"  # the rule by which nothing that stood in a file is here
_CALLED = "text|number|yes-no|list|object|key|id|name|agent|model|metric|address"
# No white space: words of what was left out would make one text like another where steps are aligned.
LEFT_OUT = re.compile(rf"‹(?:(?:{_CALLED})-\d{{1,9}}·{{0,4}}|turn-[A-Z]{{1,9}}(?:-\d{{1,7}})?)›")
_SIZES = (10, 100, 1_000)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


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
    """Everything in the file. `shown` is the place that is opened first, a pointer into the pack.

    `compared` are the places of what was compared with each other: of two sides, or of conversations and a golden.
    """

    title: str
    sides: tuple[EvidenceSide, ...]
    shown: str = ""
    notes: tuple[str, ...] = ()
    redacted: tuple[RedactedText, ...] = ()
    compared: tuple[str, ...] = ()


def left_out_as(called: str, number: int, size: int | None = None) -> str:
    """What stands for a text or value that was left out, with how large it was, roughly: a length helps to guess."""
    dots = "" if size is None else "·" * (1 + sum(size >= limit for limit in _SIZES))
    return f"‹{called}-{number}{dots}›"


def turn_left_out(way: int, number: int | None = None) -> str:
    """What stands for the id of a turn. It has a number only where ids count the turns, as aligning tells by that."""
    letters = ""
    while way:
        way, last = divmod(way - 1, len(_LETTERS))
        letters = _LETTERS[last] + letters
    return f"‹turn-{letters}›" if number is None else f"‹turn-{letters}-{number}›"


def as_reported(verdict: CaseVerdict) -> CaseVerdict:
    """The verdict as others are told it. Digests would let anyone try what was taken out."""
    return replace(
        verdict,
        trace_path="",
        golden_digest="",
        provenance=Provenance.REPORTED,
        metrics=tuple(map(_metric, verdict.metrics)),
        turns=tuple(map(_turn, verdict.turns)),
    )


def _turn(turn: TurnVerdict) -> TurnVerdict:
    return replace(turn, provenance=Provenance.REPORTED, metrics=tuple(map(_metric, turn.metrics)))


def _metric(metric: MetricVerdict) -> MetricVerdict:
    return replace(metric, provenance=Provenance.REPORTED, replies=())
