"""Every setting with its unit and the reason for its default.

The defaults are safe and polite on one machine and need no server. `-s NAME=VALUE` changes a setting for one run.
Addresses of servers and secrets come from the environment, see `settings.cluster`.
"""

import os
import sys
from importlib.util import find_spec as _find_spec

# -- wiring of Scrapy -----------------------------------------------------------------------------------------------

BOT_NAME = "topicrawl"  # name of the project in Scrapy's log and in scrapyd
SPIDER_MODULES = ["crawler.spiders"]  # where Scrapy finds the spiders
SPIDER_LOADER_CLASS = "crawler.spider_loading.NamedSpiders"  # loads the requested spider only: a crawl is 30 MB smaller
COMMANDS_MODULE = "console.commands"  # where Scrapy finds the commands of every room
_command = next((word for word in sys.argv[1:] if not word.startswith("-")), "")
if _command.isidentifier() and _find_spec(f"{COMMANDS_MODULE}.{_command}"):
    COMMANDS_MODULE += f".{_command}"  # loads the requested command only: half a second less for each call of `scrapy`
ADDONS = {"crawler.addon.TopicrawlAddon": 0}  # wires frontier, pipelines, middlewares and extensions

# -- where data is kept -----------------------------------------------------------------------------------------------

DATA_DIR = "data"  # folder of database, frontier, identities and logs; created if missing
STORE = os.environ.get("TOPICRAWL_STORE", "")  # address of the database; empty: topicrawl.db in DATA_DIR
STORE_MAX_WAIT = 120.0  # seconds that pages wait for a database that does not answer; then they are fetched again
KEEP_SOURCE = True  # store each page as it was served, compressed (about 6 kB a page): needed to extract again later
# store the main text as Markdown too, in the column body_markdown (of a joined article: of its first page)
KEEP_MARKDOWN = False

# -- an archive in WARC files, written while crawling: see docs/storage.md ------------------------------------------------

WARC_DIR = ""  # folder of the files, made if missing; empty: no archive. Needs the extra package topicrawl[warc]
WARC_FILE_BYTES = 1_000_000_000  # bytes after which the next file begins; the size that most archives use
# True: also headers that log in, such as Cookie and Set-Cookie; keep such an archive as secret as a password
WARC_SECRETS = False

# -- words --------------------------------------------------------------------------------------------------------------

# splits Chinese text: rjieba, jieba (slower) or auto (rjieba if installed). The same on every node
SEGMENTER = "auto"

# -- analysis: search, names, events, see docs/search.md and docs/events.md ---------------------------------------------

# of days and times in searches, exports, reports, trends, alerts and events; in the console for readers whose browser does not say theirs
TIME_ZONE = "Asia/Shanghai"
# queue new and changed pages for `scrapy analysis run`; costs a row of 100 bytes a page until it runs
ANALYSIS_ENABLED = True
EVENTS_WEIGHTS = os.environ.get("EVENTS_WEIGHTS", "")  # a file of `scrapy analysis train`; empty: the built-in limits

# -- alerts: rules in alerts.yaml in the folder of settings, see docs/insight.md --------------------------------------------


# -- a paragraph of prose in reports, by a language model: off without LLM_URL; its key: LLM_KEY in the environment -----

LLM_URL = os.environ.get("LLM_URL", "")  # address of a chat-completion API, such as https://some.host/v1
LLM_MODEL = os.environ.get("LLM_MODEL", "")  # name of the model, as the server calls it

# -- titles: which pages repeat the news of another page ----------------------------------------------------------------

# compare titles; costs less than a millisecond a page, and 60 MB and the index in the process that decides
TITLES_ENABLED = True
TITLES_THRESHOLD = 0.8  # cosine from which two titles are the same news; the published value
TITLES_WINDOW_DAYS = 0  # days after which the same title is other news; 0: never
TITLES_COMPARE_NUMBERS = True  # titles with different numbers are different news; the published method has False
TITLES_COMPARE_LETTERS = True  # the wording must agree too; the published method has False
TITLES_COMPARE_BODIES = True  # where titles leave doubt, the first sentences decide; the published method has False
TITLES_LOWER_THRESHOLD = 0.5  # cosine from which titles whose wording agrees are the same news

# -- documents that are no HTML ------------------------------------------------------------------------------------------

# of pdf, xlsx (both need topicrawl[documents]), text (plain text), docx, pptx
DOCUMENT_TYPES = ["pdf", "text"]
DOCUMENT_TIMEOUT = 20.0  # seconds after which the process that reads a document is killed
DOCUMENT_MEMORY_MAX = 1_000_000_000  # bytes that this process may use
DOCUMENT_MAX_PAGES = 300  # pages of a document that are read

