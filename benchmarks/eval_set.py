"""An EvalSet of 10,000 invocations, about 14 MB, from the file to the typed view, in one process.

Wanted: 1.5 s. google-adk 2.13 takes 2.1 s on the machine of the first figures, and loses fields.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from benchmarks.measure import seconds, spread, table
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.open_file import open_file

RUNS = 5
CASES, TURNS = 1_000, 10
_WORDS = "Which shelves hold the article, and how many pieces of it were counted last week in this store? " * 3


def main() -> None:
    """Write the file, open it, and read it with the standard library for comparison."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.evalset.json")
        path.write_text(
            json.dumps({"eval_set_id": "large", "eval_cases": [_case(at) for at in range(CASES)]}, indent=1)
        )
        turns = sum(len(case.turns) for suite in open_file(path).contents.suites for case in suite.cases)
        opened = [seconds(lambda: open_file(path)) for _ in range(RUNS)]
        plain = [seconds(lambda: json.loads(path.read_bytes())) for _ in range(RUNS)]
        table(
            f"{path.stat().st_size / 1e6:.0f} MB, {CASES:,} cases, {turns:,} invocations: median of {RUNS}",
            [
                ("what", "time"),
                ("from the file to the typed view", spread(opened)),
                ("for comparison: `json.loads` of the file", spread(plain)),
            ],
        )


def _case(at: int) -> Json:
    return {
        "eval_id": f"case_{at:05d}",
        "conversation": [_invocation(at * TURNS + turn) for turn in range(TURNS)],
        "session_input": {"app_name": "stock", "user_id": "u", "state": {}},
        "creation_timestamp": 1_760_000_000.0,
    }


def _invocation(number: int) -> Json:
    call: Json = {"id": f"adk-{number}", "name": "get_stock", "args": {"article": f"A-{number}", "store": "Chur"}}
    answer: Json = {"id": f"adk-{number}", "name": "get_stock", "response": {"on_shelf": number % 90}}
    return {
        "invocation_id": f"e-{number:06d}",
        "user_content": {"role": "user", "parts": [{"text": f"{number}: {_WORDS}"}]},
        "final_response": {"role": "model", "parts": [{"text": f"{_WORDS}{number}"}]},
        "intermediate_data": {"tool_uses": [call], "tool_responses": [answer], "intermediate_responses": []},
        "creation_timestamp": 1_760_000_000.0,
    }


if __name__ == "__main__":
    main()
