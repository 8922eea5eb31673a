"""How a text changed word by word, and which of these changes a text that people edited can take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from trace_inspector.engine.rebasing.difference import TextStretch
from trace_inspector.engine.trace_diff.word_difference import word_changes, words_of


class TextChange(Struct, frozen=True):
    """Words that went and words that came instead. `stretch` is where, None where the golden has others there.

    `varies` says that not all runs of the case change them so.
    """

    old: str
    new: str
    stretch: TextStretch | None
    done: bool = False
    varies: str = ""


def text_changes(golden: str, base: str, new: str) -> list[TextChange]:
    """The changes from one run to the next, each with its place in the golden's text."""
    words = words_of(base)
    edits = list(_stretches(base, golden))
    changes = []
    for stretch in _stretches(base, new):
        old = "".join(words[stretch.start : stretch.end])
        touching = [edit for edit in edits if _touch(edit, stretch)]
        if touching:
            changes.append(TextChange(old, stretch.text, None, done=stretch in edits))
            continue
        shift = sum(len(words_of(edit.text)) - (edit.end - edit.start) for edit in edits if edit.end <= stretch.start)
        there = TextStretch(stretch.start + shift, stretch.end + shift, stretch.text)
        changes.append(TextChange(old, stretch.text, there))
    return changes


def with_stretches(text: str, stretches: Iterable[TextStretch]) -> str:
    """The text with words in the places of others."""
    words = words_of(text)
    for stretch in sorted(stretches, key=lambda each: (each.start, each.end), reverse=True):
        words[stretch.start : stretch.end] = [stretch.text]
    return "".join(words)


def _touch(edit: TextStretch, stretch: TextStretch) -> bool:
    """Whether two changes of one text are at the same words, or at the same place between two."""
    if edit.start == edit.end or stretch.start == stretch.end:
        return edit.start <= stretch.end and stretch.start <= edit.end
    return edit.start < stretch.end and stretch.start < edit.end


def _stretches(old: str, new: str) -> Iterator[TextStretch]:
    """What differs, as stretches of the old text's words; those with only white space between them are one."""
    if old == new:
        return
    words, others = words_of(old), words_of(new)
    some = list[tuple[range, range]]()
    for gone, came in word_changes(old, new):
        if some and not "".join(words[some[-1][0].stop : gone.start]).strip():
            before = some.pop()
            some.append((range(before[0].start, gone.stop), range(before[1].start, came.stop)))
        else:
            some.append((gone, came))
    for gone, came in some:
        yield TextStretch(gone.start, gone.stop, "".join(others[came.start : came.stop]))
