"""The messages of OTLP as tables: what each tag means, by the numbers that opentelemetry-proto 1.x gives them."""

from __future__ import annotations

import enum
from typing import TypeAlias

from msgspec import Struct, field


class Wire(enum.IntEnum):
    """The last three bits of a tag: how the bytes behind it are laid out."""

    VARINT = 0
    FIXED_64 = 1
    LENGTH = 2
    GROUP = 3
    GROUP_END = 4
    FIXED_32 = 5


class FieldKind(enum.Enum):
    """What a field's bytes mean, and how protobuf's JSON writes them."""

    UNSIGNED = Wire.VARINT, "unsigned"
    SIGNED = Wire.VARINT, "signed"
    TRUTH = Wire.VARINT, "truth"
    FIXED_64 = Wire.FIXED_64, "fixed64"
    DOUBLE = Wire.FIXED_64, "double"
    FIXED_32 = Wire.FIXED_32, "fixed32"
    TEXT = Wire.LENGTH, "text"
    ID = Wire.LENGTH, "id"  # bytes that OTLP's JSON writes as hex
    BYTES = Wire.LENGTH, "bytes"
    MESSAGE = Wire.LENGTH, "message"


class FieldType(Struct, frozen=True):
    """One field: its name in JSON, what it holds, and whether it may come several times."""

    name: str
    kind: FieldKind
    message_type: MessageType | None = None
    repeated: bool = False


class MessageType(Struct, eq=False):
    """A kind of message. One that `goes_on` is read as far as a cut or damaged file has it; others whole or not."""

    name: str
    fields: dict[int, FieldType] = field(default_factory=dict)
    goes_on: bool = False
    is_choice: bool = False  # of several fields only the last counts

    def has(self, **fields: _Line) -> None:
        """Set the fields, each by its number; its name is the key."""
        for name, (number, kind, *more) in fields.items():
            message_type = next((each for each in more if isinstance(each, MessageType)), None)
            self.fields[number << 3 | kind.value[0]] = FieldType(name, kind, message_type, repeated=MANY in more)


MANY = "many"
_Line: TypeAlias = (
    "tuple[int, FieldKind] | tuple[int, FieldKind, str]"
    " | tuple[int, FieldKind, MessageType] | tuple[int, FieldKind, MessageType, str]"
)

_TEXT, _ID, _BYTES, _MESSAGE = FieldKind.TEXT, FieldKind.ID, FieldKind.BYTES, FieldKind.MESSAGE
_UNSIGNED, _FIXED_64, _FIXED_32 = FieldKind.UNSIGNED, FieldKind.FIXED_64, FieldKind.FIXED_32

ANY_VALUE = MessageType("an attribute value", is_choice=True)
_LIST = MessageType("a list of values")
_MAP = MessageType("a map of values")
KEY_VALUE = MessageType("an attribute")
KEY_VALUE.has(key=(1, _TEXT), value=(2, _MESSAGE, ANY_VALUE))
_LIST.has(values=(1, _MESSAGE, ANY_VALUE, MANY))
_MAP.has(values=(1, _MESSAGE, KEY_VALUE, MANY))
ANY_VALUE.has(
    stringValue=(1, _TEXT),
    boolValue=(2, FieldKind.TRUTH),
    intValue=(3, FieldKind.SIGNED),
    doubleValue=(4, FieldKind.DOUBLE),
    arrayValue=(5, _MESSAGE, _LIST),
    kvlistValue=(6, _MESSAGE, _MAP),
    bytesValue=(7, _BYTES),
)

_ENTITY = MessageType("an entity")
_ENTITY.has(schemaUrl=(1, _TEXT), type=(2, _TEXT), idKeys=(3, _TEXT, MANY), descriptionKeys=(4, _TEXT, MANY))
_RESOURCE = MessageType("a resource")
_RESOURCE.has(
    attributes=(1, _MESSAGE, KEY_VALUE, MANY),
    droppedAttributesCount=(2, _UNSIGNED),
    entityRefs=(3, _MESSAGE, _ENTITY, MANY),
)
_SCOPE = MessageType("a scope")
_SCOPE.has(
    name=(1, _TEXT),
    version=(2, _TEXT),
    attributes=(3, _MESSAGE, KEY_VALUE, MANY),
    droppedAttributesCount=(4, _UNSIGNED),
)

