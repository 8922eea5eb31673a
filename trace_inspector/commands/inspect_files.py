"""Show what files contain: cases, traces, turns and tool calls, and what is odd about the files."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import asdict, replace

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.errors import InspectorError
from trace_inspector.core.finding import Finding
from trace_inspector.core.golden.golden import Case, Suite
from trace_inspector.core.rows.contents import Holds, Item
from trace_inspector.core.trace.outline import FullCounts, Outline, below_their_sessions
from trace_inspector.core.trace.summary import call_line, one_line
from trace_inspector.core.trace.trace import (
    Trace,
    Turn,
    answer_text,
    calls_of,
    input_tokens,
    output_tokens,
    paired_calls,
    total_tokens,
    turn_usage,
    user_text,
)
from trace_inspector.core.values.values import Json, JsonObject, strict
from trace_inspector.core.verdict.verdict import CaseVerdict, Status
from trace_inspector.documents.text.garbage_collection import gc_paused
from trace_inspector.flows.opening.listing import SKIPPED, expand
from trace_inspector.flows.opening.open_file import BytesRead, Recognised
from trace_inspector.flows.opening.outlines import Outlines, full_counts
from trace_inspector.flows.runs.joined_inputs import FilesTogether


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="files or folders")
    parser.add_argument("--json", action="store_true", help="print one JSON object, for other programs to read")
    listing = "only list files in lines: title, start, model and size, by the beginning of each"
    parser.add_argument("--list", action="store_true", help=listing)
    counts = "beside --list also read each file to its end, and add its turns, calls and tokens"
    parser.add_argument("--counts", action="store_true", help=counts)


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when every file was read, 2 otherwise."""
    if options.counts and not options.list:
        terminal.complain("--counts adds to what --list prints. Give both.")
        return 2
    status = 0
    documents: list[Json] = []
    skipped: list[Path] = []
    paths = tuple(expand((Path(name) for name in options.files), skipped))
    for path in skipped:
        terminal.complain(f"{path}: {SKIPPED.message}")
    if options.list:
        return _list(paths, terminal, as_json=options.json, with_counts=options.counts)
    together = FilesTogether(paths)
    for path in together.paths:
        try:
            stream = together.stream(path)
            if options.json:
                documents.append(_document_json(str(path), _read(stream, turn_json)))
            else:
                for line in _lines(str(path), _read(stream, _turn_lines)):
                    terminal.say(line)
        except InspectorError as problem:
            terminal.complain(problem)
            status = 2
    if options.json:
        terminal.say_json({"documents": documents})
    return status


def _list(paths: Sequence[Path], terminal: Terminal, *, as_json: bool, with_counts: bool) -> int:
    """A line a file, sub-agents below their session; 2 when one of the files could not be read."""
    status, outlines, listed = 0, Outlines(), list[Outline]()
    for path in paths:
        try:
            listed.append(outlines.outline(path))
        except OSError as problem:
            terminal.complain(f"{path}: The file could not be read ({problem.strerror or problem}).")
            status = 2
    sessions = {outline.id for outline in listed if outline.id}
    documents: list[Json] = []
    for outline in below_their_sessions(listed):
        counts = None
        if with_counts:
            try:
                counts = full_counts(outline.path)
            except InspectorError as problem:
                terminal.complain(problem)
                status = 2
        if as_json:
            more = asdict(counts) if counts is not None and counts.format else {}
            told = {name: value for name, value in asdict(outline).items() if name != "written_ns"}
            documents.append({**told, "path": str(outline.path), **more})
        else:
            terminal.say(f"{'  ' if outline.parent in sessions else ''}{_outline_line(outline, counts)}")
    if as_json:
        terminal.say_json({"files": documents})
    return status


def _outline_line(outline: Outline, counts: FullCounts | None) -> str:
    start = outline.start_s
    when = "" if start is None else datetime.fromtimestamp(start, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    below = f"sub-agent of {one_line(outline.parent)}" if outline.parent else ""
    size = f"{outline.size_bytes / 1e6:,.2f} MB"
    held: tuple[str, ...] = ()
    name = outline.format or "not known by its beginning"
    if counts is not None:
        name = counts.format or "not recognised"
    if counts is not None and counts.format:
        held = (_counted(counts.turns, "turn"), _counted(counts.calls, "call"), _tokens(counts))
    facts = (one_line(outline.title), when, one_line(outline.model), size, *held, below)
    return f"{outline.path}: {name}: {' · '.join(part for part in facts if part)}"


def _tokens(counts: FullCounts) -> str:
    return f"{counts.input_tokens:,} tokens in, {counts.output_tokens:,} out"


Shown = TypeVar("Shown")


class _FileContents(Struct, Generic[Shown]):
    """The contents of one file. Of turns only what is shown is kept: a large file has many."""

    format: str = ""
    cases: list[tuple[Case, list[Shown]]] = field(default_factory=list)
    traces: list[tuple[Trace, list[Shown]]] = field(default_factory=list)
    holds: dict[str, int] = field(default_factory=dict)
    reported: list[Status] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)


