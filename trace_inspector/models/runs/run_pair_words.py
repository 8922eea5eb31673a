"""The comparison of two runs as text, and the titles of its groups."""

from __future__ import annotations

import math
from pathlib import Path

from trace_inspector.core.verdict.figures import percent
from trace_inspector.engine.run_comparison.change_group import Group
from trace_inspector.flows.opening.sides_of_packs import name_of_side
from trace_inspector.models.base.counting import counted
from trace_inspector.models.base.figures import count_text, score_text, seconds_text, when_text
from trace_inspector.models.base.roles import MARK_NAMES, MARK_OF
from trace_inspector.models.runs.figures import files_text, name_of
from trace_inspector.work.runs.comparison_messages import CaseLine, CaseSide, PairHead, RankChange, RunSide
from trace_inspector.work.runs.run_store import ListedRun

SURE = 0.05
NOTHING = "–"
MINUS = "\N{MINUS SIGN}"

# The title of a group, and what its cases have in common.
GROUPS: dict[Group, tuple[str, str]] = {
    Group.REGRESSED: ("Regressed", "passed before, fail now"),
    Group.WORSE: ("Still failing, worse", "failed before and now, a score got worse"),
    Group.IMPROVED: ("Improved", "failed before, pass now"),
    Group.NEW: ("New in the candidate", "no baseline to compare with"),
    Group.GONE: ("Missing in the candidate", "in the baseline, not judged now"),
    Group.NOT_COMPARABLE: ("Not comparable", "with the reason"),
    Group.UNCHANGED: ("Unchanged", "the same verdict in both"),
}

# The same where a case ran several times, so that shares of its repeats are compared.
_OF_REPEATS: dict[Group, str] = {
    Group.REGRESSED: "fewer of the repeats pass than before",
    Group.WORSE: "as many pass as before, a score got worse",
    Group.IMPROVED: "more of the repeats pass than before",
    Group.UNCHANGED: "as many pass as before",
}


def meaning(group: Group, *, repeated: bool) -> str:
    """What the cases of a group have in common."""
    return (repeated and _OF_REPEATS.get(group)) or GROUPS[group][1]


def headline(head: PairHead) -> str:
    """The numbers of cases by group."""
    counts = dict(head.counts)
    worse = counts[Group.WORSE]
    same = f"{counts[Group.UNCHANGED] + worse:,} unchanged" + (f" ({worse:,} with a worse score)" if worse else "")
    parts = [f"{counts[Group.IMPROVED]:,} improved", f"{counts[Group.REGRESSED]:,} regressed", same]
    for group, word in ((Group.NEW, "new"), (Group.GONE, "missing"), (Group.NOT_COMPARABLE, "not comparable")):
        parts += [f"{counts[group]:,} {word}"] if counts[group] else []
    return ", ".join(parts)


def certainty(head: PairHead) -> str:
    """The pass rates of cases that both runs decided, and whether the change may be chance; "" without such cases."""
    if head.shares is None:
        return ""
    counts = dict(head.counts)
    worse, better = counts[Group.REGRESSED], counts[Group.IMPROVED]
    both = counted(worse + better + counts[Group.UNCHANGED] + counts[Group.WORSE], "case")
    before, after = (percent(share, 1) for share in head.shares)
    passed = f"{before} of them passed before, {after} now."
    if head.chance is None:
        return f"Of {both} that both decided none changed; {passed}"
    noise = "unlikely to be chance" if head.chance < SURE else "within noise"
    changed = f"{worse:,} got worse and {better:,} better (p = {head.chance:.2g} by chance: {noise})"
    return f"Of {both} that both decided {changed}; {passed}"


def undecided(head: PairHead) -> str:
    """How many verdicts are undecided; "" for none."""
    sides = ((head.base, "before"), (head.new, "now"))
    parts = [
        f"{tally.verdicts - tally.decided:,} of {tally.verdicts:,} {word}"
        for tally, word in sides
        if tally.verdicts > tally.decided
    ]
    return f"Not decided: {', '.join(parts)}." if parts else ""


def verdicts_text(line: CaseLine) -> str:
    """The verdict before and after."""
    return f"{_verdict(line.base)} → {_verdict(line.new)}"


def searched(line: CaseLine) -> str:
    """The text of a case for filtering."""
    return f"{line.name} {line.words} {GROUPS[line.group][0]} {verdicts_text(line)}".casefold()


def _verdict(side: CaseSide) -> str:
    if side.status is None:
        return "none"
    return f"{MARK_NAMES[MARK_OF[side.status]]}{f' ({side.share})' if side.share else ''}"


def change_text(before: float | None, after: float | None) -> str:
    """A score's change with its sign; "" when it is not known in both runs."""
    if before is None or after is None:
        return NOTHING
    return signed(after - before, f"{abs(after - before):.2f}")


def seconds_change(before: float | None, after: float | None) -> str:
    """A time's change with its sign."""
    if before is None or after is None:
        return NOTHING
    return signed(after - before, seconds_text(abs(after - before)))


def signed(change: float, text: str) -> str:
    """A figure with the sign of its change; no sign when it is shown as 0."""
    if not any(digit in text for digit in "123456789"):
        return text
    return f"{'+' if change > 0 else MINUS}{text}"


def mean_text(score: float) -> str:
    """A mean, in two decimals where it is a share."""
    return score_text(score) if math.isfinite(score) and abs(score) < 100 else f"{score:.3g}"


def rank_text(name: str, value: float | None) -> str:
    """A percentile in its unit."""
    if value is None:
        return NOTHING
    return seconds_text(value) if name.startswith("seconds") else count_text(round(value))


def rank_title(change: RankChange) -> str:
    """The title of the measured value."""
    figure, of = change.name.split(" ", 1)
    return f"{'Time' if figure == 'seconds' else 'Tokens'} of {of}"


def rank_change_text(change: RankChange) -> str:
    """How many turns or calls have the value, of how many where not all have it."""
    if not change.base and not change.new:
        return f"no {change.unit} tells"
    return " and ".join(
        counted(count, change.unit) if count == total else f"{count:,} of {counted(total, change.unit)}"
        for count, total in (change.base_told, change.new_told)
    )


def side_of(run: ListedRun) -> RunSide:
    """A stored run as one side."""
    line = run.line
    when = when_text(line.started_s) if line.name else ""
    facts = (when, counted(line.cases, "case"), files_text(run))
    return RunSide(line.id, name_of(line), " · ".join(filter(None, facts)))


def side_at(path: Path) -> RunSide:
    """A file or folder of results as one side."""
    return RunSide(str(path), path.name or str(path), str(path.parent))


def side_in_pack(path: Path, place: str, title: str) -> RunSide:
    """A run in an evidence pack of two as one side."""
    return RunSide(name_of_side(path, place), title, str(path.parent))
