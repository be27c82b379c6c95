"""Rows of a table pushed to a file, a webhook, PostgreSQL or Kafka as they come, each at least once."""

from analysis.pushing.following import Cursor, Following
from analysis.pushing.receiver_addresses import cursor_name, open_receiver, without_secrets

__all__ = ["Cursor", "Following", "cursor_name", "open_receiver", "without_secrets"]