def _read(stream: Iterable[Recognised | BytesRead | Item], show: Callable[[Turn], Shown]) -> _FileContents[Shown]:
    contents = _FileContents[Shown]()
    turns: list[Shown] = []
    with gc_paused():
        for item in stream:
            match item:
                case Recognised():
                    contents.format = item.format
                case Suite():
                    contents.cases.extend(
                        (replace(case, turns=()), [show(turn) for turn in case.turns]) for case in item.cases
                    )
                case Trace(goes_on=int(number)):
                    turns = contents.traces[number][1]
                    contents.traces[number] = (replace(item, spans=()), turns)
                case Trace():
                    turns = [show(turn) for turn in item.turns]
                    contents.traces.append((replace(item, turns=(), spans=()), turns))
                case Turn():
                    turns.append(show(item))
                case Holds():
                    contents.holds[item.what] = item.count
                case CaseVerdict():
                    contents.reported.append(item.status)
                case Finding():
                    contents.findings.append(item)
    return contents


def _document_json(path: str, contents: _FileContents[JsonObject]) -> JsonObject:
    """One document as `inspect --json` shows it."""
    return {
        "path": path,
        "format": contents.format,
        "holds": {**contents.holds},
        "cases": [{"id": case.id, "turns": [*turns]} for case, turns in contents.cases],
        "traces": [_trace_json(trace, turns) for trace, turns in contents.traces],
        "findings": [_finding_json(finding) for finding in contents.findings],
    }


def _trace_json(trace: Trace, turns: list[JsonObject]) -> JsonObject:
    parent = trace.parent
    started: JsonObject = {"parent": {"trace": parent.trace_id, "call": parent.call_id}} if parent else {}
    return {
        "id": trace.id,
        **started,
        "agents": [agent.name for agent in trace.agents],
        "spans": trace.span_count,
        "turns": [*turns],
    }


def turn_json(turn: Turn) -> JsonObject:
    """One turn as `inspect --json` shows it."""
    usage = turn_usage(turn)
    return {
        "index": turn.index,
        "id": turn.id,
        "user": user_text(turn),
        "final_response": None if turn.final_response is None else answer_text(turn),
        "events": len(turn.events),
        "tool_calls": [
            {
                "name": paired.call.name,
                "args": strict(paired.call.args),
                "id": paired.call.call_id,
                "result": None if paired.result is None else strict(paired.result.value),
            }
            for paired in paired_calls(turn)
        ],
        "start_s": turn.start_s,
        "duration_s": turn.duration_s,
        "tokens": {
            "input": input_tokens(usage),
            "output": output_tokens(usage),
            "total": total_tokens(usage),
            "cached": usage.cached,
            "thoughts": usage.thoughts,
        },
    }


def _finding_json(finding: Finding) -> JsonObject:
    """One finding as JSON."""
    return {
        "severity": finding.severity.value,
        "code": finding.code,
        "message": finding.message,
        "pointer": finding.pointer,
        "line": finding.line,
        "column": finding.column,
    }


def _lines(path: str, contents: _FileContents[list[str]]) -> Iterator[str]:
    counts = ", ".join(f"{what}: {count}" for what, count in contents.holds.items())
    yield f"{path}: {contents.format or 'not recognised'}{f' ({counts})' if counts else ''}"
    for case, turns in contents.cases:
        what = f"scenario “{one_line(case.scenario.starting_prompt)}”" if case.scenario else _turns(turns)
        yield f"  case {one_line(case.id)}: {what}"
        yield from chain.from_iterable(turns)
    for trace, turns in contents.traces:
        spans = f", {_counted(trace.span_count, 'span')}" if trace.span_count else ""
        yield f"  trace {one_line(trace.id)}: {_turns(turns)}{spans}"
        yield from chain.from_iterable(turns)
    if contents.reported:
        failed = contents.reported.count(Status.FAILED)
        yield f"  reported: {_counted(len(contents.reported), 'case')}, {failed} failed"
    for finding in contents.findings:
        member = f"{finding.member}:" if finding.member else ""
        place = f"{member}{finding.line}:{finding.column}"
        yield f"  {place}: {finding.severity.value} {finding.code} {one_line(finding.message)}"


def _turn_lines(turn: Turn) -> list[str]:
    lines = [f"    {turn.index + 1}. “{one_line(user_text(turn))}”"]
    lines.extend(f"       {call_line(call)}" for call in calls_of(turn))
    if turn.final_response is not None:
        lines.append(f"       → “{one_line(answer_text(turn))}”")
    return lines


def _turns(turns: Sequence[object]) -> str:
    return _counted(len(turns), "turn")


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
