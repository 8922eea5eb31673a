"""Cases that ran several times, against tables worked out by hand, and what must hold of any repeats."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.helpers.tables import each
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    MetricVerdict,
    RubricVerdict,
    RunVerdict,
    Status,
    TurnVerdict,
)
from trace_inspector.engine.repeats.repeats import (
    Repeats,
    Spread,
    pass_rate,
    pass_rates,
    repeated_turns,
    repeats_of,
    spreads,
)
from trace_inspector.engine.repeats.repeats_text import failing_lines, repeat_lines, repeats_json, spread_lines
from trace_inspector.engine.reports import html, markdown
from trace_inspector.engine.reports.as_json import run_json
from trace_inspector.engine.reports.sources import Sources

P, F, N, E = Status.PASSED, Status.FAILED, Status.NOT_EVALUATED, Status.ERROR


def ran(name: str, status: Status, *turns: TurnVerdict, score: float | None = None, path: str = "") -> CaseVerdict:
    metrics = () if score is None else (MetricVerdict("m", score, status, 0.5),)
    return CaseVerdict(name, "s", f"{name} {status}", status, metrics, turns, golden_path=path)


def repeats(*statuses: Status) -> Repeats:
    return Repeats(("s", "a", "", "", "", ""), tuple(ran("a", status) for status in statuses))


def rates_of(statuses: Sequence[Status], k: int) -> tuple[float, float]:
    found = pass_rate([repeats(*statuses)], k)
    assert found is not None
    return found.at_least_once, found.always


@each(
    ("passed", "failed", "k", "at_least_once", "always"),
    [
        # Of five repeats three passed: 10 pairs, 1 of two failures, 3 of two passes; 10 triples, 1 of passes.
        (3, 2, 1, 3 / 5, 3 / 5),
        (3, 2, 2, 9 / 10, 3 / 10),
        (3, 2, 3, 1.0, 1 / 10),
        (3, 2, 5, 1.0, 0.0),
        # Of ten two passed: 45 pairs, 28 of two failures, 1 of two passes; 252 fives, 56 of five failures.
        (2, 8, 2, 17 / 45, 1 / 45),
        (2, 8, 5, 196 / 252, 0.0),
        (4, 0, 3, 1.0, 1.0),
        (0, 4, 3, 0.0, 0.0),
    ],
)  # fmt: skip
def test_pass_rates_worked_out_by_hand(passed: int, failed: int, k: int, at_least_once: float, always: float) -> None:
    assert rates_of([P] * passed + [F] * failed, k) == pytest.approx((at_least_once, always))


@given(st.lists(st.sampled_from([P, F, N, E]), min_size=2, max_size=12))
def test_what_holds_of_any_repeats(statuses: list[Status]) -> None:
    decided = statuses.count(P) + statuses.count(F)
    one = repeats(*statuses)
    assert pass_rate([one], decided + 1) is None
    before = (0.0, 1.0)
    for k in range(1, decided + 1):
        found = rates_of(statuses, k)
        assert 0.0 <= found[1] <= found[0] <= 1.0
        assert before[0] <= found[0] + 1e-12
        assert found[1] <= before[1] + 1e-12
        before = found
    if decided:
        assert rates_of(statuses, 1) == pytest.approx((statuses.count(P) / decided,) * 2)
        assert rates_of(statuses, decided) == (float(P in statuses), float(F not in statuses))
    assert one.is_flaky is (P in statuses and F in statuses)


def test_the_mean_is_over_the_cases_that_ran_so_often() -> None:
    found = pass_rates([repeats(P, F), repeats(P, P, P), repeats(F, N)])
    assert [(one.k, one.cases) for one in found] == [(1, 3), (2, 2), (3, 1)]
    assert [one.at_least_once for one in found] == pytest.approx([0.5, 1.0, 1.0])
    assert [one.always for one in found] == pytest.approx([0.5, 0.5, 1.0])
    assert [one.k for one in pass_rates([repeats(*[P] * 7), repeats(P, F)])] == [1, 2, 3, 5, 7]
    assert pass_rates([]) == pass_rates([repeats(N, N)]) == ()


def turn(
    index: int | None, golden: int | None, status: Status, *metrics: MetricVerdict, why: str = ""
) -> TurnVerdict:
    return TurnVerdict(index, golden, status, metrics, why)


def test_how_often_each_turn_fails() -> None:
    found = repeated_turns(
        Repeats(
            ("s", "a", "", "", "", ""),
            (
                ran("a", F, turn(0, 0, P), turn(1, 1, F), turn(2, None, F, why="no golden turn")),
                ran("a", F, turn(0, 0, P), turn(1, 2, F)),  # its second turn is the golden's third
                ran("a", P, turn(0, 0, P), turn(1, 1, P), turn(2, 2, N)),
                ran("a", F, turn(0, 0, P), turn(None, 1, F)),  # the golden's second is missing
            ),
        )
    )
    assert [(one.name, one.failed, one.decided) for one in found] == [
        ("turn 1", 0, 4),
        ("turn 2", 2, 3),
        ("turn 3", 1, 1),
        ("extra turn 3", 1, 1),
    ]


def voted(*votes: Sequence[float | None], rubrics: bool = False) -> CaseVerdict:
    """One repeat with the votes of each turn."""
    turns = []
    for at, cast in enumerate(votes):
        read = [vote for vote in cast if vote is not None]
        mean = sum(read) / len(read) if read else None
        rubric = (RubricVerdict("r", mean, votes=tuple(cast)),) if rubrics else ()
        metric = MetricVerdict("j", mean, P, 0.5, votes=() if rubrics else tuple(cast), rubrics=rubric)
        turns.append(turn(at, at, P, metric))
    means = [one.metrics[0].score or 0.0 for one in turns]
    return CaseVerdict("a", "s", "t", P, (MetricVerdict("j", sum(means) / len(means), P, 0.5),), tuple(turns))


def spread_of(*verdicts: CaseVerdict) -> Spread:
    (found,) = spreads(Repeats(("s", "a", "", "", "", ""), verdicts))
    return found


@each("rubrics", [False, True])
@each(
    ("first", "second", "agent", "judge"),
    [
        # The judge is of one mind, the agent answers otherwise: means 1, 0; variance 1/2.
        ([[1, 1, 1]], [[0, 0, 0]], math.sqrt(0.5), 0.0),
        # The agent does the same, the judge wavers: means 2/3 and 2/3; W = 1/3 in both.
        ([[1, 1, 0]], [[1, 0, 1]], 0.0, math.sqrt(1 / 3)),
        # Both: means 1 and 1/3, B = 2/9; W = (0 + 2/3) / 4 = 1/6; B − W/3 = 2/9 − 1/18 = 1/6.
        ([[1, 1, 1]], [[1, 0, 0]], math.sqrt(1 / 6), math.sqrt(1 / 6)),
        # What could not be read is no vote: means 1 and 0 of 2 and 1 votes; W = 0.
        ([[1, None, 1]], [[None, 0, None]], math.sqrt(0.5), 0.0),
        # Two turns: the first as in the first line, of the second neither: B = 1/2 and 0.
        ([[1, 1], [1, 1]], [[0, 0], [1, 1]], 0.5, 0.0),
    ],
)  # fmt: skip
def test_judge_and_agent_apart(
    first: list[list[float | None]], second: list[list[float | None]], agent: float, judge: float, rubrics: bool
) -> None:
    found = spread_of(voted(*first, rubrics=rubrics), voted(*second, rubrics=rubrics))
    assert (found.agent, found.judge) == pytest.approx((agent, judge))


def test_scores_without_votes_tell_of_the_agent_alone() -> None:
    # Scores 0.2, 0.4, 0.9: mean 0.5, squares 0.09 + 0.01 + 0.16 = 0.26, by 2.
    found = spread_of(ran("a", F, score=0.2), ran("a", F, score=0.4), ran("a", P, score=0.9), ran("a", E))
    assert (found.repeats, found.judge) == (3, None)
    assert found.agent == pytest.approx(math.sqrt(0.13))
    assert spreads(Repeats(("s", "a", "", "", "", ""), (ran("a", P, score=1.0), ran("a", N, score=-1.0)))) == ()


VOTES = st.lists(st.sampled_from([0.0, 1.0, None]), min_size=1, max_size=4)


def cast(index: int, golden: int | None, *votes: float) -> TurnVerdict:
    mean = sum(votes) / len(votes)
    why = "" if golden is not None else "the golden has no such turn"
    return turn(index, golden, P, MetricVerdict("j", mean, P, 0.5, votes=votes), why=why)


def with_turns(*turns: TurnVerdict) -> CaseVerdict:
    score = sum(one.metrics[0].score or 0.0 for one in turns) / len(turns)
    return CaseVerdict("a", "s", "t", P, (MetricVerdict("j", score, P, 0.5),), turns)


PAIR = st.tuples(*[st.sampled_from([0.0, 1.0])] * 2)


@given(golden=st.lists(PAIR, min_size=1, max_size=3), extra=st.lists(PAIR, max_size=3), count=st.integers(2, 4))
def test_an_agent_that_does_the_same_each_time_has_no_spread_whatever_turns_are_extra(
    golden: list[tuple[float, float]], extra: list[tuple[float, float]], count: int
) -> None:
    # The extra turns stand at the numbers of golden ones.
    turns = [*(cast(at, at, *votes) for at, votes in enumerate(golden))]
    turns += [cast(at, None, *votes) for at, votes in enumerate(extra)]
    found = spread_of(*[with_turns(*turns)] * count)
    assert found.agent == 0.0


def test_an_extra_turn_is_not_the_golden_turn_of_its_number() -> None:
    # Golden turns are voted 1 in all repeats; the extra second turn, which one repeat alone has, 0.
    plain = with_turns(cast(0, 0, 1, 1), cast(1, 1, 1, 1))
    longer = with_turns(cast(0, 0, 1, 1), cast(1, None, 0, 0), cast(2, 1, 1, 1))
    found = spread_of(plain, longer)
    assert (found.agent, found.judge) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("metric", "votes", "said"),
    [
        ("j", (1.0,), "j spread: 0.707 for agent and judge together (one vote per repeat)"),
        ("safety_v1", (), "safety_v1 spread: 0.707 for agent and judge together (its votes are not known)"),
        ("response_match_score", (), "response_match_score spread: agent 0.707"),
    ],
)  # fmt: skip
def test_a_judges_part_is_never_told_as_the_agents(metric: str, votes: tuple[float, ...], said: str) -> None:
    one, other = (
        CaseVerdict("a", "s", "t", status, (MetricVerdict(metric, score, status, 0.5, votes=votes and (score,)),))
        for score, status in ((1.0, P), (0.0, F))
    )
    assert spread_lines(Repeats(("s", "a", "", "", "", ""), (one, other))) == [said]


def test_what_only_informs_is_counted_and_not_told() -> None:
    def one(score: float, status: Status) -> CaseVerdict:
        told = [MetricVerdict(name, score, Status.INFORMATIONAL) for name in ("x", "y")]
        return CaseVerdict("a", "s", "t", status, (*told, MetricVerdict("m", score, status, 0.5)))

    assert spread_lines(Repeats(("s", "a", "", "", "", ""), (one(1.0, P), one(0.0, F)))) == [
        "m spread: agent 0.707",
        "2 informational figures vary as well",
    ]
    one_figure = [CaseVerdict("a", "s", "t", P, (MetricVerdict("x", at, Status.INFORMATIONAL),)) for at in (1.0, 2.0)]
    assert spread_lines(Repeats(("s", "a", "", "", "", ""), (*one_figure,))) == [
        "1 informational figure varies as well"
    ]


def run_of(*cases: CaseVerdict, files_apart: bool = False) -> RunVerdict:
    return RunVerdict("id", F, 0.0, "", "", cases, files_apart=files_apart)


def test_every_case_that_fails_is_told_flaky_ones_first() -> None:
    always = [ran("always", F, turn(0, 0, P), turn(1, 1, F))] * 3
    never = [ran("never", P, turn(0, 0, P))] * 2
    flaky = [ran("flaky", P, turn(0, 0, P)), ran("flaky", F, turn(0, 0, F))]
    found = repeats_of(run_of(*always, *never, *flaky))
    assert list(failing_lines(found)) == [
        ("flaky", "flaky: 1 of 2 passed; turn 1 failed in 1 of 2"),
        ("always failing", "always: 0 of 3 passed; turn 2 failed in 3 of 3"),
    ]
    assert list(repeat_lines(found, most=1))[-2:] == [
        "flaky: flaky: 1 of 2 passed; turn 1 failed in 1 of 2",
        "and 1 more that fails",
    ]
    page = html.write(RunVerdict("id", F, 0.0, "", "", (*never, *always, *flaky)), Sources())
    block = page[page.index("pass^k") : page.index("</table>", page.index("turns that failed"))]
    told = ("turn 1 failed in 1 of 2", "turn 2 failed in 3 of 3", "2 of 2 passed")
    assert [block.index(words) for words in told] == sorted(block.index(words) for words in told)


@given(st.lists(st.lists(VOTES, min_size=1, max_size=2), min_size=2, max_size=5))
def test_spreads_are_never_less_than_nothing(votes: list[list[list[float | None]]]) -> None:
    for found in spreads(Repeats(("s", "a", "", "", "", ""), tuple(voted(*one) for one in votes))):
        assert found.agent is None or 0.0 <= found.agent <= 1.0
        assert found.judge is None or 0.0 <= found.judge <= 1.0


def test_goldens_of_two_files_are_no_repeats_of_each_other() -> None:
    cases = [ran("a", P, path="x.json"), ran("a", F, path="y.json"), ran("b", P, path="x.json")]
    assert repeats_of(run_of(*cases)) == ()
    assert list(repeat_lines(())) == []


def test_traces_of_two_files_are_repeats_only_where_that_was_said() -> None:
    def one(file: str, status: Status) -> CaseVerdict:
        return replace(ran("a", status), trace_path=f"/runs/{file}.json")

    cases = [one("new", P), one("new", F), one("old", P)]
    assert [(case.name, len(case.verdicts)) for case in repeats_of(run_of(*cases))] == [("a", 3)]
    apart = repeats_of(run_of(*cases, files_apart=True))
    assert [(case.name, len(case.verdicts)) for case in apart] == [("a (new.json)", 2)]
    assert repeats_of(run_of(*cases[1:], files_apart=True)) == ()


RUN = RunVerdict(
    "id",
    F,
    0.0,
    "",
    "here",
    (
        ran("a", P, turn(0, 0, P), score=0.9),
        ran("a", F, turn(0, 0, F), score=0.4),
        ran("a", N),
        ran("b", P),
        ran("b", P),
        ran("c", P),
    ),
)


def test_repeats_in_words() -> None:
    assert list(repeat_lines(repeats_of(RUN))) == [
        "Repeats: 2 cases ran several times; 1 flaky, 1 not.",
        "pass@1 75.0 %, pass^1 75.0 % (mean of 2 cases)",
        "pass@2 100.0 %, pass^2 50.0 % (mean of 2 cases)",
        "flaky: a: 1 of 2 passed, 1 not decided; turn 1 failed in 1 of 2; m spread: agent 0.354",
    ]


def test_reports_show_repeats_where_there_are_any() -> None:
    assert "flaky: a" in markdown.write(RUN, Sources())
    page = html.write(RUN, Sources())
    assert "turn 1 failed in 1 of 2" in page
    assert "pass^k" in page
    told = run_json(RUN, {})["repeats"]
    assert told == repeats_json(repeats_of(RUN))
    assert isinstance(told, dict)
    assert told["rates"] == [
        {"k": 1, "pass_at_k": 0.75, "pass_hat_k": 0.75, "cases": 2},
        {"k": 2, "pass_at_k": 1.0, "pass_hat_k": 0.5, "cases": 2},
    ]
    alone = RunVerdict("id", P, 0.0, "", "here", (ran("c", P),))
    assert "repeats" not in run_json(alone, {})
    assert "Repeats" not in html.write(alone, Sources()) + markdown.write(alone, Sources())
