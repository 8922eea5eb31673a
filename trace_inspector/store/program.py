"""Identifies this program, so that cache entries of another version are not used."""

from __future__ import annotations

import contextlib
import hashlib
import sys
from pathlib import Path

from trace_inspector.store.index_columns import LAYOUT
from trace_inspector.version import __version__


def program_name() -> str:
    """The version with a digest of the code, which changes between versions during development."""
    digest = hashlib.sha256(f"{sys.version} {sys.byteorder} {LAYOUT}".encode())
    files = sorted(Path(__file__).parents[1].rglob("*.py"))
    for file in files or [Path(sys.executable)]:  # a packaged program has its code inside
        with contextlib.suppress(OSError):  # it is being replaced by another version
            status = file.stat()
            digest.update(f"{file.name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return f"{__version__} {digest.hexdigest()[:16]}"
