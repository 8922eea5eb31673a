"""Whether a sentence says the opposite of the passage that would support it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.evidence.passages import Leaf
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.text.folding import fold
from trace_inspector.engine.grounding.text.negation import is_negated, opposed, says_nothing
from trace_inspector.engine.grounding.text.vocabulary import CLAUSE_WORDS, UNIVERSAL
from trace_inspector.engine.grounding.text.words import Breaks, find_words, folded_set, keys_of

_BREAKS: Final = Breaks(r"[,;!?\n،、。।！？؟]|\.(?=\s|$)", " ".join(CLAUSE_WORDS))
_FAILURE: Final = re.compile(r"error|fail|exception|refused|denied|missing|timed? ?out|todo", re.IGNORECASE)
_WITHOUT: Final = frozenset({"without", "ohne", "sans", "sin", "sem", "senza"})
_MAX_RECORDS: Final = 30
_MAX_CLAUSES: Final = 40
_LEAF_CHARS: Final = 80
_YES_OR_NO: Final = frozenset({"true", "false", "yes", "no", "ja", "nein", "oui", "non", "si", "sim", "nao"})


class _Clause(Struct, frozen=True, gc=False):
    """A clause of the sentence, or a piece of evidence: a clause too, or a key of a record with its value."""

    text: str
    keys: frozenset[str]
    negated: bool
    words: frozenset[str]
    is_leaf: bool = False
    is_plain: bool = False  # a leaf whose value is neither yes nor no nor missing
    is_nought: bool = False  # a leaf that counts none


def turned_around(
    claim: Claim, names: frozenset[str], passages: Iterable[int], evidence: Evidence
) -> tuple[int, str]:
    """The piece of evidence, with its passage, that a negation or an opposite word contradicts; "" when none."""
    of_all = not claim.folded.isdisjoint(UNIVERSAL)
    if of_all:
        passages = _whole_sources(passages, evidence)
    looked_at = [passage for passage in passages if claim.denies or passage in evidence.denying]
    content = claim.keys - names
    if not looked_at or not content:
        return 0, ""
    pieces = [
        (passage, piece)
        for passage in looked_at
        for piece in _pieces(evidence.passages[passage].leaves)
        if not content.isdisjoint(piece.keys)
    ]
    for clause in _clauses_of(claim.wording) if pieces else ():
        matching = _matching(clause, content, pieces, claim.text)
        against = [(passage, piece) for passage, piece in matching if not _agrees(clause, piece)]
        if against and (of_all or len(against) == len(matching)):
            return against[0][0], against[0][1].text
    return 0, ""


def _whole_sources(passages: Iterable[int], evidence: Evidence) -> list[int]:
    """Also the other passages of the same sources: a claim about all must be true of each."""
    whole: list[int] = []
    for passage in passages:
        first, last = passage, passage
        while (
            first > 0 and evidence.sources[first - 1] is evidence.sources[passage] and passage - first < _MAX_RECORDS
        ):
            first -= 1
        while (
            last + 1 < len(evidence.sources)
            and evidence.sources[last + 1] is evidence.sources[passage]
            and last - passage < _MAX_RECORDS
        ):
            last += 1
        whole.extend(range(first, last + 1))
    return list(dict.fromkeys(whole))


def _agrees(clause: _Clause, piece: _Clause) -> bool:
    if piece.is_plain and clause.negated and not piece.negated and not opposed(clause.words, piece.words):
        return True  # "no amount was refunded" says nothing against a record's amount
    if clause.negated is not piece.negated:
        denied, plain = (clause, piece) if clause.negated else (piece, clause)
        if _FAILURE.search(plain.text) and not _FAILURE.search(denied.text):
            return True  # what an error is called says in a word that something is not there
    if piece.is_leaf and piece.negated and not clause.words.isdisjoint(_WITHOUT):
        return True
    return (clause.negated is piece.negated) is not opposed(clause.words, piece.words)


def _matching(
    clause: _Clause, content: frozenset[str], pieces: list[tuple[int, _Clause]], sentence: str
) -> list[tuple[int, _Clause]]:
    """The pieces that share the most words with the clause; none where too few are shared.

    A shared figure relates two clauses of prose, but not a sentence and the key of a record.
    """
    most = 0
    words, figures = clause.keys & content, clause.keys - content
    matching: list[tuple[int, _Clause]] = []
    for passage, piece in pieces if words else ():
        if words.isdisjoint(piece.keys):
            continue
        own = words if piece.is_leaf else words | (figures & piece.keys)
        shared = len(own & piece.keys)
        if not _is_close(own, piece, shared) or shared < most or (piece.is_nought and 2 * shared < len(own)):
            continue
        if not piece.is_leaf and _are_apart(sentence, piece):
            continue  # cage C-12 is empty, whatever C-14 is
        if shared > most:
            most, matching = shared, []
        matching.append((passage, piece))
    return matching


def _are_apart(sentence: str, piece: _Clause) -> bool:
    """Whether a sentence and a piece of prose are about different codes or numbers; imported for such prose only."""
    from trace_inspector.engine.grounding.rules.subjects import are_numbered_apart

    return are_numbered_apart(sentence, piece.text)


def _is_close(own: frozenset[str], piece: _Clause, shared: int) -> bool:
    """Half of the clause and two words, or a whole key such as `covered`."""
    if piece.is_leaf and shared == len(piece.keys):
        return True
    return shared * 2 >= len(own) and (shared >= 2 or (len(own) <= 2 and (piece.is_leaf or len(piece.keys) <= 2)))


@lru_cache(maxsize=1 << 8)
def _clauses_of(sentence: str) -> tuple[_Clause, ...]:
    return tuple(_clauses(sentence))


def _clauses(text: str) -> Iterator[_Clause]:
    for piece in _BREAKS.pieces(text, _MAX_CLAUSES):
        if piece and piece.strip():
            yield _clause(piece)


@lru_cache(maxsize=1 << 8)
def _pieces(leaves: tuple[Leaf, ...]) -> tuple[_Clause, ...]:
    pieces: list[_Clause] = []
    for leaf in leaves:
        if leaf.key and len(leaf.value) <= _LEAF_CHARS and next(_BREAKS.places(leaf.value), None) is None:
            pieces.append(_leaf_clause(leaf.label, leaf.value))
        else:
            pieces += _clauses(leaf.value)
    return tuple(pieces)


@lru_cache(maxsize=1 << 12)
def _leaf_clause(label: str, value: str) -> _Clause:
    is_plain = fold(value.strip()) not in _YES_OR_NO
    clause = _clause(Leaf(label, value).text, is_leaf=True, empty=says_nothing(value))
    return replace(clause, is_plain=is_plain, is_nought=value == "0")


def _clause(text: str, *, is_leaf: bool = False, empty: bool = False) -> _Clause:
    words = find_words(text)
    folded = folded_set(words)
    negated = empty or is_negated(text, folded)
    return _Clause(text.strip(), frozenset(keys_of(words)), negated, frozenset(folded), is_leaf)
