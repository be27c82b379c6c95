"""Both tables of endings hold and forget the same."""

from hypothesis import given, settings
from hypothesis import strategies as st

from extractors.titles.site_suffix_candidates import FewCandidates, ManyCandidates, SuffixCandidates

ENDINGS = st.sampled_from([f"第{number}网" for number in range(30)])
PUTS = st.lists(st.one_of(st.none(), st.tuples(ENDINGS, st.integers(1, 4), st.integers(0, 0x7FFFFFFF))), max_size=80)


@settings(max_examples=150, deadline=None)
@given(PUTS)
def test_exit_status_are_kept_in_their_order_and_the_rare_ones_forgotten(
    puts: list[tuple[str, int, int] | None],
) -> None:
    known: dict[str, list[int]] = {}
    tables: list[SuffixCandidates] = [FewCandidates({}), ManyCandidates({})]
    for put in puts:
        if put is None:
            rare = sorted(known, key=lambda tail: known[tail][0])[: len(known) // 2]
            known = {tail: seen for tail, seen in known.items() if tail not in rare}
        else:
            known[put[0]] = list(put[1:])
        for table in tables:
            if put is None:
                table.forget_rare()
            else:
                table.put(*put)
    for table in [*tables, ManyCandidates(known), FewCandidates(known)]:
        assert list(table.plain().items()) == list(known.items())
        assert len(table) == len(known)
        assert table.get("第一网") is None
        assert all(table.get(tail) == tuple(seen) for tail, seen in known.items())
