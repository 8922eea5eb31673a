"""Each request is on the disk before its 200: by the calls of the receiver, and by a trace of those of the system."""

from __future__ import annotations

import asyncio
import http.client
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.flows.live.test_receiver import BODY, sent, served
from tests.helpers.sent_protobuf import as_protobuf
from tests.helpers.sent_spans import request, turn_spans
from trace_inspector.flows.live.connection import Connection

raw_grpc = pytest.importorskip("tests.helpers.raw_grpc", reason="h2 is not installed")

REQUESTS = 12
STRACE = shutil.which("strace")
_CALLS = "write,writev,pwrite64,sendto,sendmsg,fsync,fdatasync"
_LINE = re.compile(
    r"(?P<thread>\d+) +(?:<\.\.\. (?P<resumed>\w+) resumed>|(?P<call>\w+)\((?P<handle>\d+)<(?P<of>[^>]*)>)"
)
# A frame of data with an empty message of gRPC, as its trace shows it: five bytes, on whichever stream.
_OK_OVER_GRPC = r"\0\0\5\0\0\0\0\0"
_SYNCED = re.compile(r"\) += 0$")


def test_what_is_answered_was_written_and_synced_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each call is noted when it is over, and an answer before it is given to the socket."""
    calls: list[str] = []
    write, fsync, answer = os.write, os.fsync, Connection._write

    def written(handle: int, data: bytes | memoryview) -> int:
        size = write(handle, data)
        calls.append("written" if b"resourceSpans" in bytes(data) else "written elsewhere")
        return size

    def synced(handle: int) -> None:
        fsync(handle)
        calls.append("synced")

    def answered(connection: Connection, *pieces: bytes | None) -> None:
        calls.append("answered")
        answer(connection, *pieces)

    async def talk(port: int) -> None:
        calls.clear()  # the new file was synced into its folder
        monkeypatch.setattr(os, "write", written)
        monkeypatch.setattr(os, "fsync", synced)
        monkeypatch.setattr(Connection, "_write", answered)
        for _ in range(REQUESTS):
            assert (await sent(port, BODY))[0] == 200
        assert calls == ["written", "synced", "answered"] * REQUESTS
        together = await asyncio.gather(*(sent(port, BODY) for _ in range(REQUESTS)))
        assert {status for status, _headers, _body in together} == {200}

    assert len(served(tmp_path, talk)[0]) == 2 * REQUESTS
    assert calls.count("answered") == 2 * REQUESTS
    assert calls[-1] == "answered"


def over_http(port: int) -> None:
    """One request after the other, each when the one before was answered with 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=240)
    for number in range(REQUESTS):
        body = request(turn_spans(number + 1, f"c{number}", "one?", "two"))
        connection.request("POST", "/v1/traces", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        assert (response.status, response.read()) == (200, b"{}")
    connection.close()


def over_grpc(port: int) -> None:
    """The same over gRPC, each when the one before was answered with OK."""
    with raw_grpc.RawClient(port) as client:
        for number in range(REQUESTS):
            body = as_protobuf(turn_spans(number + 1, f"c{number}", "one?", "two"))
            assert client.status(client.begin(raw_grpc.message(body), ends=True))["grpc-status"] == "0"


@pytest.mark.skipif(STRACE is None, reason="strace is not installed")
@pytest.mark.parametrize("send_all", [over_http, over_grpc])
def test_a_trace_of_system_calls_has_the_sync_before_each_answer(
    tmp_path: Path, send_all: Callable[[int], None]
) -> None:
    record, log = tmp_path / "recording.jsonl", tmp_path / "calls.txt"
    serve = [sys.executable, "-m", "tests.helpers.listen_rounds", "serve", str(record)]
    traced = [str(STRACE), "-f", "-y", "-s", "100000", "-e", f"trace={_CALLS}", "-o", str(log), *serve]
    with subprocess.Popen(traced, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        told = process.stdout.readline()
        if not told:
            reason = process.stderr.read().decode()
            assert "ptrace" in reason.lower(), reason
            pytest.skip("strace may not trace on this machine")
        try:
            send_all(int(told))
        finally:  # strace, which heeds no signal while it writes into a file, ends with what it traces
            os.kill(int(log.read_text(encoding="utf-8", errors="replace").split()[0]), signal.SIGKILL)
    told_calls = calls_in(log.read_text(encoding="utf-8", errors="replace"), str(record))
    assert told_calls == ["written", "synced", "answered"] * REQUESTS


def calls_in(log: str, record: str) -> list[str]:
    """What was done with the recording, and each 200 when it began to be sent; a sync counts when it is over."""
    calls, syncing = list[str](), set[str]()
    for line in log.splitlines():
        found = _LINE.match(line)
        if found is None:
            continue
        thread, name = found["thread"], found["call"] or found["resumed"]
        is_sync = name in ("fsync", "fdatasync")
        if is_sync and found["call"]:
            (syncing.add if found["of"] == record else syncing.discard)(thread)
        if is_sync and thread in syncing and not line.endswith("<unfinished ...>"):
            syncing.discard(thread)
            calls += ["synced"] if _SYNCED.search(line) else []
        elif found["call"] and not is_sync and found["of"] == record:
            calls.append("written")
        elif found["call"] and ('"HTTP/1.1 200' in line or _OK_OVER_GRPC in line):
            calls.append("answered")
    return calls


ANSWER = '6 sendto(8<socket:[5]>, "HTTP/1.1 200 OK", 9) = 9'


@pytest.mark.parametrize(
    ("lines", "calls"),
    [
        (['7 write(9</r>, "{}\\n", 3) = 3', "7 fsync(9</r>) = 0", ANSWER], "wsa"),
        (["7 fsync(9</r> <unfinished ...>", ANSWER, "7 <... fsync resumed>) = 0"], "as"),
        (["7 fsync(9</r>) = -1 EIO (Input/output error)", "7 fsync(9</other>) = 0"], ""),
    ],
)
def test_a_trace_is_read_in_the_order_of_what_was_done(lines: list[str], calls: str) -> None:
    assert "".join(call[0] for call in calls_in("\n".join(lines), "/r")) == calls
