"""Texts made to hide a secret from the search, to hold it up, or to be taken for secrets."""

from __future__ import annotations

import base64
import gzip
import zlib
from collections.abc import Callable

import pytest

from trace_inspector.engine.redaction.options import Redaction, with_secret_keys
from trace_inspector.engine.redaction.secret_finder import Secret, SecretFinder

SECRET = "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"
SIZE = 200_000


def found(text: str) -> tuple[Secret, ...]:
    return SecretFinder(with_secret_keys(Redaction())).find(text)


def in_base64(data: bytes | str) -> str:
    return base64.b64encode(data.encode() if isinstance(data, str) else data).decode()


def repeated(text: str) -> str:
    return text * (SIZE // len(text))


# Each took a minute or an hour, as something was looked for again from each of very many beginnings.
@pytest.mark.parametrize(
    "text",
    [
        repeated("PuTTY-User-Key-File-1 "),
        ".atlasv1. " + "a" * SIZE,
        'secret={"a": "' + '\\"' * (SIZE // 2),
        repeated("aaaaaaaaa://"),
        repeated("-----BEGIN PRIVATE KEY-----"),
        "eyJ" * (SIZE // 3),
        "a secret: " + repeated("secret abcd "),
        "ENV username neighbor" + "\n" * SIZE,
        repeated("password is "),
        repeated("a@a.a:"),
        repeated("login -u bob -p "),
        repeated("https://a/private-"),
        repeated("x=a<b\"c'&"),
        "password is" + " " * SIZE,
        "password: login" + " " * SIZE,
        "key: [" + "1, " * (SIZE // 3),
        "code " + repeated("seven one "),
        "code de la porte " + "a " * (SIZE // 2),
        repeated("Password=a;b "),
        repeated("echo 'a b' | A=b "),
        "net use " + repeated("\\\\a "),
        "(pw) values " + repeated("('a'), "),
        repeated("4539 5787 6362 1487 01/28 "),
        "1" * SIZE,
        "card " + repeated("1 "),
        repeated("login as a with "),
        repeated("your-a-"),
        "https://" + repeated("a/B1c2D3e4F5g6H7i8J9k0/"),
        "phrase: " + repeated("lake otter "),
        "pwd;a\n" + repeated("a;b;c\n"),
    ],
    ids=lambda text: text[:12],
)
def test_no_text_holds_the_search_up(text: str) -> None:
    assert all(0 <= secret.start < secret.end <= len(text) for secret in found(text))


def bomb() -> str:
    return in_base64(gzip.compress(b"a b " * 4_000_000))


def escaped_in_layers() -> str:
    text = "hello world this is text of mine " * 300
    for _layer in range(4):
        text = f"x%41 \\u0042 &amp;amp; %2541 {in_base64(text)} &#65; a+b \\\\n"
    return text


def base64_five_deep() -> str:
    text = f"the token: {SECRET}"
    for _layer in range(6):
        text = in_base64(text)
    return text


@pytest.mark.parametrize("make", [bomb, base64_five_deep, escaped_in_layers], ids=lambda make: make.__name__)
def test_what_cannot_be_looked_through_goes_as_a_whole(make: Callable[[], str]) -> None:
    text = make()
    (secret,) = found(text)
    assert (secret.start, secret.end, secret.rule) == (0, len(text), "encoded-too-deeply")


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(b"nothing here, ") + gzip.compress(SECRET.encode()),
        zlib.compress(f"the key is {SECRET}".encode()),
        f"key {SECRET} ".encode("utf-16-be"),
        f"key {SECRET} ".encode("utf-16-le"),
    ],
    ids=["second member of gzip", "zlib", "wide, big end first", "wide, little end first"],
)
def test_a_secret_is_found_in_packed_and_wide_text(data: bytes) -> None:
    assert [secret.text for secret in found(f"data {in_base64(data)} end")] == [SECRET]


def test_a_key_without_its_end_is_found_before_a_line_of_dashes() -> None:
    key = "-----BEGIN PRIVATE KEY-----\nqwertyuiopasdfghjklzxcvbnm\n"
    (secret,) = found(f"{key}-- \nsigned, somebody")
    assert secret.text == key


@pytest.mark.parametrize(
    "text",
    [
        in_base64("hello world, what a text this is, in 2026"),
        "data:text/plain;base64," + in_base64("Seats: 4A, 4B. Price: 12 EUR, paid by card."),
        "PuTTY and -----BEGIN CERTIFICATE----- are no keys",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert found(text) == ()
