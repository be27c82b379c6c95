"""Subscriptions to hubs: only what was asked for is confirmed, only what is signed is believed, leases are renewed."""

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from crawler.watching.websub import Subscription, Subscriptions, is_signed

FEED, HUB = "http://a.example/feed/", "https://hub.example/"


def subscribed(now: float = 0.0, lease: str = "864000") -> tuple[Subscriptions, Subscription]:
    known = Subscriptions("https://me.example/hooks")
    known.see(FEED, HUB, FEED)
    ((found, form),) = known.due(now)
    assert form["hub.callback"] == f"https://me.example/hooks/{found.token}"
    said = {"hub.mode": "subscribe", "hub.topic": FEED, "hub.challenge": "xyz", "hub.lease_seconds": lease}
    assert known.verify(found.token, said, now) == "xyz"
    return known, found


def signature(body: bytes, secret: str, method: str = "sha256") -> str:
    return f"{method}={hmac.new(secret.encode(), body, getattr(hashlib, method)).hexdigest()}"


def test_a_hub_is_asked_once_and_again_before_the_lease_ends() -> None:
    known, _ = subscribed()
    assert list(known.due(700_000.0)) == []
    assert len(list(known.due(780_000.0))) == 1
    assert known.active(800_000.0) == 1
    assert known.active(900_000.0) == 0


def test_a_hub_that_refuses_or_does_not_answer_is_asked_again_later() -> None:
    known = Subscriptions("https://me.example/")
    known.see(FEED, HUB, FEED)
    ((found, _),) = known.due(0.0)
    known.answered(found.token, 500, 10.0)
    assert list(known.due(3_000.0)) == []
    assert len(list(known.due(4_000.0))) == 1
    assert len(list(known.due(4_700.0))) == 1, "nothing was verified"
    known.verify(found.token, {"hub.mode": "denied", "hub.topic": FEED}, 5_000.0)
    assert list(known.due(80_000.0)) == []


def test_only_what_was_asked_for_is_confirmed() -> None:
    known, found = subscribed()
    asked = {"hub.mode": "subscribe", "hub.topic": FEED, "hub.challenge": "x"}
    assert known.verify("other", asked, 1.0) is None
    assert known.verify(found.token, asked | {"hub.topic": "http://b.example/"}, 1.0) is None
    assert known.verify(found.token, asked | {"hub.mode": "unsubscribe"}, 1.0) is None
    assert known.verify(found.token, {"hub.mode": "subscribe", "hub.topic": FEED}, 1.0) is None


def test_only_signed_messages_within_the_lease_are_believed() -> None:
    known, found = subscribed()
    for method in ("sha1", "sha256", "sha384", "sha512"):
        assert known.message(found.token, b"new", signature(b"new", found.secret, method), 5.0) is found
    assert known.message(found.token, b"new!", signature(b"new", found.secret), 5.0) is None
    assert known.message(found.token, b"new", signature(b"new", "guess"), 5.0) is None
    assert known.message(found.token, b"new", "", 5.0) is None
    assert known.message(found.token, b"new", signature(b"new", found.secret), 900_000.0) is None


def test_a_hub_that_sends_is_relied_on_and_one_that_falls_silent_is_not() -> None:
    known, found = subscribed()
    assert found.belief(10.0) == 0.0
    known.count(FEED, 10.0, pushed=20)
    assert found.belief(10.0) > 0.9
    for _ in range(20):
        known.count(FEED, 20.0, missed=2)
    assert found.belief(20.0) < 0.3
    assert found.belief(900_000.0) == 0.0


def test_another_hub_means_another_subscription_and_odd_addresses_none() -> None:
    known, found = subscribed()
    known.see(FEED, HUB, FEED)
    assert list(known.due(1.0)) == []
    known.see(FEED, "https://other.example/", FEED)
    assert not known.knows(found.token)
    known.see("http://a.example/2", "javascript:alert(1)", FEED)
    assert len(known) == 1


@given(st.text(max_size=100), st.text(max_size=20), st.binary(max_size=50))
def test_any_signature_is_answered(text: str, secret: str, body: bytes) -> None:
    assert not is_signed(body, secret or "x", text)
    assert is_signed(body, secret, signature(body, secret))
