"""Accuracy that was reached once does not fall: run by CI on the shared pages (`pytest -m shared benchmarks/gates`)."""