# -- repeated content of a site -----------------------------------------------------------------------------------------

SITE_MEMORY = True  # remove content repeated on many pages of a host from texts, titles and records

# -- records: posts, comments, reviews ----------------------------------------------------------------------------------

DISCUSSION_ENABLED = True  # find and store the records of each page; doubles the time that a page takes

# -- politeness ---------------------------------------------------------------------------------------------------------

USER_AGENT = "topicrawl/0.1 (focused crawler; obeys robots.txt)"  # add an address at which site owners can reach you
ROBOTSTXT_OBEY = True  # for one site: `robots` in its file in settings/sites
# seconds before a robots.txt that failed with a server error is tried again; until then the host gets no requests
ROBOTS_RETRY_SECONDS = 600.0
ROBOTS_CRAWL_DELAY_MAX = 30.0  # seconds; a longer Crawl-delay in robots.txt counts as this much
FRONTIER_HOST_DELAY = 1.0  # seconds between two requests to one host
FRONTIER_HOST_CONCURRENCY = 4  # requests in progress at one host
FRONTIER_PER_ADDRESS = False  # True: hosts at one server address share its delay too; without effect behind a proxy
CONCURRENT_REQUESTS = 32  # requests in progress in all

# -- bans, proxies, identities: off by default; set per site in settings/sites, see docs/blocking.md ------------------------

BANS_ENABLED = False  # recognise bans and challenges, and back off from hosts that send them
BAN_BACKOFF = 60.0  # seconds without requests to a host after a ban; doubles with each ban in a row
BAN_MAX_WAIT = 60.0  # seconds; requests wait in place for a ban this short, and go back to the queue for a longer one
PROXY_BACKOFF = 5.0  # seconds for which a proxy that failed is not used; doubles with each failure in a row
PROXY_REFRESH_INTERVAL = 600.0  # seconds between two downloads of a provider's list; shorter when no proxy works
PROXY_JUDGE = ""  # URL of the judge for `scrapy proxies test`: a page that shows the address of its visitor
PROXY_MAX_WAIT = 120.0  # seconds without a working proxy after which the crawl ends
LOGIN_SECRETS = os.environ.get("LOGIN_SECRETS", "")  # file of user names and passwords, mode 0600
LOGIN_BACKOFF = 300.0  # seconds before a refused log-in is tried again; doubles with each refusal in a row

# -- rendering: off until settings/sites asks for it, see docs/rendering.md ------------------------------------------------

RENDER_BROWSER = ""  # path or name of Chromium or Chrome; empty: the system's, else the one that Playwright installed
RENDER_SANDBOX = True  # Chromium's sandbox; always off for root. False in containers without user namespaces
RENDER_CONCURRENCY = 2  # pages rendered at once; each needs one core and 100 to 300 MB
RENDER_TIMEOUT = 30.0  # seconds for one page, the start of the browser included
RENDER_MAXSIZE = 20_000_000  # bytes of all answers that one page requests, as sent
RENDER_MEMORY_MAX = 2_000_000_000  # bytes of all processes of the browser, above which it is restarted

# -- the frontier -----------------------------------------------------------------------------------------------------

FRONTIER = "local"  # a file on this machine; "shared": Redis, for several nodes, which then share bans and sessions too
# bytes; a crawl pauses while a disk that it writes to has less free space, or less than 5 % if the disk is small
DISK_RESERVE = 64_000_000
RETRY_DELAY = 10.0  # seconds before a failed request is tried again; doubles with each attempt; Retry-After wins
RETRY_DELAY_MAX = 900.0  # seconds; the longest delay before a retry, and the longest Retry-After that is waited for
FRONTIER_MAX_WAIT = 120.0  # seconds; a crawl ends if every host left must wait longer; the next run continues
HOURS_MAX_WAIT = 86_400.0  # seconds that a crawl waits if all its hosts are outside their hours; 0: it ends

# -- how far a crawl of sites goes ------------------------------------------------------------------------------------

SITE_MAX_DEPTH = 50  # links from a start page; the last limit for endless calendars
SITE_MAX_PAGES_PER_HOST = 50_000  # pages
SITE_MAX_PARTS = 30  # pages that are joined to one article
SITE_MAX_THREAD_PAGES = 500  # pages that are joined to one thread, or to the comments of one page
LINK_STRATEGY = ""  # a name in `crawler.strategies` or a class; empty: "focused" with a topic and "site" without

# -- the topic of a crawl (-a topic=NAME) ------------------------------------------------------------------------------

TOPIC_RELOAD_SECONDS = 60.0  # seconds between two checks for newly accepted terms
TOPIC_LEARN_PAGES = 50  # strongly relevant pages from which new terms are proposed; 0: never

