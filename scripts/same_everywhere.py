"""Ask gammon 688 questions, and see that the answers are those that all systems give.

    python scripts/same_everywhere.py              # exit code 1: they are others
    python scripts/same_everywhere.py --each 40    # every 40th question, for plain Python

It prints one digest of all numbers in the answers, to the last bit. No question asks for noise,
whose logarithms are those of the system. Where a change of the networks or of the search means
other answers, `DIGESTS` gets the new ones.
"""

import argparse
import hashlib
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import partial
from itertools import cycle
from typing import Any

import gammon
from gammon.compiled.kernel import variant
from gammon.formats.context import BOTTOM, TOP, Context
from gammon_lab.bench.positions import bench_positions

#: The digest of the answers, by `--each`.
DIGESTS = {1: "aabb3f32d16ba0eab24e687c3b63b44d", 40: "2da1c1016c4dc53add1b6269233a76f1"}
#: The stakes: for money, and at scores, with the cube in the middle or owned.
CONTEXTS = [
    Context(),
    Context(jacoby=True),
    Context(jacoby=True, beavers=True),
    Context(cube_log2=1, cube_owner=BOTTOM),
    Context(cube_log2=2, cube_owner=TOP),
    *(
        Context(length=length, scores=scores)
        for length in (2, 3, 5, 7, 11, 25)
        for scores in ((0, 0), (length - 2, 0), (0, length - 2), (length - 2, length - 2))
    ),
    Context(length=7, scores=(2, 3), cube_log2=1, cube_owner=BOTTOM),
    Context(length=5, scores=(4, 2), crawford=True),
    Context(length=5, scores=(4, 2)),
]
Question = Callable[[], Any]


def _bearoffs(count: int) -> Iterator[gammon.Position]:
    """Yield positions whose checkers are all at home, from few to many."""
    rng = random.Random(1)
    for k in range(count):
        points = [0] * 26
        for _ in range(1 + k % 15):
            points[1 + int(6 * rng.random())] += 1
            points[24 - int(6 * rng.random())] -= 1
        yield gammon.Position(tuple(points))


def questions() -> Iterator[Question]:
    """Yield the questions: plays, the cube, bearoffs and rollouts, each to be called."""
    engines = {depth: gammon.Engine(depth=depth) for depth in (1, 3)}
    cubeless = gammon.Engine(depth=1, cubeless=True)
    contexts = cycle(CONTEXTS)
    asked = [(gammon.Position(each.points, next(contexts)), each.dice) for each in bench_positions()]
    for position, dice in asked[:280]:
        yield partial(engines[1].analyze, position, dice)
    for position, dice in asked[280:300]:
        yield partial(engines[3].analyze, position, dice)
    for position, _ in asked[300:500]:
        if not position.context.crawford:
            yield partial(engines[1].cube, position)
    for position, _ in asked[:10]:
        if not position.context.crawford:
            yield partial(engines[3].cube, position)
    for position in _bearoffs(90):
        yield partial(cubeless.evaluate, position)
        yield partial(engines[1].cube, position)
    for position, dice in asked[10:14]:
        yield partial(gammon.rollout, position, dice, trials=36, truncate=6, top=2, seed=3)


#: What an answer repeats of its question, and its time.
_LEFT_OUT = "seconds", "stakes", "terms"


def numbers(value: Any) -> Iterator[str]:
    """Yield all numbers that an answer has found, to the last bit; words are none."""
    if isinstance(value, float):
        yield value.hex()
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if field.name not in _LEFT_OUT:
                yield from numbers(getattr(value, field.name))
    elif isinstance(value, (tuple, list)):
        yield str(len(value))
        for each in value:
            yield from numbers(each)
    elif type(value) is not str:
        yield str(value)


def digest_of(each: int) -> tuple[int, str]:
    """Return how many questions are asked, every `each`-th one, and the answers' digest."""
    found, count = hashlib.sha256(), 0
    for count, question in enumerate([*questions()][::each], 1):  # noqa: B007
        found.update("\n".join(numbers(question())).encode())
    return count, found.hexdigest()[:32]


def main() -> None:
    """Ask, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=1, choices=DIGESTS)
    each = parser.parse_args().each
    count, digest = digest_of(each)
    print(f"{variant()}: {count} answers, digest {digest}")
    if digest != DIGESTS[each]:
        sys.exit(f"the answers are other ones: expected {DIGESTS[each]}")


if __name__ == "__main__":
    main()
