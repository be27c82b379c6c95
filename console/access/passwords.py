"""Passwords as salted scrypt hashes (RFC 7914)."""

import hashlib
import hmac
import secrets
from threading import Semaphore

MIN_LENGTH = 12
MAX_LENGTH = 200
_COST, _BLOCK, _PARALLEL = 2**15, 8, 1
_MAX_MEMORY = 64_000_000
_HASH_SLOTS = Semaphore(2)
"""Each hash needs 32 MB and a tenth of a second: concurrency is limited to protect the machine."""


def weakness(password: str, name: str) -> str:
    """The problem of a chosen password; "" if it is acceptable."""
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        return f"A password has {MIN_LENGTH} to {MAX_LENGTH} characters."
    if len(set(password)) < 5 or name.lower() in password.lower():
        return "This password is easy to guess: use other words than the name, and more different characters."
    return ""


def hash_password(password: str) -> str:
    """`scrypt$COST$BLOCK$PARALLEL$SALT$HASH`, the last two in hexadecimal."""
    salt = secrets.token_bytes(16)
    digest = _digest(password, salt, _COST, _BLOCK, _PARALLEL)
    return f"scrypt${_COST}${_BLOCK}${_PARALLEL}${salt.hex()}${digest.hex()}"


def is_password(password: str, stored: str) -> bool:
    """Whether the password matches; takes equally long for an unknown user (`stored` is "")."""
    name, cost, block, parallel, salt, digest = (stored or _NOBODYS).split("$")
    found = _digest(password[:MAX_LENGTH], bytes.fromhex(salt), int(cost), int(block), int(parallel))
    return hmac.compare_digest(found, bytes.fromhex(digest)) and name == "scrypt" and bool(stored)


def _digest(password: str, salt: bytes, cost: int, block: int, parallel: int) -> bytes:
    with _HASH_SLOTS:
        return hashlib.scrypt(
            password.encode("utf-8", "surrogatepass"), salt=salt, n=cost, r=block, p=parallel, maxmem=_MAX_MEMORY
        )


_NOBODYS = f"scrypt${_COST}${_BLOCK}${_PARALLEL}${'00' * 16}${'00' * 64}"
