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
