"""The decisions of a watch: where new items are announced, when to visit, what to trust. No network and no clock of its own."""
