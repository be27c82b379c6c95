"""The moments that `since:` and `until:` of a query mean."""

import math
from datetime import UTC, datetime

from analysis.search.query import Filter, QueryError
from pipelines.stores.base import StoreError
from pipelines.stores.filters import since, until


def moment_of(node: Filter, now: datetime) -> int:
    """Seconds since 1970 of a filter on `since` or `until`, whose days are in the time zone of `now`; QueryError for what is no date."""
    try:
        condition = (since if node.column == "since" else until)("at", node.value, now, now.tzinfo or UTC)
    except StoreError as error:
        raise QueryError(str(error)) from None
    moment = datetime.fromisoformat(condition.value)
    return math.ceil((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
