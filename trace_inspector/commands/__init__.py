"""One module per headless command. COMMANDS lists them; a module is imported when its command is called."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from trace_inspector.commands.terminal import Terminal


class CommandModule(Protocol):
    """The module of a command. Its docstring is the first text of its help."""

    __doc__: str | None

    def arguments(self, parser: argparse.ArgumentParser, /) -> None:
        """Add the arguments of the command."""

    def run(self, options: argparse.Namespace, terminal: Terminal, /) -> int:
        """Run the command and return the exit code."""


@dataclass(frozen=True, slots=True)
class Command:
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


def _promote() -> CommandModule:
    from trace_inspector.commands import promote

    return promote


def _coverage() -> CommandModule:
    from trace_inspector.commands import coverage

    return coverage


def _diff() -> CommandModule:
    from trace_inspector.commands import diff

    return diff


def _compare_runs() -> CommandModule:
    from trace_inspector.commands import compare_runs

    return compare_runs


def _audit() -> CommandModule:
    from trace_inspector.commands import audit

    return audit


def _metrics() -> CommandModule:
    from trace_inspector.commands import metrics

    return metrics


def _formats() -> CommandModule:
    from trace_inspector.commands import formats

    return formats


def _doctor() -> CommandModule:
    from trace_inspector.commands import doctor

    return doctor


COMMANDS = (
    Command("inspect", "show what files hold", _inspect),
    Command("validate", "list findings, one per line", _validate),
    Command("convert", "write a file in another format, losses listed first", _convert),
    Command("edit", "change values without moving another byte", _edit),
    Command("evaluate", "score traces against goldens", _evaluate),
    Command("promote", "make recorded conversations goldens of a suite", _promote),
    Command("coverage", "say what goldens exercise, and what none does", _coverage),
    Command("diff", "say where conversations part", _diff),
    Command("compare-runs", "say what got better and what worse between two runs", _compare_runs),
    Command("audit", "list reported verdicts that contradict their own parts", _audit),
    Command("metrics", "list the metrics", _metrics),
    Command("formats", "list the formats", _formats),
    Command("doctor", "say what is installed and what is missing", _doctor),
)
