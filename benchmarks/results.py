"""A million rows of results: how long a folder takes to open, and to answer a filter, a sort and a group.

`python -m benchmarks.results [--rows 1000000] [--rounds 21]`
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from benchmarks.big_story import Exchange
from benchmarks.processes import peak_mb
from trace_inspector.core.values.values import JsonObject
from trace_inspector.documents.results.manifest import Manifest
from trace_inspector.documents.results.session import ResultsSession, Row
from trace_inspector.documents.results.writing import ResultsWriter

SHARD_ROWS = 25_000  # 5,000 turns with five verdicts each
QUERIES = {
    "filter": "SELECT case_id, turn, criterion FROM verdicts WHERE status = 'FAILED' AND score < 0.1 LIMIT 200",
    "search": "SELECT case_id, turn, reason FROM verdicts WHERE contains(reason, 'word 77 ') LIMIT 200",
    "sort": "SELECT case_id, turn, criterion, score FROM verdicts ORDER BY score, case_id LIMIT 200",
    "group": "SELECT criterion, status, count(*), avg(score) FROM verdicts GROUP BY ALL ORDER BY ALL",
}


def write_folder(folder: Path, rows: int) -> float:
    """A folder of so many verdicts, with the turns that they are about; the seconds that writing took."""
    random, spent_s = Random(30), 0.0
    with ResultsWriter(folder, Manifest(1, "run-1")) as writer:
        for first in range(0, rows, SHARD_ROWS):
            shard = verdicts(first, min(SHARD_ROWS, rows - first), random)
            own = turns(first // 5, len(shard) // 5)
            begun = time.perf_counter()
            writer.add({"verdicts": shard, "turns": own}, SHARD_ROWS // 50, SHARD_ROWS // 5)
            spent_s += time.perf_counter() - begun
        writer.finish(complete=True)
    return spent_s


def turns(first: int, count: int) -> list[JsonObject]:
    """The turns, ten a case."""
    return [
        {
            "run": "run-1",
            "case_id": f"case-{number // 10:06}",
            "suite": "suite",
            "trace_id": f"trace-{number // 10:06}",
            "attempt": 1,
            "turn": number % 10 + 1,
            "golden_turn": number % 10 + 1,
            "status": "PASSED",
            "user_text": said.question,
            "answer": said.answer,
            "agent": "stock_agent",
            "call_count": 1,
            "input_tokens": 960,
            "output_tokens": 24,
            "tokens": 984,
            "seconds": 1 + number % 400 / 100,
            "tags": ["nightly"],
            "trace_file": "traces.jsonl",
            "place": f"/{number}",
        }
        for number in range(first, first + count)
        for said in (Exchange(number),)
    ]


def verdicts(first: int, count: int, random: Random) -> list[JsonObject]:
    """Verdicts of made-up turns."""
    made: list[JsonObject] = []
    for number in range(first, first + count):
        score, is_case = random.random(), number % 50 == 0  # of each case its own row is the first
        made.append(
            {
                "run": "run-1",
                "case_id": f"case-{number // 50:06}",
                "suite": "suite",
                "trace_id": f"trace-{number // 50:06}",
                "attempt": 1,
                "turn": None if is_case else number // 5 % 10 + 1,
                "about": "case" if is_case else "turn",
                "criterion": None if is_case else f"criterion_{number % 5}",
                "status": "PASSED" if score >= 0.2 else "FAILED",
                "score": score,
                "threshold": 0.2,
                "reason": f"the answer lacks word {random.randrange(1000)} of the golden",
                "provenance": "recomputed",
                "tags": ["nightly"],
                "trace_file": "traces.jsonl",
                "place": f"/{number // 5}",
            }
        )
    return made


def main() -> None:
    """Write the folder, open it, ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=21)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "results"
        spent_s = write_folder(folder, options.rows)
        size = sum(path.stat().st_size for path in folder.rglob("*.parquet"))
        print(f"{options.rows:,} verdicts written in {spent_s:.1f} s, {size / 1e6:.0f} MB")
        _measured("open", options.rounds, lambda: ResultsSession(folder).close())
        with ResultsSession(folder) as session:
            for name, sql in QUERIES.items():
                _measured(name, options.rounds, partial(_asked, session, sql))
            print(f"memory of the process that answers: {peak_mb(session.process_id or 0):.0f} MB at most")


def _asked(session: ResultsSession, sql: str) -> list[Row]:
    return list(session.ask(sql, 200).rows())


def _measured(name: str, rounds: int, do: Callable[[], object]) -> None:
    times = []
    for _round in range(rounds):
        begun = time.perf_counter()
        do()
        times.append(time.perf_counter() - begun)
    times.sort()
    median, late = times[len(times) // 2], times[min(len(times) - 1, round(len(times) * 0.95))]
    print(f"{name}: median {median * 1000:.0f} ms, p95 {late * 1000:.0f} ms")


if __name__ == "__main__":
    main()
