"""Decision and audit rows."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from console.frame.page import Action, ActionOutcome, ConsolePage
from console.frame.request_context import RequestContext
from pipelines.stores.base import MutableRow, Store
from pipelines.stores.people_tables import AUDIT, DECISIONS


def row_key(now: datetime) -> str:
    """A unique key that sorts by time."""
    return f"{now:%Y%m%dT%H%M%S%f}-{secrets.token_hex(3)}"


def note_decision(ctx: RequestContext, action: str, outcome: ActionOutcome) -> str:
    """Store a decision; returns its key."""
    key = row_key(ctx.now)
    row = {
        "key": key,
        "at": ctx.now.isoformat(timespec="seconds"),
        "by": ctx.person.name,
        "action": action,
        "subject": outcome.subject,
        "facts": dict(outcome.facts),
    }
    ctx.app.store.upsert(DECISIONS, [row]).result()
    return key


def carry_out(
    ctx: RequestContext, page: ConsolePage, action: Action, form: Mapping[str, Any]
) -> tuple[ActionOutcome, str]:
    """Do it for the person of the request, whose role allows it, and store the decision.

    Returns:
        The outcome and the decision's key; "" for an action that is a view.

    Raises:
        ActionRefusedError: nothing was changed.
    """
    outcome = action.do(ctx, form)
    return outcome, "" if action.is_view else note_decision(ctx, f"{page.name}.{action.name}", outcome)


def note_undo(ctx: RequestContext, key: str) -> None:
    at = ctx.now.isoformat(timespec="seconds")
    ctx.app.store.upsert(DECISIONS, [{"key": key, "undone_at": at, "undone_by": ctx.person.name}]).result()


def decision(store: Store, key: str) -> MutableRow | None:
    return store.get(DECISIONS, key) if key else None


def note_audit(
    store: Store, now: datetime, by: str, action: str, subject: str = "", facts: Mapping[str, Any] | None = None
) -> None:
    """Store an audit row; durable on return."""
    at = now.isoformat(timespec="seconds")
    row = {"key": row_key(now), "at": at, "by": by, "action": action, "subject": subject, "facts": dict(facts or {})}
    store.upsert(AUDIT, [row]).result()
