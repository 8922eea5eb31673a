"""How much `import trace_inspector.cli` adds to bare Python: start-up and the pool's children depend on it."""

from __future__ import annotations

from benchmarks.measure import process_seconds, spread, table

RUNS = 15
STATEMENTS = (
    ("bare Python", "pass"),
    ("import trace_inspector.cli", "import trace_inspector.cli"),
    ("for comparison: import pydantic", "import pydantic; pydantic.BaseModel"),
    ("for comparison: import PySide6.QtWidgets", "import PySide6.QtWidgets"),
)


def main() -> None:
    """Whole processes, taken in turn so that a busy moment hits all alike."""
    taken: dict[str, list[float]] = {title: [] for title, _statement in STATEMENTS}
    for _ in range(RUNS):
        for title, statement in STATEMENTS:
            taken[title].append(process_seconds("-c", statement))
    rows = [(title, spread(values, "ms")) for title, values in taken.items()]
    table(f"Import of the command line, whole process, median of {RUNS}", [("process", "time"), *rows])


if __name__ == "__main__":
    main()
