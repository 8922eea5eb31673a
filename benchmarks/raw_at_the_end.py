"""Raw of the last span of a Jaeger file of 1.4 GB: with its pieces known, as the window has them, and without.

Wanted: 1 s. Needs 1.5 GB of disk. The processor's time, beside `json.loads` of one of its traces, 15 MB.
"""

from __future__ import annotations

import argparse
import io
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.make_big import Big, write_jaeger
from benchmarks.measure import cpu_seconds, table
from trace_inspector.documents.large.large import large_file
from trace_inspector.documents.large.piece_places import PiecePlaces
from trace_inspector.documents.large.pieces import Shape
from trace_inspector.formats import BY_NAME

TIMES = 92  # one trace of 200 turns so often


def main(argv: Sequence[str] | None = None) -> None:
    """Makes the file, reads its pieces once, and looks at its end twice."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=TIMES, help="traces of 15 MB in the file")
    times = parser.parse_args(argv).times
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "huge.json")
        spans = _write(path, times)
        pointer = f"/data/{times - 1}/spans/{spans - 1}"
        known = PiecePlaces.of_plain(json.loads(json.dumps(_pieces(path))))
        rows = [
            ("what", "processor time"),
            ("Raw at the end, pieces known", f"{cpu_seconds(lambda: _raw(path, pointer, known)):.2f} s"),
            ("Raw at the end, stepping over all before", f"{cpu_seconds(lambda: _raw(path, pointer, None)):.2f} s"),
            (
                "for comparison: `json.loads` of one of the traces",
                f"{cpu_seconds(lambda: _loads(path, times)):.2f} s",
            ),
        ]
        table(f"{path.stat().st_size / 1e9:.2f} GB", rows)


def _write(path: Path, times: int) -> int:
    """One trace again and again; how many spans it has."""
    out = io.StringIO()
    write_jaeger(Big(200), out)
    (trace,) = json.loads(out.getvalue())["data"]
    text = json.dumps(trace, separators=(",", ":"))
    with path.open("w", encoding="utf-8") as file:
        file.write('{"data":[' + text)
        for _ in range(times - 1):
            file.write("," + text)
        file.write("]}\n")
    return len(trace["spans"])


def _pieces(path: Path) -> object:
    shape = BY_NAME["jaeger"].shape or Shape()
    with large_file(path) as large:
        assert large is not None
        for _piece in large.pieces(shape, lambda: None, unique=False):
            pass
        return large.places.plain()


def _raw(path: Path, pointer: str, known: PiecePlaces | None) -> None:
    with large_file(path) as large:
        assert large is not None
        large.places = known or large.places
        shown = large.excerpt(pointer, 3)
    assert shown is not None
    assert "spanID" in "".join(shown.lines)


def _loads(path: Path, times: int) -> None:
    """One of the traces."""
    begin, end = '{"data":[', "]}\n"
    each = (path.stat().st_size - len(begin) - len(end) - times + 1) // times
    with path.open("rb") as file:
        file.seek(len(begin))
        json.loads(file.read(each))


if __name__ == "__main__":
    main()
