"""Up to where in a recording it is known which turns have ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.flows.live.test_growing import Live, golden_file
from tests.helpers.sent_spans import request, turn_spans
from trace_inspector.documents.recording.recordings import part
from trace_inspector.flows.live import arrivals as arrivals_module
from trace_inspector.flows.live.growing import ReadTo


def test_how_far_it_was_looked_is_told_up_to_the_first_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals_module, "_MOST_AT_ONCE", 1)
    live = Live(tmp_path / "r.jsonl", golden_file(tmp_path, ("one?", "1")))
    first, second, third = (request(turn_spans(number, f"c{number}", "one?", "1")) for number in (1, 2, 3))
    live.file.write_bytes(first + b"\n" + second + b"\n" + third[:100])
    while live.growing.take(0.0):
        pass
    steps = []
    for _step in range(3):
        steps.append(live.growing.looked_to)
        live.arrivals.step(0.0)
    both = len(first) + len(second) + 2
    assert steps == [ReadTo(1, 0), ReadTo(1, len(first) + 1), ReadTo(1, both)]
    with live.file.open("ab") as file:
        file.write(third[100:] + b"\n")
    live.growing.take(0.0)
    assert live.growing.looked_to == ReadTo(1, both)
    part(live.file, 2).write_bytes(first + b"\n")
    live.arrivals.step(0.0)
    assert live.growing.looked_to == ReadTo(1, live.file.stat().st_size)
    live.growing.take(0.0)
    assert live.growing.looked_to == ReadTo(2, 0)
    live.arrivals.step(0.0)
    assert live.growing.looked_to == ReadTo(2, len(first) + 1)


def test_what_is_joined_with_one_that_waits_waits_from_there(tmp_path: Path) -> None:
    live = Live(tmp_path / "r.jsonl", golden_file(tmp_path, ("one?", "1")))
    of_model, of_tool, root = turn_spans(1, "a", "one?", "1")
    live.told(request(turn_spans(2, "a", "two?", "2")))
    looked_to = live.growing.looked_to
    with live.file.open("ab") as file:
        file.writelines(request([span]) + b"\n" for span in (of_model, of_tool, root))  # which names its conversation
    live.growing.take(0.0)
    assert len(list(live.growing.groups())) == 1
    assert live.growing.looked_to == looked_to
