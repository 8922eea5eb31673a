"""Counts the answers of judges during a run."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from trace_inspector.engine.judges.backends.backend import Backend, ModelAnswer, Prompted
from trace_inspector.flows.judges.judge_files import LiveChoice, Make


class _Counted(Struct, frozen=True):
    backend: Backend
    answered: Callable[[ModelAnswer], None]

    @property
    def name(self) -> str:
        return self.backend.name

    @property
    def endpoint(self) -> str:
        return self.backend.endpoint

    async def call(self, prompted: Prompted) -> ModelAnswer:
        answer = await self.backend.call(prompted)
        self.answered(answer)
        return answer

    async def close(self) -> None:
        await self.backend.close()


def counted(judge: LiveChoice, answered: Callable[[ModelAnswer], None]) -> LiveChoice:
    """The same judges; `answered` is called with every answer."""

    def counting(make: Make) -> Make:
        return lambda: _Counted(make(), answered)

    return replace(judge, backends={who: counting(make) for who, make in judge.backends.items()})
