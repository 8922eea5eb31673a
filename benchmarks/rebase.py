"""How long a rebase takes: the rows of 200 and of 2,000 goldens, and from one decision to the verdicts after it.

The suites have six systematic changes that overlap, and single changes, hand edits and regressions among them
(`tests/helpers/rebase_suite.py`). Few decisions must give the expected file to the byte.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.measure import table
from tests.helpers.rebase_suite import suite
from trace_inspector.engine.rebasing.rule import Decided, RebaseDecision
from trace_inspector.flows.rebasing.rebase_files import rebase_of

COUNTS = (200, 2_000)


def main() -> None:
    """One line for each number of goldens."""
    head = "goldens", "rows ready", "longest decision", "decisions", "red after", "file as expected", "all in all"
    lines: list[tuple[str, ...]] = [head]
    for count in COUNTS:
        with tempfile.TemporaryDirectory() as folder:
            lines.append((f"{count:,}", *measured(Path(folder), count)))
    table("Rebasing goldens", lines)


def measured(folder: Path, count: int) -> tuple[str, ...]:
    """The figures of one suite, its files read from disk: what is rare is rejected, the rest accepted row by row."""
    files = suite(folder, count)
    started_s = time.perf_counter()
    with rebase_of([files.golden], files.base, files.new) as rebase:
        rows = rebase.rows
        rebase.after()
        ready_s = time.perf_counter() - started_s
        many = [row for row in rows if len(row.cases) > count // 4]
        decided = [Decided(row.rule, RebaseDecision.REJECT) for row in rows if row not in many]
        rejected, longest_s = len(decided), 0.0
        for row in many:
            decided.append(Decided(row.rule, RebaseDecision.ACCEPT))
            before_s = time.perf_counter()
            rebased = rebase.after(decided)
            longest_s = max(longest_s, time.perf_counter() - before_s)
        data = rebase.files[0].session.after(rebase.steps(rebased, 0)).data
        whole_s = time.perf_counter() - started_s
    red = sum(mark.after.value != "PASSED" for mark in rebased.marks)
    same = "yes" if data == files.expected.read_bytes() else "NO"
    decisions = f"{len(many)} accepted, {rejected} rejected"
    return f"{ready_s:.1f} s", f"{longest_s:.2f} s", decisions, f"{red}", same, f"{whole_s:.1f} s"


if __name__ == "__main__":
    main()
