"""Vector functions for the layers of the network, beside those of `gammon.compiled.vector`."""

import numpy as np

from gammon.compiled.vector import Lanes


def upper_products(v: Lanes, u: Lanes) -> Lanes:
    """Return the upper 16 bits of the products of lanes; v u has the lower ones.

    Args:
        v: int16, whose bits are taken as numbers without a sign.
        u: as `v`.
    """
    products = v.astype(np.uint16).astype(np.uint32) * u.astype(np.uint16)
    return (products >> 16).astype(np.int16)


def store_columns(numbers: Lanes, at: int, v: Lanes) -> None:
    """Write the quarters of a vector as four columns of a matrix that has 16 columns.

    Args:
        numbers: [16 N], contiguous, of the type of the lanes: the matrix, row after row.
        at: where the first lane goes. The first lanes of the other quarters go beside it, and
            all second lanes into the next row.
        v: the vector.
    """
    for k, row in enumerate(v.reshape(4, -1).T):
        numbers[at + 16 * k : at + 16 * k + 4] = row


def store_transposed(matrix: Lanes, out: Lanes, at: int, stride: int) -> None:
    """Write the columns of a matrix of bytes one after the other, each with a gap behind it.

    Args:
        matrix: int8 [16, 2, 16], flat.
        out: int8 [>= at + 15 stride + 32]: [2, 16] for each of the sixteen columns.
        at: where the first one goes.
        stride: bytes from one to the next.
    """
    halves = matrix[:512].reshape(16, 2, 16)
    for column in range(16):
        out[at + stride * column : at + stride * column + 32] = halves[:, :, column].T.ravel()
