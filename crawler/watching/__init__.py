"""What a watch decides: where new things are announced, when to look there, what to believe. No network, no clock of its own."""
