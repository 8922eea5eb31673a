"""What commands print is read as the records it is, and no sentence is held against a record it does not speak of."""

from __future__ import annotations

from typing import Final

import pytest

from benchmarks.grounding_sets import LabelledUnit, with_evidence
from trace_inspector.core.values.values import Json
from trace_inspector.core.verdict.verdict import SentenceSupport
from trace_inspector.engine.grounding.decision.judge import has_records, judge_spans
from trace_inspector.engine.grounding.text.sentences import split

_JOBS: Final = """\
JOB     STATE       OWNER     NOTE
J-311   waiting     p.hale    Rebuild of the search index
J-312   finished    -         Night copy
J-313   in_progress r.ode     Import of prices
3 rows"""
_TICKETS: Final = """\
TICKET   STATUS     OWNER
K-11     pending    p.hale
K-12     resolved   r.ode
K-13     open       r.ode
3 rows"""
_CODE: Final = """\
lib/send.py:12:LIMIT = 4  # tries
lib/send.py:40:    for turn in range(LIMIT):
lib/send.py:44:        pause(2 * turn)"""
_PROSE: Final = (
    "The mill was built in 1820 on the north bank.\nIt ground rye for the villages around it.\n"
    "A fire took its sails in 1911, and nobody put them up again."
)
_HOTEL: Final = (
    "A double room is 120 EUR with breakfast, 105 EUR without it.\n"
    "Guests come from 15:00 to 22:00, later for 20 EUR.\nOf 48 rooms 12 look on the lake, and 6 have 2 floors."
)
_LOG: Final = "2025-01-04 03:07:41 pump started\n2025-01-04 03:09:02 pump stopped\n2025-01-04 03:11:10 tank is full"
_PARCEL: Final[Json] = {
    "issued": "2025-06-08",
    "stops": [{"day": "2025-06-09", "place": "Lund"}, {"day": "2025-06-12", "place": "Ystad"}],
}
_SHOES: Final[Json] = [
    {"name": "Fell Runner", "waterproof": True, "price": 90, "state": "available"},
    {"name": "Marsh Boot", "waterproof": True, "price": 70, "state": "sold_out"},
    {"name": "City Shoe", "waterproof": False, "price": 50, "state": "available"},
]
_HALL: Final[Json] = [
    {"name": "North Hall", "wheelchair": False, "seats": 80},
    {"name": "South Hall", "wheelchair": True, "seats": 120},
]
_FLIGHTS: Final[Json] = [
    {"name": "Swift", "depart": "2025-10-03T20:10-04:00", "arrive": "2025-10-04T08:00+01:00"},
    {"name": "Heron", "depart": "2025-10-03T21:35-04:00", "arrive": "2025-10-04T09:30+01:00"},
]


def support(result: Json, text: str) -> SentenceSupport:
    unit = LabelledUnit("one", "", "Please have a look.", (("look", result),), text, is_bad=False)
    (_unit, evidence), *_none = with_evidence([unit])
    (sentence,) = judge_spans(text, split(text), evidence)
    return sentence.support


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (_TICKETS, "K-11 is already resolved."),
        (_JOBS, "The owner of J-313 is p.hale."),
        (_HALL, "You can get into North Hall by wheelchair without problems."),
    ],
)
def test_what_the_records_deny_is_contradictory(result: Json, text: str) -> None:
    assert support(result, text) is SentenceSupport.CONTRADICTORY


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (_PARCEL, "The parcel stops in Lund on Monday."),
        (_PARCEL, "It gets to Ystad on Thursday."),
        (_SHOES, "One waterproof model is still available."),
        (_SHOES, "With the Fell Runner you save nothing."),
        (_FLIGHTS, "Swift is 6 hours 50 minutes in the air."),
    ],
)
def test_a_record_or_a_count_that_is_not_meant_contradicts_nothing(result: Json, text: str) -> None:
    assert support(result, text) is not SentenceSupport.CONTRADICTORY


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ("The run is over. Errors were found in the log.", "No errors were found in the log."),
        ("The build of the branch has errors.", "The build of the branch has no errors."),
        ("No problems were reported by the tenants.", "Problems were reported by the tenants."),
        ("The inspector found problems with the brakes.", "The inspector found no problems with the brakes."),
    ],
)
def test_what_is_there_and_what_is_not_stay_opposites(result: str, text: str) -> None:
    assert support(result, text) in (SentenceSupport.UNSUPPORTED, SentenceSupport.CONTRADICTORY)


def test_what_an_error_is_called_may_say_that_something_is_not_there() -> None:
    assert support("ConfigMissing: settings.yaml", "There is no settings.yaml.") is not SentenceSupport.CONTRADICTORY


@pytest.mark.parametrize(
    ("result", "expected"), [(_CODE, True), (_JOBS, True), (_LOG, True), (_PROSE, False), (_HOTEL, False)]
)
def test_code_and_columns_are_no_prose(result: str, expected: bool) -> None:
    unit = LabelledUnit("one", "", "Look.", (("look", result),), "Yes.", is_bad=False)
    (_unit, evidence), *_none = with_evidence([unit])
    assert has_records(evidence) is expected
