"""Queries of a topic at search engines: their schedule, their results, the sites that they propose."""

__all__ = ["queries", "query_scheduler", "search_results", "search_run", "site_proposals", "term_judge"]
