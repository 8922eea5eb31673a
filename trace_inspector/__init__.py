"""Trace Inspector: see what an agent did, decide what right is, and keep it.

`import trace_inspector as ti` offers what docs/api.md describes. Each name is imported when it is first used, so that
neither this line nor the plugin of pytest takes time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from trace_inspector.version import __version__

if TYPE_CHECKING:
    from trace_inspector.core.errors import InspectorError
    from trace_inspector.library.calls import calibrate, compare, evaluate, promote, read
    from trace_inspector.library.values import (
        Calibration,
        Calibrations,
        CaseResult,
        ComparedCase,
        Comparison,
        Figure,
        File,
        MetricResult,
        Note,
        Promotion,
        Run,
        Status,
        ToolCall,
        Trace,
        Turn,
        TurnResult,
    )

__all__ = (
    "Calibration",
    "Calibrations",
    "CaseResult",
    "ComparedCase",
    "Comparison",
    "Figure",
    "File",
    "InspectorError",
    "MetricResult",
    "Note",
    "Promotion",
    "Run",
    "Status",
    "ToolCall",
    "Trace",
    "Turn",
    "TurnResult",
    "__version__",
    "calibrate",
    "compare",
    "evaluate",
    "promote",
    "read",
)


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module “trace_inspector” has no attribute “{name}”")
    from trace_inspector.core import errors
    from trace_inspector.library import calls, values

    found = next(getattr(module, name) for module in (calls, errors, values) if hasattr(module, name))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
