"""In the golden child: promoting, arranging, copying and bulk edits, made or previewed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import singledispatch
from pathlib import Path

from msgspec.structs import replace

from trace_inspector.core.errors import EditError, ReadError
from trace_inspector.core.finding import info
from trace_inspector.core.golden import case_arranging as arranging
from trace_inspector.core.golden.bulk_change import Bulk
from trace_inspector.core.golden.bulk_effects import bulk_title
from trace_inspector.core.golden.case_arranging import Arrangement
from trace_inspector.core.golden.golden import Case, as_trace
from trace_inspector.core.golden.golden_change import SuiteDescribed
from trace_inspector.core.golden.promoting import Origin, PromotionChoice, free_id, promoted_many
from trace_inspector.core.rows.contents import collect
from trace_inspector.core.rows.safe_unpickle import Unreadable, unpack
from trace_inspector.core.trace.long_turn import with_whole_turns
from trace_inspector.core.trace.trace import Trace, Turn, calls_of
from trace_inspector.engine.goldens.matcher_proposals import Proposal, proposed, turn_pairs
from trace_inspector.engine.goldens.promotion import PromotionChanges, into_case, one_call
from trace_inspector.engine.lints import linted
from trace_inspector.flows.goldens import kept_proposals
from trace_inspector.flows.goldens.bulk_editing import Target, planned, text_replacement
from trace_inspector.flows.goldens.case_shaping import arranged
from trace_inspector.flows.goldens.golden_files import Draft, add, copied, drafted, new_suite, new_suite_of, taken_ids
from trace_inspector.flows.goldens.golden_session import SINGLE, GoldenSession, Moved
from trace_inspector.flows.opening.convert_file import Converted, save_converted
from trace_inspector.formats.common.format import Source
from trace_inspector.work.golden.bulk_requests import (
    BulkHere,
    BulkPreview,
    ChangePreview,
    CopyHere,
    DecideProposal,
    FixHint,
    NewSuite,
    PreviewBulk,
    PreviewChange,
    Promote,
    PromoteCall,
    PromoteInto,
    ProposeMatchers,
    Recorded,
    Replacing,
    ShapeCases,
)

MOST_ROWS = 5_000  # of a preview
NEW_ID = "new_case"

# The session of a file by the window's number for it; EditError where it is not being edited.
Sessions = Callable[[int], GoldenSession]


# Made as one step


@singledispatch
def made(what: object, _goldens: GoldenSession, _sessions: Sessions) -> Moved:
    """Make the change."""
    raise TypeError(what)


@made.register
def _promote(what: Promote, goldens: GoldenSession, _sessions: Sessions) -> Moved:
    return add(goldens, _draft(what, goldens))


@made.register
def _promote_into(what: PromoteInto, goldens: GoldenSession, _sessions: Sessions) -> Moved:
    return goldens.change(what.place, *_taken(what, goldens).changes)


@made.register
def _promote_call(what: PromoteCall, goldens: GoldenSession, _sessions: Sessions) -> Moved:
    case, trace = goldens.case(what.place), _trace(what.recorded)
    call = calls_of(trace.turns[what.turn])[what.call]
    return goldens.change(what.place, one_call(case, case.turns[what.golden_turn].place, call, what.instead_of))


@made.register
def _copy_here(what: CopyHere, goldens: GoldenSession, sessions: Sessions) -> Moved:
    return add(goldens, _copies(what, goldens, sessions))


@made.register
def _shape(what: ShapeCases, goldens: GoldenSession, _sessions: Sessions) -> Moved:
    if what.kind == "add":
        new = Case(free_id(NEW_ID, taken_ids(goldens)), turns=(Turn(0),))
        return goldens.arrange([*goldens.places, new])
    places = goldens.places
    which = sorted(places.index(place) for place in what.places if place in places)
    if not which:
        raise EditError("These cases are gone. Ctrl+Z may bring them back.")
    shape = _SHAPES[what.kind](tuple(map(goldens.case, places)), which, what.turns)
    moved = arranged(goldens, shape)
    return replace(moved, losses=(*moved.losses, *(info("arranged", sentence) for sentence in shape.notes)))


@made.register
def _bulk_here(what: BulkHere, goldens: GoldenSession, _sessions: Sessions) -> Moved:
    plan = planned([Target.of(goldens, what.places)], _bulk(what.bulk))
    return next(iter(plan.do()), Moved())


@made.register
def _describe(what: SuiteDescribed, goldens: GoldenSession, _sessions: Sessions) -> Moved:
    return goldens.describe(what)


@made.register
def _mend_here(what: FixHint, goldens: GoldenSession, _sessions: Sessions) -> Moved:
    document = goldens.session.state.document
    read = collect(goldens.format.name, goldens.format.read(Source(document.value, document.path.name)))
    hints = (hint for suite in read.suites for hint in linted(suite))
    key = (what.lint, what.place, what.sentence)
    hint = next(
        (candidate for candidate in hints if (candidate.lint, candidate.place, candidate.sentence) == key), None
    )
    if hint is None:
        raise EditError("This hint is gone already.")
    if hint.fix is None:
        raise EditError("Nothing can be done about this by itself. Go there with Enter, and edit it.")
    if hint.fix.drops_case:
        return goldens.arrange([place for place in goldens.places if place != hint.case])
    return goldens.change(hint.case, *hint.fix.changes)


_SHAPES: Mapping[str, Callable[[Sequence[Case], Sequence[int], Sequence[int]], Arrangement]] = {
    "double": lambda cases, which, _turns: arranging.duplicated(cases, which),
    "delete": lambda cases, which, _turns: arranging.deleted(cases, which),
    "split": lambda cases, which, turns: arranging.split(cases, which[0], turns[0] if turns else 0),
    "join": lambda cases, which, _turns: arranging.joined(cases, which),
    "up": lambda cases, which, _turns: arranging.moved(cases, which, max(which[0] - 1, 0)),
    "down": lambda cases, which, _turns: arranging.moved(cases, which, min(which[-1] + 2, len(cases))),
    "double-turns": lambda cases, which, turns: arranging.turns_doubled(cases, which[0], turns),
}


# Previews


@singledispatch
def answer(what: object, _file: int, _sessions: Sessions, _tick: Callable[[], None]) -> object:
    """Answer without changing anything."""
    raise TypeError(what)


@answer.register
def _before(what: PreviewChange, file: int, sessions: Sessions, _tick: Callable[[], None]) -> ChangePreview:
    goldens = sessions(file)
    if isinstance(what.what, PromoteInto):
        taken = _taken(what.what, goldens)
        losses = () if not taken.changes else _losses_of(goldens, what.what.place, taken)
        return ChangePreview((), losses, taken.unmatched, bool(taken.changes))
    if not goldens.is_list:
        raise EditError(SINGLE)
    draft = _draft(what.what, goldens) if isinstance(what.what, Promote) else _copies(what.what, goldens, sessions)
    return ChangePreview(_ids(draft, goldens), draft.losses)


@answer.register
def _new_suite(what: NewSuite, _file: int, sessions: Sessions, _tick: Callable[[], None]) -> ChangePreview:
    made_of = _converted(what, sessions)
    if what.path:
        save_converted(made_of, Path(what.path))
    ids = tuple(case.id for case in _cases(what.promote)) if what.promote is not None else ()
    return ChangePreview(ids, made_of.losses)


@answer.register
def _bulk_before(what: PreviewBulk, _file: int, sessions: Sessions, _tick: Callable[[], None]) -> BulkPreview:
    targets = {id(goldens): (number, Target.of(goldens, places)) for number, places in what.files
               for goldens in (sessions(number),)}  # fmt: skip
    bulk = _bulk(what.bulk)
    plan = planned([target for _number, target in targets.values()], bulk)
    rows = [(targets[id(file.goldens)][0], row) for file in plan.files for row in file.rows]
    cases = tuple(dict.fromkeys((number, row.case_place) for number, row in rows))
    return BulkPreview(bulk_title(bulk), tuple(rows[:MOST_ROWS]), cases, len(rows), plan.left_out[:MOST_ROWS])


@answer.register
def _proposals(
    what: ProposeMatchers, file: int, sessions: Sessions, _tick: Callable[[], None]
) -> tuple[Proposal, ...]:
    goldens = sessions(file)
    case = goldens.case(what.place)
    agents = kept_proposals.kept(goldens.session.state.document.path, case)
    ours = tuple(proposed(case, [turn_pairs(case, _trace(run)) for run in what.runs]))
    return (*agents, *ours)


@answer.register
def _decided(what: DecideProposal, _file: int, _sessions: Sessions, _tick: Callable[[], None]) -> None:
    kept_proposals.decide(what.number, what.decision)


# Conversations and cases of requests


def _trace(recorded: Recorded) -> Trace:
    head, turns = _put_together(recorded)
    case = replace(head, turns=turns)
    return case if isinstance(case, Trace) else as_trace(case)


def _case(recorded: Recorded) -> Case:
    head, turns = _put_together(recorded)
    if not isinstance(head, Case):
        raise EditError("This is no golden. Promote it instead.")
    return replace(head, turns=turns)


def _put_together(recorded: Recorded) -> tuple[Trace | Case, tuple[Turn, ...]]:
    head, *rest = with_whole_turns(map(unpack, recorded.bodies))
    if isinstance(head, Unreadable):
        raise ReadError(head.sentence, path=recorded.source.path)
    if not isinstance(head, Trace | Case):
        raise ReadError("There is no conversation here. Select another.", path=recorded.source.path)
    return head, tuple(row for row in rest if isinstance(row, Turn))


def _cases(what: Promote, taken: frozenset[str] = frozenset()) -> tuple[Case, ...]:
    chosen = [
        (
            _trace(recorded),
            PromotionChoice(recorded.turns, what.wants, recorded.faults),
            Origin(Path(recorded.source.path).name, recorded.verdict),
        )
        for recorded in what.recorded
    ]
    cases = promoted_many(chosen, taken)
    return (replace(cases[0], id=free_id(what.name, taken)),) if what.name and len(cases) == 1 else cases


def _draft(what: Promote, goldens: GoldenSession) -> Draft:
    taken = taken_ids(goldens)
    return drafted(_cases(what, taken), goldens.format, taken)


def _copies(what: CopyHere, goldens: GoldenSession, sessions: Sessions) -> Draft:
    taken = taken_ids(goldens)
    if what.recorded:
        return drafted(map(_case, what.recorded), goldens.format, taken)
    source = sessions(what.source)
    return copied(source.session.state.document, source.format, what.places, goldens.format, taken)


def _converted(what: NewSuite, sessions: Sessions) -> Converted:
    name = Path(what.path).name.partition(".")[0] or "goldens"
    if what.promote is not None:
        return new_suite(_cases(what.promote), what.format, name)
    copy = what.copy or CopyHere(0)
    if copy.recorded:
        return new_suite(tuple(map(_case, copy.recorded)), what.format, name)
    source = sessions(copy.source)
    return new_suite_of(source.session.state.document, source.format, copy.places, what.format)


def _taken(what: PromoteInto, goldens: GoldenSession) -> PromotionChanges:
    recorded = what.recorded
    origin = Origin(Path(recorded.source.path).name, recorded.verdict)
    choice = PromotionChoice(recorded.turns, what.wants)
    return into_case(goldens.case(what.place), _trace(recorded), choice, what.way, origin)


def _losses_of(goldens: GoldenSession, place: str, taken: PromotionChanges) -> tuple[()]:
    """Always empty: a format refuses a change that it cannot hold, so nothing is lost silently."""
    goldens.steps({place: taken.changes})
    return ()


def _ids(draft: Draft, goldens: GoldenSession) -> tuple[str, ...]:
    editing = goldens.format.editing
    return tuple(editing.read(golden, "/0", "").id for golden in draft.goldens) if editing is not None else ()


def _bulk(bulk: Bulk | Replacing) -> Bulk:
    if not isinstance(bulk, Replacing):
        return bulk
    return text_replacement(bulk.where, bulk.old, bulk.new, is_pattern=bulk.is_pattern, any_case=bulk.any_case)
