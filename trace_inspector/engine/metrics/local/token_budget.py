"""`token_budget`: the share of turns that used no more tokens than they may."""

from __future__ import annotations

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.trace import Turn, input_tokens, output_tokens, total_tokens, turn_usage
from trace_inspector.engine.metrics.local.budget import Limits, Measure, judge_limits, limit, limits_of
from trace_inspector.engine.scoring.metric import Judged, Method, Subject


class TokenLimits(Limits):
    """The most tokens: of a turn, and of all turns of a case together."""

    max_total_tokens: float | None = limit()
    max_input_tokens: float | None = limit()
    max_output_tokens: float | None = limit()
    max_case_total_tokens: float | None = limit()
    max_case_input_tokens: float | None = limit()
    max_case_output_tokens: float | None = limit()


def _total(turn: Turn) -> float | None:
    return total_tokens(turn_usage(turn))


def _input(turn: Turn) -> float | None:
    return input_tokens(turn_usage(turn))


def _output(turn: Turn) -> float | None:
    return output_tokens(turn_usage(turn))


_KINDS = (("total", _total), ("input", _input), ("output", _output))
_MEASURES = (
    *(Measure(f"max_{kind}_tokens", f"the number of {kind} tokens", "", read) for kind, read in _KINDS),
    *(
        Measure(f"max_case_{kind}_tokens", f"the number of {kind} tokens of all turns", "", read, of_case=True)
        for kind, read in _KINDS
    ),
)


def _limits(criterion: Criterion) -> TokenLimits:
    return limits_of(TokenLimits, criterion)


def _judge(subject: Subject, criterion: Criterion) -> Judged:
    return judge_limits(subject, criterion, _limits(criterion), _MEASURES)


METHOD = Method(_judge, parameters=TokenLimits, check=_limits)
