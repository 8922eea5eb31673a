"""What an action is, and when most of them can be used."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from trace_inspector.views.window_context.desk import Desk


def always(_desk: Desk) -> bool:
    """Whatever is open."""
    return True


def has_files(desk: Desk) -> bool:
    """Whether anything is open."""
    return bool(desk.workspace.files)


def has_panels(desk: Desk) -> bool:
    """Whether panels are there: anything is open, or a folder of sessions is listed."""
    return bool(desk.workspace.files or desk.workspace.session_folders.by_number)


def has_selection(desk: Desk) -> bool:
    """Whether something is selected."""
    return desk.workspace.selection.value is not None


def has_tree(desk: Desk) -> bool:
    """Whether a tree is shown."""
    return desk.page.shows_tree


def has_run(desk: Desk) -> bool:
    """Whether there is a finished evaluation to report."""
    run = desk.workspace.run.value
    return run is not None and run.verdict is not None


class Action(Struct, frozen=True):
    """One thing to do. `menu` is a path; a leading “|” begins a new section. `bar` is its name in the tool bar."""

    id: str
    text: str
    menu: str
    run: Callable[[Desk], object]
    key: str = ""
    icon: str = ""
    bar: str = ""
    enabled: Callable[[Desk], bool] = always
    checked: Callable[[Desk], bool] | None = None
    named: Callable[[Desk], str] | None = None  # its present name; "" for the usual one
    in_tree: bool = False  # its key is active only while the tree has the focus
