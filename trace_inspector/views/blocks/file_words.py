"""What a view says in place of a file's contents while they are read, or when they cannot be."""

from __future__ import annotations

from trace_inspector.models.base.open_file import FileState, OpenFile
from trace_inspector.models.base.translation import tr


def not_read(file: OpenFile) -> tuple[str, str] | None:
    """The state and the next step; None for a file that was read to its end."""
    if file.unrecognised:
        looks_like, _mark, nearest = file.sentence.partition("; ")
        text = tr("Details shows its text under Raw.") if file.shows_text else tr("Details says what is in it.")
        return f"{looks_like}.", f"{nearest[:1].upper()}{nearest[1:]} {text}"
    sentences = {
        FileState.LOADING: (
            tr("Reading {0}…").format(file.name),
            tr("The first turns show as soon as they are read."),
        ),
        FileState.FAILED: (
            tr("{0} could not be read.").format(file.name),
            " ".join((file.sentence, tr("Correct the file and open it again, or open another one (Ctrl+O)."))),
        ),
        FileState.STOPPED: (
            tr("Reading {0} was stopped.").format(file.name),
            tr("Open it again to read it (Ctrl+O)."),
        ),
    }
    return sentences.get(file.state)


def no_rows(file: OpenFile) -> tuple[str, str]:
    """The message in place of rows: the state, and the next step."""
    unread = not_read(file)
    if unread is not None:
        return unread
    if file.criteria is not None:
        count = counted_words(len(file.criteria.items), "criterion", "criteria")
        return tr("{0} holds {1}.").format(file.name, count), tr("Evaluate (F5) uses them.")
    contents = ", ".join(f"{count} {what}" for what, count in file.holds.items())
    reason = tr("It holds {0}.").format(contents) if contents else tr("Neither cases nor traces were found in it.")
    return tr("Nothing of {0} can be shown as a tree.").format(file.name), reason


def counted_words(count: int, noun: str, many: str = "") -> str:
    """A number of things in words."""
    return f"{count:,} {tr(noun) if count == 1 else tr(many or noun + 's')}"
