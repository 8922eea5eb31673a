"""What is known of a sentence, as numbers for the fitted model. Neither length nor punctuation is among them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from trace_inspector.engine.grounding.decision.overlap import Overlap
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.facts.fact import FactKind
from trace_inspector.engine.grounding.rules.check import RuleFindings
from trace_inspector.engine.grounding.rules.support import Located, Missing

_WHEN: Final = frozenset({FactKind.DATE, FactKind.TIME, FactKind.WEEKDAY})
_CODES: Final = frozenset({FactKind.IDENTIFIER, FactKind.ADDRESS})
_NOT: Final = re.compile(
    r"\b(?:no|not|never|none|without|nor|cannot|nicht|kein\w*|pas|sin|nunca)\b|n['’]t", re.IGNORECASE
)
# Of these the weight among records is another one than in prose.
_AMONG_RECORDS: Final = (
    "best", "together", "anywhere", "pairs", "clause", "absent", "absent_cause", "coverage", "missing_number",
    "missing_time", "missing_name", "missing_code", "doubtful_number", "misattributed", "found_facts",
    "found_names", "opposite", "denies", "negated_apart", "has_fact", "has_name",
)  # fmt: skip
_MOST: Final = 3
_MOST_WORDS: Final = 8


def features(
    claim: Claim, checked: RuleFindings, words: Overlap, evidence: Evidence, *, has_records: bool
) -> dict[str, float]:
    """The features of a sentence by name."""
    missing, located = checked.missing, checked.located
    in_record = bool(words.passages) and evidence.passages[words.passages[0]].is_record
    among = float(has_records)
    values = {
        "best": words.best,
        "together": words.together,
        "anywhere": words.anywhere,
        "pairs": words.pairs,
        "absent": float(min(_MOST_WORDS, len(words.absent))),
        "clause": words.clause,
        "absent_cause": float(min(_MOST, len(words.caused))),
        "coverage": checked.coverage.share,
        "missing_number": _count(missing, {FactKind.NUMBER}),
        "doubtful_number": float(min(_MOST, len(checked.doubtful))),
        "derived_number": float(min(_MOST, len(checked.derived))),
        "missing_time": _count(missing, _WHEN),
        "missing_code": _count(missing, _CODES),
        "missing_name": _count(missing, {FactKind.NAME}),
        "missing_quotation": _count(missing, {FactKind.QUOTATION}),
        "misattributed": float(bool(checked.misattributed)),
        "opposite": float(bool(checked.opposite[1])),
        "not_in_each": float(bool(checked.not_in_each[1])),
        "has_fact": float(bool(claim.facts)),
        "has_name": float(bool(claim.names)),
        "found_facts": _count(located, frozenset(FactKind) - {FactKind.NAME}),
        "found_names": _count(located, {FactKind.NAME}),
        "unspaced": float(claim.unspaced),
        "denies": float(claim.denies),
        "negated_apart": _negated_apart(claim, words, evidence),
        "record": float(in_record),
        "has_records": among,
    }
    return values | {f"{name}_among_records": among * values[name] for name in _AMONG_RECORDS}


def _count(results: Iterable[Located | Missing], kinds: Iterable[FactKind]) -> float:
    counted = frozenset(kinds)
    return float(min(_MOST, sum(result.kind in counted for result in results)))


def _negated_apart(claim: Claim, words: Overlap, evidence: Evidence) -> float:
    """1 where only the sentence is negated, -1 where only the passage nearest to it is."""
    if not words.passages:
        return 0.0
    here = bool(_NOT.search(claim.text))
    there = bool(_NOT.search(evidence.passages[words.passages[0]].text))
    return float(here) - float(there)
