"""Counts, for each kind of the labelled sentences, how many calculations are found, right and wrong."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

from tests.engine.grounding.result_tables import tables_of_result
from trace_inspector.engine.grounding.calculations.calculations import check_calculation
from trace_inspector.engine.grounding.evidence.evidence import Origin, Source
from trace_inspector.engine.grounding.facts.claim import read_claim
from trace_inspector.engine.grounding.tables.record import Table
from trace_inspector.engine.grounding.text.sentences import Form

DATA = Path(__file__).parents[2] / "data" / "grounding"


def write(*words: str) -> None:
    """A line of the report."""
    sys.stdout.write(" ".join(words) + "\n")


def main(name: str, undecided: frozenset[str], *, verbose: bool) -> None:
    """Write the figures of one set; with `verbose` also its wrong findings, and undecided sentences of some kinds."""
    found: Counter[str] = Counter()
    right: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        whole[entry["kind"]] += 1
        tables: list[Table] = []
        for number, tool in enumerate(entry["tools"]):
            source = Source(Origin.RESULT, f"{tool['name']} result", f"/{number}")
            tables.extend(tables_of_result(tool["result"], source=source))
        finding = check_calculation(read_claim(entry["text"], Form.PROSE), tables)
        if finding is None:
            if entry["kind"] in undecided:
                write("     -", entry["id"], entry["label"], entry["text"])
            continue
        found[entry["kind"]] += 1
        is_right = finding.support.value == entry["label"]
        right[entry["kind"]] += is_right
        if verbose and not is_right:
            write("WRONG", entry["id"], entry["label"], entry["text"], "|", finding.rule, finding.reason)
    write(f"{'kind':20} {'all':>4} {'found':>5} {'right':>5} {'wrong':>5}")
    for kind in sorted(whole):
        write(f"{kind:20} {whole[kind]:4} {found[kind]:5} {right[kind]:5} {found[kind] - right[kind]:5}")
    write(f"{'all':20} {whole.total():4} {found.total():5} {right.total():5} {found.total() - right.total():5}")


if __name__ == "__main__":
    kinds = frozenset(sys.argv[3].split(",")) if len(sys.argv) > 3 else frozenset()
    main(sys.argv[1] if len(sys.argv) > 1 else "fit", kinds, verbose=len(sys.argv) > 2)
