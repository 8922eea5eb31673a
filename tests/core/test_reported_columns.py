"""What a file reports, as columns: each verdict with its kind of failure and where it contradicts itself."""

from __future__ import annotations

from trace_inspector.core.verdict.contradiction import Contradiction
from trace_inspector.core.verdict.reported import BUCKETS, MOST_ODD, ReportedBatch
from trace_inspector.core.verdict.triage import Bucket
from trace_inspector.core.verdict.verdict import CaseVerdict, Status


def test_contradictions_beyond_some_are_counted() -> None:
    batch, odd = ReportedBatch(), [Contradiction("parts", f"{at}.", at) for at in range(1_000)]
    for count in (0, MOST_ODD, MOST_ODD + 1, 1_000):
        batch.add(0, CaseVerdict("a", "", "a", Status.FAILED), odd[:count])
    assert [len(told) for told in batch.odd] == [0, MOST_ODD, MOST_ODD, MOST_ODD]
    assert batch.odd[1][-1] == odd[MOST_ODD - 1]
    assert batch.odd[2][-1].sentence == "The verdict contradicts itself in 2 more places."
    assert batch.odd[3][-1].sentence == "The verdict contradicts itself in 981 more places."
    assert batch.is_sound(1)


def test_only_failures_have_a_kind() -> None:
    batch = ReportedBatch()
    for status in (Status.PASSED, Status.FAILED):
        batch.add(0, CaseVerdict("a", "", "a", status))
    assert [BUCKETS[number] for number in batch.buckets] == [None, Bucket.SCORES_PASS_BUT_FAIL]
