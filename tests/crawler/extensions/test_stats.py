"""The counters count as Scrapy's own do."""

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.statscollectors import MemoryStatsCollector

from crawler.addon import TopicrawlAddon
from crawler.extensions.stats import PlainStats


def test_they_count_as_scrapys_own_do() -> None:
    crawler = Crawler(Spider)
    found = []
    for collector in (MemoryStatsCollector(crawler), PlainStats(crawler)):
        collector.inc_value("a")
        collector.inc_value("a", 2)
        collector.max_value("most", 4)
        collector.max_value("most", 3)
        collector.min_value("least", 4)
        collector.set_value("said", "x")
        found.append((collector.get_stats(), collector.get_value("none", 7)))
    assert found[0] == found[1]


def test_an_operators_own_class_is_used() -> None:
    for own in (None, "scrapy.statscollectors.DummyStatsCollector"):
        crawler = Crawler(Spider, {"STATS_CLASS": own} if own else {})
        TopicrawlAddon().update_settings(crawler.settings)
        used = "crawler.extensions.stats.PlainStats"
        assert crawler.settings["STATS_CLASS"] == (own or used)
