"""Messages to people: by e-mail, webhook and chat, kept in the store until a receiver has taken them."""
