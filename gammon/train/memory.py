"""The latest samples of a stage, to learn from.

An exact target takes some four hundred evaluations to make and a few to learn from.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Memory"]


@dataclass
class Memory:
    """A ring of at most M samples; new ones take the place of the oldest.

    Attributes:
        samples: int8 [M, 26].
        targets: float32 [M, 6].
        added: how many have been added in all.
    """

    samples: npt.NDArray[np.int8]
    targets: npt.NDArray[np.float32]
    added: int = 0

    @classmethod
    def empty(cls, size: int) -> "Memory":
        """Return a memory for `size` samples."""
        return cls(np.zeros((size, 26), np.int8), np.zeros((size, 6), np.float32))

    def add(self, samples: npt.NDArray[np.int8], targets: npt.NDArray[np.float32]) -> None:
        """Put in new samples, no more than there is room for in all."""
        places = (self.added + np.arange(len(samples))) % len(self.samples)
        self.samples[places] = samples
        self.targets[places] = targets
        self.added += len(samples)

    def draw(
        self, random: np.random.Generator, count: int
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
        """Return `count` of the samples at random, maybe some of them twice."""
        chosen = random.integers(min(self.added, len(self.samples)), size=count)
        return self.samples[chosen], self.targets[chosen]
