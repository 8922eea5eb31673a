"""Keys that mean something only where the focus is: what the window's own list of actions cannot know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OwnKey:
    """Keys, as they stand on a keyboard, and what they do."""

    keys: str
    does: str


TREE = (
    OwnKey("↑ ↓", "Another row"),
    OwnKey("→ ←", "Unfold; fold, or to the row above it"),
    OwnKey("*", "Unfold all below"),
    OwnKey("Shift+↑ Shift+↓ Ctrl+Space", "Select several rows"),
    OwnKey("Alt+Shift+↑ Alt+Shift+↓ Del", "Move or delete the selected goldens, or turns of one"),
)
CONVERSATION = (
    OwnKey("↑ ↓", "Another item"),
    OwnKey("PgUp PgDn", "A page"),
    OwnKey("Home End", "The first item, the last item"),
    OwnKey("→ ←", "Show more, show less"),
    OwnKey("Enter Space", "Fold or unfold"),
    OwnKey("Tab", "The next sentence of an answer"),
    OwnKey("Ctrl+C", "Copy what is marked, or the item"),
    OwnKey("Esc", "Drop what is marked"),
)
TIMELINE = (
    OwnKey("↑ ↓", "Another row"),
    OwnKey("← →", "Earlier, later"),
    OwnKey("+ −", "Zoom, as Ctrl and the wheel"),
    OwnKey("0", "The whole conversation"),
    OwnKey("F", "Fit the turn"),
    OwnKey("Z", "Fit what is selected"),
    OwnKey("Space", "Fold or unfold the turn"),
    OwnKey("Enter", "Go on to the tree"),
)
COMPARE = (
    OwnKey("↑ ↓", "Another row"),
    OwnKey("N P", "The next difference, the previous one"),
    OwnKey("F", "The first divergence"),
    OwnKey("A", "All rows again, after some were left out"),
    OwnKey("→ ←", "Into the arguments and out; fold a turn, show a result"),
    OwnKey("Space", "Fold or unfold a turn, a result"),
    OwnKey("1", "Keep the golden"),
    OwnKey("2", "Take the observed side; of three, the baseline"),
    OwnKey("3", "Take the candidate"),
    OwnKey("I", "Ignore an argument"),
    OwnKey("M", "Align by hand: on a call, then on the one that it belongs to"),
    OwnKey("H", "Show or hide the hand-offs between agents; arrows go through them, Enter to the turn"),
    OwnKey("Ctrl+C", "Copy the row as text"),
)
TWO_RUNS = (
    OwnKey("↑ ↓", "Another case"),
    OwnKey("→ ←", "Unfold a group, fold it"),
    OwnKey("Enter", "Compare the conversations of the case"),
    OwnKey("O", "Open the files of the case"),
    OwnKey("X", "Swap the runs"),
    OwnKey("Ctrl+C", "Copy the rows"),
)
FIND = (
    OwnKey("Enter", "The next hit; on a hit, go there"),
    OwnKey("↓", "From the field into the hits"),
)
DETAILS = (
    OwnKey("↑ ↓", "Another criterion"),
    OwnKey("Enter Space", "Fold or unfold"),
    OwnKey("Ctrl+F", "Find in a JSON value, or in Raw"),
    OwnKey("*", "Unfold a JSON value to its leaves"),
)
GOLDEN = (
    OwnKey("Enter", "Take the field; in text, Ctrl+Enter"),
    OwnKey("Esc", "Restore the field"),
    OwnKey("e i c r t s a", "On a matcher: exact, ignore, contains, regexp, tolerance, subset, any"),
    OwnKey("F2", "On a tool: write its name"),
    OwnKey("Alt+↑ Alt+↓", "Move the call"),
)
RUNS = (
    OwnKey("Enter", "Show its verdicts"),
    OwnKey("B", "Make it the baseline, or take that back"),
    OwnKey("C", "Compare with the baseline, or two selected runs"),
    OwnKey("Shift+↑ Shift+↓ Ctrl+Space", "Select several runs"),
    OwnKey("F2", "Rename"),
    OwnKey("Del", "Delete, after a question"),
)
CRITERIA = (OwnKey("Space", "Switch a criterion on or off"),)
PROBLEMS = (OwnKey("Enter", "Go there"), OwnKey("M", "Mend what a hint about a golden says"))

# What is neither a view nor a panel, by its name.
PLACES: Mapping[str, tuple[OwnKey, ...]] = {
    "Sentences of an answer": (
        OwnKey("Tab ← →", "Another sentence"),
        OwnKey("Enter", "The reason for its colour"),
        OwnKey("Esc", "Close the reason"),
    ),
    "Filter field": (
        OwnKey("↓ ↑", "Another completion, or an earlier filter"),
        OwnKey("Tab", "Take the first completion"),
        OwnKey("Enter", "Take what is chosen, then go on to the rows"),
        OwnKey("Esc", "Close the list, then drop the filter"),
    ),
    "Golden": GOLDEN,
    "Evaluate with": (
        OwnKey("Enter", "Another case for this trace"),
        OwnKey("Del", "No case"),
        OwnKey("Backspace", "As proposed"),
        OwnKey("N", "The next pair to look at"),
        OwnKey("Ctrl+Enter", "Evaluate"),
    ),
}
