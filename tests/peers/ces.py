"""google-cloud-ces beside us: what its types read in a file, what they refuse, what they take of ours."""

from __future__ import annotations

import json
import random
import re

from tests.peers.adk_invocations import invocation
from tests.peers.ces_files import damaged_file, random_file, without_new_words
from tests.peers.ces_told import told
from tests.peers.comparison import Comparison, KnownDifference, says, spelled
from trace_inspector.core.rows.contents import Contents, collect
from trace_inspector.core.values.values import Json
from trace_inspector.formats import recognise
from trace_inspector.formats.ces.evaluation.evaluation_writer import write
from trace_inspector.formats.common.format import Source


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


# Findings about values that are not what CES's messages have there.
_MISFITS = frozenset(
    {"wrong-type", "unknown-key", "unknown-enum", "unknown-time", "unknown-duration", "several-of-a-union"}
    | {"not-an-object"}
)


def _valid(case: Json) -> Json:
    """Whether nothing in a file is named as of a wrong kind."""
    assert isinstance(case, dict)
    found = sorted({finding.code for finding in opened(case["value"]).findings} & _MISFITS)
    return {"error": found[0]} if found else {"takes": True}


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


def _is_shown(case: Json, theirs: Json, ours: Json) -> bool:
    """Whether they refuse a value that we show as it stands, or one in which nothing is said."""
    if not (isinstance(case, dict) and "odd" in case and says(theirs, "error")):
        return False
    shown = repr(opened(case["value"]))
    is_shown = repr(case["odd"]) in shown or ("od" in repr(case["odd"]) and "'od'" in shown)
    return ours == {"takes": True} and (is_shown or case["odd"] in ([], {}, ""))


_ONLY_SHOWN = KnownDifference(
    "only shown",
    "what nothing is worked out from is shown as it stands, of whatever kind; findings name what could not be read",
    _is_shown,
)


def _is_stricter(case: Json, theirs: Json, ours: Json) -> bool:
    if not (isinstance(case, dict) and isinstance(theirs, dict) and isinstance(ours, dict) and theirs.get("takes")):
        return False
    odd, why = case.get("odd"), ours.get("error")
    is_lax = odd in (None, [], {}, "", "NaN") or isinstance(odd, bool)
    return why in {"unknown-enum", "not-an-object"} or (why == "wrong-type" and is_lax)


_STRICTER = KnownDifference(
    "stricter",
    "the client takes any number for a word of an enumeration, null in lists, an empty list or text for any message, "
    "“NaN” and true for a number, a fact without a name; we name them",
    _is_stricter,
)
_LAXER = KnownDifference(
    "read all the same",
    "a decimal where the client wants a whole number, and base64 that is cut short, are read as what they say",
    lambda _case, theirs, ours: (
        isinstance(theirs, dict)
        and ours == {"takes": True}
        and re.search(
            "non-integer|Incorrect padding|base64|Couldn't parse integer|timezone", str(theirs.get("error"))
        )
        is not None
    ),
)


def _written(rng: random.Random) -> Json:
    """What we write as a CES evaluation of a random eval set of ADK."""
    turns: list[Json] = [invocation(rng) for _turn in range(rng.randint(1, 3))]
    made: Json = {"eval_set_id": "s", "eval_cases": [{"eval_id": "c1", "conversation": turns}]}
    value = json.loads(write(opened(made)).text)
    return {"kind": "Evaluation", "value": value}


_OF_VALID = (_TOO_LITTLE, _ONLY_SHOWN, _STRICTER, _LAXER)
COMPARISONS = (
    Comparison("ces-files", "ces", "tell", 2_000, _file, _told, known=(_TOO_LITTLE, _NEW_WORD)),
    Comparison("ces-valid", "ces", "valid", 1_000, damaged_file, _valid, known=_OF_VALID),
    Comparison("ces-written", "ces", "valid", 500, _written, lambda _case: {"takes": True}),
    Comparison("ces-written-read", "ces", "tell", 500, _written, _told),
)
