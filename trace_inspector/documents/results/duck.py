"""DuckDB, the extra `sql`: imported here, when results are written or asked, and by nobody else."""

from __future__ import annotations

from types import ModuleType

from trace_inspector.core.errors import UsageError

INSTALL = "install it with: pip install 'trace-inspector[sql]'"


def duckdb_module() -> ModuleType:
    """The library; UsageError with what to do where it is missing."""
    try:
        import duckdb
    except ImportError as problem:
        raise UsageError(f"DuckDB is not installed, or cannot be used; {INSTALL}") from problem
    return duckdb
