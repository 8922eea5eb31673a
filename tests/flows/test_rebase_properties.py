"""Whatever an agent does otherwise: all of it accepted gives what it does, in any order; rejected, the bytes stay."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.helpers.campaigns import is_long
from tests.helpers.rebase_suite import Raw, Suite, answer, calls, suite
from trace_inspector.core.verdict.verdict import Status
from trace_inspector.engine.rebasing.gathering import RebaseRow
from trace_inspector.engine.rebasing.rule import Decided, RebaseDecision
from trace_inspector.flows.rebasing.rebase import Rebase
from trace_inspector.flows.rebasing.rebase_files import rebase_of

CASES = 12


def decided(row: RebaseRow, decision: RebaseDecision) -> Decided:
    return Decided(row.rule, decision, rows=tuple(Decided(inner.rule) for inner in row.rows))


def bytes_after(rebase: Rebase, decisions: list[Decided]) -> list[bytes]:
    rebased = rebase.after(decisions)
    return [file.session.after(rebase.steps(rebased, number)).data for number, file in enumerate(rebase.files)]


def write(path: Path, cases: list[Raw]) -> Path:
    path.write_text(json.dumps({"eval_set_id": "travel", "eval_cases": cases}, indent=2) + "\n", "utf-8")
    return path


def cases_of(path: Path) -> list[Raw]:
    listed: list[Raw] = json.loads(path.read_text("utf-8"))["eval_cases"]
    return listed


def value(chance: random.Random) -> Any:
    return chance.choice(
        (1, 2.5, True, None, "x", "C-17", "", [], [1, 2], {}, {"a": 1}, [{"id": 1, "n": 2}], chance.randrange(1000))
    )


def mutate(case: Raw, chance: random.Random) -> None:
    """One change of any kind, at any place."""
    listed = calls(case)
    args = chance.choice(listed)["args"] if listed else {}
    name = chance.choice([*args] or ["none"])
    kind = chance.randrange(9)
    if kind == 0:
        args[chance.choice(("new", "other/one", "to~do", name))] = value(chance)
    elif kind == 1:
        args.pop(name, None)
    elif kind == 2 and name in args:
        items = [(f"{key}_now" if key == name else key, each) for key, each in args.items()]
        args.clear()
        args.update(items)
    elif kind == 3 and args:
        args[name] = {"inside": args[name], "more": value(chance)}
    elif kind == 4 and listed:
        chance.choice(listed)["name"] = chance.choice(("fresh", "search", "book"))
    elif kind == 5:
        listed.insert(chance.randint(0, len(listed)), {"name": chance.choice(("fresh", "book")), "args": {"v": 1}})
    elif kind == 6 and listed:
        listed.pop(chance.randrange(len(listed)))
    elif kind == 7 and listed:
        listed.insert(chance.randint(0, len(listed)), listed.pop(chance.randrange(len(listed))))
    else:
        words = answer(case)["text"].split(" ")
        words[chance.randrange(len(words))] = chance.choice(("otherwise", "7", "a b", ""))
        answer(case)["text"] = " ".join(words) or "."


@pytest.mark.parametrize("seed", range(1_000 if is_long() else 12))
def test_everything_accepted_is_what_the_agent_does(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    base = cases_of(suite(tmp_path, CASES, seed).base)
    new = copy.deepcopy(base)
    for case in new:
        for _ in range(chance.randrange(5)):
            mutate(case, chance)
    golden, after = write(tmp_path / "golden.json", base), write(tmp_path / "new.json", new)
    with rebase_of([golden], golden, after) as rebase:
        every = [decided(row, RebaseDecision.ACCEPT) for row in rebase.rows]
        rebased = rebase.after(every)
        (data,) = bytes_after(rebase, every)
    assert rebased.is_decided
    for made, wanted in zip(json.loads(data)["eval_cases"], new, strict=True):
        assert [(call["name"], call["args"]) for call in calls(made)] == [
            (call["name"], call["args"]) for call in calls(wanted)
        ]
        assert answer(made) == answer(wanted)
    assert {mark.after for mark in rebased.marks} == {Status.PASSED}


@pytest.fixture
def made(tmp_path: Path) -> Suite:
    return suite(tmp_path, CASES)


def test_any_order_gives_the_same_files_and_hand_edits_survive(made: Suite) -> None:
    chance = random.Random(5)
    before = made.golden.read_bytes()
    with rebase_of([made.golden], made.base, made.new) as rebase:
        assert bytes_after(rebase, [decided(row, RebaseDecision.REJECT) for row in rebase.rows]) == [before]
        for _ in range(10):
            choices = [decided(row, chance.choice((*RebaseDecision,))) for row in rebase.rows]
            keys = [change.key for change in rebase.changes]
            choices[0] = replace(choices[0], exceptions=((chance.choice(keys), RebaseDecision.REJECT),))
            (data,) = bytes_after(rebase, choices)
            for _again in range(3):
                assert bytes_after(rebase, chance.sample(choices, len(choices))) == [data]
            by_id = {case["eval_id"]: case for case in json.loads(data)["eval_cases"]}
            stated = {case["eval_id"]: case for case in json.loads(before)["eval_cases"]}
            for name in made.edited:
                assert answer(by_id[name])["text"][-12:] == answer(stated[name])["text"][-12:]
                rules = stated[name].get("traceInspector", {}).get("matchers", {})
                kept = by_id[name].get("traceInspector", {}).get("matchers", {})
                assert [rule for rule in rules.values() if rule not in kept.values()] == []


@pytest.mark.parametrize("seed", range(500 if is_long() else 8))
def test_hand_edits_survive_and_undo_gives_the_bytes_back(tmp_path: Path, seed: int) -> None:
    """Several runs of each case, two files of goldens that people edited, and decisions at random."""
    chance = random.Random(seed)
    base = cases_of(suite(tmp_path, CASES, seed).base)
    golden = copy.deepcopy(base)
    by_hand = {}
    for number, case in enumerate(golden):
        if chance.random() < 0.8:
            call = chance.choice(calls(case))
            call["args"]["by_hand"] = by_hand[case["eval_id"]] = number
    runs = tmp_path / "runs"
    runs.mkdir()
    for run in range(chance.randrange(1, 4)):
        new = copy.deepcopy(base)
        for case in new:
            for _ in range(chance.randrange(5)):
                mutate(case, random.Random(f"{seed} {case['eval_id']}") if chance.random() < 0.7 else chance)
        write(runs / f"{run}.json", new)
    paths = [write(tmp_path / "one.json", golden[::2]), write(tmp_path / "two.json", golden[1::2])]
    before = [path.read_bytes() for path in paths]
    with rebase_of(paths, tmp_path / "base.evalset.json", runs) as rebase:
        often = *RebaseDecision, *[RebaseDecision.ACCEPT] * 8
        choices = [decided(row, chance.choice(often)) for row in rebase.rows]
        rebased = rebase.after(choices)
        data = bytes_after(rebase, choices)
        assert bytes_after(rebase, chance.sample(choices, len(choices))) == data
        for number, file in enumerate(rebase.files):
            steps = rebase.steps(rebased, number)
            file.session.make(steps)
            assert file.session.session.state.document.data == data[number]
            if steps:
                file.session.undo()
            assert file.session.session.state.document.data == before[number]
    after = {case["eval_id"]: case for own in data for case in json.loads(own)["eval_cases"]}
    for name, number in by_hand.items():
        assert number in [call["args"].get("by_hand") for call in calls(after[name])]
