"""Tables of alerts: people's rules, how they stand, what they noticed, and the messages about it."""

from pipelines.stores.base import Column, Table

ALERT_RULES = Table(
    "alert_rules",
    (Column("name"), Column("rule", "json", shape={}), *(Column(name) for name in ("state", "by", "changed_at"))),
    key=("name",),
)
"""Rules in the store, besides those of the file: state is active, paused or removed. A row without `rule` pauses the rule of that name
in the file."""

ALERTS = Table(
    "alerts",
    (
        Column("key"),
        *(Column(name) for name in ("rule", "kind", "grade", "topic", "subject", "title", "text", "link")),
        Column("state"),
        *(Column(name) for name in ("begin", "end", "first_at", "last_at", "acknowledged_at", "acknowledged_by")),
        Column("facts", "json", shape={}),
        Column("size", "real"),
        Column("notified_size", "real"),
        Column("notified_at"),
        *(Column(name, "integer") for name in ("number", "spread")),
        Column("sentence"),
    ),
    key=("key",),
    indexes=(
        ("rule", "key"),
        ("state", "key"),
        ("acknowledged_at", "key"),
        ("spread",),
    ),
)
"""One row for each event that a rule has noticed; keys sort by time. `grade` is that of the rule, `subject` what it is about, state open or
over, `begin` and `end` of what happened, `first_at` and `last_at` of the alert. `size` is what grows (sites, pages, failures). `number`
counts the messages about it: `sentence` says what the last one is about, `notified_size` and `notified_at` its size and time; `spread` is 1
when a row of `alert_messages` exists for each channel. `acknowledged_at` is "" until a person has seen it."""

ALERT_MESSAGES = Table(
    "alert_messages",
    (
        Column("key"),
        *(Column(name) for name in ("alert", "channel", "state", "title", "text", "link", "made_at", "sent_at")),
        *(Column(name) for name in ("holder", "error")),
        Column("number", "integer"),
        Column("attempts", "integer"),
        Column("unsure", "integer"),
        Column("due", "real"),
        Column("until", "real"),
        Column("facts", "json", shape={}),
        Column("files", "packed", shape=[[str]]),
    ),
    key=("key",),
    indexes=(("state", "due"), ("alert",)),
)
"""Messages on their way: state is waiting, sending (by `holder`, until `until`), sent, failed or replaced (by a newer one). `due` and
`until` are seconds since 1970. Receivers can recognise a repeated message by its key. `unsure` is 1 after an attempt with an unknown
result, so that the message may arrive twice. `files` are lists of name, type and content in base64."""

ALERT_LOOKS = Table(
    "alert_looks",
    (
        *(Column(name) for name in ("name", "looked_at", "note", "fault")),
        Column("is_met", "integer"),
        *(Column(name, "real") for name in ("number", "threshold")),
    ),
    key=("name",),
)
"""The last look at each rule: `number` against `threshold`, and whether the rule `is_met` (1 or 0). `note` says in a word why it cannot be
met now, `fault` in a sentence why it could not be looked at; both are "" otherwise."""

ALERT_TABLES = (ALERT_RULES, ALERTS, ALERT_MESSAGES, ALERT_LOOKS)
