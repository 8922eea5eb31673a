"""Which tool or agent a name means: a whole resource name, the end of one, or a short id."""

from __future__ import annotations

from trace_inspector.core.trace.parts import ToolCall

_WHOLE = "projects/"


def same_tool(expected: ToolCall, observed: ToolCall) -> bool:
    """Whether two calls are of one tool: by whole names where both have one, else by the shorter one."""
    left, right = _identity(expected), _identity(observed)
    if same_name(left, right):
        return True
    either_short = "/" not in left or "/" not in right
    return either_short and bool(expected.name) and expected.name == observed.name


def same_name(left: str, right: str) -> bool:
    """Whether one name ends with the other; two whole ones must be equal."""
    if left == right:
        return bool(left)
    if not left or not right or (left.startswith(_WHOLE) and right.startswith(_WHOLE)):
        return False
    return f"/{left}".endswith(f"/{right}") or f"/{right}".endswith(f"/{left}")


def _identity(call: ToolCall) -> str:
    return call.resource or call.name
