"""An `.eval` archive of Inspect of 1 GB: when its header is known, its first sample told, and all of it read.

Wanted: the header within 0.5 s. The processor's time, beside `json.loads` of every file in the archive. Needs 1 GB.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

from benchmarks.measure import cpu_seconds, table
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.opening.open_file import Recognised, stream_file

SAMPLES = 500
_CHARS = 2_000  # of a message
_MESSAGES = 900


def main(argv: Sequence[str] | None = None) -> None:
    """Makes the archive and reads it once each way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=SAMPLES, help="of 2 MB each")
    samples = parser.parse_args(argv).samples
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder, "large.eval"), samples)
        header_s, first_s, whole_s, traces = _read(path)
        loads_s = cpu_seconds(lambda: _loads(path))
        rows = [
            ("what", "processor time"),
            ("header: which log it is", f"{header_s:.2f} s"),
            ("the first sample", f"{first_s:.2f} s"),
            (f"all {traces} samples", f"{whole_s:.2f} s"),
            ("for comparison: `json.loads` of all files in it", f"{loads_s:.2f} s"),
        ]
        table(f"{path.stat().st_size / 1e9:.2f} GB", rows)


def write(path: Path, samples: int) -> Path:
    """An archive of that many samples, not packed, for packing would be most of the time."""
    head: JsonObject = {
        "version": 2,
        "status": "success",
        "eval": {"task": "stock", "run_id": "r1", "model": "m", "created": "2026-05-01T10:00:00Z"},
    }
    with ZipFile(path, "w", ZIP_STORED) as archive:
        archive.writestr("_journal/start.json", json.dumps(head))
        for number in range(samples):
            archive.writestr(f"samples/{number}_epoch_1.json", json.dumps(_sample(number)))
        archive.writestr("summaries.json", json.dumps([{"id": number} for number in range(samples)]))
        archive.writestr("header.json", json.dumps(head))
    return path


def _sample(number: int) -> JsonObject:
    words = ("price rule stock shelf " * _CHARS)[:_CHARS]
    messages: list[Json] = [
        {"role": "user" if index % 2 == 0 else "assistant", "content": f"{number} {index} {words}"}
        for index in range(_MESSAGES)
    ]
    scores: JsonObject = {"match": {"value": "C", "answer": "yes"}}
    return {"id": number, "epoch": 1, "input": "Why?", "target": "yes", "messages": messages, "scores": scores}


def _read(path: Path) -> tuple[float, float, float, int]:
    header_s = first_s = 0.0
    traces = 0
    begun_s = time.process_time()
    for item in stream_file(path):
        if isinstance(item, Recognised):
            header_s = time.process_time() - begun_s
        elif isinstance(item, Trace):
            first_s = first_s or time.process_time() - begun_s
            traces += 1
    return header_s, first_s, time.process_time() - begun_s, traces


def _loads(path: Path) -> None:
    with ZipFile(path) as archive:
        for name in archive.namelist():
            json.loads(archive.read(name))


if __name__ == "__main__":
    main()
