"""The dice of a rollout: stratified over all throws, and the same for all candidates.

All candidates get the same dice (*common random numbers*). A throw of two dice is one of 36
*faces*. Each turn has `DIGITS` shuffles of these faces. Trial i has the base-36 digits i mod 36,
i div 36 mod 36, and so on. The first turn looks up the first digit in its shuffle. The second
turn does this in its own first shuffle, adds the second digit, and looks the sum up in its
second shuffle. Each further turn uses one more digit, up to `DIGITS`. So

* any 36 consecutive trials, from a multiple of 36 on, have each face once in every turn;
* any 1,296 consecutive trials, from a multiple of 1,296 on, have each pair of faces once in the
  first two turns, and so on.

Over all shuffles, the throws of different turns are independent. After `TURNS` turns each throw
is drawn at random.
"""

import numpy as np

from gammon.compiled.hashing import mix
from gammon.compiled.kernel import kernel
from gammon.compiled.records import Int8Stack
from gammon.core.level import BLOCK
from gammon.rules.dice import ROLLS, throw

#: The digits in use, and the number of shuffles of a turn.
DIGITS = 6
#: The turns that have shuffles.
TURNS = 128

#: The roll (0..20) of each face.
_ROLLS = np.array([ROLLS.index((max(a, b) + 1, min(a, b) + 1)) for a, b in np.ndindex(6, 6)], np.int64)


@kernel()
def write_shuffles(seed: np.uint64, shuffles: Int8Stack) -> None:
    """Write the shuffles of a seed (Fisher and Yates), int8 [TURNS, DIGITS, 36]."""
    for turn in range(shuffles.shape[0]):
        for digit in range(shuffles.shape[1]):
            faces = shuffles[turn, digit]
            for face in range(BLOCK):
                faces[face] = face
            key = mix(mix(seed) ^ np.uint64(turn * DIGITS + digit))
            for left in range(BLOCK, 0, -1):
                # `throw` never gets a turn as high as ~left, so these hashes differ from its own.
                drawn = int(mix(key ^ ~np.uint64(left)) % np.uint64(left))
                faces[left - 1], faces[drawn] = faces[drawn], faces[left - 1]


def shuffles_of(seed: int) -> Int8Stack:
    """Return the shuffles of a seed, int8 [TURNS, DIGITS, 36]."""
    shuffles = np.empty((TURNS, DIGITS, BLOCK), np.int8)
    write_shuffles(np.uint64(seed), shuffles)
    return shuffles


@kernel(inner=True)
def roll_of_trial(shuffles: Int8Stack, seed: np.uint64, trial: int, turn: int) -> int:
    """Return the roll (0..20) in a turn of a trial.

    Args:
        shuffles: the shuffles of the seed.
        seed: any number.
        trial: from 0 on.
        turn: from 0 on.
    """
    if turn >= TURNS:
        return throw(seed, np.uint64(trial), np.uint64(turn))
    face, digits = 0, trial
    for digit in range(min(turn + 1, DIGITS)):
        face = int(shuffles[turn, digit, (digits + face) % BLOCK])
        digits //= BLOCK
    return int(_ROLLS[face])
