"""A library that no test changes."""

from collections.abc import Iterator

import pytest

from gammon.study.library import Library
from tests.study.libraries import filled


@pytest.fixture(scope="package")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library(filled(tmp_path_factory.mktemp("study") / "three.db")) as opened:
        yield opened
