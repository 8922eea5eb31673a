"""Secrets that answer a question: one message asks for a password, and a later one is little else."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from trace_inspector.core.trace.parts import Code, Part, Text, ToolCall, ToolResult
from trace_inspector.core.trace.trace import Turn
from trace_inspector.engine.redaction.prose.told_by_roots import primes, told_in_talk
from trace_inspector.engine.redaction.secret_finder import is_ordinary
from trace_inspector.engine.redaction.told_nearby import looks_chosen, looks_opaque

_MOST_LATER = 4  # messages in which a question may be answered
_TAIL = 400  # characters at the end of a message that may ask
_MOST_ANSWER = 160  # characters of a message that is little else than an answer
_MOST_LEAVES = 40
_MOST_DEPTH = 6
_CODE = (
    r"(?:(?:verification|security|access|confirmation|one[ -]time|authenticat\w+|login|sign-?in|sms|2fa|mfa"
    r"|door|gate"
    r"|alarm|unlock|entry|secret|\w+[ -]digit)[ -]codes?|code (?:we|i|that|you|from|sent)|(?:bestätigungs"
    r"|sicherheits|zugangs|tür)-?code"
    r"|code (?:de (?:vérification|sécurité|confirmation)|secret|d['’]accès)|código de (?:verificaci[óo]n"
    r"|seguridad|verificação|segurança|acceso)"
    r"|\botp\b|\btan\b|認証コード|確認コード|验证码|驗證碼|인증번호)"
)
_NOUN = (
    r"(?:pass(?:word|code|phrase|wd)|passwort|kennwort|\bpwd?\b|\bpin\b|contraseña|\bclave\b|mot de passe"
    r"|\bmdp\b|senha"
    r"|wachtwoord|hasło|пароль|credentials?|api[ -]?key|\btoken\b|\bsecret\b|pin-?code|暗証番号|パスワード"
    r"|密码|密碼|口令"
    r"|비밀번호|암호"
    rf"|{_CODE})"
)
_ASKING = (
    r"\b(?:what(?:['’]?s| is| was| are)?|which|enter|provide|tell|give|send|share|type|confirm|need|specify"
    r"|supply|input|repeat|have"
    r"|wie|was|welche[sr]?|nenne\w*|gib|geben|brauche\w*|teile\w*|verrate\w*|sag\w*|lautet"
    r"|quel(?:le)?|donne\w*|entre[rz]|saisi\w*|indique\w*|communique\w*|cu[áa]l|introdu\w*|ingres\w*|dime"
    r"|d[ií]game|proporcion\w*|escrib\w*"
    r"|qual|digite|informe|inseri\w*|fornisc\w*|wat is|geef|podaj|jakie|какой|введите|назовите|скажите)\b"
)
_ASKS = re.compile(
    rf"(?i){_ASKING}[^?.!\n]{{0,80}}?{_NOUN}|{_NOUN}[^.!?\n]{{0,60}}(?:\?|？|:\s*\Z|：\s*\Z)"
    r"|(?:パスワード|認証コード|確認コード|暗証番号)[^。\n]{0,30}(?:ください|教えて|何です|ですか)"
    r"|(?:输入|提供|告诉)[^。\n]{0,20}(?:密码|验证码)|(?:密码|验证码)[^。\n]{0,10}(?:是什么|是多少)|(?:비밀번호|인증번호)[^\n]{0,20}(?:입력|알려|무엇)"
)
_ASKS_FOR_HELP = re.compile(
    r"(?i)(?:forg[eo]t|reset|chang|lost|recover|help|remember|trouble|issue|problem|policy|strong|safe|secure"
    r"|vergessen|zurücksetz|änder"
    r"|oubli|réinitialis|olvid|restable|esquec|redefin|\b(?:limit|usage|count|max|budget)|do not|don['’]t|never"
    r"|why|at least|characters|contain|how (?:do|can|to|many|much))"
)
_WORD = r"[^\s\"'“”„`«»<>,;]"
_EDGE = r"[\"'“”„`«»*]{0,3}"
_WHOLE = re.compile(rf"\s*{_EDGE}({_WORD}{{4,64}}?){_EDGE}[.!]?\s*")
_DIGITS = re.compile(r"(?<![\w.,-])(\d{3}[ -]?\d{3}|\d{4,10})(?![\w%]|[.,]\d)")
_LED = re.compile(
    rf"(?i)(?:\A|[\s,(])(?:it['’]?s|it is|that['’]?s|this is|is|here it is|here you go|here|sure|okay?|yes|use"
    rf"|try|es ist|das ist|ist|lautet|hier"
    rf"|c['’]est|est|voici|es|é|aquí|aqui|è|to jest|это)\s?[:,]?\s{_EDGE}({_WORD}{{4,64}}?){_EDGE}(?=[\s.!,;]|\Z)"
)
_AFTER_COLON = re.compile(rf"[:：]\s?{_EDGE}({_WORD}{{4,64}}?){_EDGE}[.!]?\s*\Z")
_SPEAKER = re.compile(r"\s*(?:turn \d+, )?(user|answer):\s")
_NONE_GIVEN = re.compile(
    r"(?i)(?:yes|yeah|nope?|okay|sure|thanks?|thank|please|sorry|none|unknown|nothing|help|cancel|skip|stop"
    r"|quit|exit|hello|what|when|where|which|this|that"
    r"|there|here|just|same|still|your|yours|mine|have|need|want|know|dont|cannot|wrong|right|correct|incorrect"
    r"|invalid|valid|expired|stored|saved"
    r"|not|the|with|from|secret|private|confidential|required|optional|sent|done|success\w*|error|fail\w*"
    r"|completed?|pending|found|missing|denied"
    r"|granted|accepted|rejected|verified|later|never|maybe|nein|danke|bitte|keine?s?|weiß|nicht|merci|gracias"
    r"|obrigad[oa]|aucune?|ninguna?"
    r"|true|false|null|undefined|n/a|(?-i:[a-z]+_[a-z_]+)|(?:wi-?fi|password|passcode|code|token|pin|email"
    r"|username|admin panel)s?)"
)
_FIELDS = frozenset(
    {
        "answer", "value", "response", "reply", "text", "result", "output", "input", "content", "message", "user",
        "user_input", "userinput", "data", "parts", "question", "prompt", "query", "ask", "request", "label", "title",
        "body", "answers", "responses",
    }
)  # fmt: skip


class _By(enum.Enum):
    """Whose words a message has."""

    USER = enum.auto()
    AGENT = enum.auto()
    TOOL = enum.auto()
    CALL = enum.auto()  # of a tool: it asks, and answers nothing


_Message: TypeAlias = tuple[tuple[str, ...], _By]


def answers_in_turns(turns: Iterable[Turn]) -> Iterator[str]:
    """The secrets that answer a question of an earlier message."""
    yield from _answers(message for turn in turns for message in _messages(turn))


def answers_in_messages(messages: list[object]) -> Iterator[str]:
    """The same for a list of messages inside a value, as chats have them."""
    if len(messages) > 1 and all(isinstance(message, Mapping) for message in messages):
        yield from _answers(
            (tuple(_leaves(message)), _By.USER if message.get("role") == "user" else _By.AGENT)
            for message in messages
            if isinstance(message, Mapping)
        )


def answers_in_members(value: Mapping[object, object]) -> Iterator[str]:
    """The same for members of a value that ask and answer."""
    asking = any(isinstance(item, str) and asks_for_secret(item) for key, item in value.items() if _asks(key))
    if asking:
        for key, item in value.items():
            if isinstance(item, str) and not _asks(key) and str(key).casefold() in _FIELDS:
                yield from _answer(item)


def _asks(key: object) -> bool:
    return str(key).casefold() in ("question", "prompt", "ask", "request", "label", "title", "query")


def answers_in_lines(lines: Iterable[str]) -> Iterator[str]:
    """The same for lines that say before a colon that the user said them, or that they were answered."""
    spoken = ((match[1], line[match.end() :]) for line in lines if (match := _SPEAKER.match(line)))
    yield from _answers(((words,), _By.USER if who == "user" else _By.AGENT) for who, words in spoken)


def _answers(messages: Iterable[_Message]) -> Iterator[str]:
    left = primed = 0
    for texts, by in messages:
        if by in (_By.USER, _By.AGENT):
            for text in texts:
                yield from told_in_talk(text, is_primed=primed > 0, by_user=by is _By.USER)
        if left and by is not _By.CALL:
            found = [answer for text in texts for answer in _answer(text)]
            yield from found
            left = 0 if found else left - 1
        if any(map(asks_for_secret, texts)):
            left = _MOST_LATER
        if by is not _By.CALL:
            primed = _MOST_LATER if any(map(primes, texts)) else max(0, primed - 1)


def asks_for_secret(text: str) -> bool:
    """Whether the end of a message asks for a password, a PIN, a code or a token."""
    return any(
        not _ASKS_FOR_HELP.search(
            text, max(0, match.start() - 60, text.rfind(".", 0, match.start()) + 1), match.end() + 20
        )
        for match in _ASKS.finditer(text, max(0, len(text) - _TAIL))
    )


def _answer(text: str) -> Iterator[str]:
    """What a short message gives: the word that it is, or that “it's” leads to, or one that looks made up."""
    if len(text) > _MOST_ANSWER:
        return
    whole = _WHOLE.fullmatch(text)
    words = [match[1] for match in (whole,) if match] or [
        *(match[1] for match in _LED.finditer(text)),
        *(match[1] for match in _AFTER_COLON.finditer(text)),
        *(word for word in text.split() if looks_chosen(word) or looks_opaque(word)),
    ]
    for match in _DIGITS.finditer(text):
        yield match[1]
    for word in words:
        bare = word.rstrip(".!?)") if whole is None else word
        if len(bare) >= 4 and not _NONE_GIVEN.fullmatch(bare) and not is_ordinary(bare) and not bare.endswith("?"):
            yield bare


def _messages(turn: Turn) -> Iterator[_Message]:
    for parts in (turn.user, *(event.parts for event in turn.events), turn.final_response or ()):
        for part in parts:
            texts, by = _of_part(part)
            if texts:
                yield texts, _By.USER if by is _By.AGENT and parts is turn.user else by


def _of_part(part: Part) -> _Message:
    if isinstance(part, Text):
        return (part.text,), _By.AGENT
    if isinstance(part, ToolCall):
        return tuple(_leaves(part.args)), _By.CALL
    if isinstance(part, ToolResult):
        return tuple(_leaves(part.value)), _By.TOOL
    if isinstance(part, Code):
        return (part.text,), _By.TOOL if part.is_result else _By.CALL
    return (), _By.CALL


def _leaves(value: object, depth: int = 0) -> Iterator[str]:
    """The texts of a value behind keys that messages have."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping) and depth < _MOST_DEPTH:
        for key, item in value.items():
            if str(key).casefold() in _FIELDS:
                yield from _leaves(item, depth + 1)
    elif isinstance(value, list) and depth < _MOST_DEPTH:
        for item in value[:_MOST_LEAVES]:
            yield from _leaves(item, depth + 1)
