"""Writes tests/data/grounding/{fit,tune,test,stranger}.jsonl anew and prints what is in them.

python -m tests.project.grounding_set
"""

from __future__ import annotations

import sys

from tests.project.grounding_set.balance import report
from tests.project.grounding_set.writing import FOLDER, all_parts, part_text

if __name__ == "__main__":
    parts = all_parts()
    for part, lines in parts.items():
        (FOLDER / f"{part}.jsonl").write_text(part_text(lines), encoding="utf-8")
    sys.stdout.write(report(parts))
