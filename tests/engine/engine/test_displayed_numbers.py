"""Numbers that people read, by second ways: own sums, the table of a match, other questions."""

import re
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

import gammon
from gammon import Position, Probabilities
from gammon.engine.bearoff import bearoff
from gammon.engine.search import Search
from gammon.formats.met_file import read_met
from gammon.formats.play import legal_plays
from gammon.rules.board import Points, flipped, has_contact, is_over, pip_counts
from gammon.rules.dice import ROLLS, WEIGHTS
from gammon.rules.terms import Terms
from gammon.view.heading import board_text
from tests.conftest import Played
from tests.naive.races import Board, chance_to_win

# Numbers of an answer by second ways: own sums, the table of a match, other questions.

MONEY = [
    Terms(),
    Terms(jacoby=True),
    Terms(jacoby=True, cube=4, owner=1),
    Terms(cube=2, owner=1),
    Terms(cube=2, owner=-1),
]
SCORES = [
    Terms(7, (7, 4)),
    Terms(5, (2, 5), cube=2, owner=-1),
    Terms(9, (6, 3), cube=2, owner=1),
    Terms(5, (1, 4)),
    Terms(5, (4, 1)),
    Terms(25, (25, 11)),
]
#: At these the cube stays as it is.
DEAD = [
    Terms(5, (1, 3), crawford=True),
    Terms(5, (4, 1), crawford=True),
    Terms(3, (1, 1)),
    Terms(7, (4, 3), cube=4, owner=1),
    Terms(7, (3, 4), cube=4, owner=-1),
]


#: It cuts nothing off.
PLAIN = gammon.Engine(depth=3, algorithm="expectimax", cubeless=True)


@cache
def engine(depth: int = 1) -> gammon.Engine:
    return gammon.Engine(depth=depth)


def after(terms: Terms, points: int) -> float:
    """The chance to win the match after a game, by the numbers of the table as they are."""
    table, (own, their) = read_met(), terms.away
    own, their = own - max(points, 0), their - max(-points, 0)
    if own <= 0 or their <= 0:
        return float(own <= 0)
    if 1 not in terms.away:  # no Crawford game has been
        return float(table.main[own - 1, their - 1])
    if own == 1:
        return 0.5 if their == 1 else 1.0 - float(table.post_crawford[their - 1])
    return float(table.post_crawford[own - 1])


def emg(mwc: float, terms: Terms) -> float:
    """The chance on a scale on which a game lost at this cube is -1, and one won +1."""
    lost, won = after(terms, -terms.cube), after(terms, terms.cube)
    return 2.0 * (mwc - lost) / (won - lost) - 1.0


def without_cube(chances: Probabilities, terms: Terms) -> float:
    """The equity of six results at a cube that stays."""
    won, gammon_won, backgammon_won, gammon_lost, backgammon_lost = chances
    exactly = {
        1: won - gammon_won,
        2: gammon_won - backgammon_won,
        3: backgammon_won,
        -1: 1.0 - won - gammon_lost,
        -2: gammon_lost - backgammon_lost,
        -3: backgammon_lost,
    }
    if terms.length:
        mwc = sum(chance * after(terms, n * terms.cube) for n, chance in exactly.items())
        return emg(mwc, terms)
    if terms.jacoby and terms.owner == 0:
        return 2.0 * won - 1.0
    return sum(points * chance for points, chance in exactly.items())


def check_chances(chances: Probabilities) -> None:
    won, gammon_won, backgammon_won, gammon_lost, backgammon_lost = chances
    least = -1e-12
    assert least <= backgammon_won <= gammon_won + 1e-12
    assert gammon_won <= won + 1e-12 <= 1.0 + 2e-12
    assert least <= backgammon_lost <= gammon_lost + 1e-12
    assert gammon_lost <= 1.0 - won + 1e-12


def some(played: Played, count: int, seed: int) -> list[Points]:
    return played(40 * count, seed)[::40]


@pytest.mark.parametrize("terms", [*MONEY, *SCORES, *DEAD])
def test_the_numbers_of_plays(terms: Terms, played: Played) -> None:
    rng = np.random.default_rng(1)
    for depth, count in ((1, 12), (3, 2)):
        for points in some(played, count, depth):
            dice = ROLLS[rng.integers(21)]
            position = Position(points).with_terms(terms)
            plays = engine(depth).analyze(position, dice).candidates
            for each in plays:
                check_chances(each.probabilities)
                dead = without_cube(each.probabilities, terms)
                assert each.cubeless_equity == pytest.approx(dead, abs=1e-6)
                assert each.loss == pytest.approx(plays[0].equity - each.equity, abs=1e-12)
                assert (each.mwc is None) == (terms.length == 0)
                if each.mwc is not None:
                    assert each.equity == pytest.approx(emg(each.mwc, terms), abs=1e-9)
                if terms in DEAD:
                    assert each.equity == pytest.approx(dead, abs=2e-4)


