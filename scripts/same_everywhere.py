"""Ask gammon 704 questions, and check that the answers are the same as on all systems.

    python scripts/same_everywhere.py              # exit code 1 if they differ
    python scripts/same_everywhere.py --each 40    # every 40th question, for plain Python

It prints one digest of all numbers in the answers, to the last bit. No question uses noise, whose
logarithms depend on the system. If a change of the networks or of the search changes the answers,
put the new digests into `DIGESTS`.
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
DIGESTS = {
    1: "24a322065c5cc5eb7afbf944c251c24d",
    3: "0b803a2804943651066d2dd7af53e202",
    40: "18c099fec72527c6f40e11a31c83565c",
}
#: The contexts: for money and at scores, with the cube in the middle or owned.
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
    decisions = [(gammon.Position(entry.points, next(contexts)), entry.dice) for entry in bench_positions()]
    for position, dice in decisions[:280]:
        yield partial(engines[1].analyze, position, dice)
    for position, dice in decisions[280:300]:
        yield partial(engines[3].analyze, position, dice)
    for position, _ in decisions[300:500]:
        if not position.context.crawford:
            yield partial(engines[1].cube, position)
    for position, _ in decisions[:10]:
        if not position.context.crawford:
            yield partial(engines[3].cube, position)
    for position in _bearoffs(90):
        yield partial(cubeless.evaluate, position)
        yield partial(engines[1].cube, position)
    for position, dice in decisions[10:14]:
        yield partial(gammon.rollout, position, dice, trials=36, truncate=6, top=2, seed=3)
    deep = [gammon.Engine(depth=5, algorithm=name) for name in ("bounded", "star2")]
    for position, dice in decisions[14:18]:
        for engine in deep:
            yield partial(engine.analyze, position, dice)
            yield partial(engine.cube, position)


#: Fields that repeat the question, and the time.
_LEFT_OUT = "seconds", "stakes", "terms"


def numbers(value: Any) -> Iterator[str]:
    """Yield all numbers in an answer, to the last bit, without its texts."""
    if isinstance(value, float):
        yield value.hex()
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if field.name not in _LEFT_OUT:
                yield from numbers(getattr(value, field.name))
    elif isinstance(value, (tuple, list)):
        yield str(len(value))
        for item in value:
            yield from numbers(item)
    elif type(value) is not str:
        yield str(value)


def digest_of(step: int) -> tuple[int, str]:
    """Ask every `step`-th question; return the number of questions and the digest of the answers."""
    digest, count = hashlib.sha256(), 0
    for count, question in enumerate([*questions()][::step], 1):  # noqa: B007
        digest.update("\n".join(numbers(question())).encode())
    return count, digest.hexdigest()[:32]


def main() -> None:
    """Ask the questions, and compare the digest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=1, choices=DIGESTS)
    step = parser.parse_args().each
    count, digest = digest_of(step)
    print(f"{variant()}: {count} answers, digest {digest}")
    if digest != DIGESTS[step]:
        sys.exit(f"the answers differ: expected digest {DIGESTS[step]}")


if __name__ == "__main__":
    main()
