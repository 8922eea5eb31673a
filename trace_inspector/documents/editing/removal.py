"""What goes with a member that is removed: the right comma, the right white space, its line."""

from __future__ import annotations

from trace_inspector.core.errors import EditError
from trace_inspector.documents.base.json_syntax import COMMA_OR_COMMENT
from trace_inspector.documents.editing.layout import Kind, Layout


def removed_span(layout: Layout, index: int) -> tuple[int, int, str]:
    """The offsets to cut between, and what stays there of it: comments."""
    if layout.kind is Kind.LINES:
        return (*_line(layout, index), "")
    member = layout.members[index]
    if len(layout.members) == 1:
        return _only_member(layout)
    if index + 1 == len(layout.members):
        before = layout.members[index - 1].end
        kept = _without_comma(layout, before, member.member)
        # The line end of a comment stays, else the comment would swallow the bracket.
        return before, member.end, kept.rstrip(" \t") if "//" in kept else kept.rstrip()
    after = layout.members[index + 1].member
    return member.member, after, _without_comma(layout, member.end, after).lstrip()


def _only_member(layout: Layout) -> tuple[int, int, str]:
    member = layout.members[0]
    before = layout.text(layout.begin, member.member)
    after = _without_comma(layout, member.end, layout.end)
    return layout.begin, layout.end, before + after if (before + after).strip() else ""


def _without_comma(layout: Layout, start: int, end: int) -> str:
    """The text between two members without its comma."""
    for found in COMMA_OR_COMMENT.finditer(layout.body.data, start, end):
        if found.group() == b",":
            return layout.text(start, found.start()) + layout.text(found.end(), end)
    return layout.text(start, end)


def _line(layout: Layout, index: int) -> tuple[int, int]:
    if len(layout.members) == 1:
        raise EditError("Without this line the file would be empty. Delete the file instead.")
    data = layout.body.data
    member = layout.members[index]
    start = max(data.rfind(b"\n", 0, member.start) + 1, layout.begin)
    end = data.find(b"\n", member.end) + 1 or len(data)
    if data[start : member.start].strip() or data[member.end : end].strip():
        # It shares its line with another document or a comment, so the line stays.
        return (layout.members[index - 1].end, member.end) if index else (member.start, layout.members[1].start)
    if data.endswith(b"\n", 0, end):
        return start, end
    # The last line has no line end of its own: the one before it goes, and the file still ends without one.
    return start - (2 if data.endswith(b"\r\n", 0, start) else 1), end
