"""What is told of failure modes in words, in a terminal and in the window."""

from __future__ import annotations

from trace_inspector.core.review.failure_modes import Output, Reading
from trace_inspector.core.review.label import Level
from trace_inspector.core.trace.summary import one_line
from trace_inspector.engine.calibration.estimate import Estimate
from trace_inspector.engine.failure_modes.rates import ModeChange

ENOUGH = 20  # so many failures without a new mode are worth a sentence of their own
NOT_KNOWN = "not stated"
_NAME_CHARS = 60
_THINGS = {Level.CASE: "case", Level.TURN: "turn", Level.CALL: "call", Level.SENTENCE: "sentence"}


def counted_words(count: int, thing: str) -> str:
    """“1 turn”, “2 turns”."""
    return f"{count:,} {thing}{'' if count == 1 else 's'}"


def summary(read: Reading, level: Level) -> str:
    """How much was read, and what came of it."""
    modes = sum(bool(counted.outputs) for counted in read.modes)
    words = (
        f"{counted_words(len(read.outputs), f'labelled {_THINGS[level]}')}, {len(read.failures):,} of them failures"
    )
    untagged = f"; {len(read.untagged):,} without a mode" if read.untagged else ""
    unsure = f" {read.unsure:,} more are unsure, counted nowhere." if read.unsure else ""
    return f"{words}; {counted_words(modes, 'failure mode')}{untagged}.{unsure}"


def saturation(read: Reading) -> str:
    """Whether reading on brings new modes."""
    curve, since = read.saturation, read.since_new
    if not curve:
        return "No failure has a mode yet."
    if not since:
        return "The last failure brought a new mode: read on."
    if since < ENOUGH:
        return (
            f"The last {counted_words(since, 'failure')} brought nothing new: read on until the last {ENOUGH} do not."
        )
    return f"The last {since:,} brought nothing new."


def interval(found: Estimate) -> str:
    """From where to where; "" where there is none."""
    if found.low is None or found.high is None:
        return ""
    return f"{found.low * 100:.0f} to {found.high * 100:.0f} %"


def points(found: Estimate) -> str:
    """A difference in percentage points, with its sign."""
    return "–" if found.value is None else _signed(found.value)


def points_interval(found: Estimate) -> str:
    """From where to where a difference lies."""
    if found.low is None or found.high is None:
        return ""
    return f"{_signed(found.low)} to {_signed(found.high)}"


def _signed(value: float) -> str:
    rounded = round(value * 100)
    sign = "+" if rounded > 0 else "\N{MINUS SIGN}"
    return f"{sign}{abs(rounded)}" if rounded else "0"


def place(output: Output) -> str:
    """Where an output is, for people."""
    label = output.label
    parts = [label.file, label.case or label.trace]
    parts += [f"turn {label.turn + 1}"] if label.turn is not None else []
    return " ".join(one_line(part, _NAME_CHARS) for part in parts if part)


def verdict(change: ModeChange) -> str:
    """Whether a mode rose or fell; "" where chance may be all."""
    if not change.is_told:
        return ""
    return "rose" if (change.difference.value or 0.0) > 0 else "fell"
