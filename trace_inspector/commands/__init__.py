"""One module per headless command. COMMANDS lists them; a module is imported when its command is called."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from trace_inspector.commands.output.terminal import Terminal


class CommandModule(Protocol):
    """The module of a command. Its docstring is the first text of its help."""

    __doc__: str | None

    def arguments(self, parser: argparse.ArgumentParser, /) -> None:
        """Add the arguments of the command."""

    def run(self, options: argparse.Namespace, terminal: Terminal, /) -> int:
        """Run the command and return the exit code."""


class Command(Struct, frozen=True):
    """The name of a command, and the import of its module."""

    name: str
    help: str
    load: Callable[[], CommandModule]


def _inspect() -> CommandModule:
    from trace_inspector.commands import inspect_files

    return inspect_files


def _validate() -> CommandModule:
    from trace_inspector.commands import validate

    return validate


def _convert() -> CommandModule:
    from trace_inspector.commands import convert

    return convert


def _edit() -> CommandModule:
    from trace_inspector.commands import edit

    return edit


def _evaluate() -> CommandModule:
    from trace_inspector.commands import evaluate

    return evaluate


def _listen() -> CommandModule:
    from trace_inspector.commands import listen

    return listen


def _promote() -> CommandModule:
    from trace_inspector.commands import promote

    return promote


def _coverage() -> CommandModule:
    from trace_inspector.commands import coverage

    return coverage


def _rebase() -> CommandModule:
    from trace_inspector.commands import rebase

    return rebase


def _diff() -> CommandModule:
    from trace_inspector.commands import diff

    return diff


def _compare_runs() -> CommandModule:
    from trace_inspector.commands import compare_runs

    return compare_runs


def _query() -> CommandModule:
    from trace_inspector.commands import query

    return query


def _mcp() -> CommandModule:
    from trace_inspector.commands import mcp

    return mcp


def _evidence() -> CommandModule:
    from trace_inspector.commands import evidence

    return evidence


def _audit() -> CommandModule:
    from trace_inspector.commands import audit

    return audit


def _labels() -> CommandModule:
    from trace_inspector.commands import labels

    return labels


def _calibrate() -> CommandModule:
    from trace_inspector.commands import calibrate

    return calibrate


def _explain() -> CommandModule:
    from trace_inspector.commands import explain

    return explain


def _metrics() -> CommandModule:
    from trace_inspector.commands import metrics

    return metrics


def _formats() -> CommandModule:
    from trace_inspector.commands import formats

    return formats


def _archive() -> CommandModule:
    from trace_inspector.commands import archive

    return archive


def _doctor() -> CommandModule:
    from trace_inspector.commands import doctor

    return doctor


COMMANDS = (
    Command("inspect", "show what files contain: cases, conversations, tool calls", _inspect),
    Command("validate", "check files and list what is odd about them, one finding per line", _validate),
    Command("convert", "convert files to another format, and list what would be lost", _convert),
    Command("edit", "change values in a file and leave every other byte as it is", _edit),
    Command("evaluate", "score recorded conversations (traces) against expected ones (goldens)", _evaluate),
    Command("listen", "listen to a program while it runs (OpenTelemetry), and score each turn as it ends", _listen),
    Command("promote", "turn recorded conversations into goldens", _promote),
    Command("coverage", "list the agents, tools and rubrics that goldens test, and those that none tests", _coverage),
    Command("rebase", "take what an agent does otherwise on purpose into many goldens at once", _rebase),
    Command("diff", "compare conversations and show where they differ", _diff),
    Command("compare-runs", "compare two evaluation runs: what improved, what regressed", _compare_runs),
    Command("query", "ask SQL of the results of a run, in a folder that evaluate wrote", _query),
    Command("evidence", "write one page of a run for others, without secrets", _evidence),
    Command("audit", "find reported verdicts that contradict their own scores, turns or rubrics", _audit),
    Command("explain", "find which step did it: what failing runs have in common", _explain),
    Command("labels", "what people say of outputs: export, import, merge, draw a queue of questions", _labels),
    Command("calibrate", "measure judges against what people say: how often a judge is right", _calibrate),
    Command("metrics", "list the metrics, and what each one needs", _metrics),
    Command("formats", "list the file formats, and which can be read, written and edited", _formats),
    Command("archive", "copy the sessions of coding agents before their programs delete them", _archive),
    Command("mcp", "answer coding agents: failing cases, reasons, differences (Model Context Protocol)", _mcp),
    Command("doctor", "check the installation: versions, missing libraries, folders", _doctor),
)
