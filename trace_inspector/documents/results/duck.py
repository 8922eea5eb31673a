"""DuckDB, the extra `sql`: imported here, when results are written or asked, and by nobody else."""

from __future__ import annotations

from types import ModuleType

from trace_inspector.core.errors import UsageError
from trace_inspector.extras import SQL, install_line, missing


def require_duckdb() -> None:
    """UsageError with what to do where the library is missing, without the time that importing it takes."""
    if not_installed := missing(SQL):
        raise UsageError(f"DuckDB cannot be used: {not_installed}")


def duckdb_module() -> ModuleType:
    """The library; UsageError with what to do where it is missing."""
    try:
        import duckdb
    except ImportError as problem:
        raise UsageError(f"DuckDB cannot be imported ({problem}); install it with: {install_line(SQL)}") from problem
    return duckdb
