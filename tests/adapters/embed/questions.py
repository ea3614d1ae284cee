"""Questions for searchers: positions of real games, with all that can be at stake."""

import random
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np

from gammon import Position
from gammon.formats.context import BOTTOM, TOP, Context
from gammon_adapters.embed.layout import QUESTION, slots, width
from gammon_lab.bench.positions import bench_positions

AT = slots(QUESTION.whole)
CONTEXTS = [
    Context(),
    Context(jacoby=True, beavers=True),
    Context(cube_log2=2, cube_owner=TOP),
    Context(length=7, scores=(2, 3), cube_log2=1, cube_owner=BOTTOM),
    Context(length=5, scores=(4, 2), crawford=True),
    Context(length=5, scores=(4, 2)),
    Context(length=25, scores=(0, 11)),
    Context(length=3, scores=(1, 1)),
]


class Asked(NamedTuple):
    """A position and a roll."""

    position: Position
    dice: tuple[int, int]


def asked(count: int, seed: int) -> list[Asked]:
    """Return positions of the benchmark, each with another context."""
    chosen = random.Random(seed).sample(bench_positions(), count)
    return [
        Asked(Position(each.points, context), each.dice)
        for each, context in zip(chosen, cycle(CONTEXTS), strict=False)
    ]


def numbers(position: Position, dice: tuple[int, int] = (0, 0), top: int = 0) -> list[int]:
    """The numbers of a question."""
    found = np.zeros(width(QUESTION.whole), np.int64)
    terms = position.context.terms()
    for name, value in (
        ("points", position.points),
        ("dice", dice),
        ("top", top),
        ("length", terms.length),
        ("away", terms.away),
        ("crawford", terms.crawford),
        ("jacoby", terms.jacoby),
        ("beavers", terms.beavers),
        ("cube", terms.cube),
        ("owner", terms.owner),
        ("dead", not terms.live),
    ):
        place = np.atleast_1d(value)
        found[AT[name] : AT[name] + len(place)] = place
    return [int(each) for each in found]


def named(position: Position, dice: tuple[int, int] = (0, 0)) -> dict[str, Any]:
    """A question with the names that its numbers have."""
    every = numbers(position, dice)
    return {
        field.name: every[AT[field.name] : AT[field.name] + field.size]
        if field.shape
        else every[AT[field.name]]
        for field in QUESTION.whole
    }
