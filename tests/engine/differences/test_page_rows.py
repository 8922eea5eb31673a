"""The page shows the window's rows: the catalogue of alignments, arguments, agents, what is bounded."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.test_side_by_side import CATALOGUE as OF_TWO
from tests.engine.test_side_by_side import A, B, Given, case, turn
from tests.engine.test_three_sides import CATALOGUE as OF_THREE
from tests.helpers.campaigns import examples
from tests.helpers.pages import Element, page
from tests.helpers.tables import each
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.golden.matcher import Match, Matcher
from trace_inspector.core.trace.parts import Transfer
from trace_inspector.core.trace.trace import Event
from trace_inspector.core.values.values import Json
from trace_inspector.engine.reports.trace_diff.as_html import write
from trace_inspector.engine.trace_diff.compared import compared
from trace_inspector.engine.trace_diff.rule import COMPARISONS, ComparisonRule, comparison_named
from trace_inspector.engine.trace_grid.compare import side_by_side
from trace_inspector.engine.trace_grid.comparison import Differences, SidePair
from trace_inspector.engine.trace_grid.row import Row, RowKind
from trace_inspector.engine.trace_grid.table import tables_of
from trace_inspector.engine.trace_grid.words import NAMES, reason

EXACT = comparison_named("exact")


def differences(*conversations: Sequence[Case], rule: ComparisonRule = EXACT) -> Differences:
    """Each of a number of conversations as two or three sides have it."""
    sides = len(conversations[0])
    pairs = {(at, to): [(one[at], one[to]) for one in conversations] for at, to in combinations(range(sides), 2)}
    return Differences(
        rule,
        tuple(
            SidePair(
                "" if sides == 2 else f"{at}–{to}", "a.json", "b.json", tuple(compared(*one, rule) for one in both)
            )
            for (at, to), both in pairs.items()
        ),
        (),
        tables_of(pairs, rule),
    )


def rows(whole: Element) -> list[Element]:
    return [row for row in whole.all("tr", "case") if "parts" not in row.kinds]


def cells(row: Element) -> list[Element]:
    return [one for one in row.inside if "side" in one.kinds]


def signs(row: Element) -> list[str]:
    return [one.attributes.get("title") or "" for one in row.all("td", "sign")]


def as_the_window(row: Row, rule: str) -> tuple[list[str], list[bool], str]:
    """How its sides relate, which of them have something, and the reason."""
    is_turn = row.kind is RowKind.TURN
    links = ["" if is_turn and not link.differs else NAMES[link] for link in row.links]
    links = ["" if link == "on neither side" else link for link in links]
    words, below = reason(row, rule, counts=bool(row.counts))
    return links, [cell is not None for cell in row.cells], words + below


def as_the_page(row: Element) -> tuple[list[str], list[bool], str]:
    (why,) = row.all("td", "why")
    said = why.text.removeprefix("counts: ").removeprefix("✗ ").removeprefix("– ")
    return signs(row), ["gap" not in cell.kinds for cell in cells(row)], said


SIDES: dict[str, list[Case]] = {
    **{what: [case(turn(*one[0])), case(turn(*one[1]))] for what, one in OF_TWO.items()},
    **{f"three: {what}": [case(turn(*side)) for side in one[:3]] for what, one in OF_THREE.items()},
    "a turn more": [case(turn(A)), case(turn(A), turn(B, asked="And now, after all that?", index=1))],
    "another answer": [case(turn(A)), case(turn(A, answer="Bad."))],
}


@each("what", SIDES)
def test_the_page_has_the_rows_of_the_window(what: str) -> None:
    window = side_by_side(SIDES[what]).rows
    shown = rows(page(write(differences(SIDES[what]))))
    told = [as_the_page(row) for row in shown]
    assert told == [as_the_window(row, EXACT.title) for row in window]
    counting = [row.text.find("counts: ") >= 0 for row in shown]
    for row, counts in zip(window, counting, strict=True):
        assert counts == (row.relation.differs if row.kind is RowKind.ANSWER else bool(row.counts & 1))


@each("rule", COMPARISONS, ids=lambda rule: rule.name)
def test_every_rule_says_of_each_row_whether_it_counts(rule: ComparisonRule) -> None:
    at = COMPARISONS.index(rule)
    for sides in SIDES.values():
        window = [row for row in side_by_side(sides).rows if row.kind is RowKind.CALL]
        shown = [row for row in rows(page(write(differences(sides, rule=rule)))) if row.all("code")]
        assert ["counts: " in row.text for row in shown] == [bool(row.counts >> at & 1) for row in window]


LEAVES = st.none() | st.booleans() | st.integers(0, 3) | st.text("ab ", max_size=3) | st.just("long " * 120)
NESTED = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    max_leaves=12,
)
ARGUMENTS = st.dictionaries(st.sampled_from(["payload", "more"]), NESTED, min_size=1, max_size=2)


@given(sides=st.lists(ARGUMENTS, min_size=2, max_size=3), padded=st.booleans())
@examples(40, 150)
def test_cells_that_differ_do_not_look_alike(sides: list[dict[str, Json]], padded: bool) -> None:
    before: dict[str, Json] = {f"f{at}": "v" * 20 for at in range(30)} if padded else {}
    made = [case(turn(("post", {"first": before, **args}))) for args in sides]
    for row in rows(page(write(differences(made)))):
        texts = [cell.text for cell in cells(row)]
        for link, here, there in zip(signs(row), texts, texts[1:], strict=False):
            assert link != "arguments differ" or here != there


def test_arguments_are_told_by_key_path_with_their_kinds_and_rules() -> None:
    golden = case(
        turn(("f", {"where": {"zone": 1, "night": True}, "at": "noon today"})),
        matchers=[Matcher("/0/0/args/where/zone", Match.IGNORE)],
    )
    observed = case(turn(("f", {"where": {"zone": 2, "night": "yes"}, "at": "noon tomorrow"})))
    whole = page(write(differences([golden, observed], rule=comparison_named("partial"))))
    (row,) = [row for row in rows(whole) if row.all("div", "arg")]
    left, right = cells(row)
    assert [one.all("code")[0].text for one in left.all("div", "arg")] == ["where.zone", "where.night", "at"]
    assert [(one.text, rule.text) for one in left.all("s") for rule in left.all("span", "rule")] == [("1", "ignore")]
    assert "text instead of yes or no" in right.text
    assert [one.text for one in left.all("mark")] == ["1", "true", "today"]
    assert [one.text for one in right.all("mark")] == ["2", '"yes"', "tomorrow"]


def test_a_rule_that_knows_no_matchers_shows_none() -> None:
    golden = case(turn(("f", {"x": 1})), matchers=[Matcher("/0/0/args/x", Match.IGNORE)])
    whole = page(write(differences([golden, case(turn(("f", {"x": 2})))])))
    assert not whole.all("s")
    assert not whole.all("span", "rule")
    assert "1 argument differs" in whole.text


def test_what_a_rule_does_not_look_at_is_said_and_not_counted() -> None:
    sides = [case(turn(("f", {"x": 1}))), case(turn(("f", {"x": 2, "more": 3})))]
    for rule, reason_told, noted in (("partial", "1 argument differs", True), ("exact", "2 arguments differ", False)):
        whole = page(write(differences(sides, rule=comparison_named(rule))))
        assert reason_told in whole.text
        assert ("not looked at" in whole.text) is noted


def test_more_places_than_are_told_are_said() -> None:
    for count, said in ((199, False), (201, True)):
        sides = [case(turn(("f", {f"n{at}": value for at in range(count)}))) for value in (1, 2)]
        assert ("These are the first 200 places that differ." in write(differences(sides))) is said


def test_only_the_place_that_the_sentence_names_is_marked_and_linked() -> None:
    one = [case(turn(A)), case(turn(A, answer="Bad."))]
    other = [case(turn(A, B)), case(turn(A))]
    whole = page(write(differences(one, other, one)))
    (link,) = whole.all("a")
    (marked,) = whole.all("tr", "parts")
    assert link.attributes["href"] == "#parts"
    assert [one.attributes.get("id") for one in marked.all("b")] == ["parts"]
    assert marked.text == "⚑ They part here"
    table = next(table for table in whole.all("table") if table.all("tr", "parts"))
    at = table.all("tr").index(marked)
    assert [cell.text for cell in cells(table.all("tr")[at + 1])] == ["agent b(y=2)", "not called"]


def test_three_sides_stand_in_one_table_with_three_links() -> None:
    sides = [case(turn(("a", {"x": value}))) for value in (1, 1, 9)]
    whole = page(write(differences(sides)))
    (table,) = whole.all("table")
    assert [head.text.strip() for head in table.all("th") if head.attributes.get("scope") == "col"] == [
        "Golden", "how they relate", "Baseline", "how they relate", "Candidate", "What it means",
    ]  # fmt: skip
    assert "Candidate changed" in table.text
    marks = {one.attributes.get("id") for one in table.all("b")}
    assert {link.attributes["href"] for link in whole.all("a")} == {"#parts-1-3", "#parts-2-3"}
    assert {"parts-1-3", "parts-2-3"} <= marks
    for ink, title in (("golden", "A Golden"), ("baseline", "B Baseline"), ("candidate", "C Candidate")):
        assert title in [one.text for one in whole.all("b", ink)]
        assert len([cell for row in rows(whole) for cell in cells(row) if ink in cell.kinds]) == 3


def test_two_recordings_are_baseline_and_candidate() -> None:
    sides = [replace(case(turn(A)), recorded=True), replace(case(turn(B)), recorded=True)]
    heads = [head.text for head in page(write(differences(sides))).all("thead")[0].all("th", "baseline")]
    assert heads == ["Baseline"]


def test_the_page_can_be_found_through_without_eyes() -> None:
    whole = page(write(differences([case(turn(A), turn(B, index=1)), case(turn(A))])))
    assert [len(whole.all(tag)) for tag in ("header", "main", "h1", "fieldset", "legend")] == [1] * 5
    assert all(head.attributes.get("scope") == "col" for head in whole.all("thead")[0].all("th"))
    for body in whole.all("tbody"):
        assert [head.attributes.get("scope") for head in body.all("th")] == ["rowgroup"]
    for sign in whole.all("td", "sign"):
        assert not sign.text or sign.all("span", "hidden")[0].text == sign.attributes["title"]


def test_long_answers_are_shown_around_what_differs_and_the_page_stays_small() -> None:
    words = " ".join(f"word{at}" for at in range(5_000))
    one, other = [], []
    for at in range(12):
        left = f"{words} green {words} small {words}"
        one.append(turn(A, answer=left, asked=f"Question {at * 7919}?", index=at))
        right = left.replace("green", "red").replace("small", "large") if at % 2 else left
        other.append(turn(A, answer=right, asked=f"Question {at * 7919}?", index=at))
    found = write(differences([case(*one), case(*other)]))
    assert len(found) < 1_000_000
    whole = page(found)
    differing = [row for row in rows(whole) if "the answer differs" in signs(row)]
    assert len(differing) == 6
    for row in differing:
        assert "green" in cells(row)[0].all("mark")[0].text
        assert "red" in cells(row)[1].all("mark")[0].text
        assert all(" characters shown" in cell.text for cell in cells(row))


def test_many_rows_have_a_budget_of_characters_and_what_differs_comes_first() -> None:
    args: dict[str, Json] = {f"argument{at}": "x" * 290 for at in range(190)}
    many: list[Given] = [(f"tool{at}", {**args, "n": at}) for at in range(60)]
    changed: list[Given] = [(name, {key: f"{value}y" for key, value in given.items()}) for name, given in many]
    found = write(differences([case(turn(*many)), case(turn(*changed))], [case(turn(A)), case(turn(B))]))
    assert len(found) < 5_500_000
    assert "rows are shown, to keep the page usable; rows that differ come first." in found


def test_hand_offs_are_a_list() -> None:
    golden = turn()
    hands = Event("billing", (Transfer("search"),))
    whole = page(write(differences([case(replace(golden, events=(hands,))), case(golden)])))
    (listed,) = whole.all("ul", "hand-offs")
    assert [one.text for one in listed.all("li")] == ["billing → search: missing, golden ×1, observed ×0."]


def test_times_and_tokens_are_told_with_their_difference() -> None:
    sides = [case(replace(turn(A), duration_s=seconds)) for seconds in (2.0, 5.5)]
    whole = page(write(differences(sides)))
    assert [one.text for one in whole.all("tbody")[0].all("small", "fact")] == ["2.0 s", "5.5 s (+3.5)"]
