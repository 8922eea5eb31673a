"""What the rules find out about a claim: its facts, names and other words, and what speaks against it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import Claim, Name
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.rules.attribution import misattributions, names_apart
from trace_inspector.engine.grounding.rules.polarity import turned_around
from trace_inspector.engine.grounding.rules.support import (
    Located,
    Missing,
    find_fact,
    find_quotation,
)
from trace_inspector.engine.grounding.rules.word_lookup import WordCoverage, cover, find_name
from trace_inspector.engine.grounding.text.sentences import Form
from trace_inspector.engine.grounding.text.vocabulary import ALL_OF_THEM, BOTH
from trace_inspector.engine.grounding.text.words import find_words, keys_of

if TYPE_CHECKING:
    from trace_inspector.engine.grounding.rules.derivation import Derivation

_MAX_RECORDS: Final = 100
_PAIR: Final = 2


def not_in_each(claim: Claim, names: frozenset[str], passages: Iterable[int], evidence: Evidence) -> tuple[int, str]:
    """A record that lacks a word of the others in its list, and why that matters; "" when there is none."""
    if claim.folded.isdisjoint(ALL_OF_THEM):
        return 0, ""
    for passage in passages:
        records = _records(passage, evidence)
        if len(records) > _PAIR and claim.folded & ALL_OF_THEM <= BOTH:
            continue  # both of those that a sentence tells apart from the others
        labels = {
            key for record, _ in records for leaf in evidence.passages[record].leaves for key in read(leaf.key).keys
        }
        for word in find_words(claim.text):
            if word[:1].isupper():
                continue  # whoever did something with all of them
            keys = (keys_of((word,)) & claim.keys) - names - labels
            having = [record for record, there in records if keys and keys <= there]
            if having and len(having) < len(records):
                lacking = next(record for record, there in records if not keys <= there)
                return lacking, f"Only {len(having)} of {len(records)} records have “{word[:40]}”."
    return 0, ""


def _is_denied(name: Name, claim: Claim) -> bool:
    """Whether a sentence says that there is no such thing, so that its name need not be anywhere."""
    return _NO_SUCH.search(claim.text[: max(0, claim.text.find(name.text))]) is not None


def _records(passage: int, evidence: Evidence) -> list[tuple[int, set[str]]]:
    """All records of a passage's list, each with all its words; a long one has several passages."""
    head, source = evidence.passages[passage].head, evidence.sources[passage]
    if not head:
        return []
    first = passage
    while first > 0 and passage - first < _MAX_RECORDS and evidence.sources[first - 1] is source:
        first -= 1
    records: list[tuple[int, set[str]]] = []
    opening = ""
    for number in range(first, min(len(evidence.sources), passage + _MAX_RECORDS)):
        if evidence.sources[number] is not source or evidence.passages[number].head != head:
            continue
        label = evidence.passages[number].leaves[0].label
        opening = opening or label
        if label == opening:
            records.append((number, set(evidence.keys[number])))
        else:
            records[-1][1].update(evidence.keys[number])
    return records if len(records) > 1 else []


_NO_SUCH: Final = re.compile(
    r"\b(?:no|without|nor|kein(?:e[nmrs]?)?|ohne|aucune?|sans|ning[uú]n[ao]?|sin|nenhuma?|sem|nessun[ao]?|senza)\W+$",
    re.IGNORECASE,
)
_TABLE_HEAD: Final = re.compile(r"\|\s*:?-{2,}")
_PHRASE_WORDS: Final = 3  # content words of a greeting or an offer; what has more of them claims something


class RuleFindings(NamedTuple):
    """What the rules find out about a claim, before anything is decided.

    `derived` are figures that stand nowhere and likely follow from others, `doubtful` those that may do so by chance;
    `opposite` and `not_in_each` are a passage and the words against the claim, "" where there are none.
    """

    located: tuple[Located, ...]
    derived: tuple[str, ...]
    doubtful: tuple[str, ...]
    missing: tuple[Missing, ...]
    misattributed: tuple[Missing, ...]
    coverage: WordCoverage
    opposite: tuple[int, str]
    not_in_each: tuple[int, str]


def check(claim: Claim, evidence: Evidence) -> RuleFindings:
    """Look up every fact, quotation and name of a claim, and compare its other words with the evidence."""
    looked_up = [
        *(find_quotation(quoted, evidence) for quoted in claim.quotations),
        *(find_fact(fact, claim, evidence) for fact in claim.facts),
        *(
            result
            for name in claim.names
            if isinstance(result := find_name(name, claim, evidence), Located) or not _is_denied(name, claim)
        ),
    ]
    located = tuple(result for result in looked_up if isinstance(result, Located))
    derivations = _derivations(claim, looked_up[len(claim.quotations) :], evidence)
    beside = {result.passage for result in located}
    names = names_of(claim)
    coverage = cover(claim.keys - names, claim, evidence, [fact.passage for fact in located])
    return RuleFindings(
        located,
        tuple(dict.fromkeys(one.words for one in derivations.values() if one.is_likely)),
        tuple(dict.fromkeys(one.words for one in derivations.values() if not one.is_likely)),
        # A small number counts where another fact of the sentence is, even without its words: "6 times 7 is 42".
        tuple(
            result
            for result in looked_up
            if isinstance(result, Missing)
            and id(result) not in derivations
            and not (result.elsewhere and result.passage in beside)
        ),
        tuple(_misattributed(claim, looked_up, evidence)),
        coverage,
        turned_around(claim, names, coverage.passages, evidence),
        not_in_each(claim, names, coverage.passages, evidence),
    )


def _derivations(claim: Claim, looked_up: Sequence[Located | Missing], evidence: Evidence) -> dict[int, Derivation]:
    """The calculation of each figure that stands nowhere, by the identity of its result.

    Where none is missing, nothing that calculates or reads tables is imported.
    """
    if not any(isinstance(result, Missing) for result in looked_up):
        return {}
    from trace_inspector.engine.grounding.rules.derivation import derive

    return {
        id(result): derivation
        for fact, result in zip(claim.facts, looked_up, strict=False)
        if isinstance(result, Missing) and (derivation := derive(fact, claim, evidence))
    }


def not_checked(claim: Claim) -> str:
    """Why a sentence claims nothing that could be checked, or ""."""
    if claim.form is Form.CODE:
        return "A code block is not checked."
    if claim.question:
        return "A question claims nothing."
    return "" if claim.facts or claim.quotations else _aside(claim)


def names_of(claim: Claim) -> frozenset[str]:
    """The keys of all names of a claim."""
    return frozenset(key for name in claim.names for key in name.keys)


def _misattributed(claim: Claim, looked_up: Sequence[Located | Missing], evidence: Evidence) -> list[Missing]:
    of_facts = looked_up[len(claim.quotations) : len(claim.quotations) + len(claim.facts)]
    pairs = (
        (fact, result) for fact, result in zip(claim.facts, of_facts, strict=True) if isinstance(result, Located)
    )
    return [*misattributions(claim, pairs, evidence), *names_apart(claim, looked_up, evidence)]


def _aside(claim: Claim) -> str:
    """Why a sentence without figures needs no check, or ""."""
    if claim.form is Form.HEADING or (claim.form is Form.ROW and _TABLE_HEAD.search(claim.text)):
        return "A heading claims nothing."
    if claim.offers or (claim.phrase and len(claim.keys) <= _PHRASE_WORDS):
        return "A greeting, an offer or a word about the answer itself."
    if claim.introduces and not claim.names:
        return "It introduces what follows."
    if not claim.keys:
        return "It has no content word to check."
    return ""
