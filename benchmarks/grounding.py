"""How fast `local_grounding` is: one long conversation, one long answer, one very large tool result."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from trace_inspector.core.trace.criteria import Criterion
from trace_inspector.core.trace.parts import Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.engine.metrics.local.local_grounding import METHOD
from trace_inspector.engine.scoring.metric import Judged, PairedTurn, Subject

_ANSWER = """
I found three garages near {place}. {place} Garage is covered and has {spots} spots within two blocks. It opens at 8
and charges ${price} an hour, so a four-hour stay costs about ${total}. The closest entrance is on {street} Street,
{metres} m from your order R-{order}. There are {wrong} chargers on the first floor. Would you like me to book one?
"""
_PLACES = ("Harbour", "Center", "Pier", "Market", "Station", "Garden", "Hill", "River", "Museum", "Castle")


def conversation(turns: int) -> Trace:
    """A made-up conversation with four tool results and an answer of about 60 words a turn."""
    dice = random.Random(7)
    return Trace("long", tuple(_turn(index, dice) for index in range(turns)))


def one_turn(answer: str, result: Json) -> Trace:
    """One turn with one tool result."""
    events = (Event("agent", (ToolResult("search", result, place="/result"),)),)
    return Trace("one", (Turn(0, user=(Text("Find parking"),), events=events, final_response=(Text(answer),)),))


def _turn(index: int, dice: random.Random) -> Turn:
    place, street = dice.sample(_PLACES, 2)
    spots, price, order = dice.randrange(20, 400), dice.randrange(2, 30), dice.randrange(1000, 9999)
    answer = _ANSWER.format(
        place=place, street=street, spots=spots, price=price, total=price * 4, order=order,
        metres=dice.randrange(50, 900), wrong=dice.randrange(1000, 2000),
    )  # fmt: skip
    parts = [
        part
        for number in range(4)
        for part in (
            ToolCall(f"tool_{number}", {"near": place, "order": f"R-{order}"}),
            ToolResult(f"tool_{number}", _result(number, place, street, spots, price)),
        )
    ]
    user = (Text(f"Parking near {place} for order R-{order}, please."),)
    return Turn(index, user=user, events=(Event("agent", tuple(parts)),), final_response=(Text(answer),))


def _result(number: int, place: str, street: str, spots: int, price: int) -> Json:
    return {
        "garages": [
            {
                "name": f"{place} Garage",
                "address": f"{number + 1} {street} Street",
                "spots": spots + number,
                "price_usd": price,
                "covered": number % 2 == 0,
                "hours": {"open": "08:00", "close": "22:00"},
            }
            for _ in range(2)
        ]
    }


def _judge(trace: Trace) -> Judged:
    judged = METHOD.judge(
        Subject(tuple(PairedTurn(None, turn) for turn in trace.turns), trace), Criterion("local_grounding")
    )
    assert isinstance(judged, Judged)
    return judged


def measure(name: str, make: Callable[[], Trace]) -> str:
    """One line of the table."""
    trace = make()
    start = time.process_time()
    judged = _judge(trace)
    seconds = time.process_time() - start
    sentences = sum(len(verdict.sentences) for verdict in judged.turns if verdict)
    return f"{name:<34} {len(trace.turns):>6,} {sentences:>10,} {seconds:>9.2f} {sentences / seconds:>12,.0f}"


def main() -> None:
    """Print the table."""
    records: list[Json] = [
        {"name": f"Garage {number}", "spots": number % 500, "note": "x" * 120} for number in range(120_000)
    ]
    words: Json = "The garage on the corner has forty spots and a charger. " * 360_000
    print(f"{'what':<34} {'turns':>6} {'sentences':>10} {'CPU s':>9} {'sentences/s':>12}")
    print(measure("1,000 turns, 4 results each", lambda: conversation(1_000)))
    print(
        measure("20-MB result of records", lambda: one_turn("There are 40 spots. Garage 7 has 7.", {"rows": records}))
    )
    print(measure("20-MB result of prose", lambda: one_turn("There are 40 spots.", words)))
    print(measure("5-MB answer", lambda: one_turn("Garage Nine has 41 spots at $3.50. " * 143_000, records[:100])))
    print(measure("5-MB answer, one sentence", lambda: one_turn("spots and garages, " * 263_000, records[:100])))


if __name__ == "__main__":
    main()
