"""The children of listening: one receives and records, one judges the turns of the recording as they end."""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from trace_inspector.core.errors import InspectorError, SaveError
from trace_inspector.core.verdict.parting import Parting
from trace_inspector.flows.live.arrivals import Arrival, Arrivals
from trace_inspector.flows.live.growing import Growing, ReadTo
from trace_inspector.flows.live.listener import Listener, Listening, bound_socket, listen
from trace_inspector.work.processes.child import Channel
from trace_inspector.work.runs.run_request import RunOrder, request_of

PAUSE, GO_ON = b"pause", b"go on"  # what the receiver is told; at the end of that it ends
TICK_S = 0.02  # an idle look at the recording takes a tenth of a millisecond


class Receiving(Struct, frozen=True):
    """The receiver listens on this port."""

    port: int


class RecordingBegun(Struct, frozen=True):
    """The first request is on the disk."""


class ReceiverTrouble(Struct, frozen=True):
    """What goes wrong, in a sentence; it listens on."""

    sentence: str


class NotJudged(Struct, frozen=True):
    """Why no turn is judged until something else is ordered; how many orders were taken up."""

    sentence: str
    orders: int = 0


class Grown(Struct, frozen=True):
    """More was recorded, and these turns ended; or another of so many orders was taken up.

    Of conversations with turns that run, where they part from their goldens; only where that is not as it was.
    `looked_to`: up to where in the recording it is known which turns have not ended.
    """

    arrivals: tuple[Arrival, ...]
    open_turns: dict[str, frozenset[int]]
    partings: dict[str, tuple[Parting, ...]] = field(default_factory=dict)
    orders: int = 0
    looked_to: ReadTo = ReadTo()


def receive(channel: Channel, port: int, record: str) -> None:
    """In a child: listen until the payload ends."""
    listening = Listening(port=port, record=Path(record))
    with bound_socket(listening) as bound:
        bound_port = bound.getsockname()[1]
        try:
            asyncio.run(
                listen(
                    listening,
                    bound,
                    lambda sentence: channel.send(ReceiverTrouble(sentence)),
                    partial(_until_ended, channel, Receiving(bound_port)),
                )
            )
        except OSError as problem:
            sentence = f"The recording cannot be made ({problem.strerror or problem})."
            raise SaveError(sentence, path=record) from problem


async def _until_ended(channel: Channel, receiving: Receiving, listener: Listener) -> None:
    told = asyncio.Event()
    loop = asyncio.get_running_loop()

    def wait() -> None:
        try:
            for word in channel.incoming():
                listener.is_paused = word == PAUSE
        finally:
            loop.call_soon_threadsafe(told.set)

    def recorded() -> None:
        listener.recorded = lambda: None
        channel.send(RecordingBegun())

    listener.recorded = recorded
    channel.send(receiving)
    threading.Thread(target=wait, name="told", daemon=True).start()
    await told.wait()


def ordered(order: RunOrder, bodies: Iterable[bytes]) -> Iterator[bytes]:
    """What tells the child that judges by what: all turns that end from then on are judged by it."""
    yield pickle.dumps(order, pickle.HIGHEST_PROTOCOL)
    yield from bodies


def _changed(
    before: Mapping[str, tuple[Parting, ...]], now: Mapping[str, tuple[Parting, ...]]
) -> dict[str, tuple[Parting, ...]]:
    """Those that are not as they were, none where there are none any more: thousands of others stay as they are."""
    return {name: now.get(name, ()) for name in {**before, **now} if now.get(name) != before.get(name)}


def judge(channel: Channel, record: str) -> None:
    """In a child: tell of the turns of a recording as they end, by what was `ordered` last, until it is stopped."""
    growing = Growing(Path(record))
    incoming = channel.incoming()
    arrivals: Arrivals | None = None
    told: dict[str, tuple[Parting, ...]] = {}  # where turns part
    told_to: ReadTo | None = growing.looked_to
    orders = 0
    while True:
        is_ordered = False
        try:
            if arrivals is None or channel.is_awaited:
                piece = next(incoming, None)
                if piece is None:
                    return
                orders, is_ordered = orders + 1, True
                request = request_of(pickle.loads(piece), incoming)  # written by our own window
                if arrivals is None:
                    arrivals = Arrivals(growing, request)
                else:
                    arrivals.use(request)
            now_s = time.monotonic()
            came = growing.take(now_s)
            is_changed = bool(growing.changed)
            arrived = arrivals.step(now_s)
        except InspectorError as problem:  # such as criteria that cannot be used, until they are others
            channel.send(NotJudged(str(problem), orders))
            arrivals, told, told_to = None, {}, None
            continue
        parted = arrivals.partings if is_ordered or is_changed or arrived else told
        others = _changed(told, parted) if parted is not told else {}
        told = parted
        if came or arrived or others or is_ordered or growing.looked_to != told_to:
            told_to = growing.looked_to
            channel.send(Grown(tuple(arrived), arrivals.open_turns, others, orders, told_to))
        elif not growing.changed:
            time.sleep(TICK_S)
