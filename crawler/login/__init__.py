"""Log-ins: finds and fills in forms, follows redirects over several hosts, detects and renews lost sessions."""
