"""Check every reported verdict against its own scores, turns and rubrics, and list the contradictions."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from trace_inspector.commands.output.terminal import Terminal
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.flows.runs.audit_files import AuditedVerdict, audit_files

NOTHING_REPORTED = 3


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="result files, or folders of result files"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object, for other programs to read")


def run(options: argparse.Namespace, terminal: Terminal) -> int:
    """0 when every verdict fits its parts, 1 when one does not, 2 when it could not run, 3 when none is reported."""
    audited = audit_files(options.files)
    if options.json:
        listed: list[Json] = [_json(file) for file in audited]
        terminal.say_json({"verdicts": listed})
    else:
        _print(audited, terminal)
    if not audited:
        return NOTHING_REPORTED
    return int(any(file.contradictions for file in audited))


def _print(audited: Sequence[AuditedVerdict], terminal: Terminal) -> None:
    for file in audited:
        for contradiction in file.contradictions:
            place = f" [{one_line(contradiction.place)}]" if contradiction.place else ""
            terminal.say(f"{file.path}: {one_line(file.name)}: {contradiction.code}: {contradiction.sentence}{place}")
    codes = Counter(contradiction.code for file in audited for contradiction in file.contradictions)
    if not audited:
        terminal.say("These files report no verdicts. Name result files, or a folder of result files.")
        return
    odd = sum(bool(file.contradictions) for file in audited)
    kinds = "".join(f"; {code} {count}" for code, count in codes.most_common())
    terminal.say(f"{odd} of {len(audited)} reported verdicts contradict their own details{kinds}")


def _json(file: AuditedVerdict) -> JsonObject:
    contradictions: list[Json] = [
        {
            "code": each.code,
            "sentence": each.sentence,
            "turn": each.turn,
            "metric": each.metric or None,
            "pointer": each.place,
        }
        for each in file.contradictions
    ]
    verdict = file.verdict
    return {
        "path": file.path,
        "suite": verdict.suite_id,
        "case": verdict.case_id,
        "trace": verdict.trace_id,
        "status": verdict.status.value,
        "contradictions": contradictions,
    }
