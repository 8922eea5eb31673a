"""BLOCKS: which blocks Content shows for each kind of row, telling ones first. A block may have nothing to say."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from trace_inspector.core.rows.rows import Kind
from trace_inspector.views.appearance.appearance import Look
from trace_inspector.views.details import part_blocks, turn_blocks, verdict_blocks
from trace_inspector.views.details.agent_block import agent, versions
from trace_inspector.views.details.expectation_blocks import expectations
from trace_inspector.views.details.fields import event, fields, pairing
from trace_inspector.views.details.place import Place

Block = Callable[[Look, Place], QWidget | None]

_WHOLE = (verdict_blocks.verdict_sentence, verdict_blocks.hidden_by_verdict, pairing)
_WORDS = (part_blocks.text, fields, event)

BLOCKS: dict[Kind, tuple[Block, ...]] = {
    Kind.SUITE: (fields, turn_blocks.agents),
    Kind.RUNS: (turn_blocks.runs,),
    Kind.CASE: (*_WHOLE, expectations, fields),
    Kind.TRACE: (*_WHOLE, turn_blocks.guessed, fields, turn_blocks.agents),
    Kind.AGENTS: (turn_blocks.agents,),
    Kind.AGENT: (versions, agent, fields),
    Kind.TURN: (
        verdict_blocks.verdict_sentence,
        verdict_blocks.failing,
        turn_blocks.answer,
        turn_blocks.beside_answer,
        turn_blocks.user,
        turn_blocks.calls,
        expectations,
        turn_blocks.usage,
        turn_blocks.agents,
        turn_blocks.guessed,
        fields,
    ),
    Kind.EVENT: (part_blocks.error, fields),
    Kind.ANSWER: (turn_blocks.answer, turn_blocks.beside_answer, turn_blocks.user, event),
    Kind.TEXT: _WORDS,
    Kind.THOUGHT: _WORDS,
    Kind.CODE: _WORDS,
    Kind.USER: (turn_blocks.user,),
    Kind.CALL: (verdict_blocks.this_call, part_blocks.call, fields, event),
    Kind.RESULT: (part_blocks.result, fields, event),
    Kind.TRANSFER: (fields, event),
    Kind.MEDIA: (fields, event),
    Kind.STATE: (part_blocks.state, fields),
    Kind.UNKNOWN: (part_blocks.error, fields, event),
    Kind.SPAN: (fields,),
    Kind.MISSING_CALL: (verdict_blocks.missing_call,),
    Kind.MISSING_TURN: (verdict_blocks.verdict_sentence, verdict_blocks.missing_turn),
}
