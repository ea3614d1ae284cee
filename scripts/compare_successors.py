"""Compare gammon's legal plays with another program's, position by position.

    python scripts/compare_successors.py --against gnubg --pairs 20000 --seed 1
    GAMMON_BGSAGE=PYTHON python scripts/compare_successors.py --against bgsage

PYTHON is the Python of a separate environment in which bgsage is installed. Each pair of a position
and a roll comes from games between sides with different habits (see `HABITS`), so that checkers on
the bar, primes, passes and bear-offs against contact are frequent; half of the games start from
scattered checkers. The script prints the counts of each class, then every difference. The exit code
is 1 if there is a difference other than the known defect of the other program.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import click
import numpy as np
import numpy.typing as npt

from gammon.commands.group import OneLine
from gammon.commands.options import SEED
from gammon.rules.board import OPENING, Points, Rows, flipped, is_over
from gammon.rules.dice import N_ROLLS, ROLLS
from gammon.rules.plays import MAX_ROWS, successors
from gammon_lab.programs import Bgsage, GnuBackgammon
from gammon_lab.programs.bgsage_inside import one_die_off

Pair = tuple[Points, tuple[int, int]]
#: The positions after each legal play, seen from the mover, in the program's order.
Boards = list[Points]

CHUNK = 500
#: The share of games that do not start from the opening position.
SCATTERED = 0.5
#: Turns after which a game is abandoned: some habits would go on for ever.
LENGTH = 150
SCATTERED_LENGTH = 15
#: The share of turns in which a side makes a random play instead of following its habit.
WHIM = 0.2


# Habits: how much a side likes the positions after its plays. Rows are int8 [N, 26],
# seen from the opponent, so the mover's checkers are negative and its point p is 25 - p.


def _anything(rows: Rows) -> npt.NDArray[np.int64]:
    return np.zeros(len(rows), np.int64)


def _hits(rows: Rows) -> npt.NDArray[np.int64]:
    return rows[:, 25].astype(np.int64)


def _stays_back(rows: Rows) -> npt.NDArray[np.int64]:
    return np.asarray(-rows[:, 0:7].sum(axis=1), np.int64)


def _leaves_blots(rows: Rows) -> npt.NDArray[np.int64]:
    return np.asarray((rows[:, 1:25] == -1).sum(axis=1), np.int64)


def _runs(rows: Rows) -> npt.NDArray[np.int64]:
    return np.asarray((rows < 0).argmax(axis=1), np.int64)


def _primes(rows: Rows) -> npt.NDArray[np.int64]:
    run = longest = np.zeros(len(rows), np.int64)
    for point in range(1, 25):
        run = np.where(rows[:, point] <= -2, run + 1, 0)
        longest = np.maximum(longest, run)
    return longest


HABITS: tuple[Callable[[Rows], npt.NDArray[np.int64]], ...] = (
    _anything,
    _hits,
    _stays_back,
    _leaves_blots,
    _runs,
    _primes,
)


def longest_prime(points: Sequence[int]) -> int:
    """Return the length of the roller's longest run of made points."""
    longest = run = 0
    for count in points[1:25]:
        run = run + 1 if count >= 2 else 0
        longest = max(longest, run)
    return longest


def scattered(rng: np.random.Generator) -> Points:
    """Return randomly placed checkers: any number for each side, also on the bar.

    The roller's checkers are often few and near home, so that bear-offs are frequent.
    """
    points = [0] * 26
    for place in rng.integers(1, rng.integers(2, 27), rng.integers(1, rng.integers(2, 17))):
        points[place] += 1
    free = [p for p in range(25) if points[p] == 0]
    for place in rng.choice(free, rng.integers(1, 16)):
        points[place] -= 1
    if longest_prime(points) >= 6 and longest_prime(flipped(points)) >= 6:
        return OPENING  # both sides might have to enter, and neither ever could
    return tuple(points)


def own_plays(points: Points, outcome: int, rows: Rows) -> Rows:
    """Return gammon's successors as int8 [N, 26], seen from the opponent."""
    return rows[: successors(np.array(points, np.int8), outcome, rows)]


def pairs_from_play(seed: int) -> Iterator[Pair]:
    """Yield distinct positions and rolls from games without end."""
    rng = np.random.default_rng(seed)
    rows = np.empty((MAX_ROWS, 26), np.int8)
    seen: set[Pair] = set()
    while True:
        points, length = OPENING, LENGTH
        if rng.random() < SCATTERED:
            points, length = scattered(rng), SCATTERED_LENGTH
        habits = [HABITS[i] for i in rng.integers(len(HABITS), size=2)]
        for turn in range(length):
            if is_over(points):
                break
            outcome = int(rng.integers(N_ROLLS))
            pair = points, ROLLS[outcome]
            if pair not in seen:
                seen.add(pair)
                yield pair
            after = own_plays(points, outcome, rows)
            habit = _anything if rng.random() < WHIM else habits[turn % 2]
            liking = habit(after) + rng.random(len(after))
            points = tuple(int(count) for count in after[liking.argmax()])


