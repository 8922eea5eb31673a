"""The texts about a filter: how much of how much it shows."""

from __future__ import annotations

from trace_inspector.models.base.translation import tr
from trace_inspector.models.search.filtering import ShownCount

_LONGEST = 60


def count_words(showing: ShownCount) -> str:
    """In the field: 3 of 40 cases."""
    if showing.searching and not showing.shown:
        return tr("searching…")
    text = tr("{0} of {1} {2}").format(f"{showing.shown:,}", f"{showing.total:,}", _cases(showing.total))
    return text + "…" if showing.searching else text


def foot_words(showing: ShownCount, text: str) -> str:
    """Below the views: what is shown, what is hidden, and by what."""
    short = text.strip() if len(text.strip()) <= _LONGEST else text.strip()[: _LONGEST - 1] + "…"
    shown = tr("Showing {0} of {1} {2}.").format(f"{showing.shown:,}", f"{showing.total:,}", _cases(showing.total))
    if showing.searching:
        return tr("{0} Searching the full texts…").format(shown)
    hidden = showing.total - showing.shown
    if not hidden:
        return tr("{0} Rows may be hidden by the filter “{1}”.").format(shown, short)
    return tr("{0} {1} hidden by the filter “{2}”.").format(shown, f"{hidden:,}", short)


def _cases(count: int) -> str:
    return tr("case") if count == 1 else tr("cases")
