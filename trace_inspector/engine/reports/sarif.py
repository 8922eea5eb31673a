"""`sarif`: what failed, for tools that show findings at lines of files (SARIF 2.1.0, an OASIS standard)."""

from __future__ import annotations

import hashlib
from pathlib import PurePath
from urllib.parse import quote

from trace_inspector.core.values.json_numbers import json_text
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.verdict import RunVerdict
from trace_inspector.engine.reports.annotated import Annotation, annotations_of
from trace_inspector.engine.reports.report import tally, words
from trace_inspector.engine.reports.sources import Sources
from trace_inspector.engine.reports.visible_text import cut, visible
from trace_inspector.version import __version__

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_MOST_CHARS = 4_000
_MOST_RESULTS = 25_000  # of which those who read them take no more; the rest is counted


def write(run: RunVerdict, sources: Sources) -> str:
    """One result for each failing turn or undecided case."""
    found = list(annotations_of(run, sources))
    told: list[Json] = [f"{tally(run.cases)}."]
    if len(found) > _MOST_RESULTS:
        told.append(f"Only the first {_MOST_RESULTS:,} of {len(found):,} findings are listed.")
    shown = found[:_MOST_RESULTS]
    rules: list[Json] = [
        {"id": rule, "shortDescription": {"text": f"{rule} of Trace Inspector"}}
        for rule in dict.fromkeys(_shown(annotation.rule) for annotation in shown)
    ]
    driver: JsonObject = {"name": "Trace Inspector", "version": __version__, "rules": rules}
    results: list[Json] = [_result(annotation) for annotation in shown]
    report: JsonObject = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": results,
                "properties": {"notes": told},
            }
        ],
    }
    return json_text(report) + "\n"


def _result(annotation: Annotation) -> JsonObject:
    case = annotation.case
    key = "\0".join((annotation.rule, case.suite_id, case.case_id, str(annotation.turn)))
    result: JsonObject = {
        "ruleId": _shown(annotation.rule),
        "level": annotation.level,
        "message": {"text": _shown(f"{words(case.status)}: {annotation.name}\n{annotation.message}")},
        # The same finding of the next run is known again, also where lines have moved.
        "partialFingerprints": {"goldenTurn/v1": hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()},
    }
    if annotation.path:
        place: JsonObject = {"artifactLocation": {"uri": _uri(annotation.path)}}
        if annotation.line:
            place["region"] = {"startLine": annotation.line, "startColumn": max(annotation.column, 1)}
        result["locations"] = [{"physicalLocation": place}]
    return result


def _uri(path: str) -> str:
    """A path as it was given, relative where it was; with a drive or a root it names a file of this machine."""
    pure = PurePath(path)
    root = "file:///" if pure.drive else "file://" if pure.is_absolute() else ""
    return root + quote(pure.as_posix(), safe="/:" if pure.drive else "/", errors="replace")


def _shown(text: str) -> str:
    return cut(visible(text), _MOST_CHARS)
