"""What identities keep: their sessions at sites, and their cookies."""
