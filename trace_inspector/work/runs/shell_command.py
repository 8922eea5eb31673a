"""Runs the person's own command in a child: without a shell, its output in bounded helpings, ended with the child."""

from __future__ import annotations

import codecs
import os
import shlex
import subprocess
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from trace_inspector.core.errors import ReadError, UsageError
from trace_inspector.work.processes.child import Channel

READ_BYTES = 65_536
HELPING_CHARS = 32_768  # of what came since the last one; what is more is counted, not sent
SEND_EVERY_S = 0.1
LINE_CHARS = 2_000  # longer lines are broken: no view holds one of a gigabyte
_PICTURES = {code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)} | {0x7F: 0x2421}


class Output(Struct, frozen=True):
    """What the command wrote since the last one. `left_out` characters before it are not shown."""

    text: str
    left_out: int = 0


class Ended(Struct, frozen=True):
    """How it ended, and which of the files that were watched are others now."""

    code: int
    changed: tuple[str, ...] = ()


def split_command(line: str) -> list[str]:
    """The program and its arguments, as a shell would part them; nothing in them is expanded."""
    try:
        parts = shlex.split(line, posix=os.name == "posix")
    except ValueError as problem:
        raise UsageError(f"The command cannot be read: {problem}. Close every quotation mark.") from problem
    if not parts:
        raise UsageError("Type the command that makes your traces, for example: adk eval my_agent my.evalset.json")
    return parts


def run_command(channel: Channel, parts: Sequence[str], folder: str, watched: Sequence[str]) -> None:
    """In the child, whose process group it shares: whatever ends the child ends the command."""
    before = [_stamp(path) for path in watched]
    with _started(parts, folder) as process:
        if process.stdout is not None:
            _send_output(channel, process.stdout.fileno())
        code = process.wait()
    changed = tuple(path for path, stamp in zip(watched, before, strict=True) if _stamp(path) != stamp)
    channel.send(Ended(code, changed))


def _started(parts: Sequence[str], folder: str) -> subprocess.Popen[bytes]:
    if not Path(folder).is_dir():
        raise ReadError("This folder is not there. Choose another one.", path=folder)
    try:
        return subprocess.Popen(
            list(parts), cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    except (OSError, ValueError) as problem:  # a ValueError is a NUL among the arguments
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise ReadError(f"“{parts[0]}” cannot be run: {reason}. Type its whole path if need be.") from problem


def _send_output(channel: Channel, output: int) -> None:
    waiting, left_out, sent_s = "", 0, 0.0
    for text in _texts(output):
        waiting += text
        if len(waiting) > HELPING_CHARS:
            left_out += len(waiting) - HELPING_CHARS
            waiting = waiting[-HELPING_CHARS:]
        now_s = time.monotonic()
        if now_s - sent_s >= SEND_EVERY_S:
            channel.send(Output(waiting, left_out))
            waiting, left_out, sent_s = "", 0, now_s
    if waiting or left_out:
        channel.send(Output(waiting, left_out))


def _texts(output: int) -> Iterator[str]:
    """What comes, as text: control characters are shown, never obeyed; endless lines are broken."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    column = 0
    while data := os.read(output, READ_BYTES):
        lines = decoder.decode(data).replace("\r\n", "\n").replace("\r", "\n").translate(_PICTURES).split("\n")
        texts = []
        for number, line in enumerate(lines):
            column = column if number == 0 else 0
            broken, column = _broken(line, column)
            texts.append(broken)
        yield "\n".join(texts)


def _broken(line: str, column: int) -> tuple[str, int]:
    """A line that begins in that column, broken where it is too long; and the column where it ends."""
    room = LINE_CHARS - column
    if len(line) <= room:
        return line, column + len(line)
    pieces = [line[:room], *(line[start : start + LINE_CHARS] for start in range(room, len(line), LINE_CHARS))]
    return "\n".join(pieces), len(pieces[-1])


def _stamp(path: str) -> tuple[int, int, int] | None:
    try:
        status = Path(path).stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
