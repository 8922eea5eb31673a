"""Runs every measurement, one after the other, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys

MEASUREMENTS = (
    "import_cli",
    "commands",
    "startup",
    "window",
    "open_big",
    "reopen",
    "inspect_big",
    "conversation",
    "filtering",
    "evaluate_big",
    "open_huge",
    "memory",
    "claude_folder",
    "claude_window",
    "eval_log",
    "checkpoints",
    "folder",
    "growth",
    "following",
    "eval_set",
    "timeline",
    "compare",
    "two_runs",
    "redacting",
    "engine_speed",
    "rescoring",
    "edit_to_verdict",
    "bulk_edit",
    "rebase",
    "results",
    "results_window",
    "alignment",
    "judging",
    "grounding",
    "grounding_quality",
    "kill_edits",
    "kill_typing",
    "child_deaths",
)


def main() -> int:
    """The number of measurements that failed."""
    commands = [[sys.executable, "-m", f"benchmarks.{name}"] for name in MEASUREMENTS]
    return sum(subprocess.run(command, check=False).returncode != 0 for command in commands)


if __name__ == "__main__":
    sys.exit(main())
