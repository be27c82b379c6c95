"""Tables of the console: accounts, sessions, decisions, and the audit."""

from pipelines.stores.base import Column, Table

USERS = Table(
    "console_users",
    (
        Column("name"),
        Column("role"),
        Column("password"),
        Column("state"),
        Column("created_at", first=True),
        Column("changed_at"),
        Column("language"),
        Column("zone"),
        Column("topics", "json", shape=[str]),
    ),
    key=("name",),
)
"""Accounts: role is viewer, analyst or admin, `password` a salted scrypt hash, state active or disabled; language, zone and topics are
what the person prefers."""

SESSIONS = Table(
    "console_sessions",
    (Column("key"), Column("user"), Column("created_at"), Column("ends_at"), Column("state")),
    key=("key",),
    indexes=(("user",),),
)
"""Log-ins: `key` is the SHA-256 of the browser's cookie; state is open or ended."""

API_TOKENS = Table(
    "console_tokens",
    (
        Column("key"),
        Column("user"),
        Column("label"),
        Column("scopes", "json", shape=[str]),
        Column("created_at"),
        Column("ends_at"),
        Column("state"),
        Column("feed", "json", shape={}),
    ),
    key=("key",),
    indexes=(("user",),),
)
"""Tokens: `key` is the SHA-256 of the token; scopes are read and decide, of a program, or feed; state is open or ended. `feed`: the list
that a token of that scope opens, and nothing else: page, params, zone, language."""

CONSOLE_SECRETS = Table("console_secrets", (Column("name"), Column("value", first=True)), key=("name",))
"""Random keys that all consoles of a store share, such as that of the masks of names."""

DECISIONS = Table(
    "decisions",
    (
        Column("key"),
        Column("at"),
        Column("by"),
        Column("action"),
        Column("subject"),
        Column("facts", "json", shape={}),
        Column("undone_at"),
        Column("undone_by"),
    ),
    key=("key",),
    indexes=(("by", "key"), ("subject", "key")),
)
"""People's decisions. Keys sort by time; `action` is PAGE.ACTION, `subject` the thing decided on, `facts` the changes and the data
that an undo needs."""

AUDIT = Table(
    "audit",
    (
        Column("key"),
        Column("at"),
        Column("by"),
        Column("action"),
        Column("subject"),
        Column("facts", "json", shape={}),
    ),
    key=("key",),
    indexes=(("by", "key"),),
)
"""Log-ins, failed attempts, exports, changes of accounts, and views of authors' names. Keys sort by time."""

EXCLUSIONS = Table("exclusions", (Column("host"), Column("by"), Column("at")), key=("host",))
"""Hosts excluded from fetching, with all their subdomains; running crawls read the table regularly."""

TITLE_DECISIONS = Table(
    "title_decisions",
    (Column("page"), Column("story"), Column("verdict"), Column("by"), Column("at")),
    key=("page",),
    indexes=(("story",),),
)
"""People's decisions on a page's title: verdict is same (it belongs to that story) or different (it does not)."""

DECISION_TABLES = (DECISIONS, AUDIT, EXCLUSIONS, TITLE_DECISIONS)
SECRET_TABLES = (USERS, SESSIONS, API_TOKENS, CONSOLE_SECRETS)
"""Opened with every store, but no command exports them."""
