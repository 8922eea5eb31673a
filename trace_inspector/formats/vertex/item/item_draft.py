"""An evaluation item while it is changed: where its request, prompt, expected answer and conversations stand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trace_inspector.core.errors import EditError
from trace_inspector.core.golden.golden import Case
from trace_inspector.core.trace.trace import Turn
from trace_inspector.core.values.values import JsonObject
from trace_inspector.formats.common.fields import Fields
from trace_inspector.formats.vertex.common.content import given
from trace_inspector.formats.vertex.common.recognisers import PROMPT_DATA
from trace_inspector.formats.vertex.common.writer import SDK_WRITER, SERVICE_WRITER, VertexWriter
from trace_inspector.formats.vertex.item.item_golden import golden, request_in
from trace_inspector.formats.writing.case_draft import CaseDraft

_CONVERSATION_TURN = re.compile(r".*/(?:agent_data|agentData)/turns/\d+")
BY_HAND = "Change it in Raw."


class ItemDraft(CaseDraft):
    """A draft that knows the parts of an item. `request` is a pointer; "" where the entry is a bare request."""

    request: str

    @classmethod
    def of(cls, raw: JsonObject, before: Case) -> ItemDraft:
        """The draft of an entry. Its pointers lead on from the entry, in which the request may stand deeper."""
        request = request_in(raw)
        if request is None:
            raise EditError(
                "This item holds no request, so nothing is expected in it. Change the item of its request."
            )
        return cls(before, raw, request)

    def again(self) -> ItemDraft:
        """The same, its case read as it is now."""
        return ItemDraft.of(self.value, golden(self.value, self.before.place, self.before.suite_id))

    @property
    def prompt(self) -> Fields | None:
        """What is asked."""
        return self.fields(self.request).object("prompt")

    @property
    def golden(self) -> Fields | None:
        """What is expected."""
        return self.fields(self.request).object("golden_response")

    @property
    def writer(self) -> VertexWriter:
        """Writes in the spelling of the item."""
        stated = (
            self.value,
            self.value_at(self.request),
            self.prompt and self.prompt.value,
            self.golden and self.golden.value,
        )
        keys = [key for value in stated if isinstance(value, dict) for key in value]
        return SDK_WRITER if any("_" in key for key in keys) else SERVICE_WRITER

    def spell(self, name: str) -> str:
        """A new key in the spelling of the item."""
        return self.writer.spell(name)

    def turns_in(self, name: str) -> list[Fields]:
        """The turns of the conversation in the prompt or in the expected answer."""
        owner = self.fields(self.request).object(name)
        data = owner.object("agent_data") if owner is not None else None
        return [] if data is None else data.objects("turns")

    def is_in_conversation(self, turn: Turn) -> bool:
        """Whether a turn stands in a conversation of the golden's own."""
        return bool(turn.place and _CONVERSATION_TURN.fullmatch(self.within(turn.place))) and not self.is_recorded(
            turn
        )

    def is_recorded(self, turn: Turn) -> bool:
        """Whether a turn is that of a candidate: the request asks nothing itself."""
        listed = self.fields(self.request).pointer("candidate_responses")
        return bool(turn.place) and self.within(turn.place).startswith(f"{listed}/")

    def is_asked_alone(self, turn: Turn) -> bool:
        """Whether a turn stands in the prompt, and is the one that is to be answered."""
        prompt = self.prompt
        is_last = turn is self.before.turns[-1] and self.golden is None
        return is_last and prompt is not None and f"{self.within(turn.place)}/".startswith(f"{prompt.place}/")

    def prompt_kind(self) -> str:
        """Which kind of prompt it is: "text", "value" and so on; "" for none."""
        prompt = self.prompt
        return next((name for name in PROMPT_DATA if prompt is not None and given(prompt.get(name))), "")

    def author(self, turns: Sequence[Turn]) -> str:
        """Who answers: whoever did last, else the first agent that is described."""
        for turn in reversed(turns):
            speakers = [turn.final_author, *(event.author for event in reversed(turn.events))]
            agent = next((speaker for speaker in speakers if speaker and speaker.lower() != "user"), "")
            if agent and self.is_in_conversation(turn):
                return agent
        return next(iter(self.agents), "agent")

    @property
    def agents(self) -> JsonObject:
        """The agents as the expected conversation, else the prompt, describes them."""
        for owner in (self.golden, self.prompt):
            data = owner.object("agent_data") if owner is not None else None
            if data is not None and (agents := data.mapping("agents")):
                return agents
        return {}
