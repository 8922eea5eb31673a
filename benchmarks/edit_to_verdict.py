"""From an edit of a golden to the mark that follows it, in the window's model with its real child; and bulk edits.

The suite has 1,000 cases of four calls; each edit sets one argument of one case, as a key press does.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from benchmarks.measure import table

if TYPE_CHECKING:
    from trace_inspector.core.golden.golden import Case
    from trace_inspector.core.golden.golden_change import GoldenChange
    from trace_inspector.core.values.values import Json
    from trace_inspector.models.workspace.workspace import Workspace

CASES, TURNS, CALLS = 1_000, 4, 4
EDITS = 200
BULK = 34
LIMIT_S = 120


def main() -> None:
    """One workspace, one run, then edits one after the other, then many at once."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from trace_inspector.models.workspace.workspace import Workspace
    from trace_inspector.work.processes.jobs import Jobs

    app = QApplication.instance() or QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRACE_INSPECTOR_DATA"] = folder
        golden, observed = Path(folder) / "suite.evalset.json", Path(folder) / "observed.json"
        golden.write_text(_text(_suite()))
        observed.write_text(_text(_sessions()))
        jobs = Jobs(app)
        workspace = Workspace(jobs, jobs)
        workspace.files.open([golden, observed])
        _wait(lambda: not jobs.busy)
        workspace.evaluation.ask_to_start()
        _wait(lambda: not jobs.busy and workspace.run.value is not None and workspace.run.value.verdict is not None)
        rows = [_one(workspace, at) for at in range(-3, EDITS)][3:]
        holds = max(hold for _took, hold in rows)
        took = sorted(took for took, _hold in rows)
        rest = [_rest(workspace) for _time in range(5)]
        bulk, bulk_hold = _bulk(workspace)
        size = golden.stat().st_size / 1e6
        table(
            f"An edited argument in a suite of {CASES:,} cases ({size:.1f} MB), {EDITS} edits one after the other",
            [
                ("what", "median", "p99", "longest hold of the window"),
                (
                    "edit until its verdict",
                    f"{1e3 * statistics.median(took):.0f} ms",
                    f"{1e3 * took[int(0.99 * len(took))]:.0f} ms",
                    f"{1e3 * holds:.0f} ms",
                ),
                (
                    "the tree follows, after 0.3 s of rest",
                    f"{1e3 * statistics.median(took for took, _hold in rest):.0f} ms",
                    "–",
                    f"{1e3 * max(hold for _took, hold in rest):.0f} ms",
                ),
                (f"{BULK} cases at once", f"{1e3 * bulk:.0f} ms", "–", f"{1e3 * bulk_hold:.0f} ms"),
            ],
        )
        jobs.stop_all()


def _one(workspace: Workspace, at: int) -> tuple[float, float]:
    """How long until the mark of one more edit, and how long the window was held at once."""
    goldens, file = workspace.goldens, workspace.files.in_order[0]
    place = goldens.places(file.number)[at % CASES]
    run = workspace.run.value
    assert run is not None
    (number, before), *_others = run.of_golden(str(file.path), place)
    goldens.expect_change(file.number, place)  # as the tab does when it shows the case
    _wait(lambda: not goldens.busy)
    begun_s = time.perf_counter()
    goldens.change(file.number, place, "Set q", _asking(f"edit {at}"))
    hold = _wait(lambda: run.cases[number] is not before)
    return time.perf_counter() - begun_s, hold


def _rest(workspace: Workspace) -> tuple[float, float]:
    """How long until the rows show one more edit, and how long the window was held at once."""
    file = workspace.files.in_order[0]
    goldens = workspace.goldens
    edited = goldens.edited(file.number)
    assert edited is not None
    goldens.change(file.number, goldens.places(file.number)[0], "Set q", _asking(f"at {time.monotonic()}"))
    begun_s = time.perf_counter()
    hold = _wait(lambda: not goldens.busy and edited.shown == edited.revision)
    return time.perf_counter() - begun_s, hold


