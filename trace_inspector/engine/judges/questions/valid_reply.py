"""Replies that end in one label, valid or not, read by ADK 2.13's rules: by text search, never as JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

Vote: TypeAlias = float | None

_LABEL = r"""\s*\[*\s*"*([^"^\]\s]*)"*\s*\]*\s*[,\n}]"""
_VALID = re.compile(r'"is_the_agent_response_valid":' + _LABEL)
_INVALID = re.compile(r'"is_the_agent_response_invalid":' + _LABEL)
_NOT_VALID = dict.fromkeys(("invalid", "almost", "false", "partially_valid", "partially"), 0.0)
_SCORES = {"valid": 1.0, "true": 1.0, **_NOT_VALID}
_USER_VALID = re.compile(r'"is_valid":\s*\[*\s*"*([^"\]]*)"*\s*\]*\s*[,\n}]')
_USER_SCORES = {**dict.fromkeys(("valid", "true"), 1.0), **_NOT_VALID, "partially valid": 0.0}
_MARKERS = re.compile(r'"is_(?:the_agent_response_(?:in)?)?valid"')


def answer_vote(reply: str) -> Vote:
    """A reply's vote on an answer: 1.0 valid, 0.0 not, None when it cannot be read."""
    label = _VALID.search(reply)
    if label:
        return _SCORES.get(label.group(1).rstrip(",}"))
    label = _INVALID.search(reply)
    if label:  # any other label counts as valid here, as in ADK
        return 0.0 if label.group(1).rstrip(",}") in ("true", "invalid") else 1.0
    return None


def answer_place(reply: str) -> tuple[int, int] | None:
    """The span of the label that `answer_vote` reads."""
    label = _VALID.search(reply) or _INVALID.search(reply)
    return label.span(1) if label else None


def user_place(reply: str) -> tuple[int, int] | None:
    """The span of the label that `user_vote` reads."""
    label = _USER_VALID.search(reply)
    return label.span(1) if label else None


def user_vote(reply: str) -> Vote:
    """A reply's vote on a simulated user's message."""
    label = _USER_VALID.search(reply)
    return _USER_SCORES.get(label.group(1).strip("}").replace(",", "").strip().lower()) if label else None


def has_markers(text: str) -> bool:
    """Whether a judged text itself contains what a reply is read by."""
    return bool(_MARKERS.search(text))


def majority(votes: Sequence[Vote]) -> Vote:
    """More valid than invalid votes; a tie is invalid, and without any readable vote nothing is decided."""
    valid = sum(vote == 1.0 for vote in votes)
    invalid = sum(vote == 0.0 for vote in votes)
    return None if valid + invalid == 0 else 1.0 if valid > invalid else 0.0
