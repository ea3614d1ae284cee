"""The hash against splitmix64's published outputs."""

from itertools import pairwise

import numpy as np
import pytest

from gammon.compiled.hashing import mix

GOLDEN = 0x9E3779B97F4A7C15


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("step", "output"),
    [(0, 0xE220A8397B1DCDAF), (1, 0x6E789E6AA1B965F4), (2, 0x06C45D188009454F)],
)
def test_splitmix64_from_seed_0(step: int, output: int) -> None:
    assert int(mix(np.uint64(step * GOLDEN % 2**64))) == output


def test_hashes_of_neighbours_differ_in_half_of_their_bits() -> None:
    hashes = [int(mix(np.uint64(number))) for number in range(10_000)]
    assert len(set(hashes)) == 10_000
    changed = [(a ^ b).bit_count() for a, b in pairwise(hashes)]
    assert np.mean(changed) == pytest.approx(32, abs=0.2)  # five standard errors
