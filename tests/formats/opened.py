"""Files of a format written and opened, and what a test looks at first."""

from __future__ import annotations

import json
from pathlib import Path

from trace_inspector.core.rows.contents import Contents
from trace_inspector.core.trace.trace import Trace, answer_text, calls_of, user_text
from trace_inspector.core.values.values import Json
from trace_inspector.flows.opening.convert_file import convert_files
from trace_inspector.flows.opening.open_file import open_file


def opened(folder: Path, value: Json, name: str) -> Contents:
    """What is read of a value that must be of the named format; a list is written one item a line."""
    path = folder / f"file.json{'l' if isinstance(value, list) else ''}"
    listed = value if isinstance(value, list) else [value]
    path.write_text("".join(json.dumps(line) + "\n" for line in listed), encoding="utf-8")
    contents = open_file(path).contents
    assert contents.format == name
    return contents


def spoken(trace: Trace) -> list[tuple[str, str]]:
    """The words of each turn."""
    return [(user_text(turn), answer_text(turn)) for turn in trace.turns]


def codes(contents: Contents) -> dict[str, str]:
    """The messages of the findings by code."""
    return {finding.code: finding.message for finding in contents.findings}


def calls_after_converting(folder: Path) -> list[int]:
    """How many calls each turn of the opened file has once it is a session of google-adk."""
    (path,) = folder.glob("file.*")
    converted = folder / "converted.json"
    converted.write_bytes(convert_files([path], "adk-session").data)
    return [len(calls_of(turn)) for trace in open_file(converted).contents.traces for turn in trace.turns]
