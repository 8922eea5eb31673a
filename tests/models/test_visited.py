from __future__ import annotations

from tests.models.stories import call, put, trace, turn
from trace_inspector.models.base.selection import Selection
from trace_inspector.models.files.visited import KEPT, Visited
from trace_inspector.models.workspace.workspace import Workspace
from trace_inspector.work.processes.jobs import Jobs


def opened(turns: int = 3, files: int = 2) -> tuple[Workspace, Visited, list[list[Selection]]]:
    workspace = Workspace(Jobs())
    places = []
    for number in range(files):
        file = put(workspace, f"/made/{number}.json", trace("t", *(turn(at, "?", call("a")) for at in range(turns))))
        places.append([Selection(file.number, row) for row in file.table.turns(0)])
    return workspace, Visited(workspace.files, workspace.selection), places


def test_back_and_forward_go_from_turn_to_turn() -> None:
    workspace, visited, (first, second) = opened()
    for place in (first[0], second[1], first[2]):
        workspace.selection.select(place)
    assert visited.go(-1)
    assert workspace.selection.value == second[1]
    assert visited.go(-1)
    assert workspace.selection.value == first[0]
    assert not visited.go(-1)
    assert visited.go(1)
    assert visited.go(1)
    assert workspace.selection.value == first[2]
    assert not visited.can_go(1)


def test_rows_of_one_turn_are_one_place_of_which_the_last_is_remembered() -> None:
    workspace, visited, (first, _second) = opened()
    inside = Selection(first[0].file, first[0].row + 1)
    for place in (first[0], inside, first[1]):
        workspace.selection.select(place)
    assert visited.go(-1)
    assert workspace.selection.value == inside
    assert not visited.can_go(-1)


def test_a_new_way_drops_the_old_one_ahead() -> None:
    workspace, visited, (first, second) = opened()
    for place in first:
        workspace.selection.select(place)
    assert visited.go(-1)
    workspace.selection.select(second[0])
    assert not visited.can_go(1)
    assert visited.go(-1)
    assert workspace.selection.value == first[1]


def test_a_closed_file_is_no_place_to_come_back_to() -> None:
    workspace, visited, (first, second) = opened()
    for place in (first[0], second[0], first[0], second[1]):
        workspace.selection.select(place)
    workspace.files.close(second[0].file)
    assert not visited.can_go(-1)
    assert not visited.can_go(1)
    workspace.selection.select(first[1])
    assert visited.go(-1)
    assert workspace.selection.value == first[0]


def test_no_more_is_kept_than_anybody_goes_back() -> None:
    workspace, visited, (places,) = opened(KEPT + 20, files=1)
    for place in places:
        workspace.selection.select(place)
    steps = 0
    while visited.go(-1):
        steps += 1
    assert steps == KEPT - 1
    assert workspace.selection.value == places[20]
