"""The iterated game against the published figures."""

import pytest

from tests.experiments.figures import differences


@pytest.mark.smoke
def test_iterated(reproduce):
    assert max(map(abs, differences(reproduce("iterated")("iterated")))) < 1e-12
