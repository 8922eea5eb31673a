"""Whether a turn that no golden has fails its case: what a run was told, or what its verdicts show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import CaseVerdict, Status, TurnVerdict
from trace_inspector.engine.criteria.rules import rules_named

FAIL, ALLOWED = "fail", "are allowed"


def extra_turns_in(cases: Iterable[CaseVerdict], configuration: Mapping[str, Json]) -> str:
    """FAIL or ALLOWED in a run; "" where nothing tells."""
    fail, rules = configuration.get("extra_turns_fail"), configuration.get("rules")
    if isinstance(fail, bool):
        counted = not isinstance(rules, str) or rules_named(rules).counts_turns
        return FAIL if fail and counted else ALLOWED
    return next(filter(None, map(_shown, cases)), "")


def why_other_turns(base: CaseVerdict, new: CaseVerdict, before: str, after: str) -> str:
    """Where they fail in one run alone a case that has any is not like for like; "" for every other."""
    if not before or not after or before == after or not (base.extra_turns or new.extra_turns):
        return ""
    return f"extra turns {before} in the baseline and {after} in the candidate"


def _shown(verdict: CaseVerdict) -> str:
    """As its extra turns fared: one in which nothing failed fails by being there."""
    extra = [turn for turn in verdict.turns if turn.golden_index is None and turn.index in verdict.extra_turns]
    for turn in extra:
        status = _judged(turn)
        if status is not Status.FAILED:
            return ALLOWED
        if not any(metric.status is Status.FAILED for metric in turn.metrics):
            return FAIL
    return ""


def _judged(turn: TurnVerdict) -> Status:
    """Whatever a person said of it."""
    return turn.status if turn.overruled is None else turn.overruled.status
