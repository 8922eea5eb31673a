"""Text about repeats, for tables and reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.figures import percent
from trace_inspector.engine.repeats.repeats import (
    PassRates,
    Repeats,
    Spread,
    pass_rates,
    repeated_turns,
    spreads,
    worst_first,
)

_NAME_CHARS = 80
_MOST_CASES = 50


def repeat_lines(repeats: Sequence[Repeats], *, most: int = _MOST_CASES) -> Iterator[str]:
    """A summary of the repeats in lines; none where no case has repeats."""
    if not repeats:
        return
    flaky = sum(case.is_flaky for case in repeats)
    yield f"Repeats: {_cases(len(repeats))} ran several times; {flaky} flaky, {len(repeats) - flaky} not."
    yield from map(rate_line, pass_rates(repeats))
    failing = [f"{how}: {description}" for how, description in failing_lines(repeats)]
    yield from failing[:most]
    if len(failing) > most:
        remaining = len(failing) - most
        yield f"and {remaining:,} more that {'fails' if remaining == 1 else 'fail'}"


def failing_lines(repeats: Sequence[Repeats]) -> Iterator[tuple[str, str]]:
    """For each case that failed in any repeat: how it fails and a description, flaky ones first."""
    for case in worst_first(repeats):
        if case.fails:
            yield (
                "flaky" if case.is_flaky else "always failing",
                f"{one_line(case.name, _NAME_CHARS)}: {case_words(case)}",
            )


def rate_line(rates: PassRates) -> str:
    """pass@k and pass^k in one line."""
    return (
        f"pass@{rates.k} {percent(rates.at_least_once, 1)}, pass^{rates.k} {percent(rates.always, 1)} "
        f"(mean of {_cases(rates.cases)})"
    )


def case_words(repeats: Repeats) -> str:
    """How often a case passed, how often each turn failed, and which scores vary."""
    return "; ".join([passed_words(repeats), *failed_turns(repeats), *spread_lines(repeats)])


def passed_words(repeats: Repeats) -> str:
    """How often it passed, and how often nothing was decided."""
    undecided = len(repeats.verdicts) - repeats.decided
    more = f", {undecided} not decided" if undecided else ""
    return f"{repeats.passed} of {repeats.decided} passed{more}"


def failed_turns(repeats: Repeats) -> list[str]:
    """The turns that failed in some repeat."""
    return [
        f"{turn.name} failed in {turn.failed} of {turn.decided}" for turn in repeated_turns(repeats) if turn.failed
    ]


def spread_lines(repeats: Repeats) -> list[str]:
    """The criteria whose scores vary among repeats; of informational ones only the number."""
    wavering = [spread for spread in spreads(repeats) if spread.varies]
    texts = [spread_words(spread) for spread in wavering if not spread.informs]
    remaining = len(wavering) - len(texts)
    if remaining:
        texts.append(
            "1 informational figure varies as well"
            if remaining == 1
            else f"{remaining} informational figures vary as well"
        )
    return texts


def spread_words(spread: Spread) -> str:
    """The spread by its source."""
    name = one_line(spread.metric, _NAME_CHARS)
    if spread.combined is not None:
        why = "one vote per repeat" if spread.votes else "its votes are not known"
        return f"{name} spread: {spread.combined:.3g} for agent and judge together ({why})"
    agent = "unknown" if spread.agent is None else f"{spread.agent:.3g}"
    judge = "" if spread.judge is None else f", judge’s votes {spread.judge:.3g}"
    return f"{name} spread: agent {agent}{judge}"


def repeats_json(repeats: Sequence[Repeats]) -> JsonObject:
    """The same for programs."""
    rates: list[Json] = [
        {"k": rate.k, "pass_at_k": rate.at_least_once, "pass_hat_k": rate.always, "cases": rate.cases}
        for rate in pass_rates(repeats)
    ]
    return {"rates": rates, "cases": [_case_json(case) for case in repeats]}


def _case_json(repeats: Repeats) -> JsonObject:
    suite, case, candidate, persona, golden, trace_file = repeats.key
    turns: list[Json] = [
        {"turn": turn.number, "extra": turn.extra, "failed": turn.failed, "decided": turn.decided}
        for turn in repeated_turns(repeats)
    ]
    spreads_json: list[Json] = [
        {
            "metric": spread.metric,
            "repeats": spread.repeats,
            "agent": spread.agent,
            "judge": spread.judge,
            "agent_and_judge": spread.combined,
        }
        for spread in spreads(repeats)
    ]
    return {
        "suite": suite,
        "case": case,
        "candidate": candidate,
        "persona": persona,
        "golden": golden,
        **({"trace_file": trace_file} if trace_file else {}),
        "repeats": len(repeats.verdicts),
        "decided": repeats.decided,
        "passed": repeats.passed,
        "flaky": repeats.is_flaky,
        "turns": turns,
        "spreads": spreads_json,
    }


def _cases(count: int) -> str:
    return f"{count} case" if count == 1 else f"{count} cases"
