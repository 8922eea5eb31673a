"""Secrets of a thousand in an evidence pack: `python -m benchmarks.evidence_secrets` counts what is left of them.

With `--without-texts` of the page that has none. First how many secrets, then a seed.

The keys are made from what their providers publish about their form, each in a field and a spelling by turns. The
page is searched by decoders that share nothing with the program.
"""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
import string
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from html import escape, unescape
from pathlib import Path
from urllib.parse import quote, unquote

from trace_inspector.cli import main

_ALNUM = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_URL_SAFE = _ALNUM + "-_"
_SYMBOLS = _ALNUM + "!#$%*+@^"
_SHORT = 20_000
Draw = Callable[[random.Random], str]


def _chars(letters: str, count: int) -> Draw:
    return lambda draw: "".join(draw.choices(letters, k=count))


def _of(*parts: str | Draw) -> Draw:
    return lambda draw: "".join(part if isinstance(part, str) else part(draw) for part in parts)


def _jwt(draw: random.Random) -> str:
    claims = {"sub": _chars(_ALNUM, 12)(draw), "exp": draw.randrange(10**9, 2 * 10**9)}
    parts = (base64.urlsafe_b64encode(json.dumps(part).encode()).decode() for part in ({"alg": "HS256"}, claims))
    return ".".join((*(part.rstrip("=") for part in parts), _chars(_URL_SAFE, 43)(draw)))


def _pem(draw: random.Random) -> str:
    lines = "\n".join(_chars(_ALNUM + "+/", 64)(draw) for _line in range(4))
    kind = draw.choice(("RSA ", "EC ", "", "OPENSSH ", "ENCRYPTED "))
    return f"-----BEGIN {kind}PRIVATE KEY-----\n{lines}\n-----END {kind}PRIVATE KEY-----"


# By themselves, wherever they stand.
KEYS: dict[str, Draw] = {
    "openai": _of("sk-proj-", _chars(_URL_SAFE, 60)),
    "openai, older": _of("sk-", _chars(_ALNUM, 48)),
    "anthropic": _of("sk-ant-api03-", _chars(_URL_SAFE, 93), "AA"),
    "google": _of("AIza", _chars(_URL_SAFE, 35)),
    "google oauth": _of("ya29.", _chars(_URL_SAFE, 60)),
    "google client": _of("GOCSPX-", _chars(_URL_SAFE, 28)),
    "aws id": _of("AKIA", _chars(string.ascii_uppercase + "234567", 16)),
    "github": _of("ghp_", _chars(_ALNUM, 36)),
    "github, fine": _of("github_pat_", _chars(_ALNUM, 22), "_", _chars(_ALNUM, 59)),
    "gitlab": _of("glpat-", _chars(_URL_SAFE, 20)),
    "slack": _of("xoxb-", _chars(string.digits, 12), "-", _chars(string.digits, 12), "-", _chars(_ALNUM, 24)),
    "slack hook": _of("https://hooks.slack.com/services/T", _chars(_ALNUM, 8), "/B", _chars(_ALNUM, 8), "/",
                      _chars(_ALNUM, 24)),
    "stripe": _of("sk_live_", _chars(_ALNUM, 24)),
    "stripe hook": _of("whsec_", _chars(_ALNUM, 32)),
    "twilio": _of("SK", _chars(_HEX, 32)),
    "sendgrid": _of("SG.", _chars(_URL_SAFE, 22), ".", _chars(_URL_SAFE, 43)),
    "npm": _of("npm_", _chars(_ALNUM, 36)),
    "pypi": _of("pypi-AgEIcHlwaS5vcmc", _chars(_URL_SAFE, 80)),
    "hugging face": _of("hf_", _chars(string.ascii_letters, 34)),
    "digital ocean": _of("dop_v1_", _chars(_HEX, 64)),
    "databricks": _of("dapi", _chars(_HEX, 32)),
    "groq": _of("gsk_", _chars(_ALNUM, 52)),
    "telegram": _of(_chars("123456789", 10), ":AA", _chars(_URL_SAFE, 33)),
    "json web token": _jwt,
    "private key": _pem,
}  # fmt: skip
# In what tells them: the secret stands at {}.
TOLD: dict[str, tuple[Draw, str]] = {
    "aws secret": (_chars(_ALNUM + "/+", 40), "aws_secret_access_key = {}"),
    "basic auth": (_chars(_ALNUM, 14), "https://bob:{}@db.example.com/x"),
    "bearer": (_chars(_URL_SAFE, 40), "Authorization: Bearer {}"),
    "cookie": (_chars(_ALNUM, 26), "Cookie: theme=dark; session={}; lang=en"),
    "postgres": (_chars(_ALNUM, 12), "postgresql://app:{}@10.0.0.7:5432/shop?sslmode=require"),
    "odbc": (_chars(_ALNUM, 12), "Server=db;Database=shop;User Id=app;Password={};Encrypt=true"),
    "storage": (_of(_chars(_ALNUM + "+/", 86), "=="), "AccountName=x;AccountKey={};EndpointSuffix=core.example"),
    "json": (_chars(_SYMBOLS, 12), '{{"user": "bob", "password": "{}"}}'),
    "json token": (_chars(_HEX, 40), '{{"access_token": "{}", "expires_in": 3600}}'),
    "query": (_chars(_ALNUM, 20), "https://example.com/v1/find?q=a&api_key={}&page=2"),
    "environment": (_chars(_ALNUM, 16), "export DB_PASSWORD={}"),
    "yaml": (_chars(_ALNUM, 16), "user: bob\npassword: {}\nhost: x"),
    "prose": (_of(_chars(string.ascii_letters, 9), "7!", _chars(_ALNUM, 3)), "The password is {} for now"),
    "command": (_of(_chars(_ALNUM, 12), "9"), "mysql --user=bob --password={} shop"),
}
SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 in words": lambda text: f"data {base64.urlsafe_b64encode(f'note: {text} end'.encode()).decode()} ok",
    "url": lambda text: quote(text, safe=""),
    "json": lambda text: json.dumps(json.dumps({"note": text})),
    "html": escape,
    "html by number": lambda text: "".join(f"&#{ord(char)};" for char in text),
    "url of base64": lambda text: quote(base64.b64encode(text.encode()).decode(), safe=""),
    "base64 of json": lambda text: base64.b64encode(json.dumps({"note": text}).encode()).decode(),
    "json by number": lambda text: "".join(f"\\u{ord(char):04x}" for char in text),
}
FIELDS = (
    "user", "answer", "thought", "argument", "argument name", "result", "error", "state", "id", "call id", "tool",
    "author", "extra", "session", "file",
)  # fmt: skip