_STATUS = MessageType("a status")
_STATUS.has(message=(2, _TEXT), code=(3, _UNSIGNED))
_EVENT = MessageType("an event of a span")
_EVENT.has(
    timeUnixNano=(1, _FIXED_64),
    name=(2, _TEXT),
    attributes=(3, _MESSAGE, KEY_VALUE, MANY),
    droppedAttributesCount=(4, _UNSIGNED),
)
_LINK = MessageType("a link of a span")
_LINK.has(
    traceId=(1, _ID),
    spanId=(2, _ID),
    traceState=(3, _TEXT),
    attributes=(4, _MESSAGE, KEY_VALUE, MANY),
    droppedAttributesCount=(5, _UNSIGNED),
    flags=(6, _FIXED_32),
)
SPAN = MessageType("a span")
SPAN.has(
    traceId=(1, _ID),
    spanId=(2, _ID),
    traceState=(3, _TEXT),
    parentSpanId=(4, _ID),
    name=(5, _TEXT),
    kind=(6, _UNSIGNED),
    startTimeUnixNano=(7, _FIXED_64),
    endTimeUnixNano=(8, _FIXED_64),
    attributes=(9, _MESSAGE, KEY_VALUE, MANY),
    droppedAttributesCount=(10, _UNSIGNED),
    events=(11, _MESSAGE, _EVENT, MANY),
    droppedEventsCount=(12, _UNSIGNED),
    links=(13, _MESSAGE, _LINK, MANY),
    droppedLinksCount=(14, _UNSIGNED),
    status=(15, _MESSAGE, _STATUS),
    flags=(16, _FIXED_32),
)
LOG_RECORD = MessageType("a log record")
LOG_RECORD.has(
    timeUnixNano=(1, _FIXED_64),
    severityNumber=(2, _UNSIGNED),
    severityText=(3, _TEXT),
    name=(4, _TEXT),  # until 1.0
    body=(5, _MESSAGE, ANY_VALUE),
    attributes=(6, _MESSAGE, KEY_VALUE, MANY),
    droppedAttributesCount=(7, _UNSIGNED),
    flags=(8, _FIXED_32),
    traceId=(9, _ID),
    spanId=(10, _ID),
    observedTimeUnixNano=(11, _FIXED_64),
    eventName=(12, _TEXT),
)

_OLD = 1000  # the number that scopes had for a while when they were libraries
_SCOPE_SPANS = MessageType("the spans of a scope", goes_on=True)
_SCOPE_SPANS.has(scope=(1, _MESSAGE, _SCOPE), spans=(2, _MESSAGE, SPAN, MANY), schemaUrl=(3, _TEXT))
_RESOURCE_SPANS = MessageType("the spans of a resource", goes_on=True)
_RESOURCE_SPANS.has(
    resource=(1, _MESSAGE, _RESOURCE),
    scopeSpans=(2, _MESSAGE, _SCOPE_SPANS, MANY),
    schemaUrl=(3, _TEXT),
    instrumentationLibrarySpans=(_OLD, _MESSAGE, _SCOPE_SPANS, MANY),
)
TRACES = MessageType("a message of spans", goes_on=True)
TRACES.has(resourceSpans=(1, _MESSAGE, _RESOURCE_SPANS, MANY))

_SCOPE_LOGS = MessageType("the log records of a scope", goes_on=True)
_SCOPE_LOGS.has(scope=(1, _MESSAGE, _SCOPE), logRecords=(2, _MESSAGE, LOG_RECORD, MANY), schemaUrl=(3, _TEXT))
_RESOURCE_LOGS = MessageType("the log records of a resource", goes_on=True)
_RESOURCE_LOGS.has(
    resource=(1, _MESSAGE, _RESOURCE),
    scopeLogs=(2, _MESSAGE, _SCOPE_LOGS, MANY),
    schemaUrl=(3, _TEXT),
    instrumentationLibraryLogs=(_OLD, _MESSAGE, _SCOPE_LOGS, MANY),
)
LOGS = MessageType("a message of log records", goes_on=True)
LOGS.has(resourceLogs=(1, _MESSAGE, _RESOURCE_LOGS, MANY))
