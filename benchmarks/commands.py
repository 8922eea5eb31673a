"""How much of the processor whole commands take on a small file, beside `import pydantic` of the same run.

Wanted: at most four times as much. Each is a fresh process, from the command to its exit, with compiled files.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measure import children_seconds, spread, table
from tests.helpers.small_set import small_set

RUNS = 9
BESIDE = "for comparison: import pydantic"
_COUNTING = (
    "import sys; from trace_inspector.cli import main; main(sys.argv[1:]); "
    "print(sum(name.startswith('trace_inspector.') and not hasattr(module, '__path__') "
    "for name, module in sys.modules.items()), file=sys.stderr)"
)


def main() -> None:
    """Taken in turn, so that a busy moment hits all alike."""
    with tempfile.TemporaryDirectory() as folder:
        goldens, recording = map(str, small_set(Path(folder)))
        out = str(Path(folder, "out.json"))
        commands = {
            "inspect": ["inspect", goldens],
            "validate": ["validate", goldens],
            "convert": ["convert", goldens, "--to", "adk-session", "-o", out, "--allow-loss"],
            "evaluate": ["evaluate", recording, "--golden", goldens],
            "diff": ["diff", goldens, recording],
        }
        whole = {title: ["-m", "trace_inspector", *arguments] for title, arguments in commands.items()}
        whole = {"bare Python": ["-c", "pass"], BESIDE: ["-c", "import pydantic"], **whole}
        taken: dict[str, list[float]] = {title: [] for title in whole}
        for nth in range(RUNS + 1):
            for title, arguments in whole.items():
                seconds = _processor_seconds(arguments, folder)
                if nth:  # the first may have to compile the program
                    taken[title].append(seconds)
        beside = statistics.median(taken[BESIDE])
        rows = [("process", "processor time", f"times {BESIDE.rpartition(': ')[2]}", "files of ours imported")]
        for title, values in taken.items():
            count = _modules(commands[title], folder) if title in commands else ""
            rows.append((title, spread(values, "ms"), f"{statistics.median(values) / beside:.1f}", count))
        table(f"Commands on an eval set of {Path(goldens).stat().st_size / 1000:.0f} kB, median of {RUNS}", rows)


def _processor_seconds(arguments: list[str], folder: str) -> float:
    command = [sys.executable, *arguments]
    return children_seconds(
        lambda: subprocess.run(command, env=_environment(folder), stdout=subprocess.DEVNULL, check=False)
    )


def _modules(arguments: list[str], folder: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _COUNTING, *arguments],
        env=_environment(folder),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stderr.split()[-1]


def _environment(folder: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"TRACE_INSPECTOR_DATA": str(Path(folder, "data"))}


if __name__ == "__main__":
    main()
