"""Log-ins: forms found and filled in, redirects over several hosts, lost sessions recognised and renewed."""
