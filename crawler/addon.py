"""One switch that wires topicrawl's parts into Scrapy."""

import logging

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

logger = logging.getLogger(__name__)
DOWNLOADER_MIDDLEWARES: dict[str, int | None] = {
    "crawler.middlewares.parse_workers.ParseWorkersMiddleware": 10,
    "crawler.middlewares.request_filters.AddressMiddleware": 20,
    "scrapy.downloadermiddlewares.offsite.OffsiteMiddleware": None,
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
    "crawler.middlewares.failures.FailureMiddleware": 90,
    "crawler.middlewares.exclusions.ExclusionMiddleware": 95,
    "crawler.middlewares.robots.RobotsMiddleware": 100,
    "crawler.middlewares.client_identity.IdentityMiddleware": 350,
    "crawler.middlewares.logins.LoginMiddleware": 360,
    "crawler.middlewares.logins.LoginRedirects": 605,
    "crawler.middlewares.site_proxies.ProxyMiddleware": 570,
    "crawler.middlewares.client_identity.UserAgentMiddleware": 575,
    "crawler.middlewares.client_identity.ImpersonateMiddleware": 577,
    "crawler.middlewares.bans.BanMiddleware": 580,
    "crawler.middlewares.request_filters.HoursMiddleware": 585,
    "crawler.middlewares.bans.RefusingRedirects": 610,
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": None,
    "crawler.middlewares.scrapy_overrides.JarsMiddleware": 700,
    "crawler.middlewares.turns.TurnMiddleware": 980,
    "crawler.middlewares.request_filters.TrapMiddleware": 95,
    "crawler.middlewares.request_filters.RevisitMiddleware": 110,
    "crawler.middlewares.rendering.RenderMiddleware": 120,
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": None,
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": None,  # the spider follows refreshes: it has the tree
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,  # the frontier retries, also after a restart
    "crawler.middlewares.scrapy_overrides.ScopedRedirectMiddleware": 600,
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": None,
    "crawler.middlewares.scrapy_overrides.CompressionMiddleware": 590,
}
SPIDER_MIDDLEWARES: dict[str, int | None] = {
    f"scrapy.spidermiddlewares.{name}": None
    for name in (
        "httperror.HttpErrorMiddleware",
        "referer.RefererMiddleware",
        "urllength.UrlLengthMiddleware",
        "depth.DepthMiddleware",
        "metacopy.MetaCopyDetectionMiddleware",
    )
}
ITEM_PIPELINES: dict[str, int | None] = {
    "pipelines.site_boilerplate.SiteMemoryPipeline": 50,
    "pipelines.content.ContentPipeline": 100,
    "pipelines.discussion.DiscussionPipeline": 200,
    "pipelines.titles.pipeline.TitlesPipeline": 300,
    "pipelines.rankings.RankingsPipeline": 400,
    "pipelines.waiting.WaitingPipeline": 800,
    "pipelines.storage.StoragePipeline": 900,
}
OPTIONAL = {
    "SITE_MEMORY": "pipelines.site_boilerplate.SiteMemoryPipeline",
    "DISCUSSION_ENABLED": "pipelines.discussion.DiscussionPipeline",
    "TITLES_ENABLED": "pipelines.titles.pipeline.TitlesPipeline",
    "ANALYSIS_ENABLED": "pipelines.waiting.WaitingPipeline",
}
"""Settings that switch pipelines off, with the pipelines."""
EXTENSIONS: dict[str, int | None] = {
    "crawler.extensions.heap.MallocTrim": 0,
    "crawler.extensions.steady_timers.SteadyTimers": 0,
    "crawler.extensions.logs.BoundedLog": 0,
    "crawler.extensions.progress.Progress": 100,
    "crawler.extensions.runs.Runs": 110,
    "crawler.extensions.metrics.Metrics": 130,
    "crawler.extensions.archive.Archive": 135,
    "crawler.extensions.node_exchange.KeptCookies": 140,
    "crawler.extensions.node_exchange.ExchangedBans": 150,
    "crawler.extensions.health.HealthWatch": 160,
    "scrapy.extensions.logstats.LogStats": None,
    "scrapy.extensions.telnet.TelnetConsole": None,
}
_ITEMS_AT_ONCE = 4
"""Of one answer: Scrapy makes as many tasks for each answer. The frontier, not Scrapy, limits requests to one host."""
_REMOTE_CONTROL = "scrapy.extensions.remote_control.RemoteControl"
SILENT_EXTENSIONS: dict[str, int | None] = dict.fromkeys(EXTENSIONS)
"""For spiders of commands that do not crawl: no progress, no run in the database, no metrics."""


class TopicrawlAddon:
    """Adds each part to its setting; the operator's own values take precedence."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Scrapy calls this once per crawl, after the spider's own settings are applied."""
        settings.set("SCHEDULER", "crawler.frontier.scheduler.FrontierScheduler", "addon")
        settings.set("LOG_FORMATTER", "crawler.extensions.logs.CrawlLogFormatter", "addon")
        settings.set("CONCURRENT_ITEMS", _ITEMS_AT_ONCE, "addon")
        settings.set("CONCURRENT_REQUESTS_PER_DOMAIN", settings.getint("CONCURRENT_REQUESTS"), "addon")
        for name, parts in (
            ("DOWNLOADER_MIDDLEWARES", DOWNLOADER_MIDDLEWARES),
            ("SPIDER_MIDDLEWARES", SPIDER_MIDDLEWARES),
            ("ITEM_PIPELINES", ITEM_PIPELINES),
            ("EXTENSIONS", EXTENSIONS),
        ):
            priority = max(settings.getpriority(name) or 0, SETTINGS_PRIORITIES["addon"])
            settings.set(name, parts | dict(settings.getdict(name)), priority)
        if not settings.getbool("REMOTE_CONTROL_ENABLED"):
            settings["EXTENSIONS_BASE"].pop(_REMOTE_CONTROL, None)  # Scrapy would load what it names: a web server
        for switch, pipeline in OPTIONAL.items():
            if not settings.getbool(switch, True):
                settings["ITEM_PIPELINES"][pipeline] = None
