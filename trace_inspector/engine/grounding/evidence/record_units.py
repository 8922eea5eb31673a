"""What a bare number in a record measures: by its own key, or by a neighbour such as `currency`."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from trace_inspector.engine.grounding.evidence.passages import Leaf, Passage
from trace_inspector.engine.grounding.facts.fact import Fact
from trace_inspector.engine.grounding.text.folding import fold, folded_words
from trace_inspector.engine.grounding.text.units import COUNT, Unit, unit_of
from trace_inspector.engine.grounding.text.words import folded_set, split_words

_UNIT_KEYS: Final = folded_words("currency unit units währung devise moneda valuta")
_RATES: Final = frozenset({"per", "pro", "par", "por", "each", "of", "every"})
_MONEY_KEYS: Final = folded_words("""
    amount price total subtotal balance value cost fee tax fare budget sum payment refund salary deposit betrag preis
    montant prix importe precio saldo
""")


def unit_in_record(passage: Passage, leaf: Leaf, fact: Fact) -> Unit:
    """The unit of a number without one of its own; the length of a list counts."""
    if fact.start == 1 and leaf.is_count:
        return COUNT
    if fact.start > 1 or not leaf.key:
        return ()
    return _unit_of_key(leaf.key) or _unit_beside(passage, leaf)


@lru_cache(maxsize=1 << 12)
def _unit_of_key(key: str) -> Unit:
    words = split_words(key)
    if len(words) > 1 and fold(words[-2]) in _RATES:
        return ()  # visitors_per_day are no days
    if not words or words[-1].lower() == "min":
        return ()  # as often the least as minutes
    return unit_of(words[-1])


@lru_cache(maxsize=1 << 12)
def _is_money(label: str) -> bool:
    return not _MONEY_KEYS.isdisjoint(folded_set(split_words(label)))


@lru_cache(maxsize=1 << 12)
def _names_unit(label: str) -> bool:
    words = split_words(label)
    return bool(words) and not _UNIT_KEYS.isdisjoint(folded_set(words[-1:]))


def _unit_beside(passage: Passage, leaf: Leaf) -> Unit:
    """In an object with `amount` and `currency` the second is the unit of the first."""
    group = leaf.label.rpartition(" ")[0]
    for other in passage.leaves:
        if _names_unit(other.label) and (unit := unit_of(other.value)):
            same_object = other.label.rpartition(" ")[0] == group
            if same_object and (_is_money(leaf.label) or not unit[0][0].startswith("money")):
                return unit
    return ()
