"""Whether a window can be opened here, found out before Qt is asked, which ends the whole program when it cannot.

What is looked at first costs milliseconds, as the window needs it anyway, and can only say that all is well. In doubt
Qt itself is asked, in a process that it may end.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from trace_inspector.commands.window import qt_probe

VARIABLES = ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY")
# Platforms of Qt that need nothing but their plugin.
_INVISIBLE = frozenset({"offscreen", "minimal"})


def has_display() -> bool:
    """Whether a display is set; an explicit Qt platform (offscreen, vnc) counts as one."""
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in VARIABLES)


def named_displays() -> dict[str, str]:
    """The environment variables of displays, with their values."""
    return {name: os.environ[name] for name in VARIABLES if os.environ.get(name)}


def window_problem() -> str:
    """The error of Qt why no window can be opened on the display; "" when it can."""
    if any(map(_surely_opens, _platforms())):  # Qt tries them in order
        return ""
    return qt_probe.probe(open_display=True).problem


def _platforms() -> list[str]:
    """The names of the platforms that Qt will try."""
    named = os.environ.get("QT_QPA_PLATFORM")
    if named:
        return [name.partition(":")[0] for name in named.split(";")]
    if sys.platform in ("win32", "darwin"):
        return [sys.platform]
    return [name for name, variable in qt_probe.DISPLAYS.items() if os.environ.get(variable)]


def _surely_opens(platform: str) -> bool:
    if platform in ("win32", "darwin"):  # the only platform there
        return True
    folder = qt_probe.plugin_folder()
    if folder is None or sys.platform in ("win32", "darwin"):
        return False
    if platform in _INVISIBLE:
        return (folder / f"libq{platform}.so").is_file()
    check = _CHECKS.get(platform)
    return check is not None and _loads(folder / f"libq{platform}.so") and check()


def _loads(plugin: Path) -> bool:
    """Whether the plugin finds all libraries that it needs."""
    import ctypes

    with suppress(OSError):
        return ctypes.CDLL(str(plugin)) is not None
    return False


def _x_answers() -> bool:
    import ctypes

    with suppress(OSError, AttributeError):
        xcb = ctypes.CDLL("libxcb.so.1")
        xcb.xcb_connect.restype = ctypes.c_void_p
        connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
        failed = bool(xcb.xcb_connection_has_error(connection))
        xcb.xcb_disconnect(connection)
        return not failed
    return False


def _wayland_answers() -> bool:
    import ctypes

    with suppress(OSError, AttributeError):
        wayland = ctypes.CDLL("libwayland-client.so.0")
        wayland.wl_display_connect.restype = ctypes.c_void_p
        display = ctypes.c_void_p(wayland.wl_display_connect(None))
        if display:
            wayland.wl_display_disconnect(display)
        return bool(display)
    return False


_CHECKS: Mapping[str, Callable[[], bool]] = {"xcb": _x_answers, "wayland": _wayland_answers}
