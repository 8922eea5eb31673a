"""Files named as modules of Python, as a stranger may put them beside traces: each leaves a mark when it is run."""

from __future__ import annotations

from pathlib import Path

# What Python itself imports first in a child process, and what this program does.
_NAMES = ("multiprocessing", "pickle", "signal", "json", "pydantic", "trace_inspector", "sitecustomize")


def lay_traps(folder: Path) -> Path:
    """Put them into a new folder; the file that is returned is there once one of them was run."""
    folder.mkdir()
    mark = folder.with_name(f"{folder.name} was run")
    for name in _NAMES:
        (folder / f"{name}.py").write_text(f"open({str(mark)!r}, 'a').write({name + ' '!r})\nraise ImportError\n")
    return mark
