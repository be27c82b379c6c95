"""Sixty wrong passwords at once, and administrators who disable or demote each other at once: five tries, and one administrator stays."""

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from benchmarks.attacks import Trial, outcome
from console.access.people import LastAdminError, People, Role
from console.access.throttle import MAX_TRIES, Throttle
from console.frame.app_context import utc_now
from pipelines.stores.opening import open_store

_TRIES, _ROUNDS = 60, 10
_PASSWORD = "correct horse battery"


def attack(folder: Path, trial: Trial) -> str:
    """Two to four administrators, each change made by another program."""
    chance = trial.chance()
    throttle = Throttle(time.monotonic)
    with ThreadPoolExecutor(_TRIES) as pool:
        admitted = sum(wait <= 0 for wait in pool.map(lambda _: throttle.admit("anna", "198.51.100.7"), range(_TRIES)))
    left = []
    for number in range(_ROUNDS):
        names = [f"admin{place}" for place in range(chance.randint(2, 4))]
        with closing(open_store(f"sqlite:///{folder}/{number}.db")) as store:
            people = [People(store, utc_now) for _ in names]
            for name in names:
                people[0].add(name, Role.ADMIN, _PASSWORD)
            jobs = [(who, name, chance.random() < 0.5) for who, name in zip(people, names, strict=True)]
            with ThreadPoolExecutor(len(jobs)) as pool:
                list(pool.map(lambda job: _remove(*job), jobs))
            left.append(people[0].admins())
    return outcome(
        f"{admitted} of {_TRIES} tries admitted, at least {min(left)} administrators left in {_ROUNDS} rounds",
        "more tries" if admitted > MAX_TRIES else "",
        "no administrator" if min(left) < 1 else "",
    )


def _remove(people: People, name: str, disables: bool) -> None:
    with contextlib.suppress(LastAdminError):
        if disables:
            people.set_active(name, False)
        else:
            people.set_role(name, Role.VIEWER)