def classes_of(points: Points, dice: tuple[int, int], plays: set[Points]) -> Iterator[str]:
    """Yield the classes of a pair, given its legal plays (seen from the mover)."""
    high, low = dice
    own = sum(count for count in points if count > 0)
    contact = max(p for p in range(26) if points[p] > 0) > min(p for p in range(26) if points[p] < 0)
    bears_off = any(sum(c for c in play if c > 0) < own for play in plays)
    yield "double" if high == low else "no double"
    yield "contact" if contact else "race"
    if points[25] == 1:
        yield "one checker on the bar"
    if points[25] > 1:
        yield "more checkers on the bar"
    if points[0] < 0:
        yield "the opponent on the bar"
    if max(longest_prime(points), longest_prime(flipped(points))) >= 5:
        yield "a prime of five or six points"
    if plays == {points}:
        yield "pass"
    elif len(plays) == 1:
        yield "forced play"
    if not bears_off and plays != {points}:
        pips = sum(p * c for p, c in enumerate(points) if c > 0)
        left = min(sum(p * c for p, c in enumerate(play) if c > 0) for play in plays)
        if pips - left < (4 * high if high == low else high + low):
            yield "a part of the roll is unplayable"
    if bears_off:
        yield "bear-off against contact" if contact else "bear-off"
    if own <= 2:
        yield "at most two checkers left"
    if any(play[0] < points[0] for play in plays):
        yield "a hit is possible"
    if one_die_off(points, dice) is not None:
        yield LAST_CHECKER


KNOWN_DEFECT = "(shows the known defect: the last checker off without the hit)"
LAST_CHECKER = "last checker off with one die, with both after a hit"


def compare(
    ask: Callable[[Sequence[Pair]], list[Boards]], pairs: Sequence[Pair], known_defect: bool
) -> tuple[Counter[str], list[str]]:
    """Compare all pairs.

    Args:
        ask: returns the other program's plays.
        pairs: the positions and rolls to compare.
        known_defect: whether the other program may have the defect of `one_die_off`.

    Returns:
        The count of each class, and a line for each difference.
    """
    rows = np.empty((MAX_ROWS, 26), np.int8)
    counts: Counter[str] = Counter()
    differences: list[str] = []
    for first in range(0, len(pairs), CHUNK):
        chunk = pairs[first : first + CHUNK]
        for (points, dice), theirs in zip(chunk, ask(chunk), strict=True):
            rows_of_ours = own_plays(points, ROLLS.index(dice), rows)
            ours = [flipped(row) for row in rows_of_ours.tolist()]
            counts.update(classes_of(points, dice, set(ours)))
            counts["(successors)"] += len(ours)
            repeats = len(ours) - len(set(ours)), len(theirs) - len(set(theirs))
            missing, extra = set(theirs) - set(ours), set(ours) - set(theirs)
            if not missing and not extra and repeats == (0, 0):
                continue
            illegal = one_die_off(points, dice) if known_defect else None
            if illegal is not None and not extra and missing == {tuple(illegal)}:
                counts[KNOWN_DEFECT] += 1
                continue
            differences.append(
                f"{points} {dice}: only theirs {sorted(missing)}, only ours {sorted(extra)}, "
                f"repeated by us and them {repeats}"
            )
    return counts, differences


@click.command(cls=OneLine)
@click.option("--against", type=click.Choice(["gnubg", "bgsage"]), required=True)
@click.option("--pairs", "count", type=click.IntRange(1), default=20_000, show_default=True)
@click.option("--seed", type=SEED, default=1, show_default=True)
def main(against: str, count: int, seed: int) -> None:
    """Compare legal plays with another program's; the exit code is 1 if any differ."""
    pairs = list(islice(pairs_from_play(seed), count))
    start = time.perf_counter()
    with GnuBackgammon() if against == "gnubg" else Bgsage() as program:
        counts, differences = compare(
            lambda some: program.successor_sets(*zip(*some, strict=True)),
            pairs,
            known_defect=against == "bgsage",
        )
    seconds = time.perf_counter() - start

    for kind, number in sorted(counts.items()):
        click.echo(f"{number:9,}  {kind}")
    for difference in differences:
        click.echo(difference)
    if against == "bgsage":
        click.echo(
            f"known defect of bgsage 2.0: {counts[KNOWN_DEFECT]} of the {counts[LAST_CHECKER]} "
            "pairs where it is possible, not counted as differences"
        )
    click.echo(
        f"{program.version}: {len(pairs):,} pairs, seed {seed}, {seconds:.1f} s, "
        f"{len(differences)} differences"
    )
    if differences:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
