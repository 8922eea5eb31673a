"""Two lists of steps, one alignment: pairs in order, moves marked, every step exactly once, both ways the same."""

from __future__ import annotations

import enum
import json
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from trace_inspector.core.alignment.max_matching import MOST_COMPARISONS, most_pairs
from trace_inspector.core.alignment.sequence_alignment import NEVER, Link, increasing, link, total_cost
from trace_inspector.core.alignment.step_cost import HALF_ALIKE, Likeness, SameStep
from trace_inspector.core.trace.steps import Step


class Order(enum.Enum):
    """Where the two steps of a pair stand among the others."""

    KEPT = "in order"
    SWAPPED = "in another order within one group"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Aligned:
    """One row: indices into both sides, None where a side has nothing; `equal` steps differ in nothing."""

    left: int | None
    right: int | None
    equal: bool = False
    order: Order = Order.KEPT


@dataclass(frozen=True, slots=True)
class Alignment:
    """Rows in the left side's order. Not `exact` where the sides were too long to look for the best one."""

    rows: tuple[Aligned, ...]
    exact: bool = True


def align_steps(
    left: Sequence[Step], right: Sequence[Step], same: SameStep | None = None, by_hand: Sequence[Link] = ()
) -> Alignment:
    """The alignment of two trajectories. Where there is `same(at, to)`, it says which steps of one name are equal.

    Pairs that were made `by_hand` stand; who loses a partner to them stands alone.
    """
    # Of two alignments equally good the same one is found from both sides.
    turned = same is None and _comes_before(right, left)
    one, other = (right, left) if turned else (left, right)
    likeness = Likeness(one, other, same)
    paired, exact = _paired(one, other, likeness)
    paired = _with_hand(paired, [(to, at) if turned else (at, to) for at, to in by_hand])
    equal = {(at, to): likeness.equal(at, to) for at, to in paired}
    if turned:
        equal = {(at, to): alike for (to, at), alike in equal.items()}
    return Alignment(tuple(_rows(left, right, equal)), exact)


def _with_hand(paired: Sequence[Link], by_hand: Sequence[Link]) -> Sequence[Link]:
    for at, to in by_hand:
        paired = sorted([*(link for link in paired if link[0] != at and link[1] != to), (at, to)])
    return paired


def _paired(left: Sequence[Step], right: Sequence[Step], likeness: Likeness) -> tuple[Sequence[Link], bool]:
    linked = link(likeness.left_codes, likeness.right_codes, likeness.costs)
    shorter = min(len(left), len(right))
    if sum([likeness.equal(at, to) for at, to in linked.links]) == shorter:
        return linked.links, linked.exact
    contained = _contained(len(left), len(right), likeness)
    if contained:
        return contained, linked.exact
    links = linked.links
    if len(links) < shorter or any(at != to for at, to in links):
        links = min(
            links,
            _by_position(shorter, likeness),
            key=lambda found: total_cost(found, len(left), len(right), likeness.cost),
        )
    paired = dict(_at_the_first_place(links, likeness))
    _pair_equal(paired, likeness)
    if likeness.by_rule:
        _pair_by_rule(len(left), len(right), paired, likeness)
    if len(paired) < shorter:
        _pair_alike(left, right, paired, likeness)
    return sorted(paired.items()), linked.exact


def _contained(left: int, right: int, likeness: Likeness) -> list[Link]:
    """Where the shorter side stands whole and in order within the longer one, its places there; else nothing."""
    links: list[Link] = []
    turned = right < left
    longer = iter(range(left if turned else right))
    for one in range(min(left, right)):
        other = next((other for other in longer if likeness.equal(*((other, one) if turned else (one, other)))), None)
        if other is None:
            return []
        links.append((other, one) if turned else (one, other))
    return links


def _at_the_first_place(links: Sequence[Link], likeness: Likeness) -> Iterator[Link]:
    """The same links; where an unequal pair could be with several in a row at equal cost, it is with the first."""
    first_at = first_to = 0
    for at, to in links:
        if not likeness.equal(at, to):
            cost = likeness.cost(at, to)
            at = first_at if first_at < at and likeness.cost(first_at, to) == cost else at  # noqa: PLW2901
            to = first_to if first_to < to and likeness.cost(at, first_to) == cost else to  # noqa: PLW2901
        yield at, to
        first_at, first_to = at + 1, to + 1


def _by_position(shorter: int, likeness: Likeness) -> tuple[Link, ...]:
    """The alignment that looks at nothing but positions: no other may be dearer."""
    return tuple((at, at) for at in range(shorter) if likeness.cost(at, at) < NEVER)


def _pair_equal(paired: dict[int, int], likeness: Likeness) -> None:
    """Pair steps that are equal and stand elsewhere; of two unequal pairs given up for that, the rest may pair."""
    partner = {to: at for at, to in paired.items()}
    equal = {at for at, to in paired.items() if likeness.equal(at, to)}
    here = _waiting(likeness.left_codes, equal, paired)
    there = _waiting(likeness.right_codes, {paired[at] for at in equal}, partner)
    for code in here:
        for at, to in zip(here[code], there.get(code, ()), strict=False):
            if paired.get(at) == to:  # what was left of two other pairs
                continue
            old_to, old_at = paired.pop(at, None), partner.pop(to, None)
            if old_to is not None:
                del partner[old_to]
            if old_at is not None:
                del paired[old_at]
            paired[at], partner[to] = to, at
            if old_at is not None and old_to is not None and likeness.cost(old_at, old_to) < NEVER:
                paired[old_at], partner[old_to] = old_to, old_at


