"""The lease of a watch, gained and renewed beside the crawl: one process watches, any other waits as its standby."""

import asyncio
import contextlib
import logging

from pipelines.lease import Lease, LeaseLostError
from pipelines.stores.base import Store, StoreError

logger = logging.getLogger(__name__)
LEASE_SECONDS = 20.0
_TURN_SECONDS = 2.0
"""Between two attempts to gain or renew the lease."""
_SAFETY_SECONDS = 2.0
"""Seconds before the end of the lease at which its holder stops: clocks of machines differ, and a request takes its time."""


class LeaseKeeper:
    """Tries to gain the lease of one watch, and renews it once it is gained; the store is asked in a thread.

    Args:
        store: of the keeper alone, which closes it: the lease is renewed while other writes wait, and released after them.
        watch: name of the watch.

    Attributes:
        tenure: how often the lease was gained, while no other process has gained it since; else 0.
        is_standby: another process holds it.
    """

    def __init__(self, store: Store, watch: str) -> None:
        self._store, self._lease = store, Lease(store, f"watch {watch}", LEASE_SECONDS)
        self.tenure, self._gained, self.is_standby = 0, 0, False
        self._ended = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._keep())

    def may_visit(self) -> bool:
        """Whether no other process can hold the lease now.

        Raises:
            Exception: the lease can no longer be kept, for another reason than the store's.
        """
        if self._task.done():
            self._task.result()
        return self.tenure > 0 and self._lease.is_held(_SAFETY_SECONDS)

    def reason_to_wait(self) -> str:
        """Why no request may begin now; "" if one may, and before the store was asked for the first time."""
        if self.is_standby:
            return "another process runs this watch; this one is its standby"
        return (
            "" if not self.tenure or self._lease.is_held(_SAFETY_SECONDS) else "the lease of the watch is not renewed"
        )

    async def close(self) -> None:
        """Release the lease: a standby goes on at once. A second call does nothing."""
        if self._ended.is_set():
            return
        self._ended.set()
        await asyncio.wait((self._task,))
        with contextlib.suppress(StoreError):  # then the standby waits until the lease ends
            await asyncio.to_thread(self._lease.release)
        await asyncio.to_thread(self._store.close)

    async def _keep(self) -> None:
        fault = ""
        while not self._ended.is_set():
            try:
                await asyncio.to_thread(self._turn)
                fault = ""
            except StoreError as error:
                if not fault:
                    logger.warning("The lease of the watch can neither be gained nor renewed: %s", error)
                fault = str(error)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), _TURN_SECONDS)

    def _turn(self) -> None:
        try:
            if self.tenure:
                self._lease.renew()
            elif self._lease.gain():
                self._gained += 1
                self.tenure = self._gained
        except LeaseLostError:
            self.tenure = 0
        self.is_standby = not self.tenure
