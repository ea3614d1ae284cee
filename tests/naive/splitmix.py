"""The twin of the hash: splitmix64 as it was published."""

MASK = 2**64 - 1


def splitmix(x: int) -> int:
    """Return the hash of a number of 64 bits."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31
