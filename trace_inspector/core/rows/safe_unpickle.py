"""Opens what the row writer pickled. It may have lain on a disk, so opening it runs nothing but classes of values."""

from __future__ import annotations

import enum
import gc
import io
import pickle
import sys
from collections.abc import Callable

from msgspec import Struct

from trace_inspector.core.errors import ReadError

_ROOM = "trace_inspector.core."
_VALUES: dict[tuple[str, str], type] = {}  # the classes that were found to be values: each turn names the same ones


class Unreadable(Struct, frozen=True):
    """Stands where something cannot be read any more, and says why."""

    sentence: str


def unpack(data: bytes) -> object:
    """The value in a pickle of structs and enums of `core` and plain values; whatever else is refused."""
    collecting = gc.isenabled()
    gc.disable()  # nothing of what is opened is garbage, and to look for it among a large file takes longer
    try:
        return _Opener(io.BytesIO(data)).load()
    except Exception as problem:  # a damaged pickle may end in any of them
        raise ReadError("The stored index of this file is damaged. Close the file and open it again.") from problem
    finally:
        if collecting:
            gc.enable()


def _member(kind: object, name: object) -> object:
    """The member of an enum of that name, and nothing else that could be asked of anything."""
    if isinstance(kind, type) and issubclass(kind, enum.Enum) and isinstance(name, str):
        return kind[name]
    raise pickle.UnpicklingError("this asks for something that is not a value")


class _Opener(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Callable[..., object]:
        """Called for every class a pickle names; one that is not there yet is never imported."""
        if cached := _VALUES.get((module, name)):
            return cached
        if (module, name) == ("builtins", "getattr"):
            return _member  # Python 3.11 up to 3.11.3 has its enums pickled so
        candidate = getattr(sys.modules.get(module), name, None) if module.startswith(_ROOM) else None
        values = isinstance(candidate, type) and issubclass(candidate, Struct | enum.Enum)
        if not isinstance(candidate, type) or not values or candidate.__module__ != module:
            raise pickle.UnpicklingError("this names something that is not a value")
        _VALUES[module, name] = candidate
        return candidate
