"""Show what files hold: cases, traces, turns, tool calls, and what is odd about them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from trace_inspector.commands.terminal import Terminal
from trace_inspector.core.contents import Contents
from trace_inspector.core.errors import InspectorError
from trace_inspector.core.finding import Finding
from trace_inspector.core.summary import call_line, one_line
from trace_inspector.core.trace import (
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
from trace_inspector.core.values import Json, JsonObject, strict
from trace_inspector.core.verdict import Status
from trace_inspector.flows.listing import expand
from trace_inspector.flows.open_file import open_file


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="files or folders")
    parser.add_argument("--json", action="store_true", help="print one JSON object for programs")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when every file was read, 2 otherwise."""
    status = 0
    documents: list[Json] = []
    for path in expand(Path(name) for name in options.files):
        try:
            contents = open_file(path).contents
        except InspectorError as problem:
            terminal.complain(problem)
            status = 2
            continue
        if options.json:
            documents.append(document_json(str(path), contents))
        else:
            for line in _lines(str(path), contents):
                terminal.say(line)
    if options.json:
        terminal.say_json({"documents": documents})
    return status


def document_json(path: str, contents: Contents) -> JsonObject:
    """One document as `inspect --json` shows it."""
    return {
        "path": path,
        "format": contents.format,
        "holds": {**contents.holds},
        "cases": [
            {"id": case.id, "turns": [turn_json(turn) for turn in case.turns]}
            for suite in contents.suites
            for case in suite.cases
        ],
        "traces": [
            {
                "id": trace.id,
                "agents": [agent.name for agent in trace.agents],
                "spans": trace.span_count,
                "turns": [turn_json(turn) for turn in trace.turns],
            }
            for trace in contents.traces
        ],
        "findings": [finding_json(finding) for finding in contents.findings],
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


def finding_json(finding: Finding) -> JsonObject:
    """One finding for programs."""
    return {
        "severity": finding.severity.value,
        "code": finding.code,
        "message": finding.message,
        "pointer": finding.pointer,
        "line": finding.line,
        "column": finding.column,
    }


def _lines(path: str, contents: Contents) -> Iterator[str]:
    held = ", ".join(f"{count} {what}" for what, count in contents.holds.items())
    yield f"{path}: {contents.format or 'not recognised'}{f' ({held})' if held else ''}"
    for suite in contents.suites:
        for case in suite.cases:
            what = f"scenario “{one_line(case.scenario.starting_prompt)}”" if case.scenario else _turns(case.turns)
            yield f"  case {one_line(case.id)}: {what}"
            yield from _turn_lines(case.turns)
    for trace in contents.traces:
        spans = f", {_counted(trace.span_count, 'span')}" if trace.span_count else ""
        yield f"  trace {one_line(trace.id)}: {_turns(trace.turns)}{spans}"
        yield from _turn_lines(trace.turns)
    if contents.reported:
        failed = sum(verdict.status is Status.FAILED for verdict in contents.reported)
        yield f"  reported: {_counted(len(contents.reported), 'case')}, {failed} failed"
    for finding in contents.findings:
        place = f"{finding.line}:{finding.column}"
        yield f"  {place}: {finding.severity.value} {finding.code} {one_line(finding.message)}"


def _turn_lines(turns: tuple[Turn, ...]) -> Iterator[str]:
    for turn in turns:
        yield f"    {turn.index + 1}. “{one_line(user_text(turn))}”"
        for call in calls_of(turn):
            yield f"       {call_line(call)}"
        if turn.final_response is not None:
            yield f"       → “{one_line(answer_text(turn))}”"


def _turns(turns: tuple[Turn, ...]) -> str:
    return _counted(len(turns), "turn")


def _counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
