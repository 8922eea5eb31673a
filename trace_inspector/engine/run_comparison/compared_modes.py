"""Failure modes in two runs: what share of the labelled outputs of each shows one, and whether it rose or fell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from trace_inspector.core.review.failure_modes import Reading
from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.values.values import Json, JsonObject
from trace_inspector.core.verdict.figures import percent
from trace_inspector.engine.calibration.estimate import Estimate
from trace_inspector.engine.failure_modes import words
from trace_inspector.engine.failure_modes.rates import ModeChange, changes
from trace_inspector.engine.reports.calibration.as_json import estimate_json

_MOST_LINES, _NAME_CHARS = 30, 80


class ModeSide(Struct, frozen=True):
    """How many outputs of one run show a mode, and their share of those that are labelled."""

    count: int
    share: Estimate


class ComparedMode(Struct, frozen=True):
    """A failure mode in both runs. `verdict` is “rose” or “fell”, "" where chance may be all."""

    name: str
    base: ModeSide
    new: ModeSide
    difference: Estimate
    verdict: str = ""


class ComparedModes(Struct, frozen=True):
    """How many outputs of each run people labelled, and their modes: first what is no chance."""

    base_outputs: int = 0
    new_outputs: int = 0
    modes: tuple[ComparedMode, ...] = ()


def compared_modes(base: Reading, new: Reading) -> ComparedModes:
    """Every mode that an output of either run shows."""
    shown = (_mode(change) for change in changes(base, new))
    return ComparedModes(
        len(base.outputs), len(new.outputs), tuple(mode for mode in shown if mode.base.count or mode.new.count)
    )


def _mode(change: ModeChange) -> ComparedMode:
    before, after = (ModeSide(each.counted.count, each.share) for each in (change.before, change.after))
    return ComparedMode(change.name, before, after, change.difference, words.verdict(change))


def mode_lines(compared: ComparedModes) -> Iterator[str]:
    """Each mode before and after, as many as a person reads."""
    of = f"of {compared.base_outputs:,} → {compared.new_outputs:,} labelled turns"
    for mode in compared.modes[:_MOST_LINES]:
        shares = " → ".join(percent(side.share.value) for side in (mode.base, mode.new))
        yield f"Failure mode {one_line(mode.name, _NAME_CHARS)}: {shares} {of}{_by(mode)}"
    if len(compared.modes) > _MOST_LINES:
        yield f"{len(compared.modes) - _MOST_LINES:,} more failure modes are left out; the json report has them all"


def _by(mode: ComparedMode) -> str:
    if mode.difference.value is None:
        return f" ({mode.difference.reason})"
    interval = words.points_interval(mode.difference)
    sure = f", {interval} with 95 % confidence" if interval else ""
    return f" ({words.points(mode.difference)} points{sure})" + (f": it {mode.verdict}" if mode.verdict else "")


def modes_json(compared: ComparedModes) -> JsonObject:
    """The same for programs, all of them."""
    return {
        "base_outputs": compared.base_outputs,
        "new_outputs": compared.new_outputs,
        "modes": [*map(_mode_json, compared.modes)],
    }


def _mode_json(mode: ComparedMode) -> Json:
    sides: Iterable[tuple[str, ModeSide]] = (("base", mode.base), ("new", mode.new))
    return {
        "mode": mode.name,
        **{name: {"count": side.count, "share": estimate_json(side.share)} for name, side in sides},
        "difference": estimate_json(mode.difference),
        "verdict": mode.verdict or None,
    }
