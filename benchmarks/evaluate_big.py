"""`evaluate` of large files and of a folder larger than what is held, from command to exit, beside `json.load`.

Wanted: on two processors 1.2 times `json.load` by the clock, and 200 MB without files in all processes, for 96,000
spans against their golden; 450 MB for a folder of several hundred megabytes. `--processors 1` binds all to one.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.big_story import Exchange
from benchmarks.make_big import Big, write
from benchmarks.measure import spread, table
from benchmarks.processes import run, watch

RUNS = 5
FILES = (
    ("Jaeger, 1 trace of 1,000 turns", "jaeger", Big()),
    ("OTLP, 1 trace of 1,000 turns", "otlp", Big()),
    ("Jaeger, 1,000 traces", "jaeger", Big(deep=False)),
)
FOLDER_FILES = 3_000
TURNS_A_FILE = 4
DOCUMENT_CHARS = 25_000  # what each call brings back
CRITERIA = ("tool_trajectory_avg_score", "response_match_score")  # for the folder: grounding would take most of it
_LOADS = "import json, sys; json.load(open(sys.argv[1], encoding='utf-8'))"


def main() -> None:
    """Print one row a file or folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processors", type=int, metavar="N", help="how many of them may be used")
    parser.add_argument("--no-folder", action="store_true", help="only the large files")
    options = parser.parse_args()
    if options.processors:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.processors])
    rows: list[tuple[str, ...]] = [
        ("input", "size", "`evaluate`", "times", "`json.load`", "CPU", "times", "CPU of `json.load`", "memory", "own")
    ]
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_DATA_HOME": folder}
        for title, kind, big in FILES:
            rows.append((title, *_of_file(big, kind, Path(folder), environment)))
        if not options.no_folder:
            rows.append((f"{FOLDER_FILES:,} recordings in a folder", *_of_folder(Path(folder, "many"), environment)))
    print(f"load {os.getloadavg()[0]:.1f}, {len(os.sched_getaffinity(0))} processors")
    table(f"median of {RUNS}; the folder once; memory of all processes, own is without the pages of files", rows)


def _of_file(big: Big, kind: str, folder: Path, environment: dict[str, str]) -> tuple[str, ...]:
    trace = write(big, kind, folder / "big.json")
    golden = write(big, "golden", folder / "golden.json")
    # Turn and turn about: the machine may be slower for a while.
    pairs = [
        (run(_evaluation(trace, golden), environment), run([sys.executable, "-c", _LOADS, str(trace)]))
        for _ in range(RUNS)
    ]
    ours, plain = ([pair[side] for pair in pairs] for side in (0, 1))
    held = watch(_evaluation(trace, golden), environment)
    return (
        f"{trace.stat().st_size / 1e6:.0f} MB",
        spread([used.wall_s for used in ours]),
        f"{statistics.median(one.wall_s / other.wall_s for one, other in pairs):.2f}",
        spread([used.wall_s for used in plain]),
        spread([used.cpu_s for used in ours]),
        f"{statistics.median(one.cpu_s / other.cpu_s for one, other in pairs):.2f}",
        spread([used.cpu_s for used in plain]),
        f"{held.peak_mb:.0f} MB",
        f"{held.anonymous_mb:.0f} MB",
    )


def _of_folder(folder: Path, environment: dict[str, str]) -> tuple[str, ...]:
    folder.mkdir()
    golden = folder.with_name("goldens.json")
    golden.write_text(
        json.dumps(_set([_case(at, with_results=False) for at in range(FOLDER_FILES)])), encoding="utf-8"
    )
    for at in range(FOLDER_FILES):
        path = folder / f"run-{at:05d}.json"
        path.write_text(json.dumps(_set([_case(at, with_results=True)])), encoding="utf-8")
    total = sum(path.stat().st_size for path in folder.iterdir())
    command = [*_evaluation(folder, golden), "--only", *CRITERIA]
    used = run(command, environment)
    held = watch(command, environment)
    memory = f"{held.peak_mb:.0f} MB", f"{held.anonymous_mb:.0f} MB"
    return f"{total / 1e6:.0f} MB", f"{used.wall_s:.1f} s", "–", "–", f"{used.cpu_s:.1f} s", "–", "–", *memory


def _evaluation(traces: Path, golden: Path) -> list[str]:
    return [sys.executable, "-m", "trace_inspector", "evaluate", str(traces), "--golden", str(golden)]


def _set(cases: list[dict[str, object]]) -> dict[str, object]:
    return {"eval_set_id": "stock", "eval_cases": cases}


def _case(at: int, *, with_results: bool) -> dict[str, object]:
    turns = range(at * TURNS_A_FILE, (at + 1) * TURNS_A_FILE)
    return {"eval_id": f"stock-{at}", "conversation": [_turn(Exchange(turn), with_results) for turn in turns]}


def _turn(said: Exchange, with_results: bool) -> dict[str, object]:
    calls: dict[str, object] = {"tool_uses": [{"name": "get_stock", "args": said.args}]}
    if with_results:
        note = f"Counted for {said.article}. " * (DOCUMENT_CHARS // 22)
        calls["tool_responses"] = [{"name": "get_stock", "response": {**said.found, "note": note}}]
    return {
        "user_content": {"role": "user", "parts": [{"text": said.question}]},
        "final_response": {"role": "model", "parts": [{"text": said.answer}]},
        "intermediate_data": calls,
    }


if __name__ == "__main__":
    main()
