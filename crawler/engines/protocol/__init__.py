"""What an engine is made of, and how any answer reads. Engines in `crawler.engines` import from here, never the reverse."""
