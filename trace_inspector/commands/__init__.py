"""One file per headless command. COMMANDS is the one list; a command's file is imported when it is called."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """A word on the command line. Its module holds `arguments(parser)` and `run(options, terminal) -> int`."""

    name: str
    module: str
    help: str


COMMANDS = (
    Command("inspect", "inspect_files", "show what files hold"),
    Command("validate", "validate", "list findings, one per line"),
    Command("convert", "convert", "write a file in another format, losses listed first"),
    Command("edit", "edit", "change values without moving another byte"),
    Command("evaluate", "evaluate", "score traces against goldens"),
    Command("promote", "promote", "make recorded conversations goldens of a suite"),
    Command("coverage", "coverage", "say what goldens exercise, and what none does"),
    Command("diff", "diff", "say where conversations part"),
    Command("compare-runs", "compare_runs", "say what got better and what worse between two runs"),
    Command("audit", "audit", "list reported verdicts that contradict their own parts"),
    Command("metrics", "metrics", "list the metrics"),
    Command("formats", "formats", "list the formats"),
    Command("doctor", "doctor", "say what is installed and what is missing"),
)
