"""How CES replayed a golden: STABLE, each turn with the expected ones before it, or NAIVE, in one go."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec.structs import replace

from trace_inspector.core.values.extra import Extra
from trace_inspector.core.verdict.verdict import CaseVerdict

Key: TypeAlias = tuple[str, str, str]  # the path of a file, the place of a trace in it, its id
STABLE, NAIVE = "STABLE", "NAIVE"
_NAMES = ("goldenRunMethod", "golden_run_method")
_WORDS = {1: STABLE, 2: NAIVE, STABLE: STABLE, NAIVE: NAIVE}


def run_method(verdict: CaseVerdict) -> str:
    """How the case was replayed, "" where nothing is stated: CES then assumes STABLE."""
    stated = next((extra.value for extra in verdict.extras if extra.name in _NAMES), None)
    return _WORDS.get(stated, "") if isinstance(stated, str | int) else ""


def why_not_alike(base: CaseVerdict, other: CaseVerdict) -> str:
    """Why two verdicts on a case should not be compared, or ""."""
    first, second = run_method(base) or STABLE, run_method(other) or STABLE
    if first == second:
        return ""
    return (
        f"replayed {first} there and {second} here: in a NAIVE replay one wrong turn causes others, in a STABLE "
        "replay it does not, so the two cannot be compared"
    )


def mixed_methods(counts: Mapping[str, int]) -> str:
    """A sentence about results of both methods in one run, "" where there are none."""
    if len(counts) < 2:
        return ""
    return (
        f"{counts[STABLE]} of the results were replayed STABLE and {counts[NAIVE]} NAIVE; in a NAIVE replay one "
        "wrong turn causes others, so their pass rates cannot be compared"
    )


def with_run_method(case: CaseVerdict, methods: Mapping[Key, str]) -> CaseVerdict:
    """A verdict that keeps how its trace was replayed, which only the file of the trace knows."""
    method = methods.get((case.trace_path, case.trace_place, case.trace_id or ""), "") if methods else ""
    if not method or run_method(case):
        return case
    return replace(case, extras=(*case.extras, Extra(_NAMES[0], method)))
