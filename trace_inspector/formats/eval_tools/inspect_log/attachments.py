"""Long texts that a sample of Inspect keeps once, under a hash, and calls as chats write them."""

from __future__ import annotations

from msgspec import Struct

from trace_inspector.core.values.values import Json
from trace_inspector.formats.common.fields import Fields

_LINKS = ("attachment://", "tc://")
_DEEPEST = 30


class Attachments(Struct, frozen=True):
    """The texts by their hash; older logs keep them with the transcript."""

    texts: dict[str, str]

    @staticmethod
    def of(sample: Fields) -> Attachments:
        """Those of a sample."""
        older = sample.object("transcript") or Fields({}, "")
        kept = {**(older.mapping("content") or {}), **(sample.mapping("attachments") or {})}
        return Attachments({name: text for name, text in kept.items() if isinstance(text, str)})

    def text(self, text: str) -> str:
        """A text, or the one that it only names."""
        for link in _LINKS:
            if text.startswith(link):
                return self.texts.get(text.removeprefix(link), text)
        return text

    def value(self, value: Json) -> Json:
        """A value with every text in it that is only named."""
        return self._inside(value, 0) if self.texts else value

    def message(self, message: Fields) -> Fields:
        """A message with its texts, and its calls as other chats have them."""
        value = self.value(message.value)
        calls = value.get("tool_calls") if isinstance(value, dict) else None
        if value is message.value and not calls:
            return message
        resolved = dict(value) if isinstance(value, dict) else dict(message.value)
        if isinstance(calls, list):  # named `function` with the arguments beside
            resolved["tool_calls"] = [_call(call) if isinstance(call, dict) else call for call in calls]
        return Fields(resolved, message.place)

    def _inside(self, value: Json, depth: int) -> Json:
        if isinstance(value, str):
            return self.text(value)
        if depth > _DEEPEST:
            return value
        if isinstance(value, list):
            return [self._inside(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {key: self._inside(item, depth + 1) for key, item in value.items()}
        return value


def _call(call: dict[str, Json]) -> Json:
    name = call.get("function")
    return {**call, "function": {"name": name, "arguments": call.get("arguments")}} if isinstance(name, str) else call
