"""The lease of a watch, acquired and renewed beside the crawl: one process watches, all others are standbys."""

import asyncio
import contextlib
import logging

from pipelines.lease import Lease, LeaseLostError
from pipelines.stores.base import Store, StoreError

logger = logging.getLogger(__name__)
LEASE_SECONDS = 20.0
_TURN_SECONDS = 2.0
"""Between two attempts to acquire or renew the lease."""
_SAFETY_SECONDS = 2.0
"""The holder stops this long before the lease expires, as clocks differ and requests take time."""


class LeaseKeeper:
    """Acquires and renews the lease of one watch; the store is accessed in a thread.

    Args:
        store: used and closed only by the keeper, so that renewals do not wait for other writes.
        watch: name of the watch.

    Attributes:
        tenure: number of the current acquisition; 0 if another process has acquired the lease since.
        is_standby: whether another process holds the lease.
    """

    def __init__(self, store: Store, watch: str) -> None:
        self._store, self._lease = store, Lease(store, f"watch {watch}", LEASE_SECONDS)
        self.tenure, self._gained, self.is_standby = 0, 0, False
        self._ended = asyncio.Event()
        self._task = asyncio.get_running_loop().create_task(self._keep())

    def may_visit(self) -> bool:
        """Whether this process certainly holds the lease.

        Raises:
            Exception: the lease cannot be renewed, for a reason other than the store.
        """
        if self._task.done():
            self._task.result()
        return self.tenure > 0 and self._lease.is_held(_SAFETY_SECONDS)

    def reason_to_wait(self) -> str:
        """Why no request may start; "" if requests may start, or before the first access to the store."""
        if self.is_standby:
            return "another process runs this watch; this one is its standby"
        return (
            "" if not self.tenure or self._lease.is_held(_SAFETY_SECONDS) else "the lease of the watch is not renewed"
        )

    async def close(self) -> None:
        """Release the lease, so that a standby takes over at once. A second call does nothing."""
        if self._ended.is_set():
            return
        self._ended.set()
        await asyncio.wait((self._task,))
        with contextlib.suppress(StoreError):  # then the standby waits until the lease expires
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
                    logger.warning("The lease of the watch can be neither acquired nor renewed: %s", error)
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
