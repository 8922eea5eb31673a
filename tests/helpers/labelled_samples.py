"""What a person may have said of the turns of the samples: which fail, notes, tags, and where it first went wrong."""

from __future__ import annotations

from msgspec.structs import replace

from trace_inspector.core.review.codebook import Codebook
from trace_inspector.core.review.label import Answer, Label, Level, moment, placed
from trace_inspector.core.review.subjects import OVERALL, turn_subject
from trace_inspector.core.trace.trace import calls_of
from trace_inspector.flows.opening.given_files import open_given, recorded_in
from trace_inspector.flows.review.codebook_file import load_codebook, own_codebook, save_codebook
from trace_inspector.flows.review.stored_labels import keep
from trace_inspector.resources import folder

FILES = ("run-0405.json", "run-0412.json")
SAID = (
    ("Asks the tool for the wrong place.", ("wrong arguments",)),
    ("There is no such parking in the result.", ("made up",)),
    ("Parking is made up again.", ()),
    ("Hands over too early.", ("hand-off too early",)),
    ("The arguments name another street.", ("wrong arguments",)),
    ("Parking is told though the tool says nothing of it.", ()),
    ("Leaves the rent out of the answer.", ()),
    ("The result is not used at all.", ("result ignored",)),
    ("No rent in the answer.", ()),
    ("Wrong radius.", ("Wrong arguments",)),
)
BEGUN_S = 1_764_400_000.0


def keep_labels(every: int = 2) -> list[Label]:
    """Store a label for each turn, of which one in so many fails, and describe a mode."""
    labels: list[Label] = []
    for file in open_given([folder("samples") / name for name in FILES]):
        for recorded in recorded_in(file):
            for turn in recorded.trace.turns:
                number = len(labels)
                fails = number % every == 0
                note, tags = SAID[number // every % len(SAID)] if fails else ("", ())
                fault = "call/0" if calls_of(turn) else "answer"
                value = Answer.FAIL if fails else Answer.PASS
                at = moment(BEGUN_S + 40 * number)
                label = Label(
                    turn_subject(turn), Level.TURN, OVERALL, value, note=note, tags=tags, rater="Ana", at=at
                )
                label = replace(label, first_fault=fault if fails else "")
                case = recorded.trace.case_id or recorded.trace.id
                labels.append(placed(label, file.path, case, recorded.trace.id, turn.index))
    keep(labels)
    book = Codebook().described("made up", "The answer says what no tool result and no instruction says.")
    save_codebook(load_codebook(own_codebook()), book)
    return labels
