"""Makes a suite of goldens, a run before and a run after an intended change, and the goldens as they should become.

Six systematic changes overlap: an argument added (`currency`), one renamed (`dest` to `destination`), one of another
value that differs by case (`limit` ten times as large), a tool replaced (`lookup` by `find_customer`), a call before
another (`check_policy` before `search`), and an answer reworded. Beside them single changes, goldens that people
edited since, half of them with rules, and regressions that look like a systematic change.
"""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

from msgspec import Struct

CITIES = ("Oslo", "Lima", "Kyoto", "Cairo", "Quito", "Riga", "Perth", "Turin")
Raw = dict[str, Any]


class Suite(Struct):
    """The files that were written, and the cases of each kind by id."""

    golden: Path
    base: Path
    new: Path
    expected: Path
    singles: tuple[str, ...]
    edited: tuple[str, ...]
    regressed: tuple[str, ...]


def suite(folder: Path, count: int = 200, seed: int = 1) -> Suite:
    """Write a suite: a tenth single changes, three twentieths edited by hand, a twentieth regressions."""
    chance = random.Random(seed)
    cases = [_case(number, chance) for number in range(count)]
    base = copy.deepcopy(cases)
    ids = [case["eval_id"] for case in cases]
    shuffled = chance.sample(range(count), count)
    singles, edited, regressed = (
        shuffled[: count // 10],
        shuffled[count // 10 : count // 4],
        shuffled[count // 4 : count // 4 + count // 20],
    )
    new = [_changed(case) for case in copy.deepcopy(base)]
    golden = copy.deepcopy(base)
    for nth, number in enumerate(edited):
        _edit_by_hand(golden[number], with_rule=nth % 2 == 0)
    expected = [_changed(case) for case in copy.deepcopy(golden)]
    for nth, number in enumerate(singles):
        _change_once(new[number], nth)
    for nth, number in enumerate(regressed):
        _regress(new[number], expected[number], golden[number], nth)
    files = Suite(
        folder / "golden.evalset.json",
        folder / "base.evalset.json",
        folder / "new.evalset.json",
        folder / "expected.evalset.json",
        *(tuple(ids[number] for number in some) for some in (singles, edited, regressed)),
    )
    for path, listed in ((files.golden, golden), (files.base, base), (files.new, new), (files.expected, expected)):
        path.write_text(json.dumps({"eval_set_id": "travel", "eval_cases": listed}, indent=2) + "\n", "utf-8")
    return files


def calls(case: Raw) -> list[Raw]:
    """The calls of the only turn of a case."""
    listed: list[Raw] = case["conversation"][0]["intermediate_data"]["tool_uses"]
    return listed


def call(case: Raw, *names: str) -> Raw:
    """The call of a tool, under its old name or its new one."""
    return next(each for each in calls(case) if each["name"] in names)


def answer(case: Raw) -> Raw:
    """The part with the words of the answer."""
    part: Raw = case["conversation"][0]["final_response"]["parts"][0]
    return part


def _case(number: int, chance: random.Random) -> Raw:
    city, price = chance.choice(CITIES), chance.randrange(100, 900)
    customer = f"C-{1000 + number}"
    made = [
        {"name": "lookup", "args": {"customer": customer}},
        {"name": "search", "args": {"dest": city, "limit": chance.choice((5, 10, 20)), "class": "economy"}},
        {"name": "check_policy", "args": {"customer": customer}},
        {"name": "book", "args": {"dest": city, "price": price}},
    ]
    if number % 4 == 0:
        made.append({"name": "notify", "args": {"channel": "mail", "to": customer}})
    return {
        "eval_id": f"trip_{number:04d}",
        "conversation": [
            {
                "invocation_id": f"invocation-{number:05d}",
                "user_content": {
                    "parts": [{"text": f"Please book a trip to {city} for {customer}."}],
                    "role": "user",
                },
                "final_response": {
                    "parts": [{"text": f"Your trip to {city} is booked. The price is {price} dollars. Have fun!"}],
                    "role": "model",
                },
                "intermediate_data": {"tool_uses": made, "tool_responses": [], "intermediate_responses": []},
                "creation_timestamp": 1750000000.5,
            }
        ],
        "session_input": {"app_name": "travel", "user_id": "u", "state": {}},
    }


def _changed(case: Raw) -> Raw:
    """The six systematic changes; rules follow the calls that move and the arguments that are renamed."""
    names = [each["name"] for each in calls(case)]
    call(case, "lookup")["name"] = "find_customer"
    call(case, "book")["args"]["currency"] = "USD"
    for name in ("search", "book"):
        args = call(case, name)["args"]
        call(case, name)["args"] = {"destination" if key == "dest" else key: value for key, value in args.items()}
    limit = call(case, "search")["args"]
    if isinstance(limit["limit"], int) and limit["limit"] in (5, 10, 20):
        limit["limit"] *= 10
    listed = calls(case)
    policy = listed.pop(names.index("check_policy"))
    listed.insert(names.index("search"), policy)
    part = answer(case)
    part["text"] = part["text"].replace("The price is", "You pay")
    _follow(case)
    return case


def _follow(case: Raw) -> None:
    ours = case.get("traceInspector")
    if ours:
        old = "/conversation/0/intermediate_data/tool_uses/3/args/dest"
        table = ours["matchers"]
        ours["matchers"] = {(old[:-4] + "destination" if key == old else key): value for key, value in table.items()}


def _edit_by_hand(golden: Raw, *, with_rule: bool) -> None:
    """What people did since: a rule for a price, or other words and another channel."""
    if with_rule:
        place = "/conversation/0/intermediate_data/tool_uses/3/args/"
        golden["traceInspector"] = {
            "version": 1,
            "matchers": {f"{place}price": {"match": "tolerance", "absolute": 5}, f"{place}dest": {"match": "any"}},
        }
    else:
        answer(golden)["text"] = answer(golden)["text"].replace("Have fun!", "Have a good time!")
        golden["conversation"][0]["user_content"]["parts"][0]["text"] += " Thanks."


def _change_once(new: Raw, nth: int) -> None:
    """A change that no other case has. Nobody takes it: the golden stays red."""
    book = call(new, "book")["args"]
    (
        lambda: book.update(price=book["price"] + 1 + nth),
        lambda: book.update({f"note_{nth}": "x"}),
        lambda: calls(new).append({"name": f"extra_{nth}", "args": {"a": nth}}),
        lambda: call(new, "search")["args"].update({"class": f"class {nth}"}),
    )[nth % 4]()


def _regress(new: Raw, expected: Raw, golden: Raw, nth: int) -> None:
    """A change that looks like a systematic one and must not be taken."""
    kinds = (_wrong_currency, _misspelled, _wrong_limit, _wrong_tool)
    kinds[nth % len(kinds)](new, expected, golden)


def _wrong_currency(new: Raw, expected: Raw, _golden: Raw) -> None:
    call(new, "book")["args"]["currency"] = "EUR"
    del call(expected, "book")["args"]["currency"]


def _misspelled(new: Raw, expected: Raw, _golden: Raw) -> None:
    for case, name in ((new, "destinatoin"), (expected, "dest")):
        book = call(case, "book")
        book["args"] = {name if key == "destination" else key: value for key, value in book["args"].items()}


def _wrong_limit(new: Raw, expected: Raw, golden: Raw) -> None:
    call(new, "search")["args"]["limit"] = 1
    call(expected, "search")["args"]["limit"] = call(golden, "search")["args"]["limit"]


def _wrong_tool(new: Raw, expected: Raw, _golden: Raw) -> None:
    call(new, "find_customer")["name"] = "find_costumer"
    call(expected, "find_customer")["name"] = "lookup"