@pytest.mark.parametrize("terms", [*MONEY, *SCORES, *DEAD])
def test_the_numbers_of_the_cube(terms: Terms, played: Played) -> None:
    for points in some(played, 12, 5):
        found = engine().cube(Position(points).with_terms(terms))
        check_chances(found.probabilities)
        stay, taken, passed = found.no_double, found.double_take, found.double_pass
        for value in (stay, taken, passed):
            if value is not None and value.mwc is not None:
                assert value.equity == pytest.approx(emg(value.mwc, terms), abs=1e-9)
        if terms in DEAD:
            dead = without_cube(found.probabilities, terms)
            assert stay.equity == pytest.approx(dead, abs=2e-4)
        turned = terms.owner >= 0 and terms not in DEAD
        may = turned and (not terms.length or terms.away[0] > terms.cube)
        assert (taken is not None) == (passed is not None) == may
        if taken is None or passed is None:
            assert found.verdict.startswith("no ")
            continue
        assert passed.equity == pytest.approx(1.0, abs=1e-9)
        if terms.length:
            assert passed.mwc == pytest.approx(after(terms, terms.cube), abs=1e-9)
        doubled = min(taken.equity, passed.equity)
        assert found.doubled == doubled
        assert found.gain == pytest.approx(doubled - stay.equity)
        assert found.equity == max(stay.equity, doubled)
        assert found.answer_gain == pytest.approx(abs(taken.equity - passed.equity))
        words = f"{'re' if terms.owner else ''}double"
        first = "no" if doubled < stay.equity else ""
        if stay.equity > passed.equity and found.probabilities.win_gammon > 0.0:
            first = "too good to"
        if abs(doubled - stay.equity) < 1e-6 or found.probabilities.win == 0.0:
            continue
        answer = "pass" if taken.equity >= passed.equity else "take"
        assert found.verdict == f"{first} {words}, {answer}".strip()


@pytest.mark.parametrize(("terms", "depth"), [(Terms(), 3), (Terms(7, (4, 6)), 1)])
def test_the_table_of_plays_shows_these_numbers(terms: Terms, depth: int) -> None:
    position = Position.opening().with_terms(terms)
    found = engine(depth).analyze(position, (4, 3))
    rows = re.findall(r"^ *(\d+)\. +([^+-]*?) +([+-]\d.*)$", str(found), re.MULTILINE)
    assert len(rows) == 10
    for number, play, cells in rows:
        each = found.candidates[int(number) - 1]
        won, gammons, backgammons, lost, worse = each.probabilities
        equity, loss, *_ = cells.split()
        assert (play, equity) == (each.play.notation, f"{each.equity:+.4f}")
        assert float(loss) == pytest.approx(found.candidates[0].equity - each.equity, abs=6e-5)
        chances = [won, gammons, backgammons, 1.0 - won, lost, worse]
        shown = [float(cell) for cell in cells.split()[-7:]]
        assert shown[:6] == pytest.approx([100.0 * chance for chance in chances], abs=0.051)
        assert shown[6] == pytest.approx(without_cube(each.probabilities, terms), abs=6e-5)
        if terms.length:
            assert float(cells.split()[-8]) == pytest.approx(100.0 * each.mwc, abs=6e-3)


def test_cubes_of_any_height_are_alike_for_money(played: Played) -> None:
    for points in some(played, 20, 7):
        for owner in (1, -1):
            low, high = (
                engine().cube(Position(points).with_terms(Terms(cube=cube, owner=owner))) for cube in (2, 16)
            )
            assert low.no_double == high.no_double
            assert low.double_take == high.double_take
            assert low.probabilities == high.probabilities


def test_a_double_is_worth_twice_a_cube_that_the_opponent_owns(played: Played) -> None:
    for depth, count in ((1, 20), (3, 4)):
        for points in some(played, count, 8):
            here = Position(points)
            taken = engine(depth).cube(here).double_take
            theirs = engine(depth).cube(here.with_terms(Terms(cube=2, owner=-1))).no_double
            assert taken is not None
            assert taken.equity == pytest.approx(2.0 * theirs.equity, abs=1e-6)
    terms = Terms(7, (7, 5))
    for points in some(played, 20, 9):
        taken = engine().cube(Position(points).with_terms(terms)).double_take
        theirs = engine().cube(Position(points).with_terms(terms.doubled())).no_double
        assert taken is not None
        assert taken.mwc == pytest.approx(theirs.mwc, abs=1e-6)


