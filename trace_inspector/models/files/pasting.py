"""Text from the clipboard as a file: a path is opened, any other text is written to a file of its own."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from trace_inspector.private_files import create_new, make_own_folder
from trace_inspector.work.processes.jobs import Job, Jobs, JobState
from trace_inspector.work.reading.loading import split_place
from trace_inspector.work.reading.pasting import pieces, write_pasted

_PATH_CHARS = 4_096
LONG_CHARS = 1 << 20  # writing more takes longer than anybody should wait for a key
FOLDER = "pasted"
PASTING = "pasting"


def pasted(text: str, data_folder: Path) -> list[Path]:
    """The paths to open for a short text; none for an empty text."""
    text = text.strip()
    if not text:
        return []
    line = text.strip("\"'")
    if len(line) < _PATH_CHARS and "\n" not in line and _exists(line):
        return [Path(line).absolute()]
    made = _new_file(data_folder)
    made.write_text(text + "\n", encoding="utf-8", errors="surrogatepass", newline="\n")
    return [made]


def keep_long(
    text: str, data_folder: Path, jobs: Jobs, then: Callable[[Path], None], say: Callable[[str], None]
) -> None:
    """Write a long text into a file of its own in the background; `then` gets it, or `say` why there is none."""
    made = _new_file(data_folder)

    def end(job: Job) -> None:
        if job.state is JobState.DONE:
            then(made)
            return
        with contextlib.suppress(OSError):  # already deleted, or a disk that cannot be written
            made.unlink()
        if job.sentence:
            say(job.sentence)

    jobs.start(
        PASTING,
        "Keeping the pasted text",
        write_pasted,
        (str(made), len(text)),
        payload=pieces(text),
        receive=lambda _message: None,
        end=end,
    )


def _new_file(data_folder: Path) -> Path:
    """An empty file for a text, of a name that no other one has."""
    folder = make_own_folder(data_folder / FOLDER)
    made = folder / f"pasted-{time.strftime('%Y%m%d-%H%M%S')}.json"
    number = 1
    while made.exists():
        number += 1
        made = made.with_stem(f"{made.stem.split('_')[0]}_{number}")
    create_new(made)
    return made


def _exists(line: str) -> bool:
    try:
        return split_place(line)[0].exists()
    except (OSError, ValueError):  # longer than a name may be, or with characters no name has
        return False
