"""How light colours are, and how they stand out from each other, as WCAG 2 defines it."""

import numpy as np


def linear(colour: str) -> np.ndarray:
    """Linear RGB of #rrggbb."""
    parts = np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """The ratio of the lighter one of two colours to the other, from 1 to 21."""
    low, high = sorted(linear(each) @ [0.2126, 0.7152, 0.0722] + 0.05 for each in (one, other))
    return float(high / low)
