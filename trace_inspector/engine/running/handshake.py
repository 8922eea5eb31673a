"""Who works on a run: a process with the program, the rules and the Python that it has. All must have ours."""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import socket
import sys
from pathlib import Path
from typing import TypeAlias

from trace_inspector import plugins
from trace_inspector.core.errors import UsageError
from trace_inspector.version import __version__

# Version, digest of the code with its rules and of what is added to it, minor version of Python, process. Plain, so
# that another version of the program can say it too.
Identity: TypeAlias = tuple[str, str, str, str]


def identity() -> Identity:
    """This process. Any worker can be asked for it."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return __version__, _code_digest() + _added_digest(), python, process_name()


def process_name() -> str:
    """This process among those of all machines."""
    return f"{socket.gethostname()}:{os.getpid()}"


def refuse_others(workers: dict[str, Identity]) -> None:
    """UsageError where a worker would not give the same bits: another version, other rules or another Python."""
    version, digest, python, _process = identity()
    for name, (other_version, other_digest, other_python, _other) in sorted(workers.items()):
        if other_version != version:
            _refuse(name, f"Trace Inspector {other_version}", f"this one {version}", f"version {version}")
        if other_digest != digest:
            _refuse(
                name, f"other rules, plugins or metric commands of version {version}", "this one its own", "the same"
            )
        if other_python != python:
            _refuse(name, f"Python {other_python}", f"this one {python}", f"Python {python}")


def _refuse(name: str, theirs: str, ours: str, needed: str) -> None:
    raise UsageError(
        f"The worker {name} has {theirs}, {ours}: verdicts could differ. Start the workers with {needed}."
    )


@functools.cache
def _code_digest() -> str:
    """Of the content of our files, which is the same on every machine; a packaged program has its code inside."""
    root = Path(__file__).parents[2]
    digest = hashlib.sha256(platform.python_implementation().encode())
    for file in sorted(root.rglob("*.py")) or [Path(sys.executable)]:
        digest.update(file.relative_to(root).as_posix().encode() if file.is_relative_to(root) else b"")
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _added_digest() -> str:
    """Of what other distributions and commands add: a worker without them would judge by other metrics."""
    active = [repr(plugin) for kind in plugins.KINDS for plugin in plugins.active(kind)]
    commands = sorted((name, *parts) for name, parts in plugins.switches().commands.items())
    return hashlib.sha256(repr((active, commands)).encode()).hexdigest()[:8]
