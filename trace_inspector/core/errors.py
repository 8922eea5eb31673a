"""What can go wrong, each as one sentence a person can act on."""

from __future__ import annotations


class InspectorError(Exception):
    """A failure with a sentence: what happened, where, and the next step. Never shown with a traceback."""

    def __init__(self, sentence: str, *, path: str = "", line: int = 0, column: int = 0) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.path = path
        self.line = line
        self.column = column

    def __str__(self) -> str:
        place = self.path
        if self.line:
            place += f":{self.line}:{self.column}"
        return f"{place}: {self.sentence}" if place else self.sentence

    def __reduce__(self) -> tuple[object, ...]:
        # The default would call __init__ with str(self) only and lose the place on its way between processes.
        return (_rebuild, (type(self), self.sentence, self.path, self.line, self.column))


def _rebuild(kind: type[InspectorError], sentence: str, path: str, line: int, column: int) -> InspectorError:
    return kind(sentence, path=path, line=line, column=column)


class ReadError(InspectorError):
    """A file could not be read at all."""


class EditError(InspectorError):
    """An edit does not fit the document."""


class SaveError(InspectorError):
    """A file could not be written; the old one is whole."""


class ChangedOnDiskError(SaveError):
    """A file is another one on disk than the one that was edited; nothing was written."""


class UsageError(InspectorError):
    """The command or the configuration asks for something that does not exist."""


class EngineLost(InspectorError):
    """What works on a run is gone: a scheduler that ended, a connection that broke. What is done is noted."""


class PluginError(InspectorError):
    """What a plugin or a command of the person's did wrong; the sentence names it."""


class Stopped(Exception):
    """Raised inside a long job at its progress point when somebody pressed Stop."""