# -- meta-search ------------------------------------------------------------------------------------------------------

TOPICRAWL_SETTINGS_DIR = os.environ.get("TOPICRAWL_SETTINGS_DIR", "settings")  # folder of topics/, engines/ and sites/
METASEARCH_ENGINES = ["baidu", "bing", "sogou"]  # engines that are used unless -a engines=… names others
METASEARCH_MAX_QUERIES = 200  # queries that one run sends to each engine, at most
METASEARCH_REPEAT_DAYS = 0.0  # days after which an answered query is sent again in the same crawl; 0: never
METASEARCH_SITE_PAGES = 3  # relevant pages of a host after which it is proposed as a site
METASEARCH_SITE_BUDGET = 0  # hosts that a crawl may accept by itself for a deep crawl; 0: people decide

# -- watching: `scrapy crawl watch`, see docs/watching.md -------------------------------------------------------------------

WATCH_REQUESTS_PER_HOUR = 1_000.0  # requests to all sites together; more find new things earlier
WATCH_HOST_REQUESTS_PER_HOUR = 78.0  # requests to one host at first; an answer 429 lowers it
WATCH_HOST_REQUESTS_MAX = 600.0  # requests an hour to a host that publishes much and does not object
WATCH_MIN_INTERVAL = 30.0  # seconds between two visits of one list
WATCH_RECHECK_SHARE = 0.2  # share of the requests that look for corrections and deletions
WATCH_BACKLOG_SHARE = 0.05  # share of the requests for pages older than the watch; 0: they are left out
WATCH_WEBSUB_ADDRESS = ""  # where hubs reach this machine, like https://my.host/hooks/; "": nothing is pushed
WATCH_WEBSUB_LISTEN = "127.0.0.1:8470"  # HOST:PORT to which that address leads, through a server with TLS

# -- limits of downloads: pages may be hostile -----------------------------------------------------------------------------

# file: would read this machine's disk; the http handlers limit bytes, headers and addresses
DOWNLOAD_HANDLERS = {
    "http": "crawler.download.handlers.BoundedHttpHandler",
    "https": "crawler.download.handlers.BoundedHttpHandler",
    "file": None,
    "ftp": None,
    "s3": None,
    "data": None,
}
DOWNLOAD_MAXSIZE = 10_000_000  # bytes, also after decompression
DOWNLOAD_TIMEOUT = 30  # seconds for one answer, from connecting to its last byte
DOWNLOAD_MAX_HEADERS = 131_072  # bytes of the headers of an answer
ALLOW_PRIVATE_ADDRESSES = False  # True: also loopback, private and link-local addresses; only for tests and intranets
TWISTED_DNS_RESOLVER = "crawler.download.ip_addresses.PublicResolver"  # refuses private addresses
DNS_TIMEOUT = 15  # seconds for one name

# -- the web console: `scrapy console`, see docs/console.md --------------------------------------------------------------

CONSOLE_HOST = os.environ.get("CONSOLE_HOST", "127.0.0.1")  # address that it listens on; another one needs an account
CONSOLE_PORT = 8765  # TCP port that it listens on
# address that people type behind a reverse proxy; https: cookies over TLS only; a path: prefix of every page
CONSOLE_URL = os.environ.get("CONSOLE_URL", "")
CONSOLE_SESSION_HOURS = 12.0  # hours after which people log in again
# plan of `scrapy schedule`, which the console shows and changes; its folder must be writable; empty: schedule.yaml in DATA_DIR
SCHEDULE_FILE = os.environ.get("SCHEDULE_FILE", "")
# the file of `scrapy schedule run --state FILE`, whose runs the console shows; empty: beside the plan
SCHEDULE_STATE = os.environ.get("SCHEDULE_STATE", "")

# -- remote control, progress and log ------------------------------------------------------------------------------------

TELNETCONSOLE_ENABLED = False  # no open port without a password
REMOTE_CONTROL_ENABLED = False  # no open port without a password
PROGRESS_SECONDS = 5.0  # seconds between two lines of progress
STALL_SECONDS = 600.0  # seconds with work in the queue and nothing stored, after which the log warns; 0: never
METRICS_PORT = 0  # port of the Prometheus endpoint; 0: none. A second crawl on the machine uses the next port
METRICS_ADDRESS = os.environ.get("METRICS_ADDRESS", "127.0.0.1")  # shows host names: keep it in your network
LOG_LEVEL = "INFO"  # DEBUG also names every request and item
LOG_FILE_MAX_MB = 64  # megabytes of LOG_FILE and LOG_FILE.1 (older lines) together; 0: no limit
FEED_EXPORT_ENCODING = "utf-8"  # of Scrapy's own feeds: Chinese as it is, not as \u escapes
