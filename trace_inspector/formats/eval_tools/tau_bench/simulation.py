"""One simulation of tau2-bench: a conversation of an agent with a simulated user, and what it was worth."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from trace_inspector.core.rows.contents import Item
from trace_inspector.core.trace.parts import ToolResult
from trace_inspector.core.trace.trace import Agent, Event, Trace, Turn
from trace_inspector.core.values.extra import Extra
from trace_inspector.core.values.values import Absent, Json
from trace_inspector.core.verdict.verdict import (
    CaseVerdict,
    ExpectationVerdict,
    MetricVerdict,
    Provenance,
    Status,
    compose,
)
from trace_inspector.formats.common.chat_flow import TOOL, USER, ChatFlow, instruction_of, speaker_of
from trace_inspector.formats.common.extras import stated_extras
from trace_inspector.formats.common.fields import Fields, count_of, or_null
from trace_inspector.formats.common.message_parts import message_parts
from trace_inspector.formats.common.record_counts import RecordCounts
from trace_inspector.formats.eval_tools.tau_bench.task import identity_of

_MESSAGES = ("messages", "traj")
_OF_A_RUN = ("id", "task_id", "trial", "reward_info", "reward", *_MESSAGES)
# What is checked, by the word that says whether it decides the reward; where it stands; what it is about.
_CHECKS = {
    "ACTION": ("action_checks", "action", "action_match"),
    "ENV_ASSERTION": ("env_assertions", "env_assertion", "met"),
    "NL_ASSERTION": ("nl_assertions", "nl_assertion", "met"),
    "COMMUNICATE": ("communicate_checks", "info", "met"),
}
_NAMED = ("name", "func_name")


def trace_id(run: Fields, count: int) -> str:
    """The task, with the number of the trial where there are several."""
    task = identity_of(run, "task_id")
    return f"{task} (trial {or_null(run.get('trial'))})" if count > 1 else task


def simulation_items(
    run: Fields, name: str, suite: str, count: int, environment: Fields, counts: RecordCounts
) -> Iterator[Item]:
    """The conversation and its reward; calls of the simulated user stand in the turn, under the user's name."""
    task = identity_of(run, "task_id")
    tools = or_null(environment.get("tool_defs"))
    messages = [message for listed in _MESSAGES for message in run.objects(listed)]
    counts.understood(len(messages))
    instruction, count_of_system = instruction_of(messages)
    policy = environment.text("policy") or instruction
    yield Trace(
        name,
        agents=(Agent("assistant", policy, tools=tuple(tools) if isinstance(tools, list) else ()),),
        case_id=task,
        suite_id=suite,
        case_runs=count,
        extras=stated_extras(run, *_OF_A_RUN),
        place=run.place,
    )
    chat = ChatFlow()
    for message in messages[count_of_system:]:
        yield from _turns_of(message, chat)
    yield from chat.flow.finish()
    verdict = _verdict(run, task, suite, name)
    if verdict is not None:
        trial = count_of(run.get("trial"))
        counts.understood()
        yield replace(verdict, repeat=trial if trial is not None and count > 1 else 0)


def _turns_of(message: Fields, chat: ChatFlow) -> Iterator[Turn]:
    several = message.objects("tool_messages")
    if speaker_of(message) == USER and message.objects("tool_calls"):
        parts = tuple(message_parts(message.value, message.place))
        chat.flow.happen(Event(USER, parts, USER, place=message.place))
    elif speaker_of(message) == USER:
        yield from chat.message(message)
        if usage := message.object("usage"):
            chat.flow.add(Extra("usage of the simulated user", dict(usage.value), usage.place))
    elif several:
        for one in several:
            yield from _turns_of(Fields({"role": "tool", **one.value}, one.place), chat)
    else:
        yield from chat.message(message)
        if speaker_of(message) == TOOL and chat.flow.events and message.get("error") is True:
            chat.flow.events[-1] = _failed(chat.flow.events[-1])


def _failed(event: Event) -> Event:
    parts = (replace(part, is_error=True) if isinstance(part, ToolResult) else part for part in event.parts)
    return replace(event, parts=tuple(parts))


def _verdict(run: Fields, task: str, suite: str, name: str) -> CaseVerdict | None:
    """The reward as reported, which is only a number; what it is based on decides."""
    told = run.object("reward_info") or run
    reward = told.number("reward")
    if reward is None and told is run:
        return None
    basis = or_null(told.get("reward_basis"))
    metrics = [*_checks(told, basis if isinstance(basis, list) else [])]
    status = compose(metric.status for metric in metrics)
    if reward is not None:
        whole = MetricVerdict("reward", reward, Status.INFORMATIONAL, provenance=Provenance.REPORTED)
        metrics.insert(0, whole)
    return CaseVerdict(
        case_id=task,
        suite_id=suite,
        trace_id=name,
        status=status,
        metrics=tuple(metrics),
        reason=run.text("termination_reason") or "",
        trace_place=run.place,
        provenance=Provenance.DERIVED,
        extras=stated_extras(told, "reward", *(names[0] for names in _CHECKS.values()), "db_check", *_OF_A_RUN)
        if told is not run
        else (),
    )


def _checks(told: Fields, basis: list[Json]) -> Iterator[MetricVerdict]:
    state = told.object("db_check")
    if state is not None:
        matched = state.get("db_match")
        yield MetricVerdict(
            metric="DB",
            score=state.number("db_reward"),
            status=_decided([matched], deciding="DB" in basis),
            provenance=Provenance.REPORTED,
        )
    for word, (listed, about, met) in _CHECKS.items():
        checks = told.objects(listed)
        if not checks:
            continue
        outcomes = tuple(
            ExpectationVerdict(
                what=_what(check, about),
                status=_decided([check.get(met)], deciding=True),
                reason=check.text("justification") or "",
                place=check.place,
            )
            for check in checks
        )
        passed = sum(outcome.status is Status.PASSED for outcome in outcomes)
        yield MetricVerdict(
            metric=word,
            score=passed / len(outcomes),
            status=_decided([check.get(met) for check in checks], deciding=word in basis),
            provenance=Provenance.REPORTED,
            expectations=outcomes,
        )


def _decided(met: list[Json | Absent], *, deciding: bool) -> Status:
    """All of it must hold; what the reward is not based on only informs."""
    if not deciding:
        return Status.INFORMATIONAL
    if any(one is False for one in met):
        return Status.FAILED
    return Status.PASSED if met and all(one is True for one in met) else Status.NOT_EVALUATED


def _what(check: Fields, about: str) -> str:
    inner = check.object(about)
    if inner is None:
        return check.text(about) or about
    return f"{about} {next((words for name in _NAMED if (words := inner.text(name))), '')}".strip()