def planted(count: int, seed: int) -> list[tuple[str, str]]:
    """Secrets, each with the text that holds it in some spelling."""
    draw = random.Random(seed)
    kinds: list[tuple[Draw, str]] = [*((make, "{}") for make in KEYS.values()), *TOLD.values()]
    spell = list(SPELLINGS.values())
    pairs = []
    for number in range(count):
        make, around = kinds[number % len(kinds)]
        secret = make(draw)
        text = around.format(secret)
        pairs.append((secret, spell[draw.randrange(len(spell))](text)))
    return pairs


def write_session(pairs: list[tuple[str, str]], folder: Path, seed: int = 0) -> Path:
    """A file of google-adk with each text in a field of its own kind, by turns."""
    draw = random.Random(seed)
    cases = []
    for number, (_secret, text) in enumerate(pairs):
        field = FIELDS[number % len(FIELDS)]
        there = {name: text if name == field else f"plain {draw.randrange(10**6)}" for name in FIELDS}
        cases.append(_case(number, there))
    value = {"eval_set_result_id": "r", "eval_set_id": "s", "creation_timestamp": 1.0, "eval_case_results": cases}
    path = folder / "run.evalset_result.json"
    path.write_text(json.dumps(value))
    return path


def _case(number: int, there: dict[str, str]) -> dict[str, object]:
    call = {
        "id": there["call id"],
        "name": there["tool"],
        "args": {"note": there["argument"], there["argument name"]: 1},
    }
    answer = {"id": there["call id"], "name": there["tool"], "response": {"result": there["result"]}}
    invocation = {
        "invocation_id": there["id"],
        "user_content": {"role": "user", "parts": [{"text": there["user"]}]},
        "final_response": {"role": "model", "parts": [{"text": there["answer"]}]},
        "intermediate_data": {"invocation_events": [
            {"author": there["author"], "content": {"role": "model", "parts": [
                {"text": there["thought"], "thought": True}, {"function_call": call}]}},
            {"author": there["author"], "content": {"role": "user", "parts": [{"function_response": answer}]}},
        ]},
    }  # fmt: skip
    metric = {"metric_name": "response_match_score", "threshold": 0.8, "score": 0.2, "eval_status": 2}
    return {
        "eval_set_id": "s", "eval_id": f"case {number} {there['file']}", "final_eval_status": 2,
        "session_id": there["session"],
        "overall_eval_metric_results": [metric],
        "eval_metric_result_per_invocation": [
            {"actual_invocation": invocation, "expected_invocation": invocation, "eval_metric_results": [metric]}
        ],
        "session_details": {
            "id": there["session"], "app_name": "a", "user_id": "u", "state": {"note": there["state"]}, "events": [
                {"invocation_id": there["id"], "author": "user", "content": {"parts": [{"text": there["user"]}]},
                 "timestamp": 1.0},
                {"invocation_id": there["id"], "author": there["author"], "timestamp": 2.0, "error_code": "E",
                 "error_message": there["error"], "custom_metadata": {"own": there["extra"]},
                 "content": {"parts": [{"function_call": call}]}},
            ],
        },
    }  # fmt: skip


