"""What tells a secret beside it: headings, options of commands, words of languages; and what only looks so."""

from __future__ import annotations

import base64
import json

import pytest

from trace_inspector.core.rows.evidence import EvidencePack, EvidenceSide
from trace_inspector.core.trace.parts import Media, ToolCall
from trace_inspector.core.trace.trace import Event, Trace, Turn
from trace_inspector.core.values.values import Json
from trace_inspector.documents.page.document import data_in
from trace_inspector.engine.evidence.evidence_file import evidence_file
from trace_inspector.engine.redaction.options import Redaction, with_secret_keys
from trace_inspector.engine.redaction.secret_finder import SecretFinder

SECRET = "Quartz-Heron4821"  # not "!": then it would be told by itself

TOLD = (
    f"the password's {SECRET} (capital letters matter)",
    f"user bob, pass {SECRET} - send it",
    f"Zugang: inventur, Passwort {SECRET}, danke",
    f"La contraseña del wifi es {SECRET}",
    f"Nouveau mot de passe provisoire : {SECRET}",
    f"パスワードは {SECRET} です。",
    f"仮パスワードを「{SECRET}」に設定しました。",
    f"The note reads 'admin / {SECRET}'.",
    f" id | name | smtp_password\n----+------+------\n 83 | shop | {SECRET}\n(1 row)",
    f"User,Password,Link\nbob,{SECRET},https://example.com",
    f'{{"fields": [{{"label": "password", "value": "{SECRET}"}}]}}',
    f"define( 'DB_PASSWORD', '{SECRET}' );",
    f"sqlcmd -S host -U sa -P {SECRET}",
    f"redis-cli -h host -a '{SECRET}' INFO",
    f"lftp -u bob,{SECRET} sftp://host",
    f"net use Z: \\\\host\\share /user:bob {SECRET}",
    f"echo '{SECRET}' | sudo -S ls",
    f'<input type="password" name="p" value="{SECRET}">',
    f"jdbc:oracle:thin:bob/{SECRET}@host:1521/X",
    f"docker login -u bob -p {SECRET} host",
    f"echo {SECRET} | docker login -u bob --password-stdin",
    f"echo 'bob:{SECRET}' | chpasswd",
    f"bob:{SECRET}@tcp(db:3306)/shop",
    f"ALTER USER bob IDENTIFIED BY '{SECRET}'",
    f"##vso[task.setvariable variable=X;issecret=true]{SECRET}",
    f'variable "db_password" {{\n  type = string\n  default = "{SECRET}"\n}}',
    f"env:\n  - name: DB_PASSWORD\n    value: {SECRET}\n",
    f"ansible_become_pass: {SECRET}",
    f"password for host.example.com is {SECRET} , keep it",
)


@pytest.mark.parametrize("text", TOLD, ids=lambda text: text[:24])
def test_a_secret_is_told_by_what_stands_beside_it(text: str) -> None:
    found = [secret.text for secret in finder().find(text)]
    assert any(SECRET in each for each in found), found
    assert all(len(each) <= len(SECRET) + 2 for each in found), found


ORDINARY = (
    "const token = parser.nextToken(); // 99",
    "password = os.environ[name]  # from the environment",
    "Set `Authorization: Bearer YOUR_ACCESS_TOKEN` and call it",
    "password: minimum length 16",
    'api_key = "(sensitive value)"',
    '"integrity": "sha512-qjmoAC7lFj60PP+JbR0VwUzP2u5SzXrVliMaOR3o0NCX9z0I34Wg0vQqBLExv52bXqQZyt4kRB92w+5EdG8JZw=="',
    "2048 SHA256:aHfZnmAcs6auGKCJ+U5qaoMdrQSZWUCw8+oFH5EiozI host (RSA)",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIR7vzTJSuabEyL9MidG1tQU+4GzPMmmsy76XJ2MuetUk bob@host",
    "data:image/png;base64,iVBORw0KGgoUnKxd1OK0lSfmwc/PPMIafVkozUuTMsdLbOGDMFshqIXsMUXi3h6UYivst606lEpV",
    "boarding_pass: A12B34 and bypass: 12, compass: 340",
    "| `secret_scanning` | 4 | GitHub scanning enabled | Leaks |\n| `x` | 5 | Dynamic testing | y |",
    "max tokens to return (1000-50000). Default is 5000 tokens.",
    "inspect_ai__tests__log__2025-11-24T10_nXyzAbC123DefG456HiJ78.eval",
    "3f2504e0-4f89-41d3-9a0c-0305e82c3301 and 356a192b7913b04c54574d18c28d46e6395428ab",
)


@pytest.mark.parametrize("text", ORDINARY, ids=lambda text: text[:24])
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert finder().find(text) == ()


@pytest.mark.parametrize(
    "args",
    [
        {"password": SECRET},
        {"login": {"api_secret": SECRET, "note": f"again {SECRET}"}},
        {"entries": [{"name": "token", "value": SECRET}]},
        {"cmd": ["mysql", "-u", "bob", "--password", SECRET]},
        {"urls": f"https://a:{SECRET}@example.com\nhttps://b:{SECRET}@example.com", "as json": {"x": 1}},
        {
            "mail": base64.encodebytes(
                f"so long a line that it is broken: the password is {SECRET} now".encode()
            ).decode()
        },
    ],
    ids=lambda args: str(args)[:20],
)
def test_a_value_behind_a_key_goes_and_nothing_is_left(args: dict[str, Json]) -> None:
    call = ToolCall(name="find", args=args, place="/0")
    turn = Turn(id="t", index=0, user=(), events=(Event(author="a", parts=(call,), place="/0"),), place="/0")
    trace = Trace(id="t", app="a", user="u", turns=(turn,), place="/0")
    made = evidence_file(EvidencePack("run", (EvidenceSide("run", traces=(trace,)),)), Redaction())
    assert made.left == 0
    assert SECRET not in json.dumps(made.data.decode(), ensure_ascii=False)


def test_bytes_that_stand_in_an_address_are_left_out_and_counted() -> None:
    part = Media("image/png", uri="data:image/png;base64,iVBORw0KGgoAAAANSUhEUg", place="/0")
    trace = Trace(id="t", turns=(Turn(index=0, user=(part,), place="/0"),), place="/0")
    made = evidence_file(EvidencePack("run", (EvidenceSide("run", traces=(trace,)),)), Redaction())
    assert b"The bytes of 1 picture or file were left out" in made.data
    assert b"data:image/png;base64," in made.data
    assert b"iVBORw0KGgoAAAANSUhEUg" not in made.data + data_in(made.data)


def finder() -> SecretFinder:
    return SecretFinder(with_secret_keys(Redaction()))
