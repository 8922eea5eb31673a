"""How many sentences of a labelled set the records decide, and how many of these rightly, by kind of sentence.

    python -m tests.engine.grounding.records_figures fit [kind …]

With kinds it prints each wrong finding of these too.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from typing import Final

from tests.project.grounding_set.writing import FOLDER
from trace_inspector.core.values.values import Json
from trace_inspector.engine.grounding.evidence.evidence import Evidence, Origin, Source
from trace_inspector.engine.grounding.facts.claim import read_claim
from trace_inspector.engine.grounding.records.check import check_records
from trace_inspector.engine.grounding.tables.record import RecordFinding
from trace_inspector.engine.grounding.tables.tables import tables_of
from trace_inspector.engine.grounding.text.sentences import Form

_AIMED: Final = [
    "record_swap",
    "attribute_swap",
    "status_swap",
    "boolean_in_words",
    "unit_swap",
    "wrong_number",
    "wrong_date",
    "negation",
    "missing_field",
    "overgeneralised",
]


def evidence_of(results: list[Json]) -> Evidence:
    """Evidence with these results alone."""
    evidence = Evidence()
    evidence.results += [(Source(Origin.RESULT, "tool result", f"/{i}"), value) for i, value in enumerate(results)]
    return evidence


def measure(name: str, shown: list[str]) -> None:
    """Print for each kind: sentences, findings, right and wrong ones."""
    lines = [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    kinds: dict[str, Counter[str]] = {}
    labels: dict[str, Counter[str]] = {}
    seconds = 0.0
    evidences: dict[str, Evidence] = {}
    for line in lines:
        key = json.dumps(line["tools"])
        evidence = evidences.setdefault(key, evidence_of([tool["result"] for tool in line["tools"]]))
        start = time.process_time()
        finding = check_records(read_claim(line["text"], Form.PROSE), evidence, tables_of(evidence))
        seconds += time.process_time() - start
        _count(line["kind"], line["label"], finding, kinds, labels)
        if shown and finding and finding.support.value != line["label"] and {line["kind"], "all"} & set(shown):
            _print(f"{line['kind']} {line['label']}: {line['text']}\n    {finding.support.value}: {finding.reason}")
        if "missed" in shown and not finding and line["label"] == "contradictory" and line["kind"] in _AIMED:
            _print(f"missed {line['kind']}: {line['text']}")
    for kind, counts in sorted(kinds.items()):
        _print(f"{kind:20} {counts['all']:4} sentences, found {counts['found']:4}, right {counts['right']:4}, "
              f"wrong {counts['found'] - counts['right']:3}")  # fmt: skip
    for label, counts in sorted(labels.items()):
        _print(f"{label}: found {counts['found']}, right {counts['right']} ({counts['right'] / counts['found']:.1%})")
    aimed = [line for line in lines if line["kind"] in _AIMED and line["label"] == "contradictory"]
    hits = sum(kinds[kind]["contradictory"] for kind in _AIMED)
    _print(f"contradictory, kinds aimed at: {hits} of {len(aimed)} found ({hits / len(aimed):.1%}); {seconds:.2f} s")


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")


def _count(
    kind: str,
    label: str,
    finding: RecordFinding | None,
    kinds: dict[str, Counter[str]],
    labels: dict[str, Counter[str]],
) -> None:
    of_kind = kinds.setdefault(kind, Counter())
    of_kind["all"] += 1
    if finding:
        is_right = finding.support.value == label
        of_kind["found"] += 1
        of_kind["right"] += is_right
        of_kind[label] += is_right
        of_rule = labels.setdefault(f"{finding.support.value}, {finding.rule}", Counter())
        of_rule["found"] += 1
        of_rule["right"] += is_right
        of_label = labels.setdefault(finding.support.value, Counter())
        of_label["found"] += 1
        of_label["right"] += is_right


if __name__ == "__main__":
    measure(sys.argv[1], sys.argv[2:])
