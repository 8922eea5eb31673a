"""The process of a peer: its own Python runs a module that answers over a pipe."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from trace_inspector.core.values.values import Json

PROJECT = Path(__file__).resolve().parents[2]
LONGEST_BATCH_S = 300.0
_STOPPING_S = 10.0
_SHOWN = 2_000  # characters of what a peer said before it died


class PeerFailed(Exception):
    """The peer could not be asked."""


class Peer:
    """A running peer. Ask in two steps, so that it works while we do."""

    def __init__(self, python: str, module: str) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the peer
        command = [python, "-m", module]
        pipe = subprocess.PIPE
        environment = os.environ | {"PYTHONHASHSEED": "0"}
        self._process = subprocess.Popen(
            command, cwd=PROJECT, stdin=pipe, stdout=pipe, stderr=self._errors, env=environment
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _where: TracebackType | None) -> None:
        if self._process.stdin:
            self._process.stdin.close()
        try:
            self._process.wait(_STOPPING_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout:
            self._process.stdout.close()
        self._errors.close()

    def ask(self, job: str, cases: Sequence[Json]) -> None:
        """Send a batch; the answers are fetched before the next one."""
        line = json.dumps({"job": job, "cases": list(cases)}) + "\n"
        assert self._process.stdin
        try:
            self._process.stdin.write(line.encode())
            self._process.stdin.flush()
        except BrokenPipeError as problem:
            raise PeerFailed(self._last_words()) from problem

    def answers(self) -> list[Json]:
        """The answers to the batch, in its order."""
        assert self._process.stdout
        received = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while not received.endswith(b"\n"):
                if not selector.select(LONGEST_BATCH_S):
                    raise PeerFailed(f"no answer within {LONGEST_BATCH_S:.0f} seconds")
                chunk = os.read(self._process.stdout.fileno(), 1 << 20)
                if not chunk:
                    raise PeerFailed(self._last_words())
                received += chunk
        answers: list[Json] = json.loads(received)
        return answers

    def _last_words(self) -> str:
        self._process.wait(_STOPPING_S)
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip()
        return f"the peer ended with status {self._process.returncode}: …{said[-_SHOWN:]}"
