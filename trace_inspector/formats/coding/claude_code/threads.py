"""Which lines belong together: sessions, sub-agents beside them, and branches that somebody went back from."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping

from msgspec import Struct, field

from trace_inspector.formats.coding.claude_code.lines import SessionLine, is_spoken


class SessionThread(Struct, eq=False):
    """Lines that are one conversation, in the order of the file."""

    id: str
    lines: list[SessionLine] = field(default_factory=list)
    agent: str = ""  # of a sub-agent, its id
    call: str = ""  # the call that started it, where its lines say so
    is_side: bool = False
    session: str = ""
    is_abandoned: bool = False


def threads_of(lines: list[SessionLine], name: str) -> list[SessionThread]:
    """Sessions first, each with its branches that were given up behind it, then the sub-agents."""
    by_uuid = _first_by_uuid(lines)
    sides = _side_keys(lines, by_uuid)
    main = [line for line in lines if id(line) not in sides]
    threads: list[SessionThread] = []
    for session in _sessions(main, by_uuid, name):
        live, dead = _without_dead_branches(session)
        threads += [live, *dead]
    owner = threads[0].id if threads else next((line.session for line in lines if line.session), name)
    by_key: dict[str, SessionThread] = {}
    for line in lines:
        key = sides.get(id(line))
        if key is None:
            continue
        if key not in by_key:
            identity = line.agent or f"{line.session or owner}-{len(by_key) + 1}"
            by_key[key] = SessionThread(
                identity, [], line.agent, line.call, is_side=True, session=line.session or owner
            )
        by_key[key].lines.append(line)
    sub_agents = list(by_key.values())
    spoken = [thread for thread in threads if any(line.is_message for line in thread.lines)]
    if sub_agents and not spoken:  # the file of a sub-agent; what else stands in it is said of the first
        sub_agents[0].lines += [line for thread in threads for line in thread.lines]
        return sub_agents
    return [*threads, *sub_agents]


def _first_by_uuid(lines: Iterable[SessionLine]) -> dict[str, SessionLine]:
    by_uuid: dict[str, SessionLine] = {}
    for line in lines:
        if line.uuid is not None:
            by_uuid.setdefault(line.uuid, line)
    return by_uuid


def _side_keys(lines: list[SessionLine], by_uuid: Mapping[str, SessionLine]) -> dict[int, str]:
    """Of each line of a sub-agent which one it is: by its id, by its call, else by where its chain begins."""
    keys: dict[int, str] = {}
    for line in lines:
        if line.call:
            keys[id(line)] = f"call {line.call}"
        elif line.is_side and line.agent:
            keys[id(line)] = f"agent {line.agent}"
        elif line.is_side:
            chain = [line]
            seen = {id(line)}
            while True:
                above = by_uuid.get(chain[-1].parent or "")
                if above is None or not above.is_side or id(above) in seen:
                    key = f"chain {chain[-1].uuid or id(chain[-1])}"
                    break
                if id(above) in keys:
                    key = keys[id(above)]
                    break
                chain.append(above)
                seen.add(id(above))
            keys.update((id(member), key) for member in chain)
    return keys


def _sessions(lines: list[SessionLine], by_uuid: Mapping[str, SessionLine], name: str) -> list[SessionThread]:
    """A thread for each session; those that go on from one another are one, under the last id."""
    goes_on: dict[str, str] = {}

    for line in lines:
        above = by_uuid.get(line.parent or "")
        if above is not None and line.session and above.session:
            earlier, later = _last_of(goes_on, above.session), _last_of(goes_on, line.session)
            if earlier != later:
                goes_on[earlier] = later
    by_session: dict[str, SessionThread] = {}
    current = next((line.session for line in lines if line.session), "")
    for line in lines:
        current = line.session or current
        session = _last_of(goes_on, current)
        if session not in by_session:
            by_session[session] = SessionThread(session or name, session=session)
        by_session[session].lines.append(line)
    with_messages = [thread for thread in by_session.values() if any(line.is_message for line in thread.lines)]
    if not with_messages:
        return list(by_session.values())[:1]
    spoken = set(map(id, with_messages))
    for thread in by_session.values():  # lines about other sessions, as titles and summaries may be
        if id(thread) not in spoken:
            with_messages[0].lines += thread.lines
    return with_messages


def _last_of(goes_on: dict[str, str], session: str) -> str:
    """The last session of those that go on from one; the way there is made short, so that none is gone twice."""
    last = session
    while last in goes_on:
        last = goes_on[last]
    while session != last:
        following = goes_on[session]
        goes_on[session] = last
        session = following
    return last


def _without_dead_branches(thread: SessionThread) -> tuple[SessionThread, list[SessionThread]]:
    """The thread as it went on, and a thread for each branch that begins with words which were taken back.

    The last message and all above it is what went on; of the rest only what begins with something spoken is a branch:
    results of parallel calls are aside of the way as well. A branch may have branches of its own.
    """
    by_uuid = _first_by_uuid(thread.lines)
    latest = _latest_below(thread.lines)
    ways: set[str] = set()
    for leaf in _leaves(thread, by_uuid, latest):
        ways.update(_above(leaf, by_uuid, ways))
    roots: set[str] = set()
    for line in thread.lines:
        if line.uuid is not None and line.uuid not in ways and by_uuid[line.uuid] is line and is_spoken(line):
            roots.add(line.uuid)
            ways.update(_above(thread.lines[latest[line.uuid]], by_uuid, ways))
            ways.add(line.uuid)
    if not roots:
        return thread, []
    branches: dict[str, SessionThread] = {}
    kept: list[SessionLine] = []
    nearest: dict[str, str | None] = {}
    for line in thread.lines:
        root = _nearest(line, by_uuid, roots, nearest) if line.uuid is not None else None
        if root is None:
            kept.append(line)
            continue
        if root not in branches:
            number = len(branches) + 1
            branches[root] = SessionThread(f"{thread.id}~{number}", session=thread.session, is_abandoned=True)
        branches[root].lines.append(line)
    return SessionThread(thread.id, kept, session=thread.session), list(branches.values())


def _leaves(
    thread: SessionThread, by_uuid: Mapping[str, SessionLine], latest: Mapping[str, int]
) -> list[SessionLine]:
    """The last message of every tree that went on; where the file names another leaf behind them, that one instead.

    Of trees that begin with something spoken and have no beginning in common, all but one were taken back: somebody
    began anew.
    """
    tops: dict[str, str] = {}
    last: dict[str, SessionLine] = {}
    named: str | None = None
    for line in thread.lines:
        if line.is_message and line.uuid is not None:
            last[_top(line, by_uuid, tops)] = line
            named = None
        elif line.kind == "last-prompt":
            named = line.fields.text("leafUuid") or named
    anew = [top for top, leaf in last.items() if leaf.uuid != top and _begins_anew(by_uuid[top])]
    chosen = by_uuid.get(named or "")
    live = anew[-1] if anew else ""
    if chosen is not None and chosen.uuid is not None:
        top = _top(chosen, by_uuid, tops)
        live = top if top in anew else live
        if top in last and chosen.uuid not in _above(last[top], by_uuid, ()):
            last[top] = thread.lines[latest[chosen.uuid]] if chosen.uuid in latest else chosen
    return [leaf for top, leaf in last.items() if top == live or top not in anew]


def _begins_anew(line: SessionLine) -> bool:
    """Whether somebody spoke with nothing before, as the line says; in some files no line says what it follows."""
    stated = line.fields.value.get("parentUuid", "") is None
    return stated and line.parent is None and is_spoken(line)


def _latest_below(lines: list[SessionLine]) -> dict[str, int]:
    """Of each line the number of the last message among it and those that follow it, where there is one."""
    latest: dict[str, int] = {}
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if line.uuid is None:
            continue
        last = max(latest.get(line.uuid, -1), number if line.is_message else -1)
        if last >= 0:
            latest[line.uuid] = last
            if line.parent is not None:
                latest[line.parent] = max(last, latest.get(line.parent, -1))
    return latest


def _above(line: SessionLine, by_uuid: Mapping[str, SessionLine], known: Container[str]) -> dict[str, None]:
    """The line and all that it follows, up to a line that is known."""
    way: dict[str, None] = {}
    current: SessionLine | None = line
    while current is not None and current.uuid is not None and current.uuid not in way and current.uuid not in known:
        way[current.uuid] = None
        current = by_uuid.get(current.parent or "")
    return way


def _top(line: SessionLine, by_uuid: Mapping[str, SessionLine], tops: dict[str, str]) -> str:
    """The uuid of the line at the top of a tree."""
    way: dict[str, None] = {}
    current: SessionLine | None = line
    top = ""
    while current is not None and current.uuid is not None and current.uuid not in way:
        if current.uuid in tops:
            top = tops[current.uuid]
            break
        way[current.uuid] = None
        top = current.uuid
        current = by_uuid.get(current.parent or "")
    tops.update(dict.fromkeys(way, top))
    return top


def _nearest(
    line: SessionLine, by_uuid: Mapping[str, SessionLine], roots: Container[str], known: dict[str, str | None]
) -> str | None:
    """The nearest root above a line or the line itself; None where there is none."""
    way: dict[str, None] = {}
    current: SessionLine | None = line
    found: str | None = None
    while current is not None and current.uuid is not None and current.uuid not in way:
        if current.uuid in known:
            found = known[current.uuid]
            break
        way[current.uuid] = None
        if current.uuid in roots:
            found = current.uuid
            break
        current = by_uuid.get(current.parent or "")
    known.update(dict.fromkeys(way, found))
    return found
