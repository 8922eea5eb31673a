"""A second process that decodes pieces of a large file: the same pieces, and it ends with whoever reads the file."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.flows.test_large_files import turn
from tests.formats.span_files import jaeger, otlp
from tests.helpers.campaigns import examples
from trace_inspector import second_process
from trace_inspector.documents.large import decoding_process, large
from trace_inspector.documents.large.decoding_process import DecodingProcess
from trace_inspector.documents.large.large import large_file
from trace_inspector.documents.large.pieces import Piece
from trace_inspector.formats import BY_NAME
from trace_inspector.second_process import SecondProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="no second process there")

SPANS = [span for at in range(60) for span in turn(at)]
TEXTS = {write.__name__: json.dumps(write(*SPANS)).encode() for write in (jaeger, otlp)}


@pytest.fixture(autouse=True)
def _small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, size in (("LARGE_BYTES", 1_000), ("CUT_BYTES", 3_000), ("GROUP_BYTES", 2_000)):
        monkeypatch.setattr(large, name, size)
    monkeypatch.setattr(second_process, "can_fork", lambda: True)


def read(path: Path, name: str, *, in_two: bool) -> Generator[Piece]:
    shape = BY_NAME[name].shape
    assert shape is not None
    with large_file(path) as opened:
        assert opened is not None
        yield from opened.pieces(shape, lambda: None, in_two=in_two)


def both_ways(path: Path, name: str) -> tuple[list[Piece], list[Piece]]:
    return list(read(path, name, in_two=False)), list(read(path, name, in_two=True))


def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The second processes that are started from now on."""
    begun: list[int] = []
    start = SecondProcess.start

    def noted(self: SecondProcess) -> None:
        start(self)
        begun.append(self.process)

    monkeypatch.setattr(SecondProcess, "start", noted)
    return begun


def is_there(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("name", TEXTS)
def test_pieces_are_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(TEXTS[name])
    begun = started(monkeypatch)
    here: list[int] = []
    decode = DecodingProcess._decode

    def counted(self: DecodingProcess, group: decoding_process.Group) -> None:
        here.append(group.start)
        decode(self, group)

    monkeypatch.setattr(DecodingProcess, "_decode", counted)
    alone, together = both_ways(path, name)
    assert together == alone
    assert sum(len(piece.records) for piece in alone) > len(SPANS) // 2
    assert len(begun) == 1
    assert len(here) < sum(1 for piece in alone if piece.records) - 2  # it does a part of the work
    assert not Path(f"/proc/{begun[0]}").exists()  # it was waited for


@settings(examples(12, 500), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), name=st.sampled_from(sorted(TEXTS)))
def test_pieces_of_a_damaged_file_are_the_same(data: st.DataObject, name: str, tmp_path: Path) -> None:
    text = TEXTS[name]
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(600, len(text) - 1))
        put = data.draw(
            st.sampled_from((b"", b'"', b"}", b"]", b'},{"traceID":"x","spanID":', b"\xff", b'"a":1,', b"/**/"))
        )
        text = text[:start] + put + text[start + data.draw(st.integers(0, 2)) :]
    path = tmp_path / "t.json"
    path.write_bytes(text)
    alone, together = both_ways(path, name)
    assert repr(together) == repr(alone)


def test_a_second_process_that_dies_is_not_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(TEXTS["jaeger"])
    begun = started(monkeypatch)
    alone = list(read(path, "jaeger", in_two=False))
    together: list[Piece] = []
    for piece in read(path, "jaeger", in_two=True):
        together.append(piece)
        if len(together) == 4:
            os.kill(begun[0], signal.SIGKILL)
    assert together == alone


def test_where_no_process_can_be_started_all_is_decoded_by_the_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(TEXTS["jaeger"])

    def refused() -> int:
        raise BlockingIOError("no more processes")

    monkeypatch.setattr(os, "fork", refused)
    alone, together = both_ways(path, "jaeger")
    assert together == alone


def test_whoever_stops_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(TEXTS["jaeger"])
    begun = started(monkeypatch)
    pieces = read(path, "jaeger", in_two=True)
    while not begun:
        next(pieces)
    process = begun[0]
    assert is_there(process)
    pieces.close()
    assert not is_there(process)


_READS = """
import sys, time
from pathlib import Path
from tests.documents import test_decoding_process as tests
from trace_inspector import second_process
from trace_inspector.documents.large import large
for name, size in (("LARGE_BYTES", 1_000), ("CUT_BYTES", 3_000), ("GROUP_BYTES", 2_000)):
    setattr(large, name, size)
second_process.can_fork = lambda: True
start = second_process.SecondProcess.start
def told(self):
    start(self)
    print(self.process, flush=True)
second_process.SecondProcess.start = told
for piece in tests.read(Path(sys.argv[1]), "jaeger", in_two=True):
    if piece.records and piece.first:
        time.sleep(100)
"""


def test_it_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(TEXTS["jaeger"])
    project = Path(__file__).resolve().parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", _READS, str(path)], stdout=subprocess.PIPE, text=True, cwd=project
    ) as reader:
        assert reader.stdout is not None
        try:
            process = int(reader.stdout.readline())
            assert is_there(process)
        finally:
            reader.kill()
        assert (
            reader.stdout.read() == ""
        )  # ends when nobody has the other end: it holds nothing of its parent's either
    while is_there(process):
        os.sched_yield()
