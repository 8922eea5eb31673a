"""What it costs to leave out many values, beside the same comparison with nothing left out; processor time.

Every call has a value of its own behind a key that is named, so that there are as many secrets as calls.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import cpu_seconds, table
from trace_inspector.core.values.values import Json
from trace_inspector.engine.redaction.options import Redaction
from trace_inspector.engine.trace_diff.rule import comparison_named
from trace_inspector.flows.runs.compare_files import compare
from trace_inspector.flows.runs.redacted_reports import OF_FILES, redacted_reports
from trace_inspector.flows.runs.requested_reports import RequestedReport

TURNS = (250, 500, 1_000, 2_000)
CALLS = 5


def main() -> None:
    """Twice as much each time: what grows faster than the files shows."""
    rows = [("calls, and as many secrets, a side", "nothing left out", "all of them", "times")]
    for turns in TURNS:
        with tempfile.TemporaryDirectory() as folder:
            sides = [_side(Path(folder) / f"{name}.json", turns, name) for name in "AB"]
            bare, redacted = (_seconds(sides, Path(folder), wishes) for wishes in (Redaction(), Redaction(("id",))))
        rows.append((f"{turns * CALLS:,}", f"{bare:.2f} s", f"{redacted:.2f} s", f"{redacted / bare:.1f}"))
    table("Two files compared and written as HTML and JSON, values left out by their key", rows)


def _seconds(sides: Sequence[Path], folder: Path, wishes: Redaction) -> float:
    def work() -> None:
        reports = redacted_reports(wishes)
        found = reports.differences(compare(sides, comparison_named("exact")))
        for kind in ("html", "json"):
            reports.save(RequestedReport(kind, folder / f"report.{kind}"), OF_FILES[kind], found, map(str, sides))

    return cpu_seconds(work)


def _side(path: Path, turns: int, name: str) -> Path:
    chance = random.Random(name)
    conversation: list[Json] = [
        {
            "user_content": {"parts": [{"text": f"Where is parcel {turn}?"}]},
            "final_response": {"parts": [{"text": f"Answer {name} to question {turn}, in some more words for you."}]},
            "intermediate_data": {
                "tool_uses": [
                    {"name": f"get_{at}", "args": {"id": f"{chance.getrandbits(128):032x}", "q": f"parcel {turn}"}}
                    for at in range(CALLS)
                ]
            },
        }
        for turn in range(turns)
    ]
    path.write_text(json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": conversation}]}))
    return path


if __name__ == "__main__":
    main()
