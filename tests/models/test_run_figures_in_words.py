"""What a run took, in words: tokens with their kinds, and times of the turns that tell them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from trace_inspector.core.verdict.run_summary import RunSummary
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.models.runs.figures import latency_text, tokens_text

RUN = RunSummary(Status.PASSED)


@pytest.mark.parametrize(
    ("of_input", "of_output", "of_all", "words"),
    [
        (900, 100, 1_000, "1,000 (900 in, 100 out)"),
        (None, 100, 1_000, "1,000 (100 out)"),
        (None, None, 1_234_567, "1,234,567"),
        (900, 100, None, "900 in, 100 out"),
        (None, None, None, ""),
    ],
)
def test_tokens_are_told_with_their_kinds(
    of_input: int | None, of_output: int | None, of_all: int | None, words: str
) -> None:
    assert tokens_text(replace(RUN, input_tokens=of_input, output_tokens=of_output, total_tokens=of_all)) == words


def test_times_are_told_of_the_turns_that_have_them() -> None:
    assert latency_text(RUN) == ""
    told = latency_text(replace(RUN, latency=((50, 4.2), (99, 11.9)), timed_turns=96, turns=1_098))
    assert told == "p50 4.2 s, p99 11.9 s of 96 of 1,098 turns"
