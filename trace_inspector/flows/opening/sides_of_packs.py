"""The runs in an evidence pack of two, each named by its file and the place of the run in it: `pack.html/sides/1`."""

from __future__ import annotations

from pathlib import Path

from trace_inspector.core.verdict.verdict import CaseVerdict
from trace_inspector.documents.packing.packing import is_there

_SIDES = "sides"


def name_of_side(path: Path, place: str) -> str:
    """How the run at a place of a pack is called."""
    return f"{path}{place}"


def side_of_pack(path: Path) -> tuple[Path, str]:
    """The pack and the place of the run in it, which ends in “/”; "" where this names no run of a pack."""
    file = path.parent.parent
    if path.parent.name != _SIDES or not path.name.isdigit() or is_there(path) or not file.is_file():
        return path, ""
    return file, f"/{_SIDES}/{path.name}/"


def is_in_side(verdict: CaseVerdict, place: str) -> bool:
    """Whether a verdict is one of that run."""
    return (verdict.trace_place or verdict.golden_place).startswith(place)
