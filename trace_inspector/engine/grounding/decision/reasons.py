"""The reason for a label in words, with the excerpt that shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from trace_inspector.engine.grounding.decision.overlap import Overlap
from trace_inspector.engine.grounding.evidence.evidence import Evidence, Source
from trace_inspector.engine.grounding.facts.claim import Claim
from trace_inspector.engine.grounding.rules.check import RuleFindings
from trace_inspector.engine.grounding.rules.support import first_word
from trace_inspector.engine.grounding.text.words import find_words, keys_of

_EXCERPT_CHARS: Final = 200
_NAMED: Final = 3  # facts and words named in a reason
_WORD_CHARS: Final = 40


class Reason(NamedTuple):
    """Words, and an excerpt of the evidence with its source; "" and None when nothing can be shown."""

    words: str
    excerpt: str = ""
    source: Source | None = None


def reason_with(words: str, evidence: Evidence, passage: int | None, start: int = 0, end: int = 0) -> Reason:
    """A reason that shows a passage around characters [start, end); without a passage the words alone."""
    if passage is None:
        return Reason(words)
    return Reason(words, _excerpt(evidence.passages[passage].text, start, end), evidence.sources[passage])


def why_flagged(
    weighed: Sequence[str], claim: Claim, checked: RuleFindings, words: Overlap, evidence: Evidence
) -> Reason:
    """The reason of the feature that weighed most among those that can be shown; `weighed` is in this order."""
    for name in weighed:
        explain = _REASONS.get(name.removesuffix("_among_records"))
        reason = explain(claim, checked, words, evidence) if explain else None
        if reason:
            return reason
    return _absent_words(claim, checked, words, evidence) or Reason("The evidence does not say so.")


def why_supported(claim: Claim, checked: RuleFindings, words: Overlap, evidence: Evidence) -> Reason | None:
    """What of a sentence the evidence has; None where nothing could be shown."""
    keys = claim.keys
    shares = f"{len(keys - words.absent)} of {len(keys)} content words"
    if checked.located:
        together = Counter(fact.passage for fact in checked.located)
        best = max(
            checked.located,
            key=lambda fact: (together[fact.passage], len(claim.keys & evidence.keys[fact.passage])),
        )
        beside = f", and {shares}" if keys else ""
        listed = _listed([fact.words for fact in checked.located])
        return reason_with(f"The evidence has the {listed}{beside}.", evidence, best.passage, best.start, best.end)
    if not words.passages or not keys - words.absent:
        return None
    passage = words.passages[0]
    start, end = first_word(evidence.passages[passage].text, keys)
    return reason_with(f"The evidence has {shares}.", evidence, passage, start, end)


def _missing(_claim: Claim, checked: RuleFindings, _words: Overlap, evidence: Evidence) -> Reason | None:
    absent = [fact.words for fact in checked.missing if not fact.instead]
    if absent:
        verb = "is" if len(absent) == 1 else "are"
        return Reason(f"The {_listed(absent)} {verb} {_nowhere(evidence)}.")
    if not checked.missing:
        return None
    first = min(checked.missing, key=lambda fact: fact.elsewhere)
    return reason_with(
        f"The {first.words} is not borne out: {first.instead}.", evidence, first.passage, first.start, first.end
    )


def _misattributed(_claim: Claim, checked: RuleFindings, _words: Overlap, evidence: Evidence) -> Reason | None:
    if not checked.misattributed:
        return None
    first = checked.misattributed[0]
    return reason_with(
        f"The {first.words} is not borne out: {first.instead}.", evidence, first.passage, first.start, first.end
    )


def _opposite(_claim: Claim, checked: RuleFindings, _words: Overlap, evidence: Evidence) -> Reason | None:
    return opposite_reason(checked, evidence)


def opposite_reason(checked: RuleFindings, evidence: Evidence) -> Reason | None:
    """What the evidence says otherwise, where it does."""
    passage, against = checked.opposite
    if not against:
        return None
    start = max(0, evidence.passages[passage].text.find(against))
    return reason_with(f"The evidence says otherwise: “{against}”.", evidence, passage, start, start + len(against))


def _not_in_each(_claim: Claim, checked: RuleFindings, _words: Overlap, evidence: Evidence) -> Reason | None:
    lacking, why = checked.not_in_each
    return reason_with(why, evidence, lacking) if why else None


def _absent_words(claim: Claim, _checked: RuleFindings, words: Overlap, evidence: Evidence) -> Reason | None:
    spelled = list(dict.fromkeys(find_words(claim.text)))
    keys = claim.keys
    covered = frozenset[str]().union(*(keys & evidence.keys[passage] for passage in words.passages))
    shown = [word for word in spelled if keys_of((word,)) & keys - covered][:_NAMED]
    if not shown:
        return None
    named = ", ".join(f"“{word[:_WORD_CHARS]}”" for word in shown)
    count = f"{len(covered)} of {len(keys)}"
    return Reason(f"Only {count} content words stand together in the evidence; {named} do not.")


def _apart(_claim: Claim, _checked: RuleFindings, words: Overlap, evidence: Evidence) -> Reason | None:
    if not words.passages:
        return None
    return reason_with(
        "Its words are in the evidence, but in another order and context.", evidence, words.passages[0]
    )


def _foreign(_claim: Claim, _checked: RuleFindings, _words: Overlap, _evidence: Evidence) -> Reason:
    return Reason("It is in another language than the evidence, which has little that it could rest on.")


_Explain = Callable[[Claim, RuleFindings, Overlap, Evidence], Reason | None]
_REASONS: Final[dict[str, _Explain]] = {
    **dict.fromkeys(
        ("missing_number", "missing_time", "missing_code", "missing_name", "missing_quotation"),
        _missing,
    ),
    "misattributed": _misattributed,
    "opposite": _opposite,
    "not_in_each": _not_in_each,
    **dict.fromkeys(("best", "together", "anywhere", "clause", "coverage", "absent", "absent_cause"), _absent_words),
    **dict.fromkeys(("pairs", "all_there"), _apart),
    "other_language": _foreign,
}  # fmt: skip


def _nowhere(evidence: Evidence) -> str:
    if not evidence.has_results:
        return "not in the user’s words, and there is no tool result"
    if evidence.has_instructions:
        return "in no tool result, not in the user’s words and not in the instructions"
    return "in no tool result and not in the user’s words"


def _listed(items: Sequence[str]) -> str:
    """The first items in a row, with the number of the others."""
    shown = list(items[:_NAMED])
    if len(items) > _NAMED:
        shown.append(f"{len(items) - _NAMED} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _excerpt(text: str, start: int, end: int) -> str:
    """The part of a passage around characters [start, end)."""
    if len(text) <= _EXCERPT_CHARS:
        return text
    first = max(0, min(start - (_EXCERPT_CHARS - (end - start)) // 2, len(text) - _EXCERPT_CHARS))
    last = min(len(text), first + _EXCERPT_CHARS)
    return ("…" if first else "") + text[first:last].strip() + ("…" if last < len(text) else "")
