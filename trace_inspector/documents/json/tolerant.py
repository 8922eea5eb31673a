"""The tolerant reader: reads what is there, notes what is odd and where, and never recurses.

It works through the bytes by hand only where the fast reader refuses: what that one takes, a whole document or an
object or array inside one, is taken whole. So a large file with one odd spot costs little more than a plain one.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from trace_inspector.core.values import pointer as pointers
from trace_inspector.core.values.values import Json
from trace_inspector.documents.base.json_syntax import (
    COMMA,
    MEMBERS,
    NUMBER,
    RUN,
    SPACE_OR_COMMENT,
    STRING,
    WORD,
    strict_end,
    tolerant_end,
)
from trace_inspector.documents.json.scalars import number_value, string_value, word_value
from trace_inspector.documents.json.strict import fast_value, member_pairs
from trace_inspector.documents.text.requested_places import Place, Watch, last_index, looks_inside
from trace_inspector.documents.text.warnings import MAX_DEPTH, MAX_FINDINGS, SourceWarning

# Inside a document that it refused, the fast reader is offered parts up to this share, for a larger one most likely
# holds the fault too; and what it refuses may add up to so many times the size. Then all goes by hand.
_PART = 16
_SMALL_PART = 1 << 16
_REFUSED = 6
_TICKS = 4096  # members between two progress points

_SPACE = b" \t\r\n"
_QUOTE, _COMMA, _COLON = b'",:'
_TOUCHING = (b"}{", b"}[", b"]{", b"][")  # brackets part two documents well enough
_OPEN_OBJECT, _CLOSE_OBJECT, _OPEN_ARRAY, _CLOSE_ARRAY = b"{}[]"


class _Opened:
    """The type of _OPENED: an object or array began, and its members come next."""


_OPENED: Final = _Opened()


WatchFor = Callable[[int], "Watch | None"]


def unwatched(_document: int) -> Watch | None:
    """Nobody asks for places."""
    return None


class _Frame(Struct):
    """An object or array that is open, and the child that is being read."""

    value: dict[str, Json] | list[Json]
    watch: Watch | None
    key: str = ""
    member: int = 0
    start: int = 0
    child_watch: Watch | None = None
    after_value: bool = False
    comma: int = -1
    last_wanted: float = -1  # the last index that anybody asks for; infinite when all are

    @property
    def token(self) -> str | int:
        """The pointer token of the child that is being read."""
        return self.key if isinstance(self.value, dict) else len(self.value)


class TolerantReader:
    """One pass over some bytes. `plain` stays true while all of it was strict JSON without duplicate keys.

    Without `unique`, duplicate keys in strict parts are let through in silence and `plain` says nothing of them.
    """

    def __init__(self, data: bytes, tick: Callable[[], None], *, unique: bool = True) -> None:
        self.warnings: list[SourceWarning] = []
        self.hidden = 0
        self.starts = array("q")  # of the documents; a file of tiny ones has millions
        self.ends = array("q")
        self.plain = True
        self.strays: list[int] = []  # where text stands outside every value
        self._data = data
        self._tick = tick
        self._unique = unique
        self._members = 0
        self._part = max(_SMALL_PART, len(data) // _PART)
        self._attempts = _REFUSED * len(data)
        self._no_run_before = 0
        self._offset = self._end = 0
        self._frames: list[_Frame] = []
        self._is_truncated = False

    def values(self, start: int, end: int, watch: WatchFor = unwatched) -> list[Json]:
        """The documents between two offsets, one after the other; they are numbered on from call to call."""
        self._offset, self._end = start, end
        self._is_truncated = False
        documents: list[Json] = []
        while self._skip_space():
            if self._data[self._offset] in b",:]}":
                self._note("unexpected-mark", self._offset)
                self._offset += 1
                continue
            begin = self._offset
            if documents and begin == self.ends[-1] and self._data[begin - 1 : begin + 1] not in _TOUCHING:
                self._note("missing-space", begin)
            document_watch = watch(len(self.starts))
            is_taken, value = (False, None) if documents or looks_inside(document_watch) else self._take(end)
            documents.append(value if is_taken else self._document_value(document_watch))
            self.starts.append(begin)
            self.ends.append(self._offset)
            if document_watch:
                document_watch.place = Place(begin, begin, self._offset)
        return documents

    def documents(self) -> Iterator[Place]:
        """Where each document stands."""
        return (Place(start, start, end) for start, end in zip(self.starts, self.ends, strict=True))

    def _document_value(self, watch: Watch | None) -> Json:
        value = self._begin(watch)
        while self._frames:
            frame = self._frames[-1]
            if isinstance(frame.value, dict) and self._take_members(frame, frame.value):
                continue
            if self._next_child(frame):
                if isinstance(frame.value, list) and self._take_run(frame, frame.value):
                    continue
                frame.start = self._offset
                frame.child_watch = frame.watch.children.get(str(frame.token)) if frame.watch else None
                value = self._begin(frame.child_watch)
            else:
                value = self._frames.pop().value
                if not self._frames:
                    return value
            if not isinstance(value, _Opened):
                self._attach(self._frames[-1], value)
        return None if isinstance(value, _Opened) else value

    def _attach(self, frame: _Frame, value: Json) -> None:
        place = Place(frame.member, frame.start, self._offset)
        if frame.child_watch:
            frame.child_watch.place = place
        if frame.watch and frame.watch.members is not None:
            frame.watch.members.append(place)
        if isinstance(frame.value, dict):
            if frame.key in frame.value:
                self._note("duplicate-key", frame.member)
            frame.value[frame.key] = value
        else:
            frame.value.append(value)
        frame.after_value = True
        self._members += 1
        if self._members % _TICKS == 0:
            self._tick()

    def _begin(self, watch: Watch | None) -> Json | _Opened:
        """Read a scalar or a container that the fast reader takes; open any other container."""
        if watch:
            watch.forget()
        mark = self._data[self._offset]
        if mark == _QUOTE:
            return self._string()
        if mark not in (_OPEN_OBJECT, _OPEN_ARRAY):
            return self._number_or_word()
        if not looks_inside(watch):
            is_taken, value = self._take_part()
            if is_taken:
                return value
        self.plain = False
        if len(self._frames) >= MAX_DEPTH:
            self._note("too-deep", self._offset)
            self._offset = tolerant_end(self._data, self._offset, self._end)
            return None
        self._frames.append(_Frame({} if mark == _OPEN_OBJECT else [], watch, last_wanted=last_index(watch)))
        self._offset += 1
        return _OPENED

    def _take_run(self, frame: _Frame, elements: list[Json]) -> bool:
        """Offer the fast reader many small elements at once: one by one, a megabyte of them takes many seconds."""
        if self._offset < self._no_run_before or frame.last_wanted >= len(elements):
            return False
        run = RUN.match(self._data, self._offset, min(self._end, self._offset + _SMALL_PART))
        if run is None:
            return False
        comma = self._data.rindex(b",", self._offset, run.end())
        try:
            value = fast_value(b"[" + self._data[self._offset : comma] + b"]", unique=self._unique)
        except ValueError:
            self._no_run_before = run.end()
            return False
        if isinstance(value, list):
            elements.extend(value)
        frame.comma, self._offset = comma, run.end()
        self._tick()
        return True

    def _take_members(self, frame: _Frame, members: dict[str, Json]) -> bool:
        """The same for an object, once so much was odd that keys that stand twice are counted and no more listed."""
        if len(self.warnings) < MAX_FINDINGS or self._offset < self._no_run_before or looks_inside(frame.watch):
            return False
        lead = COMMA.match(self._data, self._offset, self._end)
        if lead is None or (b"," in lead.group()) != frame.after_value:
            return False
        run = MEMBERS.match(self._data, lead.end(), min(self._end, lead.end() + _SMALL_PART))
        if run is None:
            return False
        comma = self._data.rindex(b",", lead.end(), run.end())
        try:
            pairs = member_pairs(b"{" + self._data[lead.end() : comma] + b"}")
        except ValueError:
            self._no_run_before = run.end()
            return False
        before = len(members)
        members.update(pairs)
        self.hidden += len(pairs) - (len(members) - before)
        frame.after_value, frame.comma, self._offset = False, comma, run.end()
        self._tick()
        return True

    def _take_part(self) -> tuple[bool, Json]:
        """Offer the object or array that begins here to the fast reader."""
        if self._attempts <= 0:
            return False, None
        limit = min(self._end, self._offset + self._part)
        end = strict_end(self._data, self._offset, limit)
        is_taken, value = self._take(end) if end else (False, None)
        if not is_taken:
            self._attempts -= (end or limit) - self._offset
        return is_taken, value

    def _take(self, end: int) -> tuple[bool, Json]:
        """Offer everything up to an offset to the fast reader."""
        try:
            value = fast_value(self._data[self._offset : end], unique=self._unique)
        except ValueError:
            return False, None
        while self._data[end - 1] in _SPACE:
            end -= 1
        self._offset = end
        return True, value

    def _next_child(self, frame: _Frame) -> bool:
        """Move to the value of the next child; false where the container ends."""
        while self._skip_space():
            mark = self._data[self._offset]
            if mark in (_CLOSE_OBJECT, _CLOSE_ARRAY):
                if self._closes(frame, mark):
                    return False
            elif mark == _COMMA:
                self._comma(frame)
            elif mark == _COLON:
                self._note("unexpected-mark", self._offset, inside=False)
                self._offset += 1
            else:
                if frame.after_value:
                    self._note("missing-comma", self._offset, inside=False)
                frame.after_value, frame.comma, frame.member = False, -1, self._offset
                if isinstance(frame.value, list) or self._key(frame):
                    return True
        self._truncated()
        return False

    def _closes(self, frame: _Frame, mark: int) -> bool:
        if isinstance(frame.value, dict) == (mark == _CLOSE_OBJECT):
            if frame.comma >= 0:
                self._note("trailing-comma", frame.comma, inside=False)
            self._offset += 1
            return True
        self._note("mismatched-bracket", self._offset, inside=False)
        if any(isinstance(outer.value, dict) == (mark == _CLOSE_OBJECT) for outer in self._frames[-2:-1]):
            return True  # the outer container's own bracket: this one was never closed
        self._offset += 1
        return False

    def _comma(self, frame: _Frame) -> None:
        if frame.after_value:
            frame.after_value, frame.comma = False, self._offset
        else:
            self._note("extra-comma", self._offset, inside=False)
        self._offset += 1

    def _key(self, frame: _Frame) -> bool:
        """Read a key and its colon; false where no value follows."""
        if self._data[self._offset] == _QUOTE:
            frame.key = self._string()
        elif word := WORD.match(self._data, self._offset, self._end):
            frame.key = word.group().decode("utf-8", "surrogateescape")
            self._note("unquoted-key", self._offset, inside=False)
            self._offset = word.end()
        else:
            self._note("missing-key", self._offset, inside=False)
            self._offset = tolerant_end(self._data, self._offset, self._end)
            frame.after_value = True
            return False
        if not self._skip_space():
            return False
        if self._data[self._offset] == _COLON:
            self._offset += 1
        else:
            self._note("missing-colon", self._offset)
        if not self._skip_space():
            return False
        if self._data[self._offset] in b",:]}":
            self._note("missing-value", frame.member)
            frame.after_value = True
            return False
        return True

    def _string(self) -> str:
        start = self._offset
        if match := STRING.match(self._data, start, self._end):
            token, self._offset = match.group(), match.end()
        else:
            token, self._offset = _closed(self._data[start : self._end]), self._end
            self._truncated()
        text, odd = string_value(token)
        for shift, code in odd:
            self._note(code, start + shift)
        return text

    def _number_or_word(self) -> Json:
        start = self._offset
        if match := NUMBER.match(self._data, start, self._end):
            value, code = number_value(match.group(), is_integer=match.lastindex is None)
        else:
            match = WORD.match(self._data, start, self._end)
            value, code = word_value(match.group() if match else b"")
        self._offset = match.end() if match else start + 1
        if code:
            self._note(code, start)
        return value

    def _skip_space(self) -> bool:
        """Move to the next token; false at the end."""
        match = SPACE_OR_COMMENT.match(self._data, self._offset, self._end)
        if match and match.end() > self._offset:
            comment = self._data.find(b"/", self._offset, match.end())
            self._offset = match.end()
            if comment >= 0:
                self._note("comment", comment, inside=False)
        return self._offset < self._end

    def _truncated(self) -> None:
        if not self._is_truncated:
            self._is_truncated = True
            self._note("truncated", self._end, inside=False)

    def _note(self, code: str, offset: int, *, inside: bool = True) -> None:
        """Note something odd about the child that is being read, or (not inside) about its container."""
        self.plain = False
        if not self._frames and code in ("unexpected-text", "unexpected-mark"):
            self.strays.append(offset)
        if len(self.warnings) >= MAX_FINDINGS:
            self.hidden += 1
            return
        frames = self._frames if inside else self._frames[:-1]
        pointer = pointers.join("", *(frame.token for frame in frames))
        self.warnings.append(SourceWarning(code, offset, len(self.starts), pointer))


def _closed(token: bytes) -> bytes:
    """A string token that the end of the file cut off, without half an escape, and closed."""
    escapes = len(token) - len(token.rstrip(b"\\"))
    return (token[:-1] if escapes % 2 else token) + b'"'
