"""What is said of all, or of both, must stand in each record of the list it is said of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from trace_inspector.engine.grounding.claim import Claim
from trace_inspector.engine.grounding.evidence import Evidence
from trace_inspector.engine.grounding.reading import read
from trace_inspector.engine.grounding.vocabulary import ALL_OF_THEM
from trace_inspector.engine.grounding.words import find_words, keys_of

_MAX_RECORDS: Final = 100


def not_in_each(claim: Claim, names: frozenset[str], passages: Iterable[int], evidence: Evidence) -> tuple[int, str]:
    """A record without a word that other records of its list have, and why that matters; "" when there is none."""
    if claim.folded.isdisjoint(ALL_OF_THEM):
        return 0, ""
    for at in passages:
        records = _records(at, evidence)
        labels = {key for one, _ in records for leaf in evidence.passages[one].leaves for key in read(leaf.key).keys}
        for word in find_words(claim.text):
            keys = (keys_of((word,)) & claim.keys) - names - labels
            having = [one for one, there in records if keys and keys <= there]
            if having and len(having) < len(records):
                lacking = next(one for one, there in records if not keys <= there)
                return lacking, f"Only {len(having)} of {len(records)} records have “{word[:40]}”."
    return 0, ""


def _records(at: int, evidence: Evidence) -> list[tuple[int, set[str]]]:
    """The records of the list that a passage is one of, each with all its words; long ones have several passages."""
    head, source = evidence.passages[at].head, evidence.sources[at]
    if not head:
        return []
    first = at
    while first > 0 and at - first < _MAX_RECORDS and evidence.sources[first - 1] is source:
        first -= 1
    records: list[tuple[int, set[str]]] = []
    opening = ""
    for one in range(first, min(len(evidence.sources), at + _MAX_RECORDS)):
        if evidence.sources[one] is not source or evidence.passages[one].head != head:
            continue
        label = evidence.passages[one].leaves[0].label
        opening = opening or label
        if label == opening:
            records.append((one, set(evidence.keys[one])))
        else:
            records[-1][1].update(evidence.keys[one])
    return records if len(records) > 1 else []
