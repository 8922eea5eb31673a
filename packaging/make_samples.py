"""Write the sample workspace: goldens, criteria, two runs, recorded judge replies, labels, files of other systems.

`python packaging/make_samples.py [FOLDER]` writes the same bytes each time, by default into `resources/samples`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from samples import adk_v1, adk_v2, jaeger, museum, otlp, ticket_desk, travel
from samples.earlier import EARLIER
from samples.elsewhere import CAFE, DELI, FLORIST
from samples.goldens import criteria, eval_set
from samples.inland import BAKERY, GYM, WINE
from samples.judge import replies
from samples.labels import EARLIER as RUN_BEFORE
from samples.labels import LATER as RUN_NOW
from samples.labels import label_files
from samples.names import line, pages
from samples.oregon import BIKES, BOOKS
from samples.recording import Recorder
from samples.seattle import COFFEE_1, COFFEE_2, TEA_1
from samples.story import Conversation, Json

GOLDENS = (COFFEE_1, COFFEE_2, BAKERY, BIKES, BOOKS, WINE, GYM, DELI, FLORIST, CAFE)
LATER: tuple[Conversation, ...] = (COFFEE_1, COFFEE_2, TEA_1, BAKERY, BIKES, BOOKS, WINE, GYM, DELI, FLORIST, CAFE)

CREATED = datetime(2026, 4, 2, 14, 5, tzinfo=UTC)
EARLIER_START = datetime(2026, 4, 5, 9, 30, tzinfo=UTC)
LATER_START = datetime(2026, 4, 12, 9, 30, tzinfo=UTC)
LABELLED = datetime(2026, 4, 14, 13, 0, tzinfo=UTC)

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "samples"


def documents() -> dict[str, Json]:
    """Every file by name."""
    earlier = Recorder("run-0405", _microseconds(EARLIER_START), pace=1.12).play(EARLIER)
    later = Recorder("run-0412", _microseconds(LATER_START)).play(LATER)
    return {
        "retail.evalset.json": eval_set(GOLDENS, CREATED.timestamp()),
        "test_config.json": criteria(),
        "run-0405.json": otlp.export(span for turn in earlier for span in adk_v2.turn_spans(turn)),
        "run-0412.json": jaeger.export(span for turn in later for span in adk_v1.turn_spans(turn)),
        "judge-replies.json": replies((_judged(LATER), EARLIER)),
    }


def of_other_systems() -> dict[str, str]:
    """Files of CES, Vertex AI and agent-eval by name, as text."""
    return {
        "ces-conversation.json": pages(ticket_desk.conversation()),
        "ces-result.json": pages(ticket_desk.result()),
        "agent-eval.jsonl": line(travel.row()) + "\n",
        "vertex-items.json": pages(museum.items()),
        **{f"ticket-desk/{name}": text for name, text in ticket_desk.app_files().items()},
    }


def write(folder: Path) -> None:
    """Write every file into the folder."""
    files = {name: pages(value) for name, value in documents().items()}
    labels = label_files({RUN_NOW: LATER, RUN_BEFORE: EARLIER}, LABELLED)
    files |= {f"labels/{name}": text for name, text in labels.items()}
    files |= {f"other-systems/{name}": text for name, text in of_other_systems().items()}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def _judged(conversations: Iterable[Conversation]) -> list[Conversation]:
    """Rubrics belong to goldens, so a conversation without one is not judged."""
    return [conversation for conversation in conversations if any(turn.golden for turn in conversation.turns)]


def _microseconds(moment: datetime) -> int:
    return round(moment.timestamp() * 1_000_000)


def main() -> None:
    """Take the folder from the command line."""
    parser = argparse.ArgumentParser(description="Write the sample workspace.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    write(parser.parse_args().folder)


if __name__ == "__main__":
    main()
