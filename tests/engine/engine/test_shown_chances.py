"""The chances that people read, by other ways to the same chances.

With the cube, lines end in a double and a pass. The chances of such a line are those of playing
on, with the plays that are best without the cube. So they can be checked against a search that
knows no doubles, against the tables of bearoffs, and against an enumeration of short races.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

import gammon
from gammon import Position, Probabilities
from gammon.engine.bearoff import bearoff
from gammon.engine.search import Search
from gammon.rules.board import Points, flipped, has_contact, pip_counts
from gammon.rules.dice import ROLLS, WEIGHTS
from gammon.rules.terms import Terms
from tests.engine.rules.slow_plays import enumerate_plays

Board = tuple[int, ...]
#: A race in which all replies lead to a cash: 51 pips against 62.
CASHED = "XGID=-BBBCCB-----------bbccb-c-:0:0:1:00:0:0:0:0:10"
#: Races whose chances were wrong by two to six points, with the right chance to win.
AUDITED = {
    "XGID=-A---AAA------------aa--a-:0:0:1:00:0:0:0:0:10": 0.1665,
    "XGID=---AA-A------A-----aa--b--:0:0:1:00:0:0:0:0:10": 0.2385,
    "XGID=-DB-CBC-A----a--a--c-cbcb-:0:0:1:00:0:0:0:0:10": 0.8336,
    "XGID=-CCC-BB--a----------ac-be-:0:0:1:00:0:0:1:0:10": 0.8141,
    CASHED: 0.9176,
}
#: Money, where the cube is, and scores at which it matters.
TERMS = [
    Terms(), Terms(), Terms(jacoby=True), Terms(cube=2, owner=1), Terms(cube=2, owner=-1),
    *(Terms(length, away) for length, away in (
        (9, (9, 9)), (7, (7, 4)), (7, (4, 7)), (5, (3, 4)), (5, (5, 2)), (5, (2, 5)),
        (3, (3, 3)), (7, (2, 7)), (7, (6, 3)), (3, (2, 2)), (4, (1, 4)), (4, (4, 1)),
    )),
]  # fmt: skip


@cache
def engine(depth: int, cubeless: bool = False) -> gammon.Engine:
    return gammon.Engine(depth=depth, cubeless=cubeless)


def searcher(depth: int, terms: Terms) -> Search:
    asked = engine(depth)._ask(Position.opening())
    return engine(depth)._search(asked, terms)


def decided(points: Board, terms: Terms, depth: int) -> Probabilities:
    """The chances beside a decision about the cube."""
    position = Position(points).with_terms(terms)
    return searcher(depth, terms).decide_cube(position, terms, None, None).probabilities


def sampled(count: int, seed: int) -> list[Points]:
    """Positions of games that an engine plays, seen from the player on roll."""
    rng = np.random.default_rng(seed)
    boards = np.array([Position.opening().points] * 32, np.int8)
    found: list[Points] = []
    while len(found) < max(40 * count, 4000):
        rolls = [ROLLS[k] for k in rng.integers(0, 21, len(boards))]
        after = engine(1, True).best_plays(boards, rolls)
        boards = np.ascontiguousarray(-after[:, ::-1])
        over = (boards > 0).any(axis=1) & (boards < 0).any(axis=1)
        boards[~over] = Position.opening().points
        found += map(tuple, boards[over].tolist())
    return found


def of_kinds(count: int, seed: int) -> list[Points]:
    """As many races, positions of late contact, and others."""
    found = sampled(count, seed)
    races = [points for points in found if not has_contact(points)]
    late = [p for p in found if has_contact(p) and min(pip_counts(p)) < 70]
    usual = [p for p in found if has_contact(p) and min(pip_counts(p)) >= 70]
    return [*races[:count], *late[:count], *usual[:count]]


def races(count: int, seed: int, most: int) -> list[Board]:
    """Short races of two or three checkers a side, one of which may be outside."""
    rng = np.random.default_rng(seed)
    found: list[Board] = []
    while len(found) < count:
        points = np.zeros(26, int)
        for side in (1, -1):
            for place in rng.integers(1, most + 1, rng.integers(2, 4)):
                points[place if side > 0 else 25 - place] += side
        board = tuple(points.tolist())
        if max(board) > 0 > min(board) and not has_contact(board):
            found.append(board)
    return found


@cache
def chance_to_win(points: Board) -> float:
    """The chance of the player on roll to win a race, by enumeration: no cube, best plays."""
    total = 0.0
    for dice, weight in zip(ROLLS, WEIGHTS, strict=True):
        best = 0.0
        for after in enumerate_plays(points, dice):
            over = not any(count > 0 for count in after)
            best = max(best, 1.0 if over else 1.0 - chance_to_win(flipped(after)))
        total += weight / 36 * best
    return total


def differences(pairs: Sequence[tuple[Probabilities, Probabilities]]) -> np.ndarray:
    """The differences of chances to win [n], and of the other four: [n, 5]."""
    return np.array([np.abs(np.subtract(*pair)) for pair in pairs])


@pytest.mark.smoke
@pytest.mark.parametrize("depth", [1, 3, 5])
def test_a_cash_does_not_change_the_chances(depth: int) -> None:
    position = Position.parse(CASHED)
    shown = engine(depth).cube(position).probabilities.win
    cubeless = engine(depth, True).evaluate(position).probabilities.win
    assert shown == pytest.approx(cubeless, abs=2e-3)
    assert shown == pytest.approx(bearoff(position).probabilities.win, abs=5e-3)


@pytest.mark.parametrize(("xgid", "win"), AUDITED.items())
def test_races_of_the_audit(xgid: str, win: float) -> None:
    position = Position.parse(xgid)
    for depth in (3, 5):
        shown = engine(depth).cube(position).probabilities.win
        assert shown == pytest.approx(win, abs=6e-3)
        evaluated = engine(depth).evaluate(position).probabilities.win
        assert evaluated == pytest.approx(win, abs=6e-3)


@pytest.mark.parametrize(
    ("depth", "count"),
    [
        (1, 402), (3, 201), (5, 12),
        *(pytest.param(*each, marks=pytest.mark.nightly) for each in ((3, 2001), (5, 501))),
    ],
)  # fmt: skip
def test_chances_with_the_cube_and_without(depth: int, count: int) -> None:
    """A live cube changes plays, and so chances; but not by what a tie did."""
    rng = np.random.default_rng(depth)
    pairs = []
    for points in of_kinds(count // 3, depth):
        terms = TERMS[rng.integers(len(TERMS))]
        dead = searcher(depth, terms._replace(live=False))
        value = dead.evaluate(np.array(points, np.int8), depth - 1, dead.table())[1]
        pairs.append((decided(points, terms, depth), value))
    found = differences(pairs)
    assert len(found) == count
    wins = found[:, 0]
    print(
        f"depth {depth}, {count} positions: largest {found.max():.4f}, root mean square "
        f"{np.sqrt((found**2).mean()):.4f}; to win {wins.max():.4f}, above .01 in "
        f"{(wins > 0.01).sum()}; races {wins[: count // 3].max():.4f}"
    )
    assert wins[: count // 3].max() < 0.015, "races"
    assert found.max() < {1: 1e-9, 3: 0.08, 5: 0.08}[depth]
    assert np.sqrt((found**2).mean()) < {1: 1e-9, 3: 3e-3, 5: 3e-3}[depth]


@pytest.mark.parametrize(("depth", "count"), [(3, 60), (5, 24)])
def test_short_races_are_those_of_an_enumeration(depth: int, count: int) -> None:
    rng = np.random.default_rng(depth)
    for points in races(count, depth, 8):
        exact = chance_to_win(points)
        terms = TERMS[rng.integers(5)]
        assert decided(points, terms, depth).win == pytest.approx(exact, abs=5e-3), points
        state = np.array(points, np.int8)
        here = searcher(depth, terms)
        shown = here.evaluate(state, depth - 1, here.table())[1].win
        assert shown == pytest.approx(exact, abs=5e-3), points


@pytest.mark.parametrize("depth", [3, 5])
def test_plays_of_short_races_are_too(depth: int) -> None:
    rng = np.random.default_rng(depth)
    for points in races(20, 7, 8):
        dice = ROLLS[rng.integers(21)]
        best = engine(depth).analyze(Position(points), dice).candidates[0]
        after = best.play.points
        over = not any(count > 0 for count in after)
        exact = 1.0 if over else 1.0 - chance_to_win(flipped(after))
        assert best.probabilities.win == pytest.approx(exact, abs=5e-3), points
        cubeless = 2.0 * exact - 1.0
        assert best.cubeless_equity == pytest.approx(cubeless, abs=1e-2), points


def test_a_rollout_shows_the_same() -> None:
    position = Position.parse("XGID=-A---AAA------------aa--a-:0:0:1:00:0:0:0:0:10")
    found = gammon.rollout(position, trials=324)
    for each in found.candidates:
        assert each.probabilities.win == pytest.approx(0.1665, abs=1e-2)


@pytest.mark.parametrize("depth", [1, 3])
def test_a_certain_win_bears_off_two_checkers(depth: int) -> None:
    """Both plays win for certain; the one that leaves fewer checkers is shown first."""
    position = Position.parse("XGID=-B---B--------------j-----:0:0:1:61:0:0:0:0:10")
    found = engine(depth).analyze(position, (6, 1)).candidates
    assert len(found) > 1
    assert found[0].play.notation == "5/off 1/off"
    played = engine(depth).best_plays([position.points], [(6, 1)])
    assert tuple(played[0].tolist()) == found[0].play.points


@pytest.mark.parametrize("depth", [3, 5])
def test_gammons_that_do_not_count_are_avoided_all_the_same(depth: int) -> None:
    """Ties are broken by the equity for money where gammons cost nothing: 93.6 % was shown."""
    position = Position.parse("XGID=----CBH-A--------A------c-:0:0:1:00:0:0:1:0:10")
    shown = engine(depth).cube(position).probabilities.lose_gammon
    money = engine(depth, True).evaluate(position).probabilities.lose_gammon
    assert shown == pytest.approx(money, abs=0.03)
