"""Pointers to compiled functions, called from Python and from compiled code."""

import os

import numba
import numpy as np
import pytest

from gammon.compiled.kernel import argument
from gammon.compiled.pointer import Pointer
from gammon.games import synthetic
from tests.twins import outputs

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)


@pytest.mark.smoke
def test_a_pointer_knows_the_signature_and_the_address() -> None:
    pointer = argument(synthetic.LEAF).evaluate
    assert isinstance(pointer, Pointer)
    (signature,) = synthetic.LEAF.evaluate.nopython_signatures
    assert pointer.signature == signature
    assert pointer.address > 0


def test_a_pointer_is_called_from_python_like_its_function() -> None:
    made = argument(synthetic.LEAF)
    rows = np.array([synthetic.root(-1, 1, seed) for seed in range(3)])
    assert np.array_equal(outputs(made, rows[0], rows), outputs(synthetic.LEAF, rows[0], rows))


def test_compiled_code_calls_what_it_points_to() -> None:
    triple, square = (
        Pointer(numba.njit("int64(int64)")(function))
        for function in (lambda x: 3 * x, lambda x: x * x)
    )
    call = numba.njit(lambda function, x: function(x) + 1)
    assert (call(triple, 5), call(square, 5)) == (16, 26)
    assert len(call.signatures) == 1, "pointers of one signature have one type"
