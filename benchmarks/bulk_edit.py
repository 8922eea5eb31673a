"""How long a bulk edit of a large suite takes: the preview, the change with its journal, and taking it back."""

from __future__ import annotations

import json
import tempfile
from contextlib import closing
from pathlib import Path

from benchmarks.measure import cpu_seconds, spread, table
from trace_inspector.core.golden.bulk_change import Bulk, CompareArgument, DeleteCases, Where
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.values.values import Json
from trace_inspector.documents.reading.reading import read
from trace_inspector.flows.goldens.bulk_editing import BulkPlan, Target, planned, text_replacement
from trace_inspector.flows.goldens.edit_session import EditSession
from trace_inspector.flows.goldens.golden_session import GoldenSession
from trace_inspector.formats import recognise

RUNS = 5
CASES, TURNS, TOUCHED = 1_000, 4, 34
_WORDS = "Which shelves hold the article, and how many pieces of it were counted last week in this store? " * 3
_EDITS: dict[str, Bulk] = {
    "ignore an argument": CompareArgument("search", "timestamp", Matcher("", Match.IGNORE)),
    "replace a text": text_replacement([Where.ARGUMENTS], "basel", "Chur", any_case=True),
    "delete": DeleteCases(),
}


def main() -> None:
    """Each edit on a file of its own, made and taken back."""
    rows: list[tuple[str, ...]] = [("what", "preview", "change", "undo")]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.evalset.json")
        path.write_text(
            json.dumps({"eval_set_id": "large", "eval_cases": [_case(at) for at in range(CASES)]}, indent=1)
        )
        for name, bulk in _EDITS.items():
            times = [_measured(path, bulk) for _ in range(RUNS)]
            rows.append((name, *(spread(each, "ms") for each in zip(*times, strict=True))))
        size = path.stat().st_size / 1e6
    table(f"{TOUCHED} of {CASES:,} cases, {size:.1f} MB, processor time, median of {RUNS}", rows)


def _measured(path: Path, bulk: Bulk) -> tuple[float, float, float]:
    document = read(path)
    known = recognise(document.value)
    assert known is not None
    with closing(EditSession(document, lambda _journal: None)) as session:
        goldens = GoldenSession(session, known)
        every = Target.of(goldens)
        target = Target(goldens, every.cases[:TOUCHED]) if isinstance(bulk, DeleteCases) else every
        plans: list[BulkPlan] = []
        preview = cpu_seconds(lambda: plans.append(planned([target], bulk)))
        change, undo = cpu_seconds(plans[0].do), cpu_seconds(goldens.undo)
        assert len(plans[0].rows) == TOUCHED
        session.discard()
    return preview, change, undo


def _case(at: int) -> Json:
    is_touched = at % (CASES // TOUCHED) == 0 and at < TOUCHED * (CASES // TOUCHED)
    return {
        "eval_id": f"case_{at:05d}",
        "conversation": [_invocation(at * TURNS + turn, is_touched and turn == 1) for turn in range(TURNS)],
        "session_input": {"app_name": "stock", "user_id": "u", "state": {}},
    }


def _invocation(number: int, is_touched: bool) -> Json:
    args: Json = {"article": f"A-{number}", "store": "Basel" if is_touched else "Bern"}
    called: Json = {"name": "get_stock", "args": args}
    if is_touched:
        called = {"name": "search", "args": {"store": "Basel", "timestamp": 1_760_000_000}}
    return {
        "invocation_id": f"e-{number:06d}",
        "user_content": {"role": "user", "parts": [{"text": f"{number}: {_WORDS}"}]},
        "final_response": {"role": "model", "parts": [{"text": f"{_WORDS}{number}"}]},
        "intermediate_data": {"tool_uses": [called], "tool_responses": [], "intermediate_responses": []},
    }


if __name__ == "__main__":
    main()