def many_calls(count: int, size: int) -> dict[str, object]:
    """A session of one turn with so many calls, each with a result of so many characters that pack badly."""
    draw = random.Random(0)
    words = ["".join(draw.choices(string.ascii_lowercase, k=draw.randrange(3, 9))) for _word in range(5_000)]
    events: list[dict[str, object]] = [_said("user", {"text": "Find all"})]
    for number in range(count):
        text = " ".join(draw.choices(words, k=size))[:size]
        call = {"id": f"c{number}", "name": "find", "args": {"page": number}}
        events.append(_said("guide", {"functionCall": call}))
        events.append(_said("guide", {"functionResponse": {**call, "args": None, "response": {"result": text}}}))
    return {
        "id": "s",
        "appName": "a",
        "userId": "u",
        "state": {},
        "events": [*events, _said("guide", {"text": "Done."})],
    }


def _said(author: str, part: dict[str, object]) -> dict[str, object]:
    role = "user" if author == "user" else "model"
    return {"invocationId": "i", "author": author, "timestamp": 1.0, "content": {"role": role, "parts": [part]}}


def texts_in(page: str) -> Iterator[str]:
    """The page and its data, decoded in every way that is used above, again and again."""
    packed = re.findall(r">([A-Za-z0-9+/=]{40,})<", page)
    waiting = [page, *(gzip.decompress(base64.b64decode(data)).decode() for data in packed)]
    seen: set[str] = set()
    for _round in range(6):
        more: list[str] = []
        for text in waiting:
            if text in seen:
                continue
            seen.add(text)
            yield text
            more.append(_unescaped(unquote(unescape(text))))
            if len(text) < _SHORT:  # a whole page would be read in every order for minutes
                more += (unescape(text), unquote(text), _unescaped(text))
            more += filter(None, map(_from_base64, re.findall(r"[A-Za-z0-9+/_-]{12,}={0,2}", text)))
        waiting = more


def _unescaped(text: str) -> str:
    shorter = re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text)
    return re.sub(r'\\(["\\/])', r"\1", shorter).replace("\\n", "\n")


def _from_base64(run: str) -> str:
    try:
        data = base64.b64decode(run.rstrip("=").translate(str.maketrans("-_", "+/")) + "==")
        return data.decode()
    except ValueError:
        return ""


def left_in(page: str, pairs: list[tuple[str, str]]) -> list[int]:
    """Which secrets are still in a page, by number."""
    whole = "\n".join(texts_in(page))
    return [number for number, (secret, _text) in enumerate(pairs) if secret in whole]


def measure(count: int = 1_000, seed: int = 1, *, options: Sequence[str] = ()) -> None:
    """Print how many are left."""
    pairs = planted(count, seed)
    with tempfile.TemporaryDirectory() as folder:
        run = write_session(pairs, Path(folder))
        target = Path(folder) / "evidence.html"
        began = time.perf_counter()
        code = main(["evidence", str(run), *options, "-o", str(target)])
        took_s = time.perf_counter() - began
        if not target.exists():
            print(f"exit {code}, nothing written, {took_s:.1f} s")
            return
        page = target.read_text()
    left = left_in(page, pairs)
    print(f"exit {code}: {len(left)} of {count} secrets left, {len(page):,} characters, {took_s:.1f} s")
    for number in left[:20]:
        print(number, FIELDS[number % len(FIELDS)], *pairs[number])


if __name__ == "__main__":
    chosen = [each for each in sys.argv[1:] if each.startswith("--")]
    measure(*(int(each) for each in sys.argv[1:] if each not in chosen), options=chosen)
