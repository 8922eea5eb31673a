"""What a sentence says of one line of a log, and which of two lines came first."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from msgspec import Struct

from trace_inspector.engine.grounding.calculations.columns import Column, Grid, ValueKind
from trace_inspector.engine.grounding.calculations.outcome import Outcome, has_word
from trace_inspector.engine.grounding.calculations.statement import Mention, Statement, agrees
from trace_inspector.engine.grounding.facts.fact import FactKind
from trace_inspector.engine.grounding.lexicon.concepts import Lexicon
from trace_inspector.engine.grounding.text.folding import fold_text, folded_words
from trace_inspector.engine.grounding.text.units import Unit
from trace_inspector.engine.grounding.text.words import find_words

_EVENTS: Final = """
    disk | disk* disque* festplatt* platte disco* ディスク डिस्क
    queue | queue* backlog warteschlange* file_d_attente cola fila キュー
    certificate | certificate* cert zertifikat* certificat* certificado* 証明書
    expiry | expir* runs_out run_out lauft_ab ablauf* caduc* venc*
    health_check | health_check* gesundheitsprufung* controle*_de_sante healthcheck*
    memory | out_of_memory lack_of_memory ran_out_of_memory oom speichermangel memoire memoria memory
    retry | retr* tried_again attempt* versuch* tentativ* reintent* reessa*
    checksum | checksum* corrupt* mismatch prufsumme* somme_de_controle
    deploy | deploy* rolled_out roll_out went_out rollout ausgerollt* desplegad* implantad* deploi*
    scale | scaled scaling replicas now_had skaliert*
    restart | restart* neugestart* neustart* redemarr* reinici* 再起動
    denied | denied refused permission not_allowed verweigert* refus* denegad* negad*
    rollback | rollback rolling_back rolled_back roll_back retour_en_arriere zuruckgerollt*
    migration | migration* migracion migracao
    start | started starting launched gestartet* lance* iniciad*
    stop | stopped shut_down stopping gestoppt* arrete* detenid*
    timeout | timeout* timed_out time-out zeituberschreitung* delai_depasse
    connection | connect* connection* verbindung* connexion conexion conexao
    login | login logged_in log_in sign* signed_in angemeldet* connecte* sesion
    backup | backup* sicherung* sauvegarde* copia_de_seguridad
    payment | payment* paid zahlung* paiement* pago* pagamento*
    email | email* e-mail* mail mails sent_mail
    cache_event | cache* evict*
    request | request* anfrage* requete* peticion* requisicao
    upload | upload* hochgeladen* televers* subid*
    download | download* heruntergeladen* telecharg* descarg*
    scheduled | scheduled planned geplant* planifie* programad* agendad*
    created | created creating angelegt* erstellt* cree* cread* criad*
    deleted | deleted removed purged geloscht* supprime* eliminad* apagad*
    moved | moved transferred migrated verschoben* deplace* movid*
    lock | lock locked unlocked gesperrt* verrouille* bloquead*
    rate_limit | rate_limit* throttl* too_many_requests gedrosselt*
    failed | fail* fehlgeschlagen* echou* fallid* falho* 失敗
    passed | passed succeed* success* healthy bestanden reussi* passe* 成功
    recovered | recover* erhol* retabli* recuper* wiederhergestellt*
    finished | finished completed complete done abgeschlossen* termine* fini* complet* applied
"""
_LEXICON: Final = Lexicon(_EVENTS)
# Events that other events have too: a check that failed, a migration that finished.
OUTCOMES: Final = frozenset({"failed", "passed", "finished", "start", "stop"})
# Names of machines, whose words are no events: edge-14, eu-west-2a, cache-01.
_CODE: Final = re.compile(r"[a-z]+(?:-[a-z]+)*-[a-z]?\d+[a-z]?")


@lru_cache(maxsize=1 << 12)
def events_in(text: str) -> frozenset[str]:
    """The events that a message or a sentence is about, without the names of machines in it."""
    folded = _CODE.sub(" ", fold_text(text))
    return _LEXICON.concepts(find_words(folded), folded)


_TOKEN: Final = re.compile(r"[^\W_]+(?:[-_./#][^\W_]+)*")
_DIGITS: Final = re.compile(r"\d+(?:\.\d+)?")
# Why something happened is in no line of a log.
_CAUSES: Final = folded_words("""
    because caused cause causes causing due reason blame behind introduced weil wegen aufgrund verursacht ursache
    grund parce cause causé dû raison porque debido causa causó culpa devido
