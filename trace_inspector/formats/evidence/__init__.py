"""Evidence packs, which the program makes for others: conversations and verdicts without secrets. Here its row."""

from __future__ import annotations

from trace_inspector.core.rows.contents import EVIDENCE_KEY
from trace_inspector.formats.common.format import Format, Implementation
from trace_inspector.formats.common.recogniser import All, Holds, Keys, OneObject


def _pack() -> Implementation:
    from trace_inspector.formats.evidence.pack import IMPLEMENTATION

    return IMPLEMENTATION


FORMATS: tuple[Format, ...] = (
    Format(
        name="evidence",
        title="Evidence pack",
        system="Trace Inspector",
        short="evidence packs",
        holds="conversations, goldens and verdicts of a run without secrets, in a page that anyone can read",
        recognise=OneObject((100, All(Keys(EVIDENCE_KEY), Holds("sides", list)))),
        load=_pack,
    ),
)
