"""google-cloud-ces beside us: what its types read in a file, what they refuse, what they take of ours."""

from __future__ import annotations

import random

from tests.peers.ces_files import random_file, without_new_words
from tests.peers.ces_told import told
from tests.peers.comparison import Comparison, KnownDifference, spelled
from trace_inspector.core.contents import Contents, collect
from trace_inspector.core.values import Json
from trace_inspector.formats import recognise
from trace_inspector.formats.format import Source


class NotRecognised(Exception):
    """No format of ours is sure that this is one of its files."""


def opened(value: Json) -> Contents:
    """What a file holds."""
    known = recognise(value)
    if known is None:
        raise NotRecognised
    return collect(known.name, known.read(Source(value, "made.json")))


def _told(case: Json) -> Json:
    assert isinstance(case, dict)
    return told(str(case["kind"]), opened(case["value"]))


def _file(rng: random.Random) -> Json:
    return random_file(rng)


_TOO_LITTLE = KnownDifference(
    "too little to know it by",
    "a message of CES says nowhere of what kind it is; one that lacks its name and its parts may be anything",
    lambda _case, _theirs, ours: isinstance(ours, dict) and str(ours.get("crashed", "")).startswith("NotRecognised"),
)


def _is_new_word(case: Json, theirs: Json, _ours: Json) -> bool:
    """Whether both say the same once every word is gone that no enumeration has."""
    if not isinstance(case, dict):
        return False
    older = without_new_words(case["value"])
    return spelled(older) != spelled(case["value"]) and spelled(_told({**case, "value": older})) == spelled(theirs)


_NEW_WORD = KnownDifference(
    "a word of a newer CES",
    "the client drops a word or number that it does not know, as if nothing were stated; here it is shown, and no "
    "default or deprecated field stands in for it",
    _is_new_word,
)

COMPARISONS = (Comparison("ces-files", "ces", "tell", 2_000, _file, _told, known=(_TOO_LITTLE, _NEW_WORD)),)
