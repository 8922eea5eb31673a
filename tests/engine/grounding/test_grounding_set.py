"""The labelled sentences that `local_grounding` is measured on: enough of them, of every kind, each labelled."""

from __future__ import annotations

import json
from collections import Counter

from benchmarks.grounding_quality import judged
from benchmarks.grounding_sets import FIRST_SET, first_set

KINDS = {
    "units", "rounding", "negation", "dates", "plurals", "languages", "paraphrase", "identifiers", "lists", "tables",
}  # fmt: skip


def test_the_set_is_large_and_even() -> None:
    entries = json.loads(FIRST_SET.read_text(encoding="utf-8"))
    by_kind = Counter(entry["kind"] for entry in entries for _sentence in entry["sentences"])
    labels = Counter(label for entry in entries for label, _text in entry["sentences"])
    assert set(by_kind) == KINDS
    assert by_kind.total() >= 300
    assert min(by_kind.values()) >= 30
    assert set(labels) == {"supported", "unsupported", "not_applicable"}
    assert labels["unsupported"] > by_kind.total() / 3


def test_no_sentence_is_labelled_twice() -> None:
    entries = json.loads(FIRST_SET.read_text(encoding="utf-8"))
    assert all(len({text for _label, text in entry["sentences"]}) == len(entry["sentences"]) for entry in entries)


def test_the_measurement_tells_most_identifiers_apart() -> None:
    judgements = [judged(unit) for unit in first_set() if unit.kind == "identifiers"]
    assert sum(judgement.unit.is_bad == judgement.is_flagged for judgement in judgements) > len(judgements) / 2
