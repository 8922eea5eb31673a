"""The queue that is being reviewed, in the user's data folder: lines of labels without an answer."""

from __future__ import annotations

from collections.abc import Sequence

from trace_inspector.core.errors import SaveError
from trace_inspector.core.review.label import Label
from trace_inspector.core.review.label_lines import label_line
from trace_inspector.documents.saving.saving import sync_folder
from trace_inspector.flows.review.label_files import read_label_file
from trace_inspector.private_files import replace_private
from trace_inspector.settings import data_folder, ready_data_folder

QUEUE_FILE = "review-queue.jsonl"
MOST_ITEMS = 10_000


def keep_queue(queue: Sequence[Label]) -> None:
    """Replace the queue, whole or not at all; it is on the disk when this returns."""
    try:
        path = ready_data_folder() / QUEUE_FILE
        replace_private(path, map(label_line, queue[:MOST_ITEMS]))
        sync_folder(path.parent)
    except (OSError, RuntimeError) as problem:
        raise SaveError(f"The queue of the review is not stored: {problem}.") from problem


def kept_queue() -> tuple[Label, ...]:
    """The queue that was kept last, empty before the first; ReadError where it cannot be read."""
    path = data_folder() / QUEUE_FILE
    return read_label_file(path).labels[:MOST_ITEMS] if path.exists() else ()
