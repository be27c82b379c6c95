"""Search engines, one a file: how each is asked, how its answer reads, how it says no."""
