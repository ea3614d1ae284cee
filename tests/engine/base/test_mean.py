"""The mean and its standard error, against sums done by hand."""

import math

import numpy as np
import pytest

from gammon.base.mean import mean_and_error, t_quantile


def test_mean_and_error() -> None:
    # The squares of the deviations from 3 sum up to 10: s^2 = 10/4, and s^2/5 = 1/2.
    assert mean_and_error([1, 2, 3, 4, 5]) == pytest.approx((3, math.sqrt(0.5)))
    narrow = np.array([0, 1], np.float32)
    assert mean_and_error(narrow) == pytest.approx((0.5, 0.5))


def test_one_value_has_no_error() -> None:
    mean, error = mean_and_error([7])
    assert mean == 7
    assert math.isnan(error)


@pytest.mark.parametrize(
    ("degrees", "expected"),
    # One and two degrees have closed forms; for many, Student's t is the normal distribution.
    [(1, math.tan(0.475 * math.pi)), (2, 0.95 / math.sqrt(2 * 0.025 * 0.975)),
     (10, 2.2281388520), (100, 1.9839715185), (10**9, 1.9599639845)],
)  # fmt: skip
def test_quantiles_of_students_t(degrees: int, expected: float) -> None:
    assert t_quantile(degrees) == pytest.approx(expected, rel=1e-6)
