"""Terms of queries, and their order."""

from crawler.metasearch.queries import PlannedQuery, SearchTerms, plan_queries, read_search_terms
from testbed.crawling import REPOSITORY


def test_a_topic_gives_the_terms_of_queries() -> None:
    terms = read_search_terms(REPOSITORY / "settings/topics/tax.yaml")
    assert "印花税" in terms.subjects
    assert "税务稽查" in terms.aspects


def test_queries_are_bounded_and_ordered_by_yield() -> None:
    terms = SearchTerms(("股票", "基金"), ("风险",))
    queries = plan_queries(terms, ["a.example"], 5, {("基金", ""): 3.0})
    assert queries[:2] == [PlannedQuery("基金"), PlannedQuery("基金 风险")]  # a combination by its subject's yield
    assert PlannedQuery("股票") in queries
    assert len(queries) == 5
    assert len(plan_queries(terms, ["a.example"], 100)) == 6
    assert plan_queries(terms, ["a.example", "b.example"], 1, {("", "b.example"): 9.0}) == [
        PlannedQuery("股票", "b.example")
    ]
    assert plan_queries(SearchTerms(("股票", "基金"), (), {"基金": 1.0, "股票": 0.3}), [], 1) == [PlannedQuery("基金")]
