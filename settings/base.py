"""Every setting once: what it is, in which unit, and why its default is as it is.

Safe and polite on one machine without any server. Each can be given for one run with `-s NAME=VALUE`; addresses of
servers and secrets come from the environment (`settings.cluster`).
"""

import os

# -- what Scrapy runs -------------------------------------------------------------------------------------------------

BOT_NAME = "topicrawl"
SPIDER_MODULES = ["crawler.spiders"]
COMMANDS_MODULE = "crawler.commands"
TWISTED_REACTOR = "twisted.internet.asyncioreactor.AsyncioSelectorReactor"
ADDONS = {"crawler.addon.TopicrawlAddon": 0}  # wires frontier, pipelines, middlewares and extensions

DOCTOR_CHECKS = [  # what `scrapy doctor` looks at: functions from settings to findings
    "crawler.checks.machine.python",
    "crawler.checks.machine.packages",
    "crawler.checks.machine.compiled",
    "crawler.checks.machine.disk",
    "crawler.checks.machine.names",
    "crawler.checks.storage.database",
    "crawler.checks.mongo.mongo",
    "crawler.checks.storage.frontier",
    "crawler.checks.engines.engines",
    "crawler.checks.manners.robots",
    "crawler.checks.manners.safety",
    "crawler.checks.manners.parts",
    "crawler.checks.sites.sites",
    "crawler.checks.health.identities",
    "crawler.checks.health.health",
    "crawler.checks.health.bans",
    "crawler.checks.rendering.rendering",
    "crawler.checks.rendering.impersonation",
]

# -- where data is kept -----------------------------------------------------------------------------------------------

DATA_DIR = "data"  # folder of frontier and database; made when missing
STORE = os.environ.get("TOPICRAWL_STORE", "sqlite:///data/topicrawl.db")  # database address
STORE_WAIT = 120.0  # seconds for which pages wait for a database server that is away; then they are fetched again later
STORE_WAITING_MEMORY = 64_000_000  # bytes of what waits at most
KEEP_SOURCE = (
    True  # keep each page's bytes, compressed: about 6 kB a page; needed to extract again with a better method
)

# -- words --------------------------------------------------------------------------------------------------------------

SEGMENTER = "auto"  # cuts Chinese into words: rjieba, jieba (twenty times slower), auto: rjieba where it is installed;
# the same on every node, and after a change `scrapy titles rebuild`

# -- titles: which pages repeat another's news --------------------------------------------------------------------------

TITLES_ENABLED = True  # compare titles; costs 60 MB for the segmenter and a fraction of a millisecond a page
TITLES_LOG = "local"  # local: a file in DATA_DIR; redis: shared by all nodes
TITLES_KEY = "{titles}"  # of the shared log in Redis
TITLES_THRESHOLD = 0.8  # cosine from which two titles tell the same news, as published
TITLES_WINDOW_DAYS = 0  # the same words so many days apart are another happening; 0: however far apart
TITLES_NUMBERS = True  # titles whose numbers differ are not the same news; False: as published
TITLES_WORDING = True  # their letters have to agree too, the more the shorter they are; False: as published
TITLES_REACH = 0.74  # cosine from which titles whose letters agree are the same news, below the threshold too
TITLES_SNAPSHOT_EVERY = 20_000  # titles between two snapshots of the index

# -- records: posts, comments, reviews ----------------------------------------------------------------------------------

DISCUSSION_ENABLED = True  # find and store the records of each page; costs about as much as the rest of reading it

# -- manners ----------------------------------------------------------------------------------------------------------

USER_AGENT = "topicrawl/0.1 (focused crawler; obeys robots.txt)"  # honest; add an address at which you can be reached
ROBOTSTXT_OBEY = True
ROBOTS_RETRY_SECONDS = 600.0  # a host whose robots.txt fails with a server error is left alone for so long
ROBOTS_CRAWL_DELAY_MAX = 30.0  # seconds; a longer Crawl-delay of a robots.txt is obeyed as this
FRONTIER_HOST_DELAY = 1.0  # seconds between two requests to one host
FRONTIER_HOST_CONCURRENCY = 4  # requests under way at one host
CONCURRENT_REQUESTS = 32  # requests under way in all
CONCURRENT_REQUESTS_PER_DOMAIN = 32  # the frontier keeps the hosts' limits; this only must not be in its way
DOWNLOAD_DELAY = 0  # as above
AUTOTHROTTLE_ENABLED = False  # as above

