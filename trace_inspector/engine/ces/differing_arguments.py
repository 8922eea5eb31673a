"""What keeps a call from being the expected one as CES sees it: the tool, and expected arguments; others are free."""

from __future__ import annotations

from collections.abc import Iterable

from trace_inspector.core.alignment.turn_alignment import WHOLE, Differing
from trace_inspector.core.golden.matcher import Matcher
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.engine.ces.arguments import compare_arguments
from trace_inspector.engine.ces.identity import same_tool
from trace_inspector.engine.scoring.cannot_judge import CannotJudge
from trace_inspector.engine.scoring.matching import matchers_of


def differing_for_ces(matchers: Iterable[Matcher]) -> Differing:
    """The test for two calls; what only a judge could tell to mean the same is not."""
    known = matchers_of(matchers)

    def differing(expected: ToolCall, observed: ToolCall) -> tuple[str, ...]:
        if not same_tool(expected, observed):
            return WHOLE
        found = compare_arguments(expected, observed, known)
        if found.problem:
            raise CannotJudge(found.problem)
        return tuple(dict.fromkeys((*found.differing, *(one.name for one in found.meant))))

    return differing