_MOST_CANDIDATES = 10_000  # of one name; where so many are left over, nobody sees which one moved


def _pair_by_rule(left: int, right: int, paired: dict[int, int], likeness: Likeness) -> None:
    """Where more is equal than has equal keys, re-pair until as many as possible are, whatever the order."""
    equal = {at: to for at, to in paired.items() if likeness.equal(at, to)}
    if left * right > MOST_COMPARISONS:
        most = equal | _first_fitting(left, right, equal, likeness)
    else:
        most = most_pairs(left, right, likeness.equal, equal)
    if len(most) > len(equal):
        taken = set(most.values())
        others = {at: to for at, to in paired.items() if at not in most and to not in taken}
        paired.clear()
        paired.update(most | others)


_MOST_FITTED = 1_000_000  # pairs that are tried where there are too many to look for the best


def _first_fitting(left: int, right: int, equal: dict[int, int], likeness: Likeness) -> dict[int, int]:
    """For each step without an equal one the first that fits, those first that share its rarest feature."""
    taken = set(equal.values())
    waiting = [to for to in range(right) if to not in taken]
    sharing: dict[int, list[int]] = defaultdict(list)
    for to in waiting:
        for one in likeness.features(to, right=True):
            sharing[one].append(to)
    found: dict[int, int] = {}
    tried = 0
    for at in range(left):
        if at in equal:
            continue
        shared = [sharing[one] for one in likeness.features(at, right=False) if one in sharing]
        rarest = min(shared, key=len) if shared else []
        for to in chain(rarest, waiting):
            tried += 1
            if tried > _MOST_FITTED:
                return found
            if to not in taken and likeness.equal(at, to):
                found[at] = to
                taken.add(to)
                break
    return found


def _pair_alike(left: Sequence[Step], right: Sequence[Step], paired: dict[int, int], likeness: Likeness) -> None:
    """Pair what is left of one name when it has more than half in common, or was asked for in the same breath."""
    together = {(left[at].group, right[to].group) for at, to in paired.items()}
    here = _free(left, paired.keys())
    there = _free(right, set(paired.values()))
    for name in here:
        rows, columns = here[name], there.get(name, [])
        if not 0 < len(rows) * len(columns) <= _MOST_CANDIDATES:
            continue
        costs = likeness.costs(rows, columns)
        ranked = sorted(
            (cost, at, to) for at, row in zip(rows, costs, strict=True) for to, cost in zip(columns, row, strict=True)
        )
        taken: set[int] = set()
        for cost, at, to in ranked:
            alike = cost < HALF_ALIKE or (left[at].group, right[to].group) in together
            if alike and at not in paired and to not in taken:
                paired[at] = to
                taken.add(to)


def _free(steps: Sequence[Step], taken: Container[int]) -> dict[tuple[str, str], list[int]]:
    """Steps without a partner by kind and name."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, step in enumerate(steps):
        if at not in taken:
            found[step.kind, step.name].append(at)
    return found


def _waiting(codes: Sequence[int], equal: set[int], paired: dict[int, int]) -> dict[int, list[int]]:
    """Steps without an equal partner by what they are, those without any partner first."""
    found: dict[int, list[int]] = defaultdict(list)
    for at, code in enumerate(codes):
        if at not in equal:
            found[code].append(at)
    for listed in found.values():
        listed.sort(key=lambda at: (at in paired, at))
    return found


def _rows(left: Sequence[Step], right: Sequence[Step], equal: dict[Link, bool]) -> Iterator[Aligned]:
    links = sorted(equal)
    orders = _orders(left, right, links)
    partner, taken = dict(links), {to for _at, to in links}
    last_at = last_to = 0
    kept = [found for found in links if orders[found] is Order.KEPT]
    for at, to in (*kept, (len(left), len(right))):
        for one in range(last_at, at):
            other = partner.get(one)
            if other is None:
                yield Aligned(one, None)
            else:
                yield Aligned(one, other, equal[one, other], orders[one, other])
        yield from (Aligned(None, other) for other in range(last_to, to) if other not in taken)
        if at < len(left):
            yield Aligned(at, to, equal[at, to])
        last_at, last_to = at + 1, to + 1


def _orders(left: Sequence[Step], right: Sequence[Step], links: Sequence[Link]) -> dict[Link, Order]:
    """Which pairs keep the order of most others; inside a pair of groups order says little."""
    if all(to < next_to for (_at, to), (_next_at, next_to) in pairwise(links)):
        return dict.fromkeys(links, Order.KEPT)
    grouped = sorted(links, key=lambda found: (left[found[0]].group, right[found[1]].group, found))
    in_order = increasing([(number, (right[to].group, number)) for number, (_at, to) in enumerate(grouped)])
    together = sorted(grouped[number] for number, _place in in_order)
    kept = set(increasing(together))
    found = dict.fromkeys(links, Order.MOVED)
    found.update({pair: Order.KEPT if pair in kept else Order.SWAPPED for pair in together})
    return found


def _comes_before(left: Sequence[Step], right: Sequence[Step]) -> bool:
    """An order of trajectories that has nothing to do with which side they stand on."""
    if len(left) != len(right):
        return len(left) < len(right)
    for here, there in zip(left, right, strict=True):
        if here.key != there.key or here.group != there.group:
            one, other = _written(here), _written(there)
            if one != other:
                return one < other
            if here.group != there.group:
                return here.group < there.group
    return False


def _written(step: Step) -> tuple[str, str, str]:
    """A step in words that are the same in every process."""
    return step.kind, step.name, json.dumps(step.content, sort_keys=True)