def test_who_owns_the_cube_is_better_off(played: Played) -> None:
    for points in some(played, 60, 10):
        mine, centred, theirs = (
            engine().evaluate(Position(points).with_terms(terms)).equity
            for terms in (Terms(cube=2, owner=1), Terms(), Terms(cube=2, owner=-1))
        )
        assert mine >= centred - 1e-6
        assert centred >= theirs - 1e-6


def test_the_length_of_a_match_does_not_matter(played: Played) -> None:
    for points in some(played, 20, 11):
        short, long = (
            engine().cube(Position(points).with_terms(Terms(length, (3, 5)))) for length in (5, 25)
        )
        assert short.no_double == long.no_double
        assert short.double_take == long.double_take
        assert short.probabilities == long.probabilities


def test_a_cube_that_decides_the_match_is_the_last_point(played: Played) -> None:
    for points in some(played, 20, 12):
        decided = engine().cube(Position(points).with_terms(Terms(3, (2, 2), cube=2, owner=1)))
        last = engine().cube(Position(points).with_terms(Terms(3, (1, 1))))
        assert decided.no_double.mwc == pytest.approx(last.no_double.mwc, abs=1e-6)
        assert last.no_double.mwc == pytest.approx(last.probabilities.win, abs=1e-6)


@pytest.mark.parametrize("terms", [Terms(), Terms(cube=2, owner=1), *SCORES[:4]])
def test_rolling_is_worth_the_mean_of_the_rolls(terms: Terms, played: Played) -> None:
    """The value is the same, and the chances are nearly so.

    A search of all rolls settles ties by the values of its plays, one before the roll by those
    of a search that is not so deep.
    """
    for points in some(played, 5, 13):
        position = Position(points).with_terms(terms)
        rolls = engine(1).analyze_rolls(position)
        bests = [each.candidates[0] for each in rolls.analyses]
        chances = np.average([each.probabilities for each in bests], 0, WEIGHTS)
        assert rolls.probabilities == pytest.approx(chances)
        mean = np.average([each.equity for each in bests], weights=WEIGHTS)
        assert rolls.equity == pytest.approx(mean)
        found = engine(3).cube(position)
        assert found.no_double.equity == pytest.approx(rolls.equity, abs=2e-6)
        assert found.probabilities.win == pytest.approx(rolls.probabilities.win, abs=1e-2)


@pytest.mark.parametrize("terms", [Terms(), SCORES[0], DEAD[0]])
@pytest.mark.parametrize("dice", [None, (5, 2)])
def test_the_numbers_of_a_rollout(terms: Terms, dice: tuple[int, int] | None) -> None:
    position = Position.parse("XGID=-a-BaBC-C-a-dBa---c-d---A-:0:0:1:00:0:0:0:0:10")
    found = gammon.rollout(position.with_terms(terms), dice, trials=72, truncate=6)
    shown = found.candidates
    assert found.trials == 72
    for each in shown:
        check_chances(each.probabilities)
        assert each.interval == pytest.approx(
            (each.equity - 1.96 * each.error, each.equity + 1.96 * each.error), abs=1e-4
        )
        if terms.length:
            lost, won = after(terms, -terms.cube), after(terms, terms.cube)
            assert each.equity == pytest.approx(emg(each.mwc, terms), abs=1e-9)
            assert each.error == pytest.approx(2.0 * each.mwc_error / (won - lost))
        if terms in DEAD:
            dead = without_cube(each.probabilities, terms)
            assert each.equity == pytest.approx(dead, abs=1e-3)
        if dice is not None:
            assert each.loss == pytest.approx(shown[0].equity - each.equity, abs=1e-9)
    if found.cube is not None:
        stay, taken = (each.equity for each in shown)
        assert (found.cube.no_double.equity, found.cube.double_take.equity) == (stay, taken)
        right = max(stay, min(taken, 1.0))
        assert found.equity == pytest.approx(right)
        assert found.cube.double_pass.mwc == (
            pytest.approx(after(terms, terms.cube)) if terms.length else None
        )
    plain = gammon.rollout(position, dice, trials=72, truncate=6, cubeless=True)
    for each in plain.candidates:
        money = without_cube(each.probabilities, Terms())
        assert each.equity == pytest.approx(money, abs=1e-3)


def test_leaves_of_a_search_are_the_replies(played: Played) -> None:
    for points in some(played, 2, 14):
        position, dice = Position(points), (6, 5)
        leaves = 0
        for play in legal_plays(position, dice):
            if is_over(play.points):
                continue
            theirs = Position(flipped(play.points))
            leaves += sum(len(legal_plays(theirs, roll)) for roll in ROLLS)
        found = PLAIN.analyze(position, dice, 1000)
        assert found.stats.leaves == leaves


