"""List the agents, tools, transfers and rubrics that goldens test, and those that no golden tests."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.trace.summary import one_line

if TYPE_CHECKING:
    from trace_inspector.core.values.values import JsonObject
    from trace_inspector.engine.goldens.coverage import Coverage, Line

_NAME_CHARS = 80
_CASES_SHOWN = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="files with goldens, and files with traces that name more agents and tools",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, for other programs to read")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when there are goldens, 2 when there are none."""
    from trace_inspector.core.errors import UsageError
    from trace_inspector.engine.goldens.coverage import coverage
    from trace_inspector.flows.opening.given_files import open_given

    given = [each.contents for each in open_given([Path(name) for name in options.files])]
    covered = coverage(
        [suite for contents in given for suite in contents.suites],
        [trace for contents in given for trace in contents.traces],
    )
    if not covered.case_count:
        raise UsageError("These files contain no goldens. Name a file that has some.", path=options.files[0])
    if options.json:
        terminal.say_json(_as_json(covered))
        return 0
    for line in _lines(covered):
        terminal.say(line)
    return 0


def _lines(covered: Coverage) -> Iterator[str]:
    undeclared = set(covered.undeclared)
    for line in covered.lines:
        traces = "1 trace" if line.runs == 1 else f"{line.runs} traces"
        seen = f", seen in {traces}" if line.runs else ""
        where = _cases(line) if line.touches else f"no golden{seen}"
        beside = "; no agent declares it" if line in undeclared else ""
        yield f"{line.kind.value:<8}  {_name(line)}: {where}{beside}"
    touched = len(covered.lines) - len(covered.untouched)
    goldens = "1 golden" if covered.case_count == 1 else f"{covered.case_count} goldens"
    yield f"{touched} of {len(covered.lines)} are exercised by {goldens}"


def _name(line: Line) -> str:
    name = one_line(line.name, _NAME_CHARS)
    agent = one_line(line.agent, _NAME_CHARS)
    joined = {"tool": f"{agent}.{name}", "transfer": f"{agent} → {name}"}.get(line.kind.value, name)
    return joined if agent or line.kind.value == "transfer" else name


def _cases(line: Line) -> str:
    names = list(dict.fromkeys(one_line(touch.case_id, _NAME_CHARS) for touch in line.touches))
    more = f" and {len(names) - _CASES_SHOWN} more" if len(names) > _CASES_SHOWN else ""
    count = "1 golden" if line.cases == 1 else f"{line.cases} goldens"
    return f"{count} ({', '.join(names[:_CASES_SHOWN])}{more})"


def _as_json(covered: Coverage) -> JsonObject:
    undeclared = set(covered.undeclared)
    return {
        "cases": covered.case_count,
        "lines": [
            {
                "kind": line.kind.value,
                "agent": line.agent,
                "name": line.name,
                "declared": line.declared,
                "undeclared": line in undeclared,
                "runs": line.runs,
                "cases": line.cases,
                "touches": [
                    {"suite": touch.suite_id, "case": touch.case_id, "turn": touch.turn} for touch in line.touches
                ],
            }
            for line in covered.lines
        ],
    }
