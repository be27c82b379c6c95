"""Servers, sites, hostile pages and crawls that both tests and benchmarks use."""
