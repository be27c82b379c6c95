"""For `scrapyd-deploy`, which builds the egg with this file; what is in it stands in pyproject.toml."""

from setuptools import setup

setup()
