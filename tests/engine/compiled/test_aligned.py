"""Memory that begins with a line of the cache."""

import numpy as np
import pytest

from gammon.compiled.aligned import LINE, aligned_zeros


@pytest.mark.parametrize("kind", [np.uint64, np.float32, np.int8])
def test_zeros_begin_with_a_line(kind: type[np.generic]) -> None:
    made = [aligned_zeros(size, kind) for size in (0, 1, 7, 1000) for _ in range(5)]
    assert [len(each) for each in made[::5]] == [0, 1, 7, 1000]
    for each in made:
        assert each.dtype == kind
        assert each.size == 0 or each.ctypes.data % LINE == 0
        assert each.flags.c_contiguous
        assert not each.any()