# -- not being blocked: off until asked for; per site in settings/sites, see docs/blocking.md ------------------------------

BANS_ENABLED = False  # tell challenges and bans from pages, and leave such a host alone for a while
BAN_SECONDS = 60.0  # for which a host that bans is left alone by who was banned; doubles with each ban in a row
BAN_SECONDS_MAX = 3_600.0
BANS = "local"  # who knows of a ban; local: this process; redis: all nodes, where an identity or a proxy was banned
BANS_KEY = "{bans}"  # of the set in Redis
BANS_EXCHANGE = 2.0  # seconds between two exchanges with other nodes
BAN_PATIENCE = 60.0  # seconds; for up to so long a host's requests wait in place, for longer they are queued again
PROXY_REST = 5.0  # seconds for which a proxy that gives no answer rests; doubles with each failure in a row
PROXY_REST_MAX = 300.0
PROXY_REFRESH = 600.0  # seconds between two fetches of a provider's list; sooner when none of its proxies works
PROXY_JUDGE = ""  # address that tells `scrapy proxies test` who asks it
PROXY_PATIENCE = 120.0  # seconds without any working proxy after which a crawl says so and ends
IDENTITIES = (
    "local"  # where sessions and cookies of identities are kept; local: a file in DATA_DIR; redis: shared by nodes
)
IDENTITIES_KEY = "{identities}"  # before their keys in Redis
IDENTITIES_SYNC = 30.0  # seconds between two savings of cookies that sites have changed
LOGIN_SECRETS = os.environ.get(
    "LOGIN_SECRETS", ""
)  # file of names and passwords, mode 0600; the environment may hold them too
LOGIN_REST = 300.0  # seconds for which an identity whose log-in was refused rests; doubles with each refusal in a row
LOGIN_REST_MAX = 86_400.0

# -- pages that scripts make: off until settings/sites asks for it, see docs/rendering.md --------------------------------------

RENDER_BROWSER = (
    ""  # path or name of Chromium or Chrome; by itself the system's, else one that Playwright has installed
)
RENDER_SANDBOX = True  # Chromium's own; never for root. False in containers that allow no user namespaces
RENDER_PAGES = 2  # rendered at once; each keeps a core busy and takes 100 to 300 MB
RENDER_SECONDS = 30.0  # for one page, starting the browser included
RENDER_QUIET = 0.4  # seconds without a request or a change of the text after which a page is taken to be ready
RENDER_ROUNDS = 10  # of scrolling and pressing what brings more comments
RENDER_BYTES = 20_000_000  # of all answers that one page asks for, as sent
RENDER_BLOCKED = ["image", "media", "font", "texttrack", "manifest", "ping"]  # kinds of requests that bring no text
RENDER_MEMORY = 2_000_000_000  # bytes of all the browser's processes, above which it is ended and started anew
RENDER_RESTART = 500  # pages after which it is started anew in any case
RENDER_ATTEMPTS = 2  # after which a page that cannot be rendered is taken as it was served

# -- the frontier -----------------------------------------------------------------------------------------------------

FRONTIER = "crawler.frontier.opening.open_frontier"  # makes the frontier from the crawler
RETRY_DELAY = 10.0  # seconds before a failed request is tried again; doubles with each attempt; Retry-After wins
FRONTIER_PATIENCE = 120.0  # seconds: a crawl that has to wait longer for every host left ends; the next run asks them
HOURS_PATIENCE = 86_400.0  # seconds for which a crawl waits whose hosts are all outside their hours; 0: it ends
RETRY_DELAY_MAX = 900.0  # seconds; also the longest Retry-After that is obeyed by waiting

# -- how far a crawl of sites goes ------------------------------------------------------------------------------------

