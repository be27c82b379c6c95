"""What pages ask of store and frontier: bounded reads, paged by key."""
