"""Entries of `start_urls` that are no addresses, nested a hundred thousand deep or of any bytes: each is refused with a sentence."""

import json
import time
from pathlib import Path
from random import Random

from scrapy import Spider

from benchmarks.attacks import Trial, outcome
from crawler.frontier.shared.start_urls import requests_of

_ENTRIES = 300
_REFUSED = (ValueError, TypeError, RecursionError)
_STARTS = ('{"a":', "[", '{"url":', '{"url": "http://x.example/", "meta":', '{"url": "http://x.example/", "b":')
_VALUES = (None, 7, 1e308, [], {}, "x", "http://[", "http://x.example/\x00", ["http://x.example/"], {"a": 1}, True)
_MAX_SECONDS = 1.0


def attack(folder: Path, trial: Trial) -> str:
    """Anything but the errors that the reader of start URLs logs would end its task."""
    chance, spider, slowest = trial.chance(), Spider("site"), 0.0
    refused, faults = 0, set[str]()
    for _ in range(_ENTRIES):
        data, began = _entry(chance), time.monotonic()
        try:
            list(requests_of(data, spider))
        except _REFUSED:
            refused += 1
        except Exception as error:
            faults.add(f"{type(error).__name__} of {data[:60]!r}")
        slowest = max(slowest, time.monotonic() - began)
    faults.add("too slow" if slowest > _MAX_SECONDS else "")
    return outcome(f"{refused} of {_ENTRIES} refused, the slowest in {slowest:.2f} s", *sorted(faults))


def _entry(chance: Random) -> bytes:
    match chance.randrange(4):
        case 0:
            return (chance.choice(_STARTS) * chance.randint(1, 100_000)).encode()
        case 1:
            return chance.randbytes(chance.randint(0, 500))
        case 2:
            names = chance.sample(("url", "method", "meta", "a", ""), 3)
            return json.dumps({name: chance.choice(_VALUES) for name in names}).encode()
    return chance.choice(
        ("javascript:x", "", "//x", "http://" + "x" * 100_000, "http://x.example/ y", "\ufeffhttp://x.example/")
    ).encode()
