"""Log lines as evidence: what happened when, to which service, how often, and what did not happen."""

from __future__ import annotations

import zlib
from random import Random
from typing import Any

import yaml
from msgspec import Struct

from tests.project.grounding_set.facts import Claim
from tests.project.grounding_set.rendering import SOURCE, capital, count_text, time_text, units
from tests.project.grounding_set.scenario import Domain, Scenario

EVENTS: dict[str, Any] = yaml.load((SOURCE / "logs.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


class Event(Struct, frozen=True):
    """One line of the log."""

    clock: str
    service: str
    kind: str
    slots: dict[str, str]


def log_scenario(index: int, part: str) -> tuple[Scenario, list[Claim]]:
    random = Random(zlib.crc32(f"logs-{index}".encode()))
    s = Scenario(f"logs-en-{index:02}", part, Domain("logs", {}, []), "en", random, units())
    services = random.sample(EVENTS["services"], 4)
    kinds = random.sample(sorted(EVENTS["events"]), 6)
    unseen = [k for k in sorted(EVENTS["events"]) if k not in kinds]
    events = []
    minute = random.randrange(60, 1200)
    for _ in range(random.randrange(6, 16)):
        minute += random.randrange(1, 9)
        kind = random.choice(kinds)
        slots = {"n": str(random.randrange(3, 97)), "host": random.choice(EVENTS["hosts"])}
        events.append(Event(f"{minute // 60:02}:{minute % 60:02}", random.choice(services), kind, slots))
    s.user = random.choice(EVENTS["users"])
    style = random.choice(EVENTS["styles"])
    lines = []
    for e in events:
        row = EVENTS["events"][e.kind]
        slots = {"time": e.clock, "s": f"{random.randrange(60):02}", "level": row["level"], "service": e.service}
        lines.append(style.format(**slots, message=row["line"].format(**e.slots)))
    result: Any = "\n".join(lines) if random.random() < 0.6 else {"lines": lines, "truncated": False}
    s.tools = [{"name": random.choice(EVENTS["tools"]), "args": {}, "result": result}]
    return s, log_claims(s, events, unseen)


def log_claims(s: Scenario, events: list[Event], unseen: list[str]) -> list[Claim]:
    """Right and wrong sentences in equal numbers, of the same phrases."""
    random = s.random
    claims = [right_line(s, e) for e in random.sample(events, 2)]
    known = {(e.service, e.kind) for e in events}
    strangers = [(x, e) for e in events for x in {y.service for y in events} if (x, e.kind) not in known]
    if strangers:
        service, e = random.choice(sorted(strangers, key=str))
        claims.append(Claim("log_line", event_sentence(s, service, e), "contradictory"))
    e = random.choice(events)
    hours = [f"{(int(e.clock[:2]) + d) % 24:02}{e.clock[2:]}" for d in (-2, -1, 1, 3)]
    claims.append(Claim("log_line", event_sentence(s, e.service, e, random.choice(hours)), "contradictory"))
    invented = Event(e.clock, e.service, random.choice(unseen), e.slots)
    claims.append(Claim("invented_fact", event_sentence(s, e.service, invented, ""), "unsupported"))
    claims += counted(s, events)
    claims += ordered(s, events)
    for kind, name, label in (("cause", "causes", "unsupported"), ("guess", "guesses", "cannot_tell")):
        text = s.choose(EVENTS[name]).format(service=e.service)
        claims.append(Claim(kind, capital(text), label))
    random.shuffle(claims)
    return claims


def event_sentence(s: Scenario, service: str, event: Event, clock: str | None = None) -> str:
    """The event as a sentence, with its time or without."""
    clock = event.clock if clock is None else clock
    phrase = s.choose(EVENTS["events"][event.kind]["say"]).format(service=service, **event.slots)
    if clock:
        when = time_text(clock, "en", s.random)
        phrase = s.choose(["{p} at {t}", "at {t} {p}", "around {t}, {p}"]).format(p=phrase, t=when)
    return capital(phrase) + "."


def right_line(s: Scenario, event: Event) -> Claim:
    return Claim(
        "log_line", event_sentence(s, event.service, event, None if s.random.random() < 0.6 else ""), "supported"
    )


def counted(s: Scenario, events: list[Event]) -> list[Claim]:
    levels = [EVENTS["events"][e.kind]["level"] for e in events]
    right = s.random.random() < 0.5
    n = levels.count("ERROR")
    n = n if right else n + s.random.choice((1, 2, 3))
    words = {0: "There are no errors in this excerpt.", 1: "There is a single error in the log."}
    many = s.choose(["The log shows {n} errors.", "I count {n} lines at error level.", "{n} errors were recorded."])
    text = words.get(n) or capital(many.format(n=count_text(n, "en", s.random)))
    return [Claim("count", text, "supported" if right else "contradictory")]


def ordered(s: Scenario, events: list[Event]) -> list[Claim]:
    """What came before what: only of kinds that occur once, so that the order is plain."""
    kinds = [e.kind for e in events]
    single = [e for e in events if kinds.count(e.kind) == 1]
    if len(single) < 2:
        return []
    first, second = sorted(s.random.sample(single, 2), key=lambda e: e.clock)
    right = s.random.random() < 0.5
    if not right:
        first, second = second, first
    a, b = (s.choose(EVENTS["events"][e.kind]["say"]).format(service=e.service, **e.slots) for e in (first, second))
    text = s.choose(["{a} before {b}.", "First {a}, later {b}."]).format(a=a, b=b)
    return [Claim("order", capital(text), "supported" if right else "contradictory")]
