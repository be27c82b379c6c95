"""Messages by e-mail, webhook and chat, stored until the receiver accepts them."""
