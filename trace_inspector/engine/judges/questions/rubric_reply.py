"""A judge's reply about rubrics, read by ADK 2.13's rules, and the vote over several replies."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from msgspec import Struct

from trace_inspector.core.trace.rubric import Rubric
from trace_inspector.core.verdict.verdict import RubricVerdict

_PROPERTY = re.compile(r"^\s*Property: (.*)$", re.MULTILINE)
_ID = re.compile(r"^\s*ID: (.*)$", re.MULTILINE)
_RATIONALE = re.compile(r"Rationale: (.*)")
_VERDICT = re.compile(r"Verdict: (.*)")
_MARKERS = re.compile(r"^\s*(?:ID|Property|Rationale|Verdict): ", re.MULTILINE)
_PLAIN = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-"})


class RubricAnswer(Struct, frozen=True):
    """The answer of one reply to one rubric."""

    rubric_id: str
    score: float | None
    rationale: str


def answers(reply: str, rubrics: Sequence[Rubric]) -> list[RubricAnswer]:
    """The answers in a reply; none when the numbers of properties, rationales and verdicts differ."""
    properties = list(_PROPERTY.finditer(reply))
    rationales, verdicts = _RATIONALE.findall(reply), _VERDICT.findall(reply)
    if not len(properties) == len(rationales) == len(verdicts):
        return []
    ids = list(_ID.finditer(reply))
    read, before = [], 0
    for stated, rationale, verdict in zip(properties, rationales, verdicts, strict=True):
        named = [match.group(1).strip() for match in ids if before <= match.start() < stated.start()]
        rubric = _rubric(named[-1] if named else "", stated.group(1), rubrics)
        if rubric is not None:
            read.append(RubricAnswer(rubric.id, _score(verdict), str(rationale).strip()))
        before = stated.end()
    return read


def read_places(reply: str) -> list[tuple[int, int]]:
    """The spans of the verdicts that `answers` reads."""
    if unread_because(reply):
        return []
    return [match.span(1) for match in _VERDICT.finditer(reply)]


def unread_because(reply: str) -> str:
    """Why `answers` reads nothing of a reply; "" when it does."""
    properties, rationales = len(_PROPERTY.findall(reply)), len(_RATIONALE.findall(reply))
    verdicts = len(_VERDICT.findall(reply))
    if properties == rationales == verdicts:
        return "" if verdicts else "it holds no “Property:”, “Rationale:” and “Verdict:”"
    return (
        f"it has {properties} properties, {rationales} rationales and {verdicts} verdicts; they must be equally many"
    )


def vote(samples: Sequence[Sequence[RubricAnswer]], rubrics: Sequence[Rubric]) -> tuple[RubricVerdict, ...]:
    """Each answered rubric once: the majority of decided votes, a tie is no, and the first winner's rationale."""
    by_id: dict[str, list[RubricAnswer]] = {}
    for sample in samples:
        for answer in sample:
            by_id.setdefault(answer.rubric_id, []).append(answer)
    texts = {rubric.id: rubric.text for rubric in rubrics}
    verdicts = []
    for rubric_id, cast in by_id.items():
        yes = [answer for answer in cast if answer.score == 1.0]
        no = [answer for answer in cast if answer.score not in (None, 1.0)]
        winner = yes[0] if len(yes) > len(no) else no[0] if no else cast[0]
        votes = tuple(answer.score for answer in cast)
        verdicts.append(RubricVerdict(rubric_id, winner.score, winner.rationale, texts.get(rubric_id, ""), votes))
    return tuple(verdicts)


def has_markers(text: str) -> bool:
    """Whether a judged text contains the markers of replies: then it may have steered the judge."""
    return bool(_MARKERS.search(text))


def _score(verdict: str) -> float | None:
    lowered = verdict.lower()
    return 1.0 if "yes" in lowered else 0.0 if "no" in lowered else None


def _rubric(rubric_id: str, stated: str, rubrics: Sequence[Rubric]) -> Rubric | None:
    """By id, else by its words; of two with the same words ADK takes the later."""
    by_id = next((rubric for rubric in rubrics if rubric_id and rubric.id == rubric_id), None)
    return by_id or next((rubric for rubric in reversed(rubrics) if _normal(rubric.text) == _normal(stated)), None)


def _normal(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).translate(_PLAIN)
    return " ".join(plain.split()).strip(" *_#>-•`\"'").lower()
