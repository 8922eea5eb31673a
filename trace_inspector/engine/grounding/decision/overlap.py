"""How much of a sentence's wording few passages of the evidence have together; rare words weigh more."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from math import fsum, log
from operator import itemgetter
from typing import Final, NamedTuple

from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.rules.word_lookup import can_support
from trace_inspector.engine.grounding.text.folding import fold_text, may_have
from trace_inspector.engine.grounding.text.words import Breaks, find_words, keys_of

_NEWEST: Final = 32  # passages considered for one word
_CANDIDATES: Final = 8
_PASSAGES: Final = 3
_TOKEN: Final = re.compile(r"\w+")
_BREAKS: Final = Breaks(
    r"[,;:!?()–—]|\s-\s",
    "and but because which who that while although so when und aber weil et mais y pero",
)
_CLAUSE_WORDS: Final = 2
_CAUSE: Final = re.compile(
    r"\b(?:because|due to|since|after|thanks to|owing to|caused by|stems? from|as a result of|weil|wegen|aufgrund|"
    r"nachdem|parce que?|à cause|en raison|puisque|porque|debido|a causa|tras|devido|por causa|perché|poiché)\b|"
    r"ため|ので|せいで|因为|由于|क्योंकि|के कारण",
    re.IGNORECASE,
)
_IN_CAUSES: Final = (
    "because", "due to", "since", "after", "thanks to", "owing to", "caused by", "from", "as a result of", "weil",
    "wegen", "aufgrund", "nachdem", "parce qu", "en raison", "puisque", "porque", "debido", "a causa", "tras",
    "devido", "por causa",
)  # fmt: skip


class Overlap(NamedTuple):
    """Shares from 0 to 1 of the sentence's content words, by weight.

    `best` is what one passage has, `together` what three have, `anywhere` what any has;
    `caused` are the words behind "because" that no passage has;
    `pairs` is the share of neighbouring words that stand beside each other in the three, `clause` that of the least
    covered clause.
    """

    best: float
    together: float
    anywhere: float
    pairs: float
    clause: float
    passages: tuple[int, ...]
    absent: frozenset[str]
    caused: frozenset[str]


def overlap(claim: Claim, evidence: Evidence) -> Overlap:
    """Compare the words of a sentence, without its facts, with the few passages that have most of them."""
    keys = claim.keys
    # In order: sets have another one in each process, and sums and ties would follow it.
    ordered = sorted(keys)
    places = list(map(evidence.with_word, ordered))
    whole_evidence = len(evidence.passages) + 1
    # Rare words weigh more.
    weights = {
        key: log(1 + whole_evidence / (len(passages) + 0.5)) for key, passages in zip(ordered, places, strict=True)
    }
    passages_of = {key: _supporting(passages, claim, evidence) for key, passages in zip(ordered, places, strict=True)}
    used, covered = _best_passages(keys, passages_of, weights, evidence)
    present = frozenset(key for key, passages in passages_of.items() if passages)

    def weight(part: Iterable[str]) -> float:
        return fsum([weights[key] for key in part])

    whole = weight(keys)

    def share(part: Iterable[str]) -> float:
        return weight(part) / whole if whole else 1.0

    clauses = [clause & keys for clause in _clauses(claim.wording)]
    return Overlap(
        best=share(keys & evidence.keys[used[0]]) if used else float(not keys),
        together=share(covered),
        anywhere=len(present) / len(keys) if keys else 1.0,
        pairs=_shared_pairs(claim.text, used, evidence),
        clause=min(
            (weight(clause & present) / weight(clause) for clause in clauses if len(clause) >= _CLAUSE_WORDS),
            default=share(present),
        ),
        passages=used,
        absent=keys - present,
        caused=_behind_cause(claim.wording) & (keys - present),
    )


@lru_cache(maxsize=1 << 8)
def _clauses(text: str) -> tuple[frozenset[str], ...]:
    """The keys of the words of each clause."""
    return tuple(frozenset(keys_of(find_words(piece))) for piece in _BREAKS.pieces(text) if piece)


@lru_cache(maxsize=1 << 8)
def _behind_cause(text: str) -> frozenset[str]:
    match = _CAUSE.search(text) if may_have(text, _IN_CAUSES) else None
    return frozenset(keys_of(find_words(text[match.end() :]))) if match else frozenset()


def _supporting(passages: list[int], claim: Claim, evidence: Evidence) -> list[int]:
    newest = passages[-_NEWEST:]
    is_firm = evidence.is_firm
    if not (claim.restating or claim.conversation or claim.unspaced):
        return list(filter(is_firm.__getitem__, newest))
    return [passage for passage in newest if is_firm[passage] or can_support(claim, evidence, passage)]


def _best_passages(
    keys: frozenset[str], passages_of: dict[str, list[int]], weights: dict[str, float], evidence: Evidence
) -> tuple[tuple[int, ...], frozenset[str]]:
    """The passages that together have most of the words, the first one by itself."""
    hits: dict[int, float] = {}
    for key, passages in passages_of.items():
        weight = weights[key]
        for passage in passages:
            hits[passage] = hits.get(passage, 0.0) + weight
    least = sorted(hits.values(), reverse=True)[:_CANDIDATES][-1] if hits else 0.0  # pairs take longer to sort
    best = sorted([(hit, passage) for passage, hit in hits.items() if hit >= least], reverse=True)[:_CANDIDATES]
    # Results have the same words again and again: of what has the same ones the second adds nothing to the first.
    candidates: dict[frozenset[str], tuple[float, int]] = {}
    for one in best:
        candidates.setdefault(keys & evidence.keys[one[1]], one)
    gains: dict[frozenset[str], float] = {}
    used: list[int] = []
    covered: frozenset[str] = frozenset()
    while len(used) < _PASSAGES and candidates:
        ranked = []
        for words, (hit, passage) in candidates.items():
            fresh = words - covered
            gain = gains.get(fresh)
            if gain is None:
                gain = gains[fresh] = fsum([weights[key] for key in fresh])
            ranked.append((gain, hit, passage, words))
        gain, _hit, passage, words = max(ranked, key=_RANK)
        if not gain:
            break
        used.append(passage)
        covered |= words
        del candidates[words]
    return tuple(used), covered


_RANK: Final = itemgetter(0, 1, 2)


def _shared_pairs(text: str, passages: Iterable[int], evidence: Evidence) -> float:
    pairs = _pairs(text)
    if not pairs:
        return 1.0
    missing = pairs
    for number in passages:
        missing = missing - _pairs(evidence.passages[number].text)
    return (len(pairs) - len(missing)) / len(pairs)


@lru_cache(maxsize=1 << 10)
def _pairs(text: str) -> frozenset[tuple[str, str]]:
    tokens = _TOKEN.findall(fold_text(text))
    return frozenset(pairwise(tokens))
