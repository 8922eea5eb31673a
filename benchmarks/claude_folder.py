"""A project folder of Claude Code, 1,000 sessions and 2 GB: listing it, and reading one session.

Wanted: the list within 2 s, any session within 0.5 s. The processor's time, beside `json.loads` of the same lines.
Sessions, of which every tenth has a sub-agent in a file of its own, are always the same bytes. Needs 2 GB of disk.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.measure import cpu_seconds, spread, table
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.documents.text.garbage_collection import gc_paused
from trace_inspector.flows.opening.listing import expand
from trace_inspector.flows.opening.open_file import stream_file
from trace_inspector.flows.opening.outlines import Outlines
from trace_inspector.work.reading.file_messages import SessionsListed
from trace_inspector.work.reading.loading import sessions_in

_WORDS = "the price of the rule on the shelf is wrong since the stock was counted again "
TURN_CALLS = 12
SESSIONS = 1_000
SESSION_BYTES = 2_000_000
RUNS = 5
_ANSWER_CHARS = 3_000


def main(argv: Sequence[str] | None = None) -> None:
    """Makes the folder, lists it and reads a few of its sessions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=SESSIONS)
    parser.add_argument("--bytes", type=int, default=SESSION_BYTES, help="of a session")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_project(root, options.sessions, options.bytes)
        paths = sorted(root.glob("*.jsonl"))
        size = sum(path.stat().st_size for path in root.rglob("*.jsonl"))
        list_s = cpu_seconds(lambda: _list(root))
        first_s = cpu_seconds(lambda: next(sessions_in(root)))
        window_s = cpu_seconds(lambda: _list_for_window(root))
        read_s = [cpu_seconds(partial(_read, path)) for path in paths[:RUNS]]
        loads_s = [cpu_seconds(partial(_loads, path)) for path in paths[:RUNS]]
    rows = [
        ("what", "processor time"),
        (f"list of {options.sessions:,} sessions: title, start, model, size", f"{list_s:.2f} s"),
        ("the same for the window, where no process starts: its first helping", f"{first_s:.2f} s"),
        ("all helpings", f"{window_s:.2f} s"),
        ("one session, read to its end", spread(read_s)),
        ("for comparison: `json.loads` of its lines", spread(loads_s)),
    ]
    table(f"{options.sessions:,} sessions, {size / 1e9:.2f} GB", rows)


def _list(folder: Path) -> None:
    outlines = Outlines()
    told = [outlines.outline(path) for path in expand([folder])]
    assert all(outline.title and outline.model and outline.start_s is not None for outline in told)


def _list_for_window(folder: Path) -> None:
    told = list(sessions_in(folder))
    assert all(isinstance(some, SessionsListed) for some in told)


def _read(path: Path) -> None:
    with gc_paused():
        assert sum(1 for _item in stream_file(path, in_haste=True)) > 1


def _loads(path: Path) -> None:
    for line in path.read_bytes().splitlines():
        json.loads(line)


def write_project(folder: Path, sessions: int, session_bytes: int) -> None:
    """So many sessions of about so many bytes, every tenth with a sub-agent."""
    for number in range(sessions):
        name = f"{number:08x}-0000-4000-8000-000000000000"
        lines = list(session_lines(name, session_bytes))
        _write(folder / f"{name}.jsonl", lines)
        if number % 10 == 0:
            below = folder / name / "subagents"
            below.mkdir(parents=True)
            agent: list[JsonObject] = [
                {**line, "isSidechain": True, "agentId": f"a{number:07x}"} for line in lines[1 : 4 * TURN_CALLS]
            ]
            _write(below / f"agent-a{number:07x}.jsonl", agent)


def session_lines(name: str, size: int) -> Iterator[JsonObject]:
    """The lines of a session: turns of a question, calls with their results, and an answer."""
    yield {"type": "ai-title", "aiTitle": f"Session {name[:8]}", "sessionId": name}
    written, number, above = 0, 0, ""
    while written < size:
        for kind, message in _turn(number):
            number += 1
            line: JsonObject = {
                "parentUuid": above or None, "isSidechain": False, "userType": "external", "cwd": "/srv/shop",
                "sessionId": name, "version": "2.1.90", "gitBranch": "main", "type": kind, "message": message,
                "uuid": f"{name[:8]}-{number:012x}", "timestamp": _time(number),
            }  # fmt: skip
            above = f"{name[:8]}-{number:012x}"
            written += 400 + len(str(message))
            yield line


def _turn(first: int) -> Iterator[tuple[str, JsonObject]]:
    yield "user", {"role": "user", "content": f"{first}: {_WORDS}"}
    for call in range(TURN_CALLS):
        identity = f"toolu_{first}_{call}"
        block: Json = {"type": "tool_use", "id": identity, "name": "Read", "input": {"file_path": f"/srv/{call}.py"}}
        yield "assistant", _reply(f"msg_{first}_{call}", block)
        answer = (_WORDS * (_ANSWER_CHARS // len(_WORDS) + 1))[:_ANSWER_CHARS]
        result: Json = {"type": "tool_result", "tool_use_id": identity, "content": answer}
        yield "user", {"role": "user", "content": [result]}
    yield "assistant", _reply(f"msg_{first}_end", {"type": "text", "text": f"Done: {_WORDS}"})


def _reply(identity: str, block: Json) -> JsonObject:
    usage: JsonObject = {"input_tokens": 10, "cache_read_input_tokens": 3000, "output_tokens": 40}
    return {"id": identity, "type": "message", "role": "assistant", "model": "large", "content": [block],
            "stop_reason": "end_turn", "usage": usage}  # fmt: skip


def _time(number: int) -> str:
    day, hour = 1 + number // 86_400 % 28, number // 3600 % 24
    return f"2026-05-{day:02}T{hour:02}:{number // 60 % 60:02}:{number % 60:02}.000Z"


def _write(path: Path, lines: list[JsonObject]) -> None:
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
