"""DuckDB, the extra `sql`: imported here, when results are written or asked, and by nobody else."""

from __future__ import annotations

import importlib.util
from types import ModuleType

from trace_inspector.core.errors import UsageError

INSTALL = "install it with: pip install 'trace-inspector[sql]'"


def require_duckdb() -> None:
    """UsageError with what to do where the library is missing, without the time that importing it takes."""
    try:
        found = importlib.util.find_spec("duckdb")
    except ValueError:  # it is marked as one that must not be imported
        found = None
    if found is None:
        raise UsageError(f"DuckDB is not installed; {INSTALL}")


def duckdb_module() -> ModuleType:
    """The library; UsageError with what to do where it is missing."""
    try:
        import duckdb
    except ImportError as problem:
        raise UsageError(f"DuckDB is not installed, or cannot be used; {INSTALL}") from problem
    return duckdb
