"""Times as stored become instants that compare."""

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from extractors.text.instants import instant_of


@given(
    st.lists(
        st.tuples(
            st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)).map(lambda each: each.replace(microsecond=0)),
            st.integers(-12, 14),
        )
    )
)
def test_instants_sort_as_the_moments_do(moments: list[tuple[datetime, int]]) -> None:
    aware = [moment.replace(tzinfo=timezone(timedelta(hours=hours))) for moment, hours in moments]
    instants = [found.utc for each in aware if (found := instant_of(each.isoformat()))]
    assert sorted(instants) == [each.astimezone(UTC).isoformat() for each in sorted(aware)]


@given(st.text(max_size=40))
def test_no_text_fails(text: str) -> None:
    instant_of(text)