SITE_MAX_DEPTH = 50  # links from a start page; endless calendars end here at the latest
SITE_MAX_PAGES_PER_HOST = 50_000
SITE_MAX_PARTS = 30  # pages of one article that are joined
SITE_MAX_THREAD_PAGES = 500  # pages of one thread, or of the comments on one page, that are joined
LINK_STRATEGY = ""  # a name of `crawler.strategies` or a class; by itself "focused" with a topic and "site" without

# -- the topic of a crawl (-a topic=NAME) ------------------------------------------------------------------------------

TOPIC_TUNNEL = 10  # pages in a row that are not of the topic, through which a way may lead
TOPIC_HOST_SHARE = 0.5  # of a crawl's pages; links of a host that has had more count half
TOPIC_RELOAD_SECONDS = 60.0  # between two looks at whether people have accepted terms
TOPIC_LEARN_PAGES = 50  # strongly relevant pages from which candidates for the library are proposed; 0: never

# -- meta-search ------------------------------------------------------------------------------------------------------

TOPICRAWL_SETTINGS_DIR = os.environ.get("TOPICRAWL_SETTINGS_DIR", "settings")  # folder of topics/, engines/, sites/
METASEARCH_ENGINES = ["baidu", "bing", "sogou"]  # asked unless -a engines=… names others
METASEARCH_MAX_QUERIES = 200  # words, alone or with a site, that one run asks of each engine
METASEARCH_REPEAT_DAYS = 0.0  # days after which a query that was answered is asked again in the same crawl; 0: never
METASEARCH_SITE_PAGES = 3  # relevant pages of a host after which it is proposed as a site
METASEARCH_SITE_BUDGET = 0  # hosts that a crawl lets in by itself for a deep crawl; 0: people decide

# -- what of an answer is read: pages are hostile -----------------------------------------------------------------------

DOWNLOAD_HANDLERS = {
    "http": "crawler.download.handlers.BoundedHttpHandler",
    "https": "crawler.download.handlers.BoundedHttpHandler",
    "file": None,  # a link to file: would read this machine's disk
    "ftp": None,
    "s3": None,
    "data": None,
}
DOWNLOAD_MAXSIZE = 10_000_000  # bytes, also after decompression
DOWNLOAD_WARNSIZE = 0
DOWNLOAD_TIMEOUT = 30  # seconds for a whole answer
DOWNLOAD_MAX_HEADERS = 131_072  # bytes of an answer's headers
ALLOW_PRIVATE_ADDRESSES = False  # loopback, private and link-local targets are refused, also behind redirects and names
URLLENGTH_LIMIT = 2_000
TWISTED_DNS_RESOLVER = "crawler.download.resolver.PublicResolver"
DNS_TIMEOUT = 15  # seconds
REDIRECT_MAX_TIMES = 10
METAREFRESH_ENABLED = False  # the spider reads refreshes itself, from the tree that it has anyway
COOKIES_ENABLED = True

# -- speed ------------------------------------------------------------------------------------------------------------

CONCURRENT_ITEMS = 8  # Scrapy's 100 makes 100 tasks for every answer
RETRY_ENABLED = False  # failed requests are tried again by the frontier, later and also after a restart
HTTPERROR_ALLOW_ALL = True  # the spider judges statuses itself
REFERER_ENABLED = False
AJAXCRAWL_ENABLED = False

# -- doors that stay shut, and the log ----------------------------------------------------------------------------------

TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
PROGRESS_SECONDS = 5.0  # between two lines of progress
STALL_SECONDS = 600.0  # without anything stored while work waits, after which the log says so; 0: never
METRICS_PORT = 0  # of the Prometheus endpoint; 0: none. A second crawl on the machine takes the next port
METRICS_ADDRESS = os.environ.get("METRICS_ADDRESS", "127.0.0.1")  # it tells host names: keep it in your own network
LOG_LEVEL = "INFO"
LOG_FILE_MAX_MB = 64  # of LOG_FILE and of LOG_FILE.1, what was before, together; 0: no bound
LOGSTATS_INTERVAL = 0  # the progress line says it
LOG_SHORT_NAMES = True
FEED_EXPORT_ENCODING = "utf-8"
MEMUSAGE_ENABLED = False
