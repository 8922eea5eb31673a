"""Judges each sentence of an answer, with a reason in words and the excerpt that supports it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from trace_inspector.core.verdict.verdict import Sentence, SentenceSupport
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.evidence.passages import Leaf
from trace_inspector.engine.grounding.facts.claim import MAX_SENTENCE_CHARS, Claim, read_claim
from trace_inspector.engine.grounding.facts.fact import Fact, FactKind
from trace_inspector.engine.grounding.facts.reading import read
from trace_inspector.engine.grounding.rules.attribution import misattributions, names_apart
from trace_inspector.engine.grounding.rules.coverage import WordCoverage, cover
from trace_inspector.engine.grounding.rules.polarity import turned_around
from trace_inspector.engine.grounding.rules.support import (
    Located,
    Missing,
    find_fact,
    find_name,
    find_quotation,
    first_word,
    is_small,
)
from trace_inspector.engine.grounding.text.sensitivity import Sensitivity
from trace_inspector.engine.grounding.text.sentences import Form, Span
from trace_inspector.engine.grounding.text.units import measures
from trace_inspector.engine.grounding.text.vocabulary import ALL_OF_THEM
from trace_inspector.engine.grounding.text.words import find_words, keys_of

_MAX_RECORDS: Final = 100


def not_in_each(claim: Claim, names: frozenset[str], passages: Iterable[int], evidence: Evidence) -> tuple[int, str]:
    """A record that lacks a word of the others in its list, and why that matters; "" when there is none."""
    if claim.folded.isdisjoint(ALL_OF_THEM):
        return 0, ""
    for passage in passages:
        records = _records(passage, evidence)
        labels = {
            key for record, _ in records for leaf in evidence.passages[record].leaves for key in read(leaf.key).keys
        }
        for word in find_words(claim.text):
            keys = (keys_of((word,)) & claim.keys) - names - labels
            having = [record for record, there in records if keys and keys <= there]
            if having and len(having) < len(records):
                lacking = next(record for record, there in records if not keys <= there)
                return lacking, f"Only {len(having)} of {len(records)} records have “{word[:40]}”."
    return 0, ""


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


_TABLE_HEAD: Final = re.compile(r"\|\s*:?-{2,}")
_EXCERPT_CHARS: Final = 200
_BESIDE_CHARS: Final = 30
_NAMED: Final = 3  # facts named in a reason
_ENOUGH_ALONE: Final = 0.5  # share of the content words, where no fact supports the sentence
_ENOUGH_UNSPACED: Final = 0.55  # pairs of characters agree by chance more often
_ENOUGH_BESIDE_FACTS: Final = 0.3


def judge_spans(
    answer: str,
    spans: Iterable[Span],
    evidence: Evidence,
    sensitivity: Sensitivity = Sensitivity.CAREFUL,  # noqa: ARG001 — these rules flag the same either way
) -> list[Sentence]:
    """Judge sentences of an answer by the evidence so far.

    Facts and names decide before words, because a missing figure is an error whatever the sentence says around it.
    Only where all of them are found are the remaining words compared, for negations and for how many are covered."""
    return [_judge(answer, span, evidence) for span in spans]


@dataclass(frozen=True, slots=True)
class _Finding:
    support: SentenceSupport
    reason: str
    passage: int | None = None
    start: int = 0
    end: int = 0


def _judge(answer: str, span: Span, evidence: Evidence) -> Sentence:
    text = answer[span.start : span.end]
    finding = _find(read_claim(text[:MAX_SENTENCE_CHARS], span.form), evidence)
    reason = finding.reason
    if len(text) > MAX_SENTENCE_CHARS:
        reason += f" Only the first {MAX_SENTENCE_CHARS:,} of its {len(text):,} characters were read."
    if finding.support is SentenceSupport.UNSUPPORTED and evidence.cut.read < evidence.cut.whole:
        reason += f" Only {evidence.cut.read:,} of {evidence.cut.whole:,} characters of evidence were read."
    if finding.passage is None:
        return Sentence(span.start, span.end, finding.support, reason)
    source = evidence.sources[finding.passage]
    excerpt = _excerpt(evidence.passages[finding.passage].text, finding.start, finding.end)
    return Sentence(span.start, span.end, finding.support, reason, excerpt, source.words, source.place)


def _find(claim: Claim, evidence: Evidence) -> _Finding:
    if claim.form is Form.CODE:
        return _Finding(SentenceSupport.NOT_APPLICABLE, "A code block is not checked.")
    if claim.question:
        return _Finding(SentenceSupport.NOT_APPLICABLE, "A question claims nothing.")
    if not claim.facts and not claim.quotations and (aside := _aside(claim)):
        return _Finding(SentenceSupport.NOT_APPLICABLE, aside)
    looked_up = [
        *(find_quotation(quoted, evidence) for quoted in claim.quotations),
        *(find_fact(fact, claim, evidence) for fact in claim.facts),
        *(find_name(name, claim, evidence) for name in claim.names),
    ]
    located = [result for result in looked_up if isinstance(result, Located)]
    beside = {result.passage for result in located}
    # A small number counts where another fact of the sentence is, even without its words: "6 times 7 is 42".
    missing = [
        result
        for result in looked_up
        if isinstance(result, Missing) and not (result.elsewhere and result.passage in beside)
    ]
    missing = missing or _misattributed(claim, looked_up, evidence)
    return _report_missing(missing, evidence) if missing else _compare_words(claim, located, evidence)


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
    if claim.phrase:
        return "A greeting, an offer or a word about the answer itself."
    if claim.introduces and not claim.names:
        return "It introduces what follows."
    if not claim.keys:
        return "It has no content word to check."
    return ""


def _report_missing(missing: Sequence[Missing], evidence: Evidence) -> _Finding:
    """Name what is missing; else what has another unit or belongs to something else."""
    absent = [fact.words for fact in missing if not fact.instead]
    if absent:
        verb = "is" if len(absent) == 1 else "are"
        return _Finding(SentenceSupport.UNSUPPORTED, f"The {_listed(absent)} {verb} {_nowhere(evidence)}.")
    first = min(missing, key=lambda fact: fact.elsewhere)
    reason = f"The {first.words} is not borne out: {first.instead}."
    return _Finding(SentenceSupport.UNSUPPORTED, reason, first.passage, first.start, first.end)


def _nowhere(evidence: Evidence) -> str:
    if not evidence.has_results:
        return "not in the user’s words, and there is no tool result"
    if evidence.has_instructions:
        return "in no tool result, not in the user’s words and not in the instructions"
    return "in no tool result and not in the user’s words"


def _compare_words(claim: Claim, located: list[Located], evidence: Evidence) -> _Finding:
    """All facts and names are found: compare the other words."""
    names = _names(claim)
    own = claim.keys - names
    coverage = cover(own, claim, evidence, [fact.passage for fact in located])
    passage, against = turned_around(claim, names, coverage.passages, evidence)
    if against:
        start = max(0, evidence.passages[passage].text.find(against))
        return _Finding(
            SentenceSupport.UNSUPPORTED,
            f"The evidence says otherwise: “{against}”.",
            passage,
            start,
            start + len(against),
        )
    lacking, why = not_in_each(claim, names, coverage.passages, evidence)
    if why:
        return _Finding(SentenceSupport.UNSUPPORTED, why, lacking)
    if _is_covered(claim, coverage, located, evidence):
        return _supported(claim, coverage, located, evidence)
    if claim.advice and not claim.facts:
        return _Finding(SentenceSupport.NOT_APPLICABLE, "An opinion or advice without a figure.")
    if not located and len(coverage.words) <= 1:
        return _Finding(SentenceSupport.NOT_APPLICABLE, "It has too few words to check.")
    return _uncovered(claim, coverage)


def _is_covered(claim: Claim, coverage: WordCoverage, located: list[Located], evidence: Evidence) -> bool:
    if not located and not coverage.passages:
        return False
    if (
        claim.quotations
        or any(map(_is_distinctive, claim.facts))
        or any(_is_labelled(fact, claim, evidence) for fact in located)
    ):
        return len(coverage.words) <= 2 or coverage.share >= _ENOUGH_BESIDE_FACTS
    if any(_is_stated(leaf, claim) for passage in coverage.passages for leaf in evidence.passages[passage].leaves):
        return True
    enough = _ENOUGH_UNSPACED if claim.unspaced else _ENOUGH_ALONE
    return coverage.share >= enough and len(coverage.covered) >= min(2, len(coverage.words))


def _is_distinctive(fact: Fact) -> bool:
    """Whether a fact is distinctive by itself; small bare numbers occur everywhere, even in names."""
    return (
        fact.kind is not FactKind.NUMBER
        or fact.amount is None
        or measures(fact.amount.unit)
        or not is_small(fact.amount)
    )


def _is_stated(leaf: Leaf, claim: Claim) -> bool:
    """Whether it is a truth value under a key that the sentence names in full."""
    return leaf.value in ("true", "false") and bool(keys := read(leaf.label).keys) and keys <= claim.keys


def _is_labelled(located: Located, claim: Claim, evidence: Evidence) -> bool:
    """Whether a value is the length of a list, or its key or a neighbouring word is in the sentence."""
    leaf = located.leaf
    if leaf is None:
        return False
    text = evidence.passages[located.passage].text
    beside = (*find_words(text[max(0, located.start - _BESIDE_CHARS) : located.start])[-1:],
              *find_words(text[located.end : located.end + _BESIDE_CHARS])[:1])  # fmt: skip
    content = claim.keys - _names(claim)
    return (bool(leaf.key) and leaf.is_count) or not content.isdisjoint(read(leaf.label).keys | keys_of(beside))


def _names(claim: Claim) -> frozenset[str]:
    return frozenset(key for name in claim.names for key in name.keys)


def _supported(claim: Claim, coverage: WordCoverage, located: list[Located], evidence: Evidence) -> _Finding:
    shares = f"{len(coverage.covered)} of {len(coverage.words)} content words"
    if not located:
        passage = coverage.passages[0]
        start, end = first_word(evidence.passages[passage].text, coverage.covered)
        return _Finding(SentenceSupport.SUPPORTED, f"The evidence has {shares}.", passage, start, end)
    together = Counter(fact.passage for fact in located)
    best = max(located, key=lambda fact: (together[fact.passage], len(claim.keys & evidence.keys[fact.passage])))
    words = f", and {shares}" if coverage.words else ""
    reason = f"The evidence has the {_listed([fact.words for fact in located])}{words}."
    return _Finding(SentenceSupport.SUPPORTED, reason, best.passage, best.start, best.end)


def _uncovered(claim: Claim, coverage: WordCoverage) -> _Finding:
    absent = coverage.words - coverage.covered
    shown = [word for word in dict.fromkeys(find_words(claim.text)) if keys_of((word,)) & absent][:_NAMED]
    words = ", ".join(f"“{word[:40]}”" for word in shown)
    count = f"{len(coverage.covered)} of {len(coverage.words)}"
    return _Finding(
        SentenceSupport.UNSUPPORTED, f"Only {count} content words stand together in the evidence; {words} do not."
    )


def _listed(items: Sequence[str]) -> str:
    """The first items in a row, with the number of the others."""
    shown = list(items[:_NAMED])
    if len(items) > _NAMED:
        shown.append(f"{len(items) - _NAMED} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _excerpt(text: str, start: int, end: int) -> str:
    if len(text) <= _EXCERPT_CHARS:
        return text
    first = max(0, min(start - (_EXCERPT_CHARS - (end - start)) // 2, len(text) - _EXCERPT_CHARS))
    last = min(len(text), first + _EXCERPT_CHARS)
    return ("…" if first else "") + text[first:last].strip() + ("…" if last < len(text) else "")
