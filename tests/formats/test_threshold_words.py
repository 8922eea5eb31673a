"""What is said of a criterion whose threshold is none: what stands there, and what to write."""

from __future__ import annotations

import pytest

from tests.formats.span_files import opened
from trace_inspector.core.values.values import Json

REJECTED = "google-adk 2.13 rejects the file."


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (
            {"threshold": float("inf")},
            (
                "The threshold of “safety_v1” is not a finite number, so no score can be compared with it. Write a "
                "number."
            ),
        ),
        ([], "“safety_v1” should be a number or an object with a “threshold”, not a list."),
        ({}, f"“safety_v1” is empty; {REJECTED} Give it a “threshold”, a number."),
        ({"match_type": "EXACT"}, f"“safety_v1” has no “threshold”; {REJECTED} Give it a “threshold”, a number."),
        ({"threshold": []}, f"The threshold of “safety_v1” is a list; {REJECTED} Write a number."),
    ],
)
def test_a_threshold_that_is_none_is_told_in_words(raw: Json, words: str) -> None:
    findings = opened({"criteria": {"response_match_score": 0.5, "safety_v1": raw}}).findings
    assert [finding.message for finding in findings if finding.code == "bad-threshold"] == [words]
