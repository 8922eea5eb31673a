"""Conversations that OpenHands keeps in a folder, each event in a file of its own, beside the state of the whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from trace_inspector.core.finding import error
from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.trace import Trace
from trace_inspector.core.values.pointer import join
from trace_inspector.core.values.values import Json
from trace_inspector.documents.bundles.on_demand import ValuesOnDemand
from trace_inspector.formats.coding.openhands import STATES, event_files, is_conversation
from trace_inspector.formats.coding.openhands.events import conversation, read_events
from trace_inspector.formats.coding.openhands.teller import Reply, Teller, take_statistics, tokens_in
from trace_inspector.formats.common.fields import Fields, Report, kind_of
from trace_inspector.formats.common.format import Implementation, Source
from trace_inspector.formats.common.record_counts import RecordCounts

_READ = ("id", "stats")


def read(source: Source) -> Iterator[Item]:
    """One conversation of all the files of a folder, or what stands in one file."""
    files = source.value
    if not isinstance(files, dict) or not is_conversation(Fields(files, "")):
        yield from read_events(source)
        return
    report, counts = Report(), RecordCounts()
    state = _state(files, counts)
    identity = state.text("id")
    teller = Teller(counts, replies=_replies(state))
    beside = Fields({key: value for key, value in state.value.items() if key not in _READ}, state.place)
    events = _events(files, teller, state, report)
    for item in conversation(teller, events, beside, identity or source.stem or "conversation", source):
        yield replace(item, session_id=identity) if isinstance(item, Trace) else item
    yield counts.finding()
    yield from report.drain()


def _state(files: Mapping[str, Json], counts: RecordCounts) -> Fields:
    """What is said of the whole; of a folder with nothing but events, nothing is."""
    for name in STATES:
        value = files.get(name)
        if isinstance(value, dict):
            counts.understood()
            return Fields(value, join("", name))
        if name in files:
            counts.unknown("state that cannot be read", join("", name))
    return Fields({}, "")


def _events(files: Mapping[str, Json], teller: Teller, state: Fields, report: Report) -> Iterator[Fields]:
    """Each event in its turn; what the state counted beyond them comes at the end."""
    later = files.later if isinstance(files, ValuesOnDemand) else {}
    for name in (*event_files(files), *later):
        value, place = files[name], join("", name)
        if isinstance(value, dict):
            yield Fields(value, place)
            continue
        teller.counts.unknown("event that cannot be read", place)
        if value is not None:
            report.add(error("not-an-object", f"This should be an event, not {kind_of(value)}; left out.", place))
        elif name in later:  # of the others the findings of the folder say why
            report.add(error("event-unread", "This event could not be read.", place))
    stated = state.object("stats")
    if stated is not None:
        take_statistics(teller, stated, None, stated.place)


def _replies(state: Fields) -> dict[str, Reply]:
    """The replies that the state lists, by the id that events name."""
    stated = state.object("stats") or Fields({}, state.place)
    replies: dict[str, Reply] = {}
    for metrics in (stated.mapping("usage_to_metrics") or {}).values():
        listed = Fields(metrics, "").objects("token_usages") if isinstance(metrics, dict) else []
        for usage in listed:
            if identity := usage.text("response_id"):
                replies.setdefault(identity, Reply(usage.text("model"), tokens_in(usage.value)))
    return replies


IMPLEMENTATION = Implementation(read=read)
