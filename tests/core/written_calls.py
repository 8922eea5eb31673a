"""Calls as tests of alignment write them.

A call is its tool and its arguments: `f12` is f(x=1, y=2), `f` has no arguments. Brackets hold calls that were asked
for at once.
"""

from __future__ import annotations

import re

from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.values.values import JsonObject


def calls(written: str) -> tuple[list[ToolCall], list[int]]:
    """Calls and the groups they came in."""
    found, groups = [], []
    for number, asked in enumerate(re.findall(r"\([^)]*\)|\S+", written)):
        for word in asked.strip("()").split():
            args: JsonObject = {"xyzuvw"[at]: int(digit) for at, digit in enumerate(word[1:])}
            found.append(ToolCall(word[0], args))
            groups.append(number)
    return found, groups
