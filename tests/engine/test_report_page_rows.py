"""The rows of the html report: a red word for every red row, figures as people read them."""

from __future__ import annotations

import re

from msgspec.structs import replace

from tests.engine.builders import case, trace, turn
from tests.engine.test_reports import run_of
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.reports import html

ONE, TWO = turn("q", "a"), turn("r", "b")


def page_of(golden: tuple[Turn, ...], observed: tuple[Turn, ...]) -> str:
    return html.write(*run_of(case("c", *golden), trace("t", *observed), "response_match_score"))


def test_a_case_that_failed_by_a_turn_too_few_or_too_many_says_so_in_red() -> None:
    missing, extra = page_of((ONE, TWO), (ONE,)), page_of((ONE,), (ONE, TWO))
    assert missing.count('<span class="FAILED">1 turn missing</span>') == 2  # in the table, and above its details
    assert extra.count('<span class="FAILED">1 turn extra</span>') == 2
    assert "turn missing" not in page_of((ONE, TWO), (ONE, TWO))


def test_scores_have_two_decimals_and_stand_under_each_other() -> None:
    run, sources = run_of(case("c", ONE), trace("t", ONE), "response_match_score")
    (judged,) = run.cases
    scores = [
        replace(judged.metrics[0], score=0.7346),
        replace(judged.metrics[0], metric="token_usage_v1", score=10041.0, status=Status.INFORMATIONAL),
    ]
    page = html.write(replace(run, cases=(replace(judged, metrics=tuple(scores)),)), sources)
    assert "0.7346" not in page
    cells = re.findall(r'<td class="figure">\s*<span[^>]*>([^<]*)</span>', page)
    assert cells[:2] == ["✓ 0.73", "i 10,041"]
    heads = re.findall(r'<th scope="col" class="figure">([^<]*)</th>', page)
    assert heads[:2] == ["Answer", "Tokens"]
    assert re.search(r"\.figure \{[^}]*text-align: right", page)
