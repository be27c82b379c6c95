"""Access control: accounts, sessions, tokens, log-in rate limits."""
