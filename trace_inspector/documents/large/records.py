"""Typed records instead of plain values: members of a list that all have the form that a format expects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import msgspec

Record = TypeVar("Record")

_ESCAPED_MARK = b"\\u0022"


class RecordDecoder(Generic[Record]):
    """Decodes lists of records whose fields are all known. Whatever differs in anything is left to the other readers.

    So the type must refuse unknown fields, and each of its fields must keep what is in the text (`msgspec.Raw`, or
    types that take every digit).
    """

    def __init__(self, kind: type[list[Record]]) -> None:
        self._decoder = msgspec.json.Decoder(kind)
        self._encoder = msgspec.json.Encoder()

    def records(self, text: bytes, *, unique: bool) -> list[Record] | None:
        """The records in the text of a list; None where another reader has to look at it.

        Of a field that stands twice the decoder takes the last. Written anew, the records have as many quotation
        marks as their text, unless something stood twice in it or a mark was written as a number.
        """
        try:
            records = self._decoder.decode(text)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None
        return records if not unique or self._is_unique(text, records) else None

    def _is_unique(self, text: bytes, records: Sequence[Any]) -> bool:
        return _ESCAPED_MARK not in text and text.count(b'"') == self._encoder.encode(records).count(b'"')
