"""When a request is done: the contract between the engine of the Scrapy that is installed and our scheduler."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from crawler.frontier.base import MAX_ATTEMPTS
from testbed.local_server import AnsweringHandler, serving

Events = list[tuple[str, str]]


class _Site(AnsweringHandler):
    def do_GET(self) -> None:
        if self.path == "/robots.txt":
            self.answer(b"User-agent: *\nDisallow: /refused")
        elif self.path == "/redirect":
            self.answer(status=302, Location="/target")
        else:
            self.answer(b"<p>page", 404 if self.path == "/404" else 200)


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> Events:
    folder: Path = tmp_path_factory.mktemp("done")
    with serving(_Site) as server:
        root = f"http://127.0.0.1:{server.server_port}"
        command = [sys.executable, "-m", "tests.crawler.frontier.done_script", root, str(folder)]
        answer = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    return [(what, path) for what, path in json.loads(answer.stdout.splitlines()[-1])]


def order(events: Events, *wanted: tuple[str, str]) -> bool:
    """Whether these happened, once each, in this order."""
    return [event for event in events if event in wanted] == list(wanted)


def test_a_page_is_acknowledged_after_its_item_is_stored_and_its_children_are_queued(events: Events) -> None:
    assert order(events, ("push", "page"), ("push", "child-1"), ("push", "child-2"), ("ack", "page"))
    assert order(events, ("stored", "page"), ("ack", "page"))
    assert order(events, ("stored", "child-2"), ("ack", "child-2"))


def test_an_asynchronous_callback_is_waited_for(events: Events) -> None:
    assert order(events, ("push", "twice?again"), ("ack", "twice"), ("stored", "twice?again"), ("ack", "twice?again"))


def test_a_redirect_is_acknowledged_when_its_target_is_queued(events: Events) -> None:
    assert order(events, ("push", "redirect"), ("push", "target"), ("ack", "redirect"), ("stored", "target"))


def test_what_raises_is_failed_until_it_is_dead(events: Events) -> None:
    for path in ("raises", "bad-item"):
        assert events.count(("fail", path)) == MAX_ATTEMPTS, path
        assert ("ack", path) not in events


@pytest.mark.parametrize("path", ["unread", "unknown"], ids=["in a callback", "in a middleware"])
def test_a_page_for_which_the_store_could_not_be_read_is_given_back(events: Events, path: str) -> None:
    assert order(events, ("push", path), ("give back", path), ("ack", path))
    assert ("fail", path) not in events


def test_refused_unanswered_and_wrong_statuses_are_settled_once(events: Events) -> None:
    assert order(events, ("push", "refused"), ("stored", "refused"), ("ack", "refused"))
    assert order(events, ("push", "404"), ("stored", "404"), ("ack", "404"))
    assert events.count(("ack", "unreachable")) == 2  # the first download, and its retry, which is a request of its own


def test_robots_txt_is_no_business_of_the_frontier(events: Events) -> None:
    assert not [event for event in events if event[1] == "robots.txt"]


def test_every_push_is_settled(events: Events) -> None:
    settled = [path for what, path in events if what in ("ack", "fail")]
    assert {path for what, path in events if what == "push"} == set(settled)
