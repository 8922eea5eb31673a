"""Whether a call is the expected one as CES sees it: the tool, and the expected arguments; others are free."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from trace_inspector.core.matcher import Matcher
from trace_inspector.core.parts import ToolCall
from trace_inspector.engine.ces.arguments import compare_arguments
from trace_inspector.engine.ces.identity import same_tool
from trace_inspector.engine.matching import matchers_of


def same_for_ces(matchers: Iterable[Matcher]) -> Callable[[ToolCall, ToolCall], bool]:
    """The test for two calls; what only a judge could tell to mean the same is not."""
    known = matchers_of(matchers)

    def same(expected: ToolCall, observed: ToolCall) -> bool:
        return same_tool(expected, observed) and compare_arguments(expected, observed, known).score() == 1.0

    return same
