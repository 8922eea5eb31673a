"""What the two runs of each case do differently, held against the golden as people have edited it since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.core.alignment.turn_alignment import align_turns
from trace_inspector.core.golden.bulk_calls import rule_text
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.parts import ToolCall
from trace_inspector.core.trace.trace import Steps, Trace, Turn, calls_of, user_text
from trace_inspector.core.values.pointer import resolve
from trace_inspector.core.values.value_edits import is_below
from trace_inspector.core.values.values import ABSENT, Absent, Json
from trace_inspector.engine.rebasing.agreement import agreed, agreed_text, has_more_words
from trace_inspector.engine.rebasing.argument_changes import ArgumentChange, Renames, argument_changes, equal
from trace_inspector.engine.rebasing.call_pairs import Replacements, call_pairs, moves, unpaired
from trace_inspector.engine.rebasing.difference import (
    WHOLE_TURNS,
    CaseChange,
    ChangeKind,
    Difference,
    TurnChange,
    generalised,
)
from trace_inspector.engine.rebasing.text_differences import ChangedText, changed_texts, text_differences
from trace_inspector.engine.scoring.cannot_judge import CannotJudge
from trace_inspector.engine.scoring.matching import Matchers, matchers_of


class TwoRuns(Struct, frozen=True):
    """A golden with a run from before the change and one from after; without the first it stands for that itself.

    `others` are further pairs of runs of the case: what the two do differently counts where these do so, too.
    """

    key: str
    file: int
    case: Case
    base: Trace | None
    new: Trace
    others: tuple[TwoRuns, ...] = ()


class _Turns(Struct, frozen=True):
    """A turn of the golden with the same turn of both runs."""

    index: int
    golden: Turn
    base: Turn
    new: Turn


def case_changes(cases: Sequence[TwoRuns]) -> list[CaseChange]:
    """The differences of all cases. What was renamed or replaced is learned from all of them together first."""
    turns = [list(_turns_of(runs)) for runs in cases]
    replacements, renames = Replacements(), Renames()
    for each in turns:
        for turn in each:
            replacements.learn(turn.base, turn.new)
    pairs = [[call_pairs(turn.base, turn.new, replacements) for turn in each] for each in turns]
    for each, of_case in zip(turns, pairs, strict=True):
        for turn, links in zip(each, of_case, strict=True):
            old, made = calls_of(turn.base), calls_of(turn.new)
            for i, j in links:
                renames.learn(made[j].name, old[i].args, made[j].args)
    others = [
        [_of_other_runs(number, other, replacements, renames) for other in runs.others]
        for number, runs in enumerate(cases)
    ]
    changed = [
        [agreed_text(text, [own.texts for own in others[number]]) for text in _texts(number, each)]
        for number, each in enumerate(turns)
    ]
    texts = text_differences(text for own in changed for text in own)
    return [
        _agreed(_case_change(runs, each, of_case, renames), changed[number], texts.get(number, ()), others[number])
        for number, (runs, each, of_case) in enumerate(zip(cases, turns, pairs, strict=True))
    ]


class _OtherRuns(Struct, frozen=True):
    """What another pair of runs of a case does differently."""

    differences: tuple[Difference, ...]
    texts: tuple[ChangedText, ...]


def _of_other_runs(number: int, runs: TwoRuns, replacements: Replacements, renames: Renames) -> _OtherRuns:
    turns = list(_turns_of(runs))
    pairs = [call_pairs(turn.base, turn.new, replacements) for turn in turns]
    change = _case_change(runs, turns, pairs, renames)
    return _OtherRuns(change.differences, tuple(_texts(number, turns)))


def _texts(number: int, turns: Sequence[_Turns]) -> Iterator[ChangedText]:
    for turn in turns:
        yield from changed_texts(number, turn.index, turn.golden, turn.base, turn.new)


def _agreed(
    change: CaseChange, changed: Sequence[ChangedText], texts: Sequence[Difference], others: Sequence[_OtherRuns]
) -> CaseChange:
    """The whole change of a case; what its other runs do not show says so."""
    differences, has_more = agreed(change.differences, [other.differences for other in others])
    has_more |= any(has_more_words(changed, other.texts) for other in others)
    varies = has_more or any(each.varies for each in (*differences, *texts))
    whole = [each for each in differences if each.kind in WHOLE_TURNS]
    return replace(
        change,
        differences=(*whole, *texts, *(each for each in differences if each.kind not in WHOLE_TURNS)),
        varies=varies,
    )


def _case_change(
    runs: TwoRuns,
    turns: Sequence[_Turns],
    pairs: Sequence[Sequence[tuple[int, int]]],
    renames: Renames,
) -> CaseChange:
    matchers = matchers_of(runs.case.matchers)
    differences: list[Difference] = [*_of_whole_turns(runs, turns)]
    changed: dict[int, TurnChange] = {}
    for turn, links in zip(turns, pairs, strict=True):
        golden = _GoldenCalls(runs.case, turn, matchers, links, renames)
        differences += golden.differences()
        changed[turn.index] = TurnChange(turn.new, golden.partner)
    return CaseChange(runs.key, runs.file, runs.case, tuple(differences), changed, runs.new.turns)


def _turns_of(runs: TwoRuns) -> Iterator[_Turns]:
    """The turns that all three have. A turn that the first run lacks is in it as the golden has it."""
    golden, new = runs.case.turns, runs.new.turns
    base = runs.base.turns if runs.base is not None else golden
    to_base = _partners(golden, base)
    to_new = _partners(base, new)
    directly = _partners(golden, new) if len(to_base) < len(golden) else {}
    for index, turn in enumerate(golden):
        old = to_base.get(index)
        number = directly.get(index) if old is None else to_new.get(old)
        if number is not None:
            yield _Turns(index, turn, turn if old is None else base[old], new[number])


def _partners(left: Sequence[Turn], right: Sequence[Turn]) -> dict[int, int]:
    return {
        pair.golden: pair.observed
        for pair in align_turns(left, right)
        if pair.golden is not None and pair.observed is not None
    }


def _of_whole_turns(runs: TwoRuns, turns: Sequence[_Turns]) -> Iterator[Difference]:
    """Turns that the new run has more or less than the first one."""
    if runs.base is None or runs.case.scenario is not None:
        return
    to_base, to_new = _partners(runs.case.turns, runs.base.turns), _partners(runs.base.turns, runs.new.turns)
    for index, turn in enumerate(runs.case.turns):
        if index in to_base and to_base[index] not in to_new:
            yield Difference(ChangeKind.TURN_REMOVED, index, old=user_text(turn))
    known = {*to_new.values(), *_partners(runs.case.turns, runs.new.turns).values()}
    there = {number: turn.index for turn in turns for number in [runs.new.turns.index(turn.new)]}
    for number, turn in enumerate(runs.new.turns):
        if number not in known:
            before = max((place for other, place in there.items() if other < number), default=-1)
            yield Difference(ChangeKind.TURN_ADDED, before, new=user_text(turn), made=number)


class _GoldenCalls:
    """The calls of a golden's turn beside those of both runs."""

    def __init__(
        self, case: Case, turn: _Turns, matchers: Matchers, links: Sequence[tuple[int, int]], renames: Renames
    ) -> None:
        self._turn = turn.index
        self._matchers = matchers
        self._places = [matcher.place for matcher in case.matchers]
        self._rules = {matcher.place: matcher for matcher in case.matchers}
        self._renames = renames
        self._links = links
        self._golden, self._base, self._new = (calls_of(each) for each in (turn.golden, turn.base, turn.new))
        self._states_calls = turn.golden.steps is not Steps.ABSENT
        self._of_base = (
            {index: index for index in range(len(self._golden))}
            if turn.golden is turn.base
            else {base: golden for golden, base in call_pairs(turn.golden, turn.base)}
        )
        self._take_calls_as_in_the_new_run(turn)
        self.partner = {j: self._of_base[i] for i, j in links if i in self._of_base}
        self._take_equal_calls()

    def _take_calls_as_in_the_new_run(self, turn: _Turns) -> None:
        """What is rather like the new run than like the first was changed already, at least in part."""
        free = set(unpaired(len(self._golden), self._of_base.values()))
        if not free:
            return
        of_new = {j: i for i, j in self._links}
        for index, j in call_pairs(turn.golden, turn.new):
            i = of_new.get(j)
            if index in free and i is not None and i not in self._of_base:
                self._of_base[i] = index
                free.discard(index)

    def _take_equal_calls(self) -> None:
        """What the golden has like the new run, though the first run has not, is there already."""
        free = unpaired(len(self._golden), self._of_base.values())
        for number in unpaired(len(self._new), self.partner):
            made = self._new[number]
            same = next((index for index in free if self._accepts_call(index, made)), None)
            if same is not None:
                self.partner[number] = same
                free.remove(same)

    def differences(self) -> Iterator[Difference]:
        """All differences of the calls."""
        if not self._states_calls:
            return
        for i, j in self._links:
            yield from self._of_pair(i, j)
        yield from self._gone()
        yield from self._come()
        yield from self._moved()

    def _of_pair(self, i: int, j: int) -> Iterator[Difference]:
        base, new, index = self._base[i], self._new[j], self._of_base.get(i)
        changes = list(argument_changes(new.name, base.args, new.args, self._renames))
        if base.stated_name == new.stated_name and not changes:
            return
        if index is None:
            if base.stated_name != new.stated_name or changes:
                for difference in self._as_differences(base, new, changes, None, j):
                    yield replace(difference, conflict="this call was taken out of the golden")
            return
        golden = self._golden[index]
        if golden.stated_name == new.stated_name and self._accepts_call(index, new):
            return
        for difference in self._as_differences(base, new, changes, index, j):
            conflict = self._conflict(difference, golden)
            if conflict is not None:
                yield replace(difference, conflict=conflict)

    def _as_differences(
        self, base: ToolCall, new: ToolCall, changes: Sequence[ArgumentChange], index: int | None, j: int
    ) -> Iterator[Difference]:
        if base.stated_name != new.stated_name:
            yield Difference(ChangeKind.TOOL_REPLACED, self._turn, base.name, to=new.name, call=index, made=j)
        for change in changes:
            yield Difference(
                change.kind,
                self._turn,
                new.name,
                generalised(change.pointer),
                generalised(change.to),
                ABSENT if change.to else change.old,
                change.new,
                index,
                j,
                change.pointer,
            )

    def _conflict(self, difference: Difference, golden: ToolCall) -> str | None:
        """Why the golden cannot simply take a change, "" where it can; None where there is nothing to take."""
        if difference.kind is ChangeKind.TOOL_REPLACED:
            if golden.name == difference.to:
                return None
            return "" if golden.name == difference.tool else f"the golden calls “{golden.name}” here"
        args = {} if golden.args is ABSENT else golden.args
        there = resolve(args, difference.pointer)
        if difference.kind is ChangeKind.ARGUMENT_RENAMED:
            new_place = self._renamed_place(difference)
            if there is ABSENT:
                return None if resolve(args, new_place) is not ABSENT else "the golden does not have this argument"
            return "" if resolve(args, new_place) is ABSENT else "the golden has both arguments"
        place = f"{golden.place}/args{difference.pointer}"
        if self._accepts(args, there, difference, golden.place):
            return None
        rule = next((each for each in self._places if is_below(each, place) or is_below(place, each)), None)
        if rule is not None:
            return f"the golden compares it by the rule “{rule_text(self._rules[rule])}”, which does not take it"
        if equal(there, difference.old):
            return ""
        return "this argument was edited in the golden"

    def _renamed_place(self, difference: Difference) -> str:
        around = difference.pointer.rpartition("/")[0]
        return f"{around}/{difference.to.rpartition('/')[2]}"

    def _accepts(self, args: Json, there: Json | Absent, difference: Difference, place: str) -> bool:
        """Whether the golden takes the new value as it is: it has it, or a rule there or around it says so."""
        new = difference.new
        if equal(there, new):
            return True
        pointer = difference.pointer
        observed = self._new[difference.made or 0].args
        while pointer:
            if f"{place}/args{pointer}" in self._matchers.by_place:
                given = new if pointer == difference.pointer or observed is ABSENT else resolve(observed, pointer)
                return self._same(resolve(args, pointer), given, f"{place}/args{pointer}")
            pointer = pointer.rpartition("/")[0]
        return any(is_below(each, f"{place}/args{difference.pointer}") for each in self._places) and self._same(
            there, new, f"{place}/args{difference.pointer}"
        )

    def _same(self, expected: Json | Absent, given: Json | Absent, place: str) -> bool:
        try:
            return self._matchers.same(expected, given, place)
        except CannotJudge:
            return False

    def _accepts_call(self, index: int, made: ToolCall) -> bool:
        try:
            return self._matchers.same_call(self._golden[index], made)
        except CannotJudge:
            return False

    def _gone(self) -> Iterator[Difference]:
        """Calls that the new run does not make any more."""
        for i in unpaired(len(self._base), {i for i, _j in self._links}):
            index = self._of_base.get(i)
            if index is None:
                continue
            base, golden = self._base[i], self._golden[index]
            edited = not equal(base.args, golden.args) or any(is_below(each, golden.place) for each in self._places)
            conflict = "this call was edited in the golden" if edited or base.name != golden.name else ""
            yield Difference(
                ChangeKind.CALL_REMOVED, self._turn, base.name, old=base.args, call=index, conflict=conflict
            )

    def _come(self) -> Iterator[Difference]:
        """Calls that only the new run makes."""
        paired = {j for _i, j in self._links}
        for j in unpaired(len(self._new), {*paired, *self.partner}):
            made = self._new[j]
            yield Difference(ChangeKind.CALL_ADDED, self._turn, made.name, new=made.args, made=j)

    def _moved(self) -> Iterator[Difference]:
        """Calls in another order. One that already stands so in the golden did not move there."""
        links = [(i, j) for i, j in self._links if i in self._of_base]
        for move in moves([j for _i, j in links]):
            moved, earlier, later = (links[number] for number in (move.moved, move.earlier, move.later))
            if self._of_base[earlier[0]] < self._of_base[later[0]]:
                continue
            yield Difference(
                ChangeKind.CALL_MOVED,
                self._turn,
                self._new[earlier[1]].name,
                to=self._new[later[1]].name,
                call=self._of_base[moved[0]],
                made=moved[1],
            )


def keys_of(cases: Sequence[tuple[str, Case]]) -> list[str]:
    """What each case of these files is called: its id, where ids recur with the suite, then with its place."""
    names = [case.id for _path, case in cases]
    by_suite = [f"{case.suite_id}/{case.id}" for _path, case in cases]
    by_place = [f"{path}#{case.place}" for path, case in cases]
    for longer in (by_suite, by_place):
        counts = Counter(names)
        names = [name if counts[name] == 1 else other for name, other in zip(names, longer, strict=True)]
    return names
