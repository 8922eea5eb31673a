"""What an error of a server means: whether to try again and when, or that the quota is used up."""

from __future__ import annotations

import asyncio
import email.utils
import math
import time

import pytest

from tests.helpers.tables import each
from trace_inspector.core.values.values import Json
from trace_inspector.engine.judges.backends.backend import CallFailed
from trace_inspector.engine.judges.backends.http_failures import failure_of
from trace_inspector.engine.judges.call_limits import Patience
from trace_inspector.engine.judges.live import with_retries

PLAN = "You exceeded your current quota, please check your plan and billing details."


def gemini(quota_id: str, delay: str = "") -> Json:
    """Gemini's refusal, whose message is the same for a minute and for a day."""
    details: list[Json] = [
        {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": quota_id}]}
    ]
    if delay:
        details.append({"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay})
    return {"error": {"code": 429, "message": PLAN, "status": "RESOURCE_EXHAUSTED", "details": details}}


@each(
    ("body", "quota", "after_s"),
    [
        (gemini("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "33s"), False, 33.0),
        (gemini("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), False, None),
        (gemini("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "33s"), True, 33.0),
        ([gemini("GenerateRequestsPerDayPerProjectPerModel-FreeTier")], True, None),
        ({"error": {"message": PLAN, "code": "insufficient_quota"}}, True, None),
        ({"error": {"message": PLAN, "type": "insufficient_quota"}}, True, None),
        ({"error": {"message": PLAN}}, True, None),
        ({"error": {"message": "Rate limit reached on requests per min (RPM)", "code": "limit"}}, False, None),
        ({"error": {"message": "Limit 200 requests per day", "code": "rate_limit_exceeded"}}, True, None),
        ({"error": {"message": "slow down", "code": ["insufficient_quota"], "details": 7}}, False, None),
        ("Too Many Requests", False, None),
        ({}, False, None),
        (None, False, None),
    ],
)
def test_a_limit_of_a_minute_is_no_quota_of_a_day(body: Json, quota: bool, after_s: float | None) -> None:
    failure = failure_of(429, {}, body)
    assert (failure.quota, failure.again, failure.after_s) == (quota, not quota, after_s)


@each(
    ("stated", "after_s"),
    [
        ("7", 7.0),
        (" 7.5 ", 7.5),
        ("-5", 0.0),
        ("nan", None),
        ("soon", None),
        ("", None),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 0.0),
        ("Fri, 31 Dec 99999 23:59:59 GMT", None),
    ],
)
def test_when_to_come_back(stated: str, after_s: float | None) -> None:
    assert failure_of(503, {"retry-after": stated}, None).after_s == after_s


def test_a_date_to_come_back_is_told_in_seconds() -> None:
    after_s = failure_of(503, {"retry-after": email.utils.formatdate(time.time() + 500, usegmt=True)}, None).after_s
    assert after_s is not None
    assert 300 < after_s <= 500


@pytest.mark.parametrize("stated", ["1e300", "inf", "86400", "601"])
def test_a_wait_for_hours_is_a_quota_used_up_and_never_a_wait(stated: str) -> None:
    assert failure_of(429, {"retry-after": stated}, None).quota
    busy = failure_of(503, {"retry-after": stated}, None)
    assert (busy.quota, busy.again) == (False, True)
    assert Patience().wait_s(1, busy.after_s) <= Patience().longest_s


def test_waits_grow_differ_and_have_a_bound() -> None:
    patience = Patience(first_s=4.0, factor=2.0, longest_s=20.0)
    for failed, longest in ((1, 4.0), (2, 8.0), (3, 16.0), (4, 20.0), (50, 20.0)):
        waits = [patience.wait_s(failed, None) for _ in range(50)]
        assert all(longest / 2 <= wait <= longest for wait in waits)
        assert len(set(waits)) > 1
    asked = [patience.wait_s(1, 3.0) for _ in range(50)]
    assert all(3.0 <= wait <= 3.2 for wait in asked)
    assert len(set(asked)) > 1
    assert patience.wait_s(1, math.inf) == 20.0


@pytest.mark.parametrize(("code", "quota"), [(429, True), (503, False)])
def test_a_limit_that_outlasts_patience_is_a_quota_used_up(code: int, quota: bool) -> None:
    waits: list[float] = []

    async def refused() -> None:
        raise failure_of(code, {"retry-after": "0"}, "not now")

    async def waited(seconds: float) -> None:
        waits.append(seconds)

    with pytest.raises(CallFailed) as caught:
        asyncio.run(with_retries(refused, Patience(tries=3), waited))
    assert caught.value.quota is quota
    assert caught.value.sentence == f"HTTP {code}: not now (after 3 tries)"
    assert len(waits) == 2
