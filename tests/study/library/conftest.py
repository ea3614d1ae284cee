"""The library that no test changes, opened."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gammon_study.library.library import Library


@pytest.fixture(scope="package")
def library(library: Path) -> Iterator[Library]:
    with Library(library) as opened:
        yield opened
