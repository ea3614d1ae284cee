"""The iterated game against the published figures."""

from tests.experiments.figures import differences


def test_iterated(reproduce):
    assert max(map(abs, differences(reproduce("iterated")("iterated")))) < 1e-12
