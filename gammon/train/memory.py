"""The latest samples of a stage, which the learner draws from again and again.

An exact target takes some four hundred evaluations to make, and a few to learn from.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gammon.rules.board import SIZE
from gammon.rules.outcome import N_RESULTS


@dataclass
class SampleMemory:
    """A ring of at most M samples. New samples replace the oldest ones.

    Attributes:
        samples: int8 [M, 26], positions seen from the player on roll.
        targets: float32 [M, 6], chances of the six results.
        added: the number of samples added so far.
    """

    samples: npt.NDArray[np.int8]
    targets: npt.NDArray[np.float32]
    added: int = 0

    @classmethod
    def empty(cls, size: int) -> "SampleMemory":
        """Return a memory for `size` samples."""
        return cls(np.zeros((size, SIZE), np.int8), np.zeros((size, N_RESULTS), np.float32))

    def add(self, samples: npt.NDArray[np.int8], targets: npt.NDArray[np.float32]) -> None:
        """Add at most M new samples."""
        places = (self.added + np.arange(len(samples))) % len(self.samples)
        self.samples[places] = samples
        self.targets[places] = targets
        self.added += len(samples)

    def draw(
        self, random: np.random.Generator, count: int
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
        """Return `count` random samples and their targets, drawn with replacement."""
        chosen = random.integers(min(self.added, len(self.samples)), size=count)
        # Six times as fast as indexing.
        return np.take(self.samples, chosen, axis=0), np.take(self.targets, chosen, axis=0)