""")
_LOOSE_TIMES: Final = folded_words("""
    around about after before by until till since between and shortly gegen nach vor bis seit kurz vers
    après avant depuis hacia después antes desde depois entre zwischen
""")
_MIN_CHECKED: Final = 2
_WARNED: Final = re.compile(r"\b(?:warn(?:ed|s|ing)|gewarnt|warnte|averti|advirtio)\b")
_ERROR: Final = re.compile(r"\b(?:errors?|fehlers?|erreurs?|erro(?:r|re|res|s)?)\b")
_COUNTS: Final = {
    "once": 1, "twice": 2, "thrice": 3, "einmal": 1, "zweimal": 2, "dreimal": 3, "une": 1, "deux": 2, "trois": 3,
    "una": 1, "dos": 2, "tres": 3, "uma": 1, "duas": 2,
}  # fmt: skip
_TIMES: Final = re.compile(
    r"\b(?:(once|twice|thrice|einmal|zweimal|dreimal)"
    r"|(une|deux|trois|una|dos|tres|uma|duas) (?:fois|vez|veces|vezes))\b"
)
_SECONDS: Final = re.compile(r"(?<=\d\d:\d\d):[0-5]\d\b")
_MINUTES: Final[Unit] = (("time", 60.0),)
_LATER: Final = re.compile(r"\b(?:before|vor|avant|antes)\b")
_THEN: Final = re.compile(r"\b(?:later|then|afterwards|spater|dann|puis|ensuite|luego|despues|depois)\b")
_EARLIER: Final = re.compile(r"\b(?:after|nachdem|nach|apres|tras)\b")


class _Log(Struct, frozen=True):
    """The columns of a log."""

    time: Column
    message: Column
    service: Column | None
    level: Column | None


class _Part(Struct, frozen=True):
    """What a sentence, or a part of one, says of a line."""

    events: frozenset[str]
    services: frozenset[str]
    times: frozenset[str]
    figures: frozenset[str]
    codes: frozenset[str]
    is_warning: bool
    is_error: bool

    @property
    def checked(self) -> int:
        """How many things can be looked up."""
        return len(self.services) + len(self.times) + len(self.figures) + len(self.codes)


def log_line(statement: Statement, grid: Grid, _mentions: tuple[Mention, ...]) -> Outcome | None:
    """Whether a log has the line that a sentence describes by its event, service, time and figures."""
    log = _log(grid)
    if log is None or statement.is_negated or statement.has(_CAUSES):
        return None
    part = _part(statement, log, 0, len(statement.text))
    if not part.events or part.checked < _MIN_CHECKED or not grid.is_whole:
        return None
    lines = _lines_with_event(grid, log, part)
    if not lines:
        return None
    misses = {line: _missed(log, line, part) for line in lines}
    line = min(lines, key=lambda each: (len(misses[each]), each))
    where = f"at {grid.written(line, log.time)}"
    message = grid.written(line, log.message)
    service = f" {log.service.texts[line]}" if log.service else ""
    if not misses[line]:
        return Outcome(
            holds=True, rule="log line", reason=f"The log has{service} {where}: {message}", records=(line,)
        )
    stated = part.events - OUTCOMES
    if len(misses[line]) > 1 or not stated or not stated <= events_in(log.message.texts[line]):
        return None
    if misses[line] == ["time"] and (len(part.times) > 1 or _has_loose_time(statement)):
        return None
    if misses[line] == ["figure"] and _tells_apart(statement):
        return None
    if misses[line] == ["name"] and not any(_is_code(token[0]) for token in _TOKEN.finditer(log.message.texts[line])):
        return None  # another line may tell where it was
    return Outcome(
        holds=False,
        rule="log line",
        reason=f"The closest line of the log is{service} {where}: {message}",
        records=(line,),
    )


def times_of_event(statement: Statement, grid: Grid, _mentions: tuple[Mention, ...]) -> Outcome | None:
    """Whether a log has as many lines of an event of a service as a sentence says: "the mailer retried once"."""
    log, times = _log(grid), stated_times(statement)
    if log is None or not times or statement.is_negated or not grid.is_whole:
        return None
    part = _part(statement, log, 0, len(statement.text))
    if len(part.events) != 1 or len(part.services) != 1 or part.checked > 1:
        return None
    lines = tuple(line for line in _lines_with_event(grid, log, part) if not _missed(log, line, part))
    if len(lines) != times:
        return None  # one line may tell of several times
    reason = "; ".join(f"{grid.written(line, log.time)} {grid.written(line, log.message)}" for line in lines)
    counted = f"Lines of the log that say so: {times}: {reason}"
    return Outcome(holds=True, rule="times of an event", reason=counted, records=lines)


def time_between_lines(statement: Statement, grid: Grid, _mentions: tuple[Mention, ...]) -> Outcome | None:
    """Whether two lines of a log are as far apart as a sentence says: "it was back 20 seconds after its error"."""
    log = _log(grid)
    figures = [figure for figure in statement.figures if any(name == "time" for name, _ in figure.amount.unit)]
    if log is None or len(figures) != 1 or statement.is_negated or len(statement.plain) != len(statement.text):
        return None
    cut = _EARLIER.search(statement.plain) or _LATER.search(statement.plain)
    if cut is None or not 0 < cut.start() < len(statement.text):
        return None
    parts = [_part(statement, log, 0, cut.start()), _part(statement, log, cut.end(), len(statement.text))]
    services = parts[0].services | parts[1].services
    lines = [_only_line(grid, log, part, part.services or services) for part in parts]
    first, last = lines if _LATER.search(statement.plain) else lines[::-1]
    if first is None or last is None:
        return None
    begin, end = log.time.numbers[first], log.time.numbers[last]
    if begin is None or end is None or end < begin or not agrees(figures[0], end - begin, _MINUTES):
        return None
    reason = "; ".join(f"{grid.written(line, log.time)} {grid.written(line, log.message)}" for line in (first, last))
    return Outcome(holds=True, rule="time between lines", reason=reason, records=(first, last))


def _tells_apart(statement: Statement) -> bool:
    """Whether a figure is the time between two lines and stands in none of them."""
    is_time = any(name == "time" for figure in statement.figures for name, _factor in figure.amount.unit)
    return is_time and any(pattern.search(statement.plain) for pattern in (_EARLIER, _LATER, _THEN))


def _only_line(grid: Grid, log: _Log, part: _Part, services: frozenset[str]) -> int | None:
    """The one line of some services that has the event or the level that a part of a sentence speaks of."""
    lines = [line for line in range(grid.size) if log.service is None or log.service.texts[line] in services]
    if part.events:
        lines = [line for line in lines if part.events <= events_in(log.message.texts[line])]
    elif part.is_error and log.level is not None:
        lines = [line for line in lines if log.level.texts[line].startswith("err")]
    else:
        return None
    return lines[0] if len(lines) == 1 else None


@lru_cache(maxsize=4)  # the same for all tables that a sentence is held against
def stated_times(statement: Statement) -> int:
    """How many times a sentence says that something happened, in one word or two: once, zweimal, une fois; or 0."""
    match = _TIMES.search(statement.plain)
    return _COUNTS[match[1] or match[2]] if match else 0


def order_of_lines(statement: Statement, grid: Grid, _mentions: tuple[Mention, ...]) -> Outcome | None:
    """Whether one line of a log came before another: "first A restarted, later B failed"."""
    log = _log(grid)
    if log is None or len(statement.plain) != len(statement.text):
        return None
    cut, reversed_ = None, False
    for pattern, turned in ((_LATER, False), (_THEN, False), (_EARLIER, True)):
        match = pattern.search(statement.plain)
        if match and match.start() > 0:
            cut, reversed_ = match, turned
            break
    if cut is None:
        return None
    earlier = _part(statement, log, 0, cut.start())
    later = _part(statement, log, cut.end(), len(statement.text))
    if reversed_:
        earlier, later = later, earlier
    first, second = (_sure_lines(grid, log, part) for part in (earlier, later))
    if not first or not second or first & second:
        return None
    holds = max(first) < min(second)
    if not holds and not max(second) < min(first):
        return None
    first_line, second_line = min(first), min(second)
    reason = "; ".join(
        f"{grid.written(line, log.time)} {grid.written(line, log.message)}" for line in (first_line, second_line)
    )
    return Outcome(holds, "order of lines", reason, (first_line, second_line))


def _log(grid: Grid) -> _Log | None:
    if not grid.is_log:
        return None
    by_key = {column.key: column for column in grid.columns}
    time, message = by_key.get("time"), by_key.get("message")
    if time is None or message is None or not time.is_moment or message.kind is not ValueKind.TEXT:
        return None
    service = by_key.get("service")
    return _Log(time, message, service if service and service.kind is ValueKind.TEXT else None, by_key.get("level"))


def _part(statement: Statement, log: _Log, start: int, end: int) -> _Part:
    text = statement.plain[start:end] if len(statement.plain) == len(statement.text) else statement.plain
    senders = set(log.service.texts) if log.service else {_sender(message) for message in log.message.texts}
    services = frozenset(name for name in senders if name and has_word(text, name))
    for name in services:
        text = text.replace(name, " " * len(name))
    facts = [fact for fact in statement.claim.facts if start <= fact.start and fact.end <= end]
    times = frozenset(
        key.removeprefix("time:") + _seconds_at(statement.text, fact.start)
        for fact in facts
        if fact.kind is FactKind.TIME
        for key in fact.keys
    )
    codes = frozenset(token[0] for token in _TOKEN.finditer(text) if _is_code(token[0]))
    spans = [(fact.start, fact.end) for fact in facts if fact.kind is FactKind.TIME]
    figures = frozenset(
        f"{figure.amount.values[-1]:g}"
        for figure in statement.figures
        if start <= figure.start and figure.end <= end
        and not any(begin <= figure.start < end for begin, end in spans)
        and not any(_inside(statement.plain, code, figure.start) for code in codes)
    )  # fmt: skip
    is_warning, is_error = _WARNED.search(text) is not None, _ERROR.search(text) is not None
    return _Part(events_in(text), services, times, figures, codes, is_warning, is_error)


def _seconds_at(text: str, start: int) -> str:
    match = _SECONDS.search(text, start, start + 8)
    return match[0] if match else ""


def _sender(message: str) -> str:
    """The name with a hyphen that a message of a log without services begins with."""
    first = message.partition(" ")[0].rstrip(":")
    return first if "-" in first[1:] else ""


def _is_code(token: str) -> bool:
    """Whether a token names a machine or a build: edge-14."""
    return "-" in token and any(map(str.isdigit, token)) and any(map(str.isalpha, token))


def _inside(text: str, code: str, position: int) -> bool:
    start = text.find(code)
    while start >= 0:
        if start <= position < start + len(code):
            return True
        start = text.find(code, start + 1)
    return False


def _lines_with_event(grid: Grid, log: _Log, part: _Part) -> list[int]:
    """The lines whose message is the event that a sentence describes."""
    shared = [len(part.events & events_in(text)) for text in log.message.texts]
    best = max(shared, default=0)
    return [line for line in range(grid.size) if shared[line] == best] if 2 * best >= len(part.events) else []


def _missed(log: _Log, line: int, part: _Part) -> list[str]:
    """What a sentence says otherwise than a line."""
    message = log.message.texts[line]
    numbers = set(_DIGITS.findall(message))
    missed = []
    if part.services and (log.service.texts[line] if log.service else _sender(message)) not in part.services:
        missed.append("service")
    if part.times and not any(_is_time(log.time.numbers[line], time) for time in part.times):
        missed.append("time")
    if part.is_warning and log.level is not None and not log.level.texts[line].startswith("warn"):
        missed.append("level")
    missed.extend("figure" for figure in part.figures if figure not in numbers)
    missed.extend("name" for code in part.codes if not has_word(message, code))
    return missed


def _is_time(minutes: float | None, time: str) -> bool:
    if minutes is None:
        return False
    hours, minute, *seconds = (int(piece[:2]) for piece in time.split(":"))
    if int(minutes % 1440) != hours % 24 * 60 + minute:
        return False
    return not seconds or round(minutes * 60) % 60 == seconds[0]


def _has_loose_time(statement: Statement) -> bool:
    """Whether a time is only said to be near: shortly after ten."""
    starts = [fact.start for fact in statement.claim.facts if fact.kind is FactKind.TIME]
    return any(word in _LOOSE_TIMES and end + 1 in starts for word, _start, end in statement.words)


def _sure_lines(grid: Grid, log: _Log, part: _Part) -> set[int]:
    """The lines that a part of a sentence can only mean."""
    if not part.events or not part.checked:
        return set()
    return {line for line in _lines_with_event(grid, log, part) if not _missed(log, line, part)}
