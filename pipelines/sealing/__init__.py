"""Old months in Parquet files, out of the store and still read through it."""
