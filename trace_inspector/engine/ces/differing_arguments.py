"""Differences of a call from the expected one in CES: the tool and expected arguments; other arguments are free."""

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
    """The comparison for two calls; arguments that only a judge can compare count as different."""
    argument_matchers = matchers_of(matchers)

    def differing(expected: ToolCall, observed: ToolCall) -> tuple[str, ...]:
        if not same_tool(expected, observed):
            return WHOLE
        comparison = compare_arguments(expected, observed, argument_matchers)
        if comparison.problem:
            raise CannotJudge(comparison.problem)
        return tuple(dict.fromkeys((*comparison.differing, *(argument.name for argument in comparison.by_meaning))))

    return differing
