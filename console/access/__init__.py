"""Who may do what: accounts, sessions, tokens, limits of log-in tries."""
