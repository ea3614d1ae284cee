"""Powers of 2 that are the same on every processor: the definition, and a vector version."""

import numpy as np
import numpy.typing as npt

from gammon.compiled.kernel import kernel
from gammon.compiled.vector import Float32x16, bits_of_floats, floats_of_bits, select

Floats = npt.NDArray[np.float32]

#: Smaller exponents are raised to this one, so that no CPU meets a denormal number.
FEWEST = np.float32(-100.0)
#: Adding it to a small number leaves the nearest integer in the lowest bits (1.5 x 2^23).
MAGIC = np.float32(12582912.0)
#: Coefficients of 2^x for x from -0.5 to 0.5, from x^5 down to 1. The first five minimize the
#: relative error (9e-8); rounding makes it 2e-7.
POLYNOMIAL = tuple(np.float32(c) for c in (0.0013264727, 0.009671513, 0.055507336, 0.24022242, 0.693147, 1.0))
_SIGNIFICAND = 23  # bits of a float32
_P5, _P4, _P3, _P2, _P1, _P0 = POLYNOMIAL


def power_of_two(x: Floats) -> Floats:
    """Return 2^x for numbers from -100 to 0; smaller numbers give 2^-100.

    It uses four kinds of operations: maximum, sum, product, and bit shift. No product may be
    fused with a sum.

    Args:
        x: float32 of any shape.
    """
    x = np.maximum(x, FEWEST)
    shifted = x + MAGIC
    rest = x - (shifted - MAGIC)
    power = np.full_like(x, POLYNOMIAL[0])
    for coefficient in POLYNOMIAL[1:]:
        power = power * rest + coefficient
    # The integer in the lowest bits becomes the exponent; the other bits are shifted out.
    exponent = shifted.view(np.int32) << _SIGNIFICAND
    result: Floats = (power.view(np.int32) + exponent).view(np.float32)
    return result


@kernel(inline=True)
def power(x: Float32x16) -> Float32x16:
    """Return 2^x as `power_of_two` defines it."""
    x = select(x > FEWEST, x, FEWEST)
    shifted = x + MAGIC
    rest = x - (shifted - MAGIC)
    power = rest * _P5 + _P4
    power = ((((power * rest + _P3) * rest + _P2) * rest) + _P1) * rest + _P0
    return floats_of_bits(bits_of_floats(power) + (bits_of_floats(shifted) << _SIGNIFICAND))
