"""Why a change was not made, for the field that asked for it: requests are answered in their order."""

from __future__ import annotations

from collections.abc import Callable

from trace_inspector.models.goldens import Goldens


def telling(goldens: Goldens, file: int, ask: Callable[[], None], refused: Callable[[str], None]) -> None:
    """Ask for a change; `refused` hears the sentence, should one come of it. The status bar says it too."""
    heard: list[str] = []
    listening = goldens.message

    def begin() -> None:
        listening.connect(heard.append)

    def end() -> None:
        listening.disconnect(heard.append)
        edited = goldens.edited(file)
        why = heard[0] if heard else edited.problem if edited is not None else ""  # told once for all that waited
        if why:
            refused(why)

    goldens.done(begin)
    ask()
    goldens.done(end)
