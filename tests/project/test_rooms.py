"""Rooms that a person can hold in mind, and one way through them: docs/architecture.md says why."""

from __future__ import annotations

import ast

from tests.project.count_words import classes_by_layer
from tests.project.rooms import Rooms, circles, package, rooms_of

MODULES_MAX = 25
LINES_MAX = 400
SMALL = 60


def crowded(rooms: Rooms) -> list[str]:
    return [f"{name}: {len(held)} modules" for name, held in rooms.folders.items() if len(held) > MODULES_MAX]


def splinters(rooms: Rooms) -> list[str]:
    """Small modules that one neighbour alone uses. A row of a folder's table is none: the table lists it."""
    found = []
    for name, module in rooms.modules.items():
        users = [rooms.modules[user] for user in rooms.importers[name]]
        if module.is_table or module.lines >= SMALL or len(users) != 1:
            continue
        if users[0].folder == module.folder and not users[0].is_table:
            found.append(f"{module.path}: {module.lines} lines, used by {users[0].path.name} alone")
    return found


def unexplained(rooms: Rooms) -> list[str]:
    """Folders whose `__init__` does not say what lives there."""
    return [
        str(module.path)
        for module in rooms.modules.values()
        if module.is_table and not ast.get_docstring(module.tree())
    ]


def repeated_classes(rooms: Rooms) -> list[str]:
    """Class names that a layer has twice, so that a reader must look up which one is meant."""
    return [
        f"{name} in {layer}: {', '.join(modules)}"
        for (layer, name), modules in classes_by_layer(rooms).items()
        if len(modules) > 1
    ]


def test_no_folder_holds_more_than_a_person_can() -> None:
    assert crowded(package()) == []


def test_no_module_is_longer_than_a_reader_keeps_in_mind() -> None:
    assert [str(module.path) for module in package().modules.values() if module.lines > LINES_MAX] == []


def test_no_small_module_is_a_splinter_of_its_neighbour() -> None:
    assert splinters(package()) == []


def test_every_folder_says_what_lives_there() -> None:
    assert unexplained(package()) == []


def test_no_module_imports_itself_through_others() -> None:
    assert circles(package().imports) == []


def test_no_folder_imports_itself_through_others() -> None:
    assert circles(package().folder_imports) == []


def test_no_layer_has_two_classes_of_one_name() -> None:
    assert repeated_classes(package()) == []


def test_what_is_looked_for_would_be_found() -> None:
    crowd = {f"p/room/m{number}.py": "" for number in range(MODULES_MAX + 1)}
    rooms = rooms_of(
        {
            "p/__init__.py": "",
            "p/room/__init__.py": '"""Says it."""',
            **crowd,
            "p/other/__init__.py": "from p.other import row",
            "p/other/row.py": "",
            "p/other/user.py": "def use():\n    from p.other.small import thing\n    from p.room.m0 import x",
            "p/other/small.py": "if TYPE_CHECKING:\n    import p.other.user",
            "p/room/m0.py": "from p.other import row\nclass Row: ...",
            "p/room/m1.py": "class _Row: ...",
        }
    )
    assert crowded(rooms) == ["p/room: 26 modules"]
    assert splinters(rooms) == [
        "p/other/user.py: 3 lines, used by small.py alone",
        "p/other/small.py: 2 lines, used by user.py alone",
    ]
    assert unexplained(rooms) == ["p/__init__.py", "p/other/__init__.py"]
    assert circles(rooms.imports) == [["p.other.small", "p.other.user"]]
    assert circles(rooms.folder_imports) == [["p/other", "p/room"]]
    assert repeated_classes(rooms) == ["Row in room: p.room.m0, p.room.m1"]
