"""Whether a sentence says the opposite of the passage it would rest on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from trace_inspector.engine.grounding.claim import Claim, is_negated
from trace_inspector.engine.grounding.evidence import Evidence
from trace_inspector.engine.grounding.folding import fold
from trace_inspector.engine.grounding.vocabulary import CLAUSE_WORDS, OPPOSITES
from trace_inspector.engine.grounding.words import find_words, keys_of

_CLAUSE: Final = re.compile(
    r"[,;!?\n،、。।！？؟]|[.:](?=\s|$)|\b(?:" + "|".join(CLAUSE_WORDS) + r")\b", re.IGNORECASE
)
_NOTHING_THERE: Final = re.compile(r"\(0\)|: (?:0|\"\")?$|\b(?:no|none)\b", re.IGNORECASE)
_MAX_CLAUSES: Final = 40


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    keys: frozenset[str]
    negated: bool
    words: frozenset[str]
    is_leaf: bool = False


def turned_around(claim: Claim, names: frozenset[str], passages: Iterable[int], evidence: Evidence) -> str:
    """The piece of evidence that the claim contradicts by a negation or an opposite word, or ""."""
    pieces = [piece for at in passages for piece in _pieces(evidence, at)]
    for clause in _clauses(claim.text):
        own = clause.keys - names
        if not own:
            continue
        matching = _matching(own, pieces)
        if matching and not any(_agrees(clause, piece) for piece in matching):
            return matching[0].text
    return ""


def _agrees(clause: _Clause, piece: _Clause) -> bool:
    if clause.negated is piece.negated:
        return not _opposed(clause.words, piece.words)
    return _opposed(clause.words, piece.words)


def _matching(own: frozenset[str], pieces: list[_Clause]) -> list[_Clause]:
    """The pieces that speak of the same thing most closely; none when none is close."""
    most = 0
    matching: list[_Clause] = []
    for piece in pieces:
        shared = len(own & piece.keys)
        close = shared >= 2 or (shared == 1 and (piece.is_leaf or len(piece.keys) <= 2) and len(own) <= 2)
        if not close or shared * 2 < len(own) or shared < most:
            continue
        if shared > most:
            most, matching = shared, []
        matching.append(piece)
    return matching


def _opposed(said: frozenset[str], found: frozenset[str]) -> bool:
    return any(
        (one in said and other in found and one not in found)
        or (other in said and one in found and other not in found)
        for one, other in OPPOSITES
    )


def _clauses(text: str) -> Iterator[_Clause]:
    for piece in _CLAUSE.split(text, maxsplit=_MAX_CLAUSES):
        if piece and piece.strip():
            yield _clause(piece, is_leaf=False)


def _pieces(evidence: Evidence, at: int) -> Iterator[_Clause]:
    passage = evidence.passages[at]
    ends = (*passage.leaves[1:], len(passage.text))
    for start, end in zip(passage.leaves, ends, strict=True):
        leaf = passage.text[start:end].rstrip("; ")
        parts = [piece for piece in _CLAUSE.split(leaf) if piece and piece.strip()]
        if len(passage.leaves) > 1 and len(leaf) <= 80:
            yield _clause(leaf, is_leaf=True)
        else:
            yield from (_clause(piece, is_leaf=False) for piece in parts)


def _clause(text: str, *, is_leaf: bool) -> _Clause:
    words = find_words(text)
    negated = is_negated(text) or (is_leaf and _NOTHING_THERE.search(text) is not None)
    return _Clause(text.strip(), frozenset(keys_of(words)), negated, frozenset(map(fold, words)), is_leaf)
