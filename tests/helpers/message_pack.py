"""Packs plain values as MessagePack, and records as LangGraph's serialiser packs objects."""

from __future__ import annotations

import struct

from trace_inspector.core.values.values import Json, JsonObject


def packed(value: Json) -> bytes:
    """A value as MessagePack."""
    match value:
        case None:
            return b"\xc0"
        case bool():
            return b"\xc3" if value else b"\xc2"
        case int() if 0 <= value < 0x80:
            return bytes([value])
        case int():
            return b"\xd3" + struct.pack(">q", value) if value < 0 else b"\xcf" + struct.pack(">Q", value)
        case float():
            return b"\xcb" + struct.pack(">d", value)
        case str():
            raw = value.encode()
            return (bytes([0xA0 | len(raw)]) if len(raw) < 32 else b"\xdb" + struct.pack(">I", len(raw))) + raw
        case list():
            head = bytes([0x90 | len(value)]) if len(value) < 16 else b"\xdd" + struct.pack(">I", len(value))
            return head + b"".join(map(packed, value))
        case dict() if value.keys() == {"extension", "value"}:
            kind, inner = value["extension"], packed(value["value"])
            assert isinstance(kind, int)
            return b"\xc9" + struct.pack(">Ib", len(inner), kind) + inner
        case dict():
            head = bytes([0x80 | len(value)]) if len(value) < 16 else b"\xdf" + struct.pack(">I", len(value))
            return head + b"".join(packed(key) + packed(item) for key, item in value.items())


def message(kind: str, **fields: Json) -> JsonObject:
    """A message of LangChain as the serialiser packs it."""
    name = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage", "system": "SystemMessage"}[kind]
    given: JsonObject = {"type": kind, **fields}
    return {"extension": 5, "value": [f"langchain_core.messages.{kind}", name, given, "model_validate_json"]}
