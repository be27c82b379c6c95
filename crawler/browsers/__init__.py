"""Browsers as whose visitor a site may be asked."""
