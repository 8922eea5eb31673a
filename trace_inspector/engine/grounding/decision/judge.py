"""Judges each sentence of an answer: what claims nothing, what is sure, and for all else the fitted model."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.verdict.verdict import Sentence, SentenceSupport
from trace_inspector.engine.grounding.decision.model import PROSE, RECORDS, Sensitivity, features, fitted_model
from trace_inspector.engine.grounding.decision.overlap import Overlap, overlap
from trace_inspector.engine.grounding.decision.reasons import (
    Reason,
    opposite_reason,
    reason_with,
    why_flagged,
    why_supported,
)
from trace_inspector.engine.grounding.evidence.evidence import Evidence
from trace_inspector.engine.grounding.facts.claim import MAX_SENTENCE_CHARS, Claim, read_claim
from trace_inspector.engine.grounding.facts.fact import FactKind
from trace_inspector.engine.grounding.rules.check import RuleFindings, check, not_checked
from trace_inspector.engine.grounding.rules.support import find_verbatim
from trace_inspector.engine.grounding.text.languages import language_of, shares_language
from trace_inspector.engine.grounding.text.sentences import Form, Span
from trace_inspector.engine.grounding.text.words import find_words, keys_of

_KINDS: Final = {RECORDS: "On tool results by strangers", PROSE: "On prose by strangers"}
_LITTLE: Final = 0.2  # of the words of a sentence, by weight
_LINES: Final = 12  # of which the language is told together
_CALCULATIONS: Final = 2  # that a reason shows
_LOOKED_AT: Final = 4_000  # characters of a result
_IN_COLUMNS: Final = re.compile(r"\S(?: {2,}|\t)\S.*\S(?: {2,}|\t)\S")
_SIGNS: Final = frozenset("=(){}[]<>|/_\\;#@$*+")
_SHARE_OF_SIGNS: Final = 0.05
_BEGINS_WITH_TIME: Final = re.compile(r"\W{0,3}\d{1,4}[-/:.]\d")
_LEAST_PROSE: Final = 30  # characters of two sentences
_NEAR_VERBATIM: Final = 0.3  # shared pairs of words from which on the whole sentence is looked for


def judge_spans(
    answer: str, spans: Iterable[Span], evidence: Evidence, sensitivity: Sensitivity = Sensitivity.CAREFUL
) -> list[Sentence]:
    """Judge sentences of an answer by the evidence so far."""
    threshold = fitted_model().thresholds[sensitivity.value]
    alike: dict[tuple[str, Form], Sentence] = {}  # an answer that went round in circles says the same again
    judged: list[Sentence] = []
    for span in spans:
        said = answer[span.start : span.end], span.form
        known = alike.get(said)
        if known is None:
            known = alike[said] = _judge(*said, evidence, threshold)
        judged.append(replace(known, start=span.start, end=span.end))
    return judged


class Decision(NamedTuple):
    """The label of a sentence with its reason."""

    support: SentenceSupport
    reason: Reason


class Examined(NamedTuple):
    """A sentence that is neither left out nor sure, as the model sees it."""

    checked: RuleFindings
    words: Overlap
    features: dict[str, float]


def examine(claim: Claim, evidence: Evidence) -> Decision | Examined:
    """Label a sentence that needs no model, or give what the model needs."""
    if why := not_checked(claim):
        return Decision(SentenceSupport.NOT_APPLICABLE, Reason(why))
    words = overlap(claim, evidence)
    if words.pairs >= _NEAR_VERBATIM and (passage := find_verbatim(claim.text, words.passages, evidence)) is not None:
        reason = reason_with("It stands word for word in the evidence.", evidence, passage)
        return Decision(SentenceSupport.SUPPORTED, reason)
    judged = _by_records(claim, evidence) if evidence.results else None
    if judged and judged.support is SentenceSupport.SUPPORTED:
        return judged
    if claim.advises and not claim.facts:
        return Decision(SentenceSupport.NOT_APPLICABLE, Reason("Advice without a figure."))
    if judged is None and evidence.results and (against := _of_another(claim, words, evidence)):
        return against
    checked = check(claim, evidence)
    if judged and not checked.derived:  # a figure that follows from others is no wrong value of a field
        return judged
    if checked.derived and not checked.missing and not checked.doubtful:
        return _derived(claim, checked, words, evidence)
    among = has_records(evidence)
    values = features(claim, checked, words, evidence, has_records=among)
    values["other_language"] = float(among and bool(_other_language(claim, words, evidence)))
    values["all_there"] = float(among and _all_is_there(checked, words))
    return Examined(checked, words, values)


def _derived(claim: Claim, checked: RuleFindings, words: Overlap, evidence: Evidence) -> Decision:
    """The label of a sentence whose figures follow from those of the evidence."""
    calculations = "; ".join(checked.derived[:_CALCULATIONS])
    shown = why_supported(claim, checked, words, evidence)
    if shown is None or checked.misattributed:
        doubt = f"A figure that stands nowhere may follow from others ({calculations})."
        return Decision(SentenceSupport.CANNOT_TELL, Reason(doubt))
    return Decision(SentenceSupport.SUPPORTED, shown._replace(words=f"It follows by calculation: {calculations}."))


def _by_records(claim: Claim, evidence: Evidence) -> Decision | None:
    """What is sure by the records of the results; without results none of its thirty modules is imported."""
    from trace_inspector.engine.grounding.records.check import check_records
    from trace_inspector.engine.grounding.tables.tables import tables_of

    finding = check_records(claim, evidence, tables_of(evidence))
    if finding is None:
        return None
    return Decision(finding.support, Reason(f"{finding.reason.rstrip('.')}.", finding.excerpt, finding.source))


def _of_another(claim: Claim, words: Overlap, evidence: Evidence) -> Decision | None:
    """That the evidence says of another thing what a sentence says of one; imported where there is any prose."""
    leaves = (leaf for passage in words.passages for leaf in evidence.passages[passage].leaves)
    if all(len(leaf.value) < _LEAST_PROSE for leaf in leaves):
        return None
    from trace_inspector.engine.grounding.rules.subjects import said_of_another

    found = said_of_another(claim, words.passages, evidence)
    if found is None:
        return None
    said = f"The evidence says so of another: “{found.said}”; here it says “{found.own}”."
    return Decision(SentenceSupport.CONTRADICTORY, reason_with(said, evidence, found.passage))


def has_records(evidence: Evidence) -> bool:
    """Whether any result has records, other than sentences that are alike, or lines of a program and no prose."""
    if not evidence.results:
        return False
    known = evidence.recall(_HasRecords) or _HasRecords(0, of_program=False, answer=False)
    if known.looked_at < len(evidence.results):  # a conversation goes on: each result is looked at once
        of_program = known.of_program or any(
            isinstance(value, str) and _is_of_program(value[:_LOOKED_AT])
            for _source, value in evidence.results[known.looked_at :]
        )
        answer = of_program or _has_tables(evidence)
        known = _HasRecords(len(evidence.results), of_program=of_program, answer=answer)
        evidence.keep(known)
    return known.answer


class _HasRecords(Struct, frozen=True):
    looked_at: int  # results
    of_program: bool
    answer: bool


def _has_tables(evidence: Evidence) -> bool:
    from trace_inspector.engine.grounding.tables.tables import SENTENCES, tables_of

    return any(table.name != SENTENCES for table in tables_of(evidence))


def _is_of_program(text: str) -> bool:
    """Whether most lines of a text are those of a listing, a log or code: columns, or many signs and figures."""
    lines = [line for line in text.splitlines() if line.strip()]
    return 2 * sum(_IN_COLUMNS.search(line) is not None or _is_code(line) for line in lines) > len(lines) > 2


def _is_code(line: str) -> bool:
    signs = sum(char in _SIGNS for char in line)
    return signs > _SHARE_OF_SIGNS * len(line) or _BEGINS_WITH_TIME.match(line) is not None


def _judge(text: str, form: Form, evidence: Evidence, threshold: float) -> Sentence:
    claim = read_claim(text[:MAX_SENTENCE_CHARS], form)
    examined = examine(claim, evidence)
    judged = _decide(claim, examined, evidence, threshold) if isinstance(examined, Examined) else examined
    words = judged.reason.words
    if len(text) > MAX_SENTENCE_CHARS:
        words += f" Only the first {MAX_SENTENCE_CHARS:,} of its {len(text):,} characters were read."
    reason = judged.reason
    if reason.source is None:
        return Sentence(0, len(text), judged.support, words)
    return Sentence(0, len(text), judged.support, words, reason.excerpt, reason.source.words, reason.source.place)


def _decide(claim: Claim, examined: Examined, evidence: Evidence, threshold: float) -> Decision:
    checked, overlapping = examined.checked, examined.words
    model = fitted_model()
    probability = model.probability(examined.features)
    # What a user said is no record of anything, but who repeats the names and figures of it invents nothing.
    repeats = not evidence.has_results and bool(checked.located) and not (checked.missing or checked.misattributed)
    if _is_reverse(claim, checked) and (against := opposite_reason(checked, evidence)):
        return Decision(SentenceSupport.CONTRADICTORY, against)
    if probability < threshold or repeats:
        if not checked.located and (why := _other_language(claim, overlapping, evidence)):
            return Decision(SentenceSupport.CANNOT_TELL, Reason(why))
        has_little = not checked.located and overlapping.together < _LITTLE
        if has_little and probability >= model.thresholds[Sensitivity.EAGER.value]:
            return _undecided(claim, examined, evidence)
        reason = why_supported(claim, checked, overlapping, evidence)
        return (
            Decision(SentenceSupport.SUPPORTED, reason)
            if reason
            else Decision(SentenceSupport.CANNOT_TELL, Reason("The evidence has none of its words to compare."))
        )
    if why := cannot_know(claim, examined, evidence):
        return Decision(SentenceSupport.CANNOT_TELL, Reason(why))
    reason = why_flagged(model.weighed(examined.features), claim, checked, overlapping, evidence)
    kind = RECORDS if examined.features["has_records"] else PROSE
    right = f"{_KINDS[kind]} about {model.right_of_ten(kind, probability)} of 10 such flags are right."
    words = (reason.words, right, _cut(evidence))
    return Decision(SentenceSupport.UNSUPPORTED, reason._replace(words=" ".join(filter(None, words))))


def _is_reverse(claim: Claim, checked: RuleFindings) -> bool:
    """Whether a clause of the evidence has the very words of the sentence and says the opposite of it."""
    against = checked.opposite[1]
    return bool(against) and len(claim.keys) > 1 and keys_of(find_words(against)) == claim.keys


def _undecided(claim: Claim, examined: Examined, evidence: Evidence) -> Decision:
    """The label of a sentence that only the setting `eager` flags."""
    weighed = fitted_model().weighed(examined.features)
    reason = why_flagged(weighed, claim, examined.checked, examined.words, evidence)
    return Decision(SentenceSupport.CANNOT_TELL, reason._replace(words=f"Too little to decide: {reason.words}"))


def cannot_know(claim: Claim, examined: Examined, evidence: Evidence) -> str:
    """Why words cannot decide that a sentence is unsupported, or ""; a figure that is nowhere does all the same."""
    if any(one.kind is not FactKind.NAME or not claim.judges for one in examined.checked.missing):
        return ""
    if examined.checked.doubtful:
        calculations = "; ".join(examined.checked.doubtful[:_CALCULATIONS])
        return f"A figure that stands nowhere may follow from others ({calculations})."
    if len(claim.keys) <= 1 and not _says_enough_of_prose(claim, evidence):
        return "It has too few words to compare."
    if cut := _cut(evidence):
        return cut
    if not has_records(evidence):
        return _other_language(claim, examined.words, evidence)
    if _all_is_there(examined.checked, examined.words) or _all_is_located(examined.checked):
        return "All its words are in the evidence; whether they say the same there cannot be told by them."
    # The keys of records are English in any language: there the model weighs that a sentence is in another one.
    return "It is a judgement or a guess, and the evidence has figures and states only." if claim.judges else ""


def _says_enough_of_prose(claim: Claim, evidence: Evidence) -> bool:
    """Whether one content word can be held against the evidence, as in "It is a comedy.".

    Records give in figures and names what a sentence says in a word; a word by itself ("Gladly.") claims nothing.
    """
    has_sentence = len(claim.folded) > 1 and not claim.judges
    return has_sentence and bool(evidence.results) and not has_records(evidence)


def _all_is_there(checked: RuleFindings, words: Overlap) -> bool:
    """Whether nothing speaks against a sentence but the order of its words."""
    return not _speaks_against(checked) and words.together >= 1.0


def _all_is_located(checked: RuleFindings) -> bool:
    """Whether each figure and name was found, and every other word beside them."""
    return (
        bool(checked.located) and not _speaks_against(checked) and checked.coverage.words <= checked.coverage.covered
    )


def _speaks_against(checked: RuleFindings) -> bool:
    return bool(checked.missing or checked.misattributed or checked.opposite[1] or checked.not_in_each[1])


def _cut(evidence: Evidence) -> str:
    if evidence.cut.read == evidence.cut.whole:
        return ""
    return f"Only {evidence.cut.read:,} of {evidence.cut.whole:,} characters of evidence were read."


def _other_language(claim: Claim, words: Overlap, evidence: Evidence) -> str:
    """Why its words cannot be compared with those of the evidence, or ""."""
    if not language_of(claim.wording):
        return ""
    newest = evidence.newest_results()
    near = {evidence.passages[passage].language for passage in words.passages or newest} - {""}
    if not near:  # of one line the language does not show
        near = {language_of(" ".join(evidence.passages[passage].text for passage in newest[:_LINES]))} - {""}
    if shares_language(claim.wording, near):
        return ""
    return "It is in another language than the evidence, so that its words cannot be compared."