def _bulk(workspace: Workspace) -> tuple[float, float]:
    goldens, file = workspace.goldens, workspace.files.in_order[0]
    run = workspace.run.value
    assert run is not None
    places = goldens.places(file.number)[500 : 500 + BULK]
    changes = {}
    for place in places:
        case = goldens.case(file.number, place)
        assert case is not None
        changes[place] = _asking("bulk")(case)
    (last, before), *_others = run.of_golden(str(file.path), places[-1])
    begun_s = time.perf_counter()
    goldens.change_many(file.number, "Set q in many", changes)
    hold = _wait(lambda: run.cases[last] is not before)
    return time.perf_counter() - begun_s, hold


def _asking(text: str) -> Callable[[Case], list[GoldenChange]]:
    from trace_inspector.core.golden.golden_change import Calls, ExpectedCall
    from trace_inspector.core.trace.trace import calls_of

    def make(case: Case) -> list[GoldenChange]:
        turn = case.turns[0]
        first, *others = calls_of(turn)
        assert isinstance(first.args, dict)
        asked = replace(first, args={**first.args, "q": text})
        return [Calls(turn.place, (ExpectedCall(asked), *map(ExpectedCall, others)))]

    return make


def _wait(done: Callable[[], bool]) -> float:
    """Turn the loop until it is so; the longest that one turn of it took."""
    from PySide6.QtCore import QCoreApplication, QThread

    longest, deadline_s = 0.0, time.monotonic() + LIMIT_S
    while not done():
        begun_s = time.perf_counter()
        QCoreApplication.processEvents()
        longest = max(longest, time.perf_counter() - begun_s)
        if time.monotonic() > deadline_s:
            sys.exit("It took too long; nothing was measured.")
        QThread.usleep(200)
    return longest


def _text(value: Json) -> str:
    import json

    return json.dumps(value, indent=2) + "\n"


def _suite() -> Json:
    cases: list[Json] = [
        {
            "eval_id": f"case_{at:04}",
            "conversation": [_invocation(at, turn) for turn in range(TURNS)],
        }
        for at in range(CASES)
    ]
    return {"eval_set_id": "suite", "eval_cases": cases}


def _invocation(at: int, turn: int) -> Json:
    calls: list[Json] = [
        {"id": f"{at}-{turn}-{call}", "name": f"tool_{call}", "args": {"q": f"words {at} {turn}", "limit": call}}
        for call in range(CALLS)
    ]
    return {
        "invocation_id": f"i-{at}-{turn}",
        "user_content": {"role": "user", "parts": [{"text": f"Question {turn} of case {at}, in some more words?"}]},
        "final_response": {"role": "model", "parts": [{"text": f"The answer to question {turn}, told at length."}]},
        "intermediate_data": {"tool_uses": calls},
    }


def _sessions() -> Json:
    """What was observed, as sessions: the same calls and answers."""
    return [_session(at) for at in range(CASES)]


def _session(at: int) -> Json:
    events: list[Json] = []
    for turn in range(TURNS):
        invocation = _invocation(at, turn)
        assert isinstance(invocation, dict)
        uses = invocation["intermediate_data"]
        assert isinstance(uses, dict)
        calls = uses["tool_uses"]
        assert isinstance(calls, list)
        events.append(_event(turn, "user", invocation["user_content"]))
        parts: list[Json] = [{"function_call": call} for call in calls]
        events.append(_event(turn, "agent", {"role": "model", "parts": parts}))
        events.append(_event(turn, "agent", invocation["final_response"]))
    return {"app_name": "made", "user_id": "u", "id": f"case_{at:04}", "state": {}, "events": events}


def _event(turn: int, author: str, content: Json) -> Json:
    return {"author": author, "invocation_id": f"i-{turn}", "id": f"e-{turn}", "timestamp": 1.0, "content": content}


if __name__ == "__main__":
    main()
