"""Text from the clipboard as a file: a path stands for what lies there, any other text becomes a file of its own."""

from __future__ import annotations

import time
from pathlib import Path

from trace_inspector.work.loading import split_place

_PATH_CHARS = 4_096
FOLDER = "pasted"


def pasted(text: str, data_folder: Path) -> list[Path]:
    """What to open; nothing for no text."""
    text = text.strip()
    if not text:
        return []
    line = text.strip("\"'")
    if len(line) < _PATH_CHARS and "\n" not in line and _exists(line):
        return [Path(line).absolute()]
    folder = data_folder / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    made = folder / f"pasted-{time.strftime('%Y%m%d-%H%M%S')}.json"
    number = 1
    while made.exists():
        number += 1
        made = made.with_stem(f"{made.stem.split('_')[0]}_{number}")
    made.write_text(text + "\n", encoding="utf-8", errors="surrogatepass", newline="\n")
    return [made]


def _exists(line: str) -> bool:
    try:
        return split_place(line)[0].exists()
    except (OSError, ValueError):  # longer than a name may be, or with characters no name has
        return False
