"""What people do in the console: accounts, sessions, decisions, and who looked at what."""

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
    ),
    key=("name",),
)
"""Accounts: role is viewer, analyst or admin, `password` a salted scrypt hash, state active or disabled."""

SESSIONS = Table(
    "console_sessions",
    (Column("key"), Column("user"), Column("created_at"), Column("ends_at"), Column("state")),
    key=("key",),
    indexes=(("user",),),
)
"""Log-ins: `key` is the SHA-256 of what the browser holds; state is open or ended."""

API_TOKENS = Table(
    "console_tokens",
    (
        Column("key"),
        Column("user"),
        Column("label"),
        Column("scopes", "json"),
        Column("created_at"),
        Column("ends_at"),
        Column("state"),
    ),
    key=("key",),
    indexes=(("user",),),
)
"""Tokens of programs: `key` is the SHA-256 of the token; scopes are read and decide; state is open or ended."""

DECISIONS = Table(
    "decisions",
    (
        Column("key"),
        Column("at"),
        Column("by"),
        Column("action"),
        Column("subject"),
        Column("facts", "json"),
        Column("undone_at"),
        Column("undone_by"),
    ),
    key=("key",),
    indexes=(("by", "key"), ("subject", "key")),
)
"""What people decided. Keys sort by time; `action` is PAGE.ACTION, `subject` what it is about, `facts` what it changed and
what an undo needs."""

AUDIT = Table(
    "audit",
    (
        Column("key"),
        Column("at"),
        Column("by"),
        Column("action"),
        Column("subject"),
        Column("facts", "json"),
    ),
    key=("key",),
    indexes=(("by", "key"),),
)
"""Log-ins, refused tries, exports, changes of accounts, and who looked at names of authors. Keys sort by time."""

EXCLUSIONS = Table("exclusions", (Column("host"), Column("by"), Column("at")), key=("host",))
"""Hosts of which nothing is fetched any more, with all below them; running crawls read it regularly."""

TITLE_DECISIONS = Table(
    "title_decisions",
    (Column("page"), Column("story"), Column("verdict"), Column("by"), Column("at")),
    key=("page",),
    indexes=(("story",),),
)
"""What people say of a page's title: verdict is same (it is of that story) or different (it is not)."""

DECISION_TABLES = (DECISIONS, AUDIT, EXCLUSIONS, TITLE_DECISIONS)
SECRET_TABLES = (USERS, SESSIONS, API_TOKENS)
"""Opened with every store, but no command exports them."""
