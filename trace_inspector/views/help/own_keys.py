"""Keys that are active only where the focus is, and so are missing from the list of actions."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from trace_inspector.core.translatable import N_


class OwnKey(Struct, frozen=True):
    """Keys, as labelled on a keyboard, and what they do."""

    keys: str
    does: str


TREE = (
    OwnKey("↑ ↓", N_("Another row")),
    OwnKey("→ ←", N_("Unfold; fold, or to the row above it")),
    OwnKey("*", N_("Unfold all below")),
    OwnKey(N_("Shift+↑ Shift+↓ Ctrl+Space"), N_("Select several rows")),
    OwnKey(N_("Alt+Shift+↑ Alt+Shift+↓ Del"), N_("Move or delete the selected goldens, or turns of one")),
)
CONVERSATION = (
    OwnKey("↑ ↓", N_("Another item")),
    OwnKey(N_("PgUp PgDn"), N_("A page")),
    OwnKey(N_("Home End"), N_("The first item, the last item")),
    OwnKey("→ ←", N_("Show more, show less")),
    OwnKey(N_("Enter Space"), N_("Fold or unfold")),
    OwnKey("Tab", N_("The next sentence of an answer")),
    OwnKey("Ctrl+C", N_("Copy the selected text, or the item")),
    OwnKey("Esc", N_("Clear the selection of text")),
)
TIMELINE = (
    OwnKey("↑ ↓", N_("Another row")),
    OwnKey("← →", N_("Earlier, later")),
    OwnKey("+ −", N_("Zoom, as Ctrl and the wheel")),
    OwnKey("0", "The whole conversation"),
    OwnKey("F", N_("Fit the turn")),
    OwnKey("Z", N_("Fit the selection")),
    OwnKey("Space", N_("Fold or unfold the turn")),
    OwnKey("Enter", N_("Go to the selected row in the tree")),
)
COMPARE = (
    OwnKey("↑ ↓", N_("Another row")),
    OwnKey("N P", N_("The next difference, the previous one")),
    OwnKey("F", N_("The first divergence")),
    OwnKey("A", N_("Show all rows again")),
    OwnKey("→ ←", N_("Into the arguments and out; fold a turn, show a result")),
    OwnKey("Space", N_("Fold or unfold a turn, a result")),
    OwnKey("1", N_("Keep the golden")),
    OwnKey("2", N_("Take the observed side; of three, the baseline")),
    OwnKey("3", N_("Take the candidate")),
    OwnKey("T", N_("Take the whole turn: all its calls, and its answer")),
    OwnKey("I", N_("Ignore an argument")),
    OwnKey("M", N_("Align by hand: press on a call, then on its counterpart")),
    OwnKey("H", N_("Show or hide the hand-offs between agents; arrows go through them, Enter to the turn")),
    OwnKey("Ctrl+C", N_("Copy the row as text")),
)
TWO_RUNS = (
    OwnKey("↑ ↓", N_("Another case")),
    OwnKey("→ ←", N_("Unfold a group, fold it")),
    OwnKey("Enter", N_("Compare the conversations of the case")),
    OwnKey("O", N_("Open the files of the case")),
    OwnKey("X", "Swap the runs"),
    OwnKey("Ctrl+C", N_("Copy the rows")),
)
CALIBRATION = (
    OwnKey("↑ ↓", N_("Another question, another output")),
    OwnKey("Enter", N_("From a question to its outputs; on an output, go there")),
    OwnKey("Space", N_("List the outputs of a cell of the matrix")),
)
CAUSES = (
    OwnKey("↑ ↓", N_("Another finding; in the braid, another branch")),
    OwnKey("← →", N_("In the braid, another column")),
    OwnKey("Enter", N_("Show the runs of the finding, or of the branch, in the tree")),
    OwnKey("M", N_("Make a failure mode of the finding")),
    OwnKey("G", N_("Make a golden of a run that passes without it")),
    OwnKey("E", N_("Make goldens of the runs that do it, which expect the calls before the first wrong one")),
)
FIND = (
    OwnKey("Enter", N_("The next hit; on a hit, go there")),
    OwnKey("↓", N_("From the field into the hits")),
)
DETAILS = (
    OwnKey("↑ ↓", N_("Another criterion")),
    OwnKey(N_("Enter Space"), N_("Fold or unfold")),
    OwnKey("Ctrl+F", N_("Find in a JSON value, or in Raw")),
    OwnKey("*", N_("Unfold a JSON value to its leaves")),
)
GOLDEN = (
    OwnKey("Enter", N_("Apply the field; in text, Ctrl+Enter")),
    OwnKey("Esc", N_("Restore the field")),
    OwnKey(N_("e i c r t s a"), N_("On a matcher: exact, ignore, contains, regexp, tolerance, subset, any")),
    OwnKey("F2", N_("On a tool: write its name")),
    OwnKey(N_("Alt+↑ Alt+↓"), N_("Move the call")),
)
RUNS = (
    OwnKey("Enter", "Show its verdicts"),
    OwnKey("B", N_("Make it the baseline, or take that back")),
    OwnKey("C", N_("Compare with the baseline, or two selected runs")),
    OwnKey(N_("Shift+↑ Shift+↓ Ctrl+Space"), N_("Select several runs")),
    OwnKey("F2", "Rename"),
    OwnKey("Del", N_("Delete, after asking once")),
)
FAILURE_MODES = (
    OwnKey("Enter", N_("On a mode: its examples; on an example: go there")),
    OwnKey("F2", N_("Rename the mode")),
    OwnKey("M", N_("Merge the selected modes")),
    OwnKey("D", N_("Describe the mode")),
    OwnKey("T", N_("Give the selected failures a mode, a group of notes too")),
    OwnKey("S", N_("Split the selected examples off")),
    OwnKey("F", N_("Filter by the mode")),
    OwnKey("G", N_("Promote the examples to goldens")),
    OwnKey("E", N_("Goldens that expect the calls before the first wrong one")),
    OwnKey("R", N_("Draft a rubric")),
)
CRITERIA = (OwnKey("Space", N_("Switch a criterion on or off")),)
PROBLEMS = (OwnKey("Enter", N_("Go there")), OwnKey("M", N_("Fix what a hint about a golden says")))

# Places that are neither a view nor a panel, by name.
PLACES: Mapping[str, tuple[OwnKey, ...]] = {
    "Sentences of an answer": (
        OwnKey(N_("Tab ← →"), N_("Another sentence")),
        OwnKey("Enter", N_("The reason for its colour")),
        OwnKey("Esc", N_("Close the reason")),
    ),
    "Filter field": (
        OwnKey("↓ ↑", N_("Another completion, or an earlier filter")),
        OwnKey("Tab", N_("Take the first completion")),
        OwnKey("Enter", N_("Take what is chosen, then go on to the rows")),
        OwnKey("Esc", N_("Close the list, then clear the filter")),
    ),
    "Golden": GOLDEN,
    "Evaluate with": (
        OwnKey("Enter", N_("Another case for this trace")),
        OwnKey("Del", "No case"),
        OwnKey("Backspace", N_("As proposed")),
        OwnKey("N", N_("The next pair to look at")),
        OwnKey("Ctrl+Enter", "Evaluate"),
    ),
    "Review": (
        OwnKey("1 2 0", N_("Pass, fail, unsure")),
        OwnKey("T", N_("Tags; Enter takes one, and one that is there away")),
        OwnKey("E", N_("The note")),
        OwnKey("N P", N_("The next item, the previous one")),
        OwnKey("U", N_("Withdraw the answer")),
        OwnKey("Space", N_("More of the conversation")),
    ),
}
