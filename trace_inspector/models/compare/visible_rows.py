"""The hidden rows of a comparison in words: where they are, how many, and which filter hides them."""

from __future__ import annotations

from trace_inspector.core.trace.summary import one_line
from trace_inspector.core.translatable import N_
from trace_inspector.models.base.translation import tr
from trace_inspector.models.compare.comparison import Compare
from trace_inspector.models.compare.rows import HiddenRows, ShownRows

_NAME_CHARS = 60
HIDDEN = N_("Nothing was done: the current row is hidden. A shows all rows.")


def shown_words(compare: Compare) -> str:
    """How many rows are shown, and what hides the others; "" where none is hidden."""
    rows = compare.rows
    total = len(rows.packed.kinds) if rows is not None else 0
    count = rows.shown if rows is not None else total
    if count == total or not compare.shown.leaves_out:
        return ""  # what is left out besides is counted in its place
    return tr("{0} of {1} rows are shown: {2}.").format(f"{count:,}", f"{total:,}", _why(compare))


def empty_words(compare: Compare) -> tuple[str, str]:
    """The text in place of rows where no conversation has a turn, and the next step."""
    named = [f"“{one_line(ref.name, _NAME_CHARS)}”" for ref in compare.sides]
    head = tr("There is nothing to compare: {0} have no turns.").format(tr(" and ").join(named))
    return head, tr("Choose another one with “Compare with…”.")


def gap_words(left_out: HiddenRows, shown: ShownRows) -> str:
    """The text between two rows for the hidden rows there."""
    if not left_out.rows:
        return ""
    if not shown.leaves_out:
        words = tr("1 equal hand-off is folded. A shows it.")
        if left_out.rows > 1:
            words = tr("{0} equal hand-offs are folded. A shows them.").format(f"{left_out.rows:,}")
        return words
    if not shown.tool:
        return (
            tr("1 row is the same")
            if left_out.rows == 1
            else tr("{0} rows are the same").format(f"{left_out.rows:,}")
        )
    text = tr("1 row is hidden") if left_out.rows == 1 else tr("{0} rows are hidden").format(f"{left_out.rows:,}")
    return text + (tr(", {0} of them with a difference").format(f"{left_out.differ:,}") if left_out.differ else "")


def no_more_words(compare: Compare, step: int) -> str:
    """Why there is no other difference below (1) or above (-1)."""
    rows = compare.rows
    count = rows.differences_beyond(compare.current, step) if rows is not None else 0
    if not count:
        return tr("There is no other difference below.") if step > 0 else tr("There is no other difference above.")
    where = tr("below") if step > 0 else tr("above")
    text = tr("1 difference {0} is hidden by the filter. A shows all rows.")
    if count > 1:
        text = tr("{1} differences {0} are hidden by the filter. A shows all rows.")
    return text.format(where, f"{count:,}")


def _why(compare: Compare) -> str:
    shown, rows = compare.shown, compare.rows
    reasons = [tr("only differences")] if shown.only_differences else []
    reasons += [tr("only calls of {0}").format(shown.tool)] if shown.tool else []
    if rows is not None and not shown.equal_hand_offs and any(rows.packed.hands_over):
        reasons.append(tr("no equal hand-offs"))
    return ", ".join(reasons)
