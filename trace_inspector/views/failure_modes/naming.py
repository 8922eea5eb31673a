"""What is asked before the codebook is changed, and the change that an answer makes: each is a step of undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from trace_inspector.core.trace.summary import one_line
from trace_inspector.models.base.translation import tr
from trace_inspector.models.review.failure_modes import FailureModes

_NAME_CHARS = 40


class Question(Struct, frozen=True):
    """A question, the text to begin with, and what takes the answer. `completes`: names of modes are offered."""

    words: str
    text: str
    take: Callable[[str], object]
    completes: bool = True


def rename(modes: FailureModes, name: str) -> Question:
    """Another name for a mode."""
    step = tr("Rename “{0}”").format(_short(name))
    words = tr("Rename “{0}” to").format(_short(name))
    return Question(words, name, lambda new: modes.edit(step, lambda book: book.renamed(name, new)))


def merge(modes: FailureModes, names: Sequence[str]) -> Question:
    """Modes as one; of a single one, with which."""

    def take(into: str) -> bool:
        return modes.edit(tr("Merge into “{0}”").format(_short(into)), lambda book: book.merged(names, into))

    if len(names) > 1:
        return Question(tr("Merge {0} modes as").format(len(names)), names[0], take)
    return Question(tr("Merge “{0}” into").format(_short(names[0])), "", take)


def describe(modes: FailureModes, name: str) -> Question:
    """What a mode means."""
    step = tr("Describe “{0}”").format(_short(name))
    text = " ".join(modes.book.mode(name).description.split())
    words = tr("“{0}” means").format(_short(name))
    return Question(
        words, text, lambda new: modes.edit(step, lambda book: book.described(name, new)), completes=False
    )


def split(modes: FailureModes, name: str, subjects: Sequence[str]) -> Question:
    """Some outputs of a mode as a mode of their own."""
    step = tr("Split “{0}”").format(_short(name))
    words = tr("Split {0} of “{1}” off as").format(len(subjects), _short(name))
    return Question(words, "", lambda new: modes.edit(step, lambda book: book.split(name, new, subjects)))


def tag(modes: FailureModes, subjects: Sequence[str], suggested: str) -> Question:
    """A mode, new or not, for failures."""

    def take(name: str) -> bool:
        return modes.edit(tr("Tag as “{0}”").format(_short(name)), lambda book: book.placed(name, subjects))

    count = len(subjects)
    words = tr("1 failure shows") if count == 1 else tr("{0} failures show").format(f"{count:,}")
    return Question(words, suggested, take)


def _short(name: str) -> str:
    return one_line(name, _NAME_CHARS)
