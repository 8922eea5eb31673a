"""Which entries of a session of pi belong together: the branch that went on, and those that somebody left."""

from __future__ import annotations

from trace_inspector.formats.common.fields import Fields


def branches_of(entries: list[Fields]) -> tuple[list[Fields], list[list[Fields]]]:
    """The entries above the last one, and each branch that was left with only its own entries.

    Entries of the first version have no ids: there all of them went on. An entry whose parent is not in the file
    begins where the file begins.
    """
    by_id = {identity: entry for entry in entries if (identity := entry.text("id")) is not None}
    live: set[str] = set()
    last = next((entry for entry in reversed(entries) if entry.text("id") is not None), None)
    while last is not None and (name := last.text("id") or "") not in live:
        live.add(name)
        last = by_id.get(last.text("parentId") or "")
    kept: list[Fields] = []
    left: list[list[Fields]] = []
    ending: dict[str, list[Fields]] = {}  # the branch that ends with an entry so far, by its id
    for entry in entries:
        own = entry.text("id")
        if own is None or own in live:
            kept.append(entry)
            continue
        branch = ending.pop(entry.text("parentId") or "", None)
        if branch is None:
            branch = []
            left.append(branch)
        branch.append(entry)
        ending[own] = branch
    return kept, left
