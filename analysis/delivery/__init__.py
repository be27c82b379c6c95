"""Messages by e-mail, webhook and chat, stored until the receiver accepts them."""

__all__ = ["channels", "message", "outbox", "post", "send"]
