"""Times without a unit are judged by their size, and a finding says so."""

from __future__ import annotations

from tests.formats.span_files import opened
from tests.helpers.tables import each
from trace_inspector.core.values.values import Json

START_S = 1_770_000_000


def _dump(*starts: Json) -> Json:
    return [
        {"span_id": str(at), "trace_id": "t", "name": "x", "start_time": start} for at, start in enumerate(starts)
    ]


@each(
    ("start", "unit"),
    [
        (START_S, "seconds"),
        (START_S + 0.5, "seconds"),
        (START_S * 1_000, "milliseconds"),
        (str(START_S * 1_000_000), "microseconds"),
    ],
)
def test_a_guessed_unit_is_named(start: Json, unit: str) -> None:
    contents = opened(_dump(start, start))
    (finding,) = [finding for finding in contents.findings if finding.code == "guessed-unit"]
    assert finding.message == f"2 spans give their time as a number without a unit; by its size it is {unit}."
    assert [int(span.start_s or 0) for span in contents.traces[0].spans] == [START_S, START_S]


@each("start", [START_S * 10**9, "2026-02-02T02:40:00Z", [START_S, 5], None])
def test_a_time_that_says_its_unit_is_no_guess(start: Json) -> None:
    assert "guessed-unit" not in [finding.code for finding in opened(_dump(start)).findings]
