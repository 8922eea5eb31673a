"""A judge that asks nothing: it counts the questions of a run, and those with a cached reply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct, field

from trace_inspector.core.trace.judge_call import CallCache
from trace_inspector.engine.judges.backends.backend import Backend
from trace_inspector.engine.judges.call_limits import Use
from trace_inspector.engine.judges.live import backend_for
from trace_inspector.engine.scoring.metric import Ask, Reply

_BYTES_A_TOKEN = 4  # a rule of thumb, good to about a third for most languages and models


class Foreseen(Struct):
    """What one metric would ask of one model. Tokens are those of the prompts not kept, estimated."""

    calls: int = 0
    kept: int = 0
    tokens: int = 0


class Rehearsal(Struct):
    """Stands in for the judges of a run. What depends on replies is foreseen as if they were as usual."""

    backends: Mapping[str, Backend]
    use: Use
    cache: CallCache | None
    name: str = "nobody"
    foreseen: dict[tuple[str, str, str], Foreseen] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    asked: Counter[tuple[str, str, int]] = field(default_factory=Counter)

    def next_case(self) -> None:
        """Equal questions are counted case by case, as a run counts them."""
        self.asked.clear()

    def ask(self, question: Ask) -> Reply:
        """The kept reply, or one that lets the metric go on asking."""
        same = question.model, question.prompt, question.sample
        backend = backend_for(self.backends, question)
        key = self.use.key(backend, question, self.asked[same])
        self.asked[same] += 1
        line = self.foreseen.setdefault((question.metric, key.model, backend.name), Foreseen())
        again = self.use.asks_again(question)
        kept = self.cache.get(key.digest) if self.cache is not None and not again else None
        if kept is not None or (self.cache is not None and key.digest in self.seen):
            line.kept += 1
        else:
            line.calls += 1
            line.tokens += -(-len(question.prompt.encode("utf-8", "surrogatepass")) // _BYTES_A_TOKEN)
        self.seen.add(key.digest)
        if kept is not None:
            return Reply(kept.reply or "", kept_s=kept.started_s)
        # The first round of a metric that asks in two marks the sentences of a text.
        return Reply("".join(f"<sentence>{text}</sentence>" for _name, text in question.fields[:1]))
