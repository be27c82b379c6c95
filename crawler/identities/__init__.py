"""Sessions and cookies of identities at sites."""
