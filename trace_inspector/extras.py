"""Libraries that only an extra brings: whether they are installed, and the sentence that tells how to get them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from msgspec import Struct

CLUSTER, JUDGES, GROUNDING, LIVE, MCP = "cluster", "judges", "grounding", "live", "mcp"
SQL, ZSTD = "sql", "zstd"


class Extra(Struct, frozen=True):
    """What needs it, and the modules that it brings."""

    use: str
    modules: tuple[str, ...]


EXTRAS: Mapping[str, Extra] = {
    CLUSTER: Extra("evaluate --on dask", ("dask", "distributed")),
    JUDGES: Extra("judges over the network", ("google.genai", "google.auth", "httpx2", "keyring")),
    GROUNDING: Extra("--grounding-model", ("onnxruntime", "tokenizers")),
    LIVE: Extra("listen over gRPC", ("h2",)),
    MCP: Extra("the command mcp", ("mcp",)),
    SQL: Extra("evaluate --results and query", ("duckdb",)),
    ZSTD: Extra("files packed by Zstandard", ("zstandard",)),
}


def install_line(extra: str) -> str:
    """What a person types."""
    return f"pip install 'trace-inspector[{extra}]'"


def missing(extra: str) -> str:
    """Which modules of an extra are not installed, and the line that installs them; "" when all are there."""
    absent = [name for name in EXTRAS[extra].modules if not _is_there(name)]
    if not absent:
        return ""
    verb = "is" if len(absent) == 1 else "are"
    return f"{', '.join(absent)} {verb} not installed; this brings what is missing: {install_line(extra)}"


def _is_there(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except (ModuleNotFoundError, ValueError):  # the package around it; or it is there, and was not imported as usual
        return False
