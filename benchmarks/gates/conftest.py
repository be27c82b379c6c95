"""Gates are skipped where the shared pages are missing."""

import pytest

from testbed.shared_data import skip_without_shared


def pytest_runtest_setup(item: pytest.Item) -> None:
    """See `skip_without_shared`."""
    skip_without_shared(item)