def test_pips_and_checkers_off_are_those_of_the_board(played: Played) -> None:
    for points in some(played, 40, 15):
        own = [(place, count) for place, count in enumerate(points) if count > 0]
        their = [(25 - place, -count) for place, count in enumerate(points) if count < 0]
        wanted = [
            (sum(place * count for place, count in side), 15 - sum(count for _, count in side))
            for side in (their, own)
        ]
        text = board_text(Position(points)).plain
        shown = re.findall(r"pips (\d+), off (\d+)", text)
        assert [(int(pips), int(off)) for pips, off in shown] == wanted


# The chances that people read, by other ways to the same chances.
#
# With the cube, lines end in a double and a pass. The chances of such a line are those of
# playing on, with the plays that are best without the cube. So they can be checked against a
# search that knows no doubles, against the tables of bearoffs, and against an enumeration of
# short races.

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
def shown_chances_engine(depth: int, cubeless: bool = False) -> gammon.Engine:
    return gammon.Engine(depth=depth, cubeless=cubeless)


def searcher(depth: int, terms: Terms) -> Search:
    asked = shown_chances_engine(depth)._ask(Position.opening())
    return shown_chances_engine(depth)._search(asked, terms)


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
        after = shown_chances_engine(1, True).best_plays(boards, rolls)
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


def differences(pairs: Sequence[tuple[Probabilities, Probabilities]]) -> np.ndarray:
    """The differences of chances to win [n], and of the other four: [n, 5]."""
    return np.array([np.abs(np.subtract(*pair)) for pair in pairs])


@pytest.mark.smoke
@pytest.mark.parametrize("depth", [1, 3, 5])
def test_a_cash_does_not_change_the_chances(depth: int) -> None:
    position = Position.parse(CASHED)
    shown = shown_chances_engine(depth).cube(position).probabilities.win
    cubeless = shown_chances_engine(depth, True).evaluate(position).probabilities.win
    assert shown == pytest.approx(cubeless, abs=2e-3)
    assert shown == pytest.approx(bearoff(position).probabilities.win, abs=5e-3)


@pytest.mark.parametrize(("xgid", "win"), AUDITED.items())
def test_races_of_the_audit(xgid: str, win: float) -> None:
    position = Position.parse(xgid)
    for depth in (3, 5):
        shown = shown_chances_engine(depth).cube(position).probabilities.win
        assert shown == pytest.approx(win, abs=6e-3)
        evaluated = shown_chances_engine(depth).evaluate(position).probabilities.win
        assert evaluated == pytest.approx(win, abs=6e-3)
        # All replies that end in a pass have one value; the tie number decides whose chances are read.
        bounded = gammon.Engine(depth=depth, algorithm="bounded").evaluate(position).probabilities.win
        assert bounded == pytest.approx(win, abs=6e-3)


@pytest.mark.parametrize(
    ("depth", "count"),
    [
        (1, 402),
        (3, 201),
        (5, 12),
        *(pytest.param(*each, marks=pytest.mark.nightly) for each in ((3, 2001), (5, 501))),
    ],
)
def test_chances_with_the_cube_and_without(depth: int, count: int) -> None:
    """A live cube changes plays, and so chances; but not by what a tie did."""
    rng = np.random.default_rng(depth)
    pairs = []
    for points in of_kinds(count // 3, depth):
        terms = TERMS[rng.integers(len(TERMS))]
        dead = searcher(depth, terms._replace(live=False))
        value = dead.evaluate(np.array(points, np.int8), depth - 1, dead.table())[1]
        chances = decided(points, terms, depth)
        if terms.jacoby:  # nobody plays for gammons until the cube is turned, nor avoids them
            chances = Probabilities(chances.win, *value[1:])
        pairs.append((chances, value))
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
        best = shown_chances_engine(depth).analyze(Position(points), dice).candidates[0]
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
    found = shown_chances_engine(depth).analyze(position, (6, 1)).candidates
    assert len(found) > 1
    assert found[0].play.notation == "5/off 1/off"
    played = shown_chances_engine(depth).best_plays([position.points], [(6, 1)])
    assert tuple(played[0].tolist()) == found[0].play.points


@pytest.mark.parametrize("depth", [3, 5])
def test_gammons_that_do_not_count_are_avoided_all_the_same(depth: int) -> None:
    """Ties are broken by the equity for money where gammons cost nothing: 93.6 % was shown."""
    position = Position.parse("XGID=----CBH-A--------A------c-:0:0:1:00:0:0:1:0:10")
    shown = shown_chances_engine(depth).cube(position).probabilities.lose_gammon
    money = shown_chances_engine(depth, True).evaluate(position).probabilities.lose_gammon
    assert shown == pytest.approx(money, abs=0.03)
