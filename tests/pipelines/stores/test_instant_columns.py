"""Times as pages write them get instants that sort and compare."""

from pipelines.stores.instant_columns import instant_column, instants
from pipelines.stores.tables import PAGES, RECORDS, URLS


def test_instants_of_times_with_and_without_a_zone() -> None:
    assert instants("time", "2026-05-10T09:00:00+08:00", "zh") == {
        "time_at": "2026-05-10T01:00:00+00:00",
        "time_precision": "second",
    }
    assert instants("time", "2026-05-10", "zh") == {"time_at": "2026-05-10T00:00:00+00:00", "time_precision": "day"}
    assert instants("time", "", "zh") == {"time_at": "", "time_precision": ""}


def test_a_time_with_an_instant_is_sorted_by_it() -> None:
    assert instant_column(PAGES, "published") == "published_at"
    assert instant_column(RECORDS, "time") == "time_at"
    assert instant_column(PAGES, "title") == "title"
    assert instant_column(URLS, "fetched_at") == "fetched_at"
