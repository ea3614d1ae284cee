"""Match equity tables: the score after a game, the extension to 64 points, equities."""

import pickle

import numpy as np
import pytest

from gammon.base.errors import FormatError, SettingError
from gammon.formats.met_file import read_met
from gammon.rules.match_equity import MatchEquityTable, difference
from gammon.rules.terms import Score, Terms

MET = read_met()
SCORES = [(own, their) for own in (1, 2, 3, 7, 25, 64) for their in (1, 2, 5, 26, 64)]


def test_a_table_is_its_name_and_its_numbers() -> None:
    again = MatchEquityTable.extended(**MET.given)
    assert again == MET
    assert hash(again) == hash(MET)
    assert pickle.loads(pickle.dumps(MatchEquityTable.extended(**MET.given))) == MET
    assert MatchEquityTable.extended(**MET.given | {"name": "mine"}) != MET
    main = MET.main[:25, :25].copy()
    main[1, 0], main[0, 1] = 0.33, 0.67
    assert MatchEquityTable.extended(**MET.given | {"main": main.tolist()}) != MET
    assert MET != 5
    whole, late = MET.main.copy(), MET.post_crawford.copy()
    growing = MatchEquityTable("mine", whole, late, 25)
    assert {growing: 1}[growing] == 1
    assert growing != MatchEquityTable("mine", whole, late, 25)


def test_a_table_is_what_kernels_take_it_for() -> None:
    main, late = MET.main.copy(), MET.post_crawford.copy()
    for wrong in (
        (main[:3, :3].copy(), late),
        (main, late[:3]),
        (main.astype(np.float32), late),
        (main, None),
        (main.T, late),
        (7.0 * main, late),
        (np.full((64, 64), np.nan), late),
    ):
        with pytest.raises(SettingError, match=r"match equity table 'odd': [MP] is"):
            MatchEquityTable("odd", *wrong, 3)  # type: ignore[arg-type]
    main[3, 3] = 0.9
    with pytest.raises(FormatError, match="expected no more than"):
        MatchEquityTable("odd", main, late, 3)
    with pytest.raises(FormatError, match="'a': expected a chance"):
        MatchEquityTable.extended("odd", [["a"]], [])  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("score", "chance"),
    [
        (Score(7, (3, 5)), MET.mwc(4, 2)),
        (Score(7, (6, 3), crawford=True), MET.mwc(1, 4)),
        (Score(7, (6, 3)), MET.mwc(1, 4, True)),
        (Score(7, (3, 6)), MET.mwc(4, 1, True)),
        (Score(7, (8, 6)), 1.0),
        (Score(7, (0, 7)), 0.0),
        (Score(7, (6, 6)), 0.5),
    ],
    ids=str,
)
def test_the_chance_before_a_game(score: Score, chance: float) -> None:
    assert MET.before(score) == chance


def small(*rows: list[float], post: list[float]) -> MatchEquityTable:
    return MatchEquityTable.extended("small", rows, post)


@pytest.mark.smoke
def test_published_figures() -> None:
    assert (MET.name, MET.length) == ("Kazaross-XG2", 25)
    for own, their, percent in [(1, 2, 67.736), (5, 7, 62.638), (9, 3, 15.983)]:
        assert 100 * MET.mwc(own, their) == pytest.approx(percent)
        assert 100 * MET.mwc(their, own) == pytest.approx(100 - percent)
    assert 100 * MET.mwc(2, 1, post_crawford=True) == pytest.approx(48.803)
    assert 100 * MET.mwc(1, 2, post_crawford=True) == pytest.approx(100 - 48.803)
    assert MET.mwc(0, 3) == MET.mwc(-2, 1, post_crawford=True) == 1.0
    assert MET.mwc(3, 0) == MET.mwc(1, -1, post_crawford=True) == 0.0


@pytest.mark.parametrize(
    ("own", "their", "chance"),
    [
        (1, 26, 0.9991792),
        (2, 30, 0.9993438),
        (26, 25, 0.4684718),
        (26, 26, 0.5),
        (30, 10, 0.0349925),
        (40, 39, 0.4746586),
        (50, 7, 0.0004513),
        (64, 1, 1e-07),
        (64, 32, 0.0325049),
        (64, 63, 0.4800082),
    ],
)
def test_it_is_extended_as_gnu_backgammon_does_it(own: int, their: int, chance: float) -> None:
    """Chances of its `gnubg.met(64)`, looked up once; they are float32 there."""
    assert MET.mwc(own, their) == pytest.approx(chance, abs=1.5e-7)


@pytest.mark.parametrize(
    ("away", "chance"), [(24, 0.00182), (25, 0.00118125), (26, 0.00106125), (30, 0.00036721), (64, 4.3714e-8)]
)
def test_post_crawford_the_recursion_begins_where_the_file_ends(away: int, chance: float) -> None:
    assert MET.mwc(away, 1, post_crawford=True) == pytest.approx(chance, rel=2e-5)


def test_a_table_of_15_points() -> None:
    """Chances of GNU Backgammon with the table of Snowie 2.1, which the formula gives alone."""
    main, post = MET.main[:15, :15].tolist(), MET.post_crawford[:14].tolist()
    cut = MatchEquityTable.extended("cut", main, post)
    assert cut.length == 15
    assert (cut.main[:15, :15] == MET.main[:15, :15]).all()
    for own, their, chance in [(16, 15, 0.4595879), (16, 1, 0.0086405), (20, 9, 0.1195819)]:
        assert cut.mwc(own, their) == pytest.approx(chance, abs=1.5e-7)


@pytest.mark.parametrize("size", [1, 2, 3, 15, 25])
def test_every_table_is_in_order(size: int) -> None:
    table = MatchEquityTable.extended(
        "cut", MET.main[:size, :size].tolist(), MET.post_crawford[: size - 1].tolist()
    )
    assert table.main.shape == (64, 64)
    assert abs(table.main + table.main.T - 1.0).max() < 1e-12
    assert (np.diff(table.main, axis=0) <= 0.0).all()
    assert (np.diff(table.main, axis=1) >= 0.0).all()
    assert (np.diff(table.post_crawford) <= 0.0).all()
    assert table.post_crawford[0] == 0.5
    with pytest.raises(ValueError, match="read-only"):
        table.main[0, 0] = 1.0


def test_to_need_more_is_never_better_in_an_extended_table() -> None:
    table = MatchEquityTable.extended("uneven", [[0.5, 0.95], [0.05, 0.5]], [0.5])
    assert table.mwc(3, 1) == table.mwc(2, 1) == 0.05


def test_a_whole_table_stays_as_it_is() -> None:
    whole = MatchEquityTable.extended("whole", MET.main.tolist(), MET.post_crawford.tolist())
    assert (whole.main == MET.main).all()
    assert (whole.post_crawford == MET.post_crawford).all()


def test_misprints_are_evened_out() -> None:
    table = small([0.5, 0.684], [0.32, 0.5], post=[0.5, 0.5])
    assert table.mwc(1, 2) == pytest.approx(0.682)
    assert table.mwc(2, 1) == pytest.approx(0.318)


@pytest.mark.parametrize("away", [a for a in SCORES if a != (1, 1)], ids=str)
def test_after_a_game(away: tuple[int, int]) -> None:
    """The score before the game tells whether the next one is post-Crawford."""
    own, their = away
    games = [Terms(64, away)]
    if 1 in away:
        games.append(Terms(64, away, crawford=True))
    for terms in games:
        for points in (1, 2, 3, 8, 64, 192):
            won, lost = MET.after(terms, points), MET.after(terms, -points)
            if own <= points:
                assert won == 1.0
            elif their == 1:
                assert won == MET.mwc(own - points, 1, post_crawford=True)
            else:
                assert won == MET.main[own - points - 1, their - 1]
            assert lost == pytest.approx(1.0 - MET.after(terms.for_opponent(), points))
            assert won >= MET.after(terms, points - 1) or points == 1
            assert won > lost


def test_the_last_game_is_the_match() -> None:
    dmp = Terms(5, (1, 1))
    assert (MET.after(dmp, 1), MET.after(dmp, -1)) == (1.0, 0.0)
    assert (MET.emg(0.5, dmp), MET.emg(1.0, dmp), MET.emg(0.25, dmp)) == (0.0, 1.0, -0.5)


def test_the_score_before_a_1_away_game_is_not_post_crawford() -> None:
    """3-away 2-away: the loser of 1 point to a 1-away plays the Crawford game, not later."""
    assert MET.after(Terms(7, (3, 2)), -1) == MET.mwc(3, 1)
    assert MET.after(Terms(7, (3, 1), crawford=True), 1) == MET.mwc(2, 1, post_crawford=True)


def gammon_value(terms: Terms) -> float:
    """What a gammon adds to a win, as a share of what separates a win from a loss."""
    win, lose = MET.after(terms, terms.cube), MET.after(terms, -terms.cube)
    return (MET.after(terms, 2 * terms.cube) - win) / (win - lose)


def test_gammon_values() -> None:
    """Those of the field: none at double match point, 1.0 for the trailer 2-away Crawford."""
    assert gammon_value(Terms(7, (1, 1))) == 0.0
    assert gammon_value(Terms(7, (2, 1), crawford=True)) == pytest.approx(1.0, abs=0.03)
    assert gammon_value(Terms(7, (1, 2), crawford=True)) == 0.0
    for owner in (1, -1):
        owned = Terms(7, (4, 4), cube=2, owner=owner)
        assert gammon_value(owned) == pytest.approx(0.98, abs=0.02)


@pytest.mark.parametrize("terms", [Terms(7, (3, 6)), Terms(9, (9, 1))], ids=str)
def test_equities_and_chances(terms: Terms) -> None:
    win, lose = MET.after(terms, terms.cube), MET.after(terms, -terms.cube)
    assert MET.emg(win, terms) == pytest.approx(1.0)
    assert MET.emg(lose, terms) == pytest.approx(-1.0)
    assert MET.emg((win + lose) / 2, terms) == pytest.approx(0.0)
    for mwc in (0.0, 0.3, 0.77, 1.0):
        assert MET.mwc_of_emg(MET.emg(mwc, terms), terms) == pytest.approx(mwc)
        opposite = MET.emg(1.0 - mwc, terms.for_opponent())
        assert opposite == pytest.approx(-MET.emg(mwc, terms))


def test_a_reference_equity() -> None:
    """Redouble or not at 3-away 6-away (bug-gnubg, September 2009): a pass pays 1."""
    terms = Terms(7, (3, 6), cube=2, owner=1).checked()
    assert MET.after(terms, 2) == pytest.approx(0.88731)
    assert MET.emg(0.88731, terms) == pytest.approx(1.0)


def test_where_nothing_is_at_stake_equities_are_zero() -> None:
    flat = small(*([0.5] * 8 for _ in range(8)), post=[0.5] * 8)
    assert flat.emg(0.5, Terms(7, (7, 7))) == 0.0


@pytest.mark.parametrize(
    ("rows", "post", "words"),
    [
        ([], [0.5], "0 rows: expected 1 to 64"),
        ([[0.5] * 65] * 65, [0.5] * 65, "65 rows: expected 1 to 64"),
        ([[0.5, 0.6], [0.4]], [0.5], "row 2 of 1 numbers: expected 2"),
        ([[0.5, 0.6], [0.4, 0.5]], [], "0 numbers for post-Crawford games: expected 1"),
        ([[0.5, 1.6], [0.4, 0.5]], [0.5], "1.6: expected a chance from 0 to 1"),
        ([[0.5, 0.6], [0.4, 0.5]], [float("nan")], "nan: expected a chance"),
        ([[0.5, 0.6], [0.3, 0.5]], [0.5], "0.6 at 1-away 2-away and 0.3 at 2-away 1-away"),
        ([[0.5, 0.4], [0.6, 0.5]], [0.5], "0.6 at 2-away 1-away: expected no more than"),
        ([[0.5] * 4] * 4, [0.3, 0.4, 0.2], "0.4 at 2-away 1-away post-Crawford: expected no"),
    ],
)
def test_what_is_no_table(rows: list[list[float]], post: list[float], words: str) -> None:
    with pytest.raises(FormatError) as caught:
        MatchEquityTable.extended("bad", rows, post)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_scores_that_no_table_has() -> None:
    with pytest.raises(SettingError, match="65-away 1-away: expected 64 at most"):
        MET.mwc(65, 1)
    for own, their in [(2.5, 3), ("a", 3), (3, None), (True, 3)]:
        with pytest.raises(SettingError, match=r".*-away .*-away: expected whole numbers of"):
            MET.mwc(own, their)
    with pytest.raises(SettingError, match="3-away 2-away: expected a side 1-away post-Craw"):
        MET.mwc(3, 2, post_crawford=True)


def test_the_distance_of_two_tables() -> None:
    main = [[0.5, 0.7], [0.3, 0.5]]
    a = MatchEquityTable.extended("a", main, [0.5])
    b = MatchEquityTable.extended("b", [[0.5, 0.66], [0.34, 0.5]], [0.5])
    found = difference(a, b, 2)
    assert (found.own, found.their) in ((1, 2), (2, 1))
    assert found.largest == pytest.approx(0.04 if found.own == 1 else -0.04)
    assert not found.post_crawford
    # Over 1-away 2-away alone: in a match to 2 points nobody needs 2 after the Crawford game.
    assert found.root_mean_square == pytest.approx(0.04)
    assert difference(a, a, 64).largest == 0.0
    main = [[0.5, 0.7, 0.8], [0.3, 0.5, 0.6], [0.2, 0.4, 0.5]]
    late = [MatchEquityTable.extended("c", main, [0.5, chance]) for chance in (0.5, 0.44)]
    assert difference(*late, 3)[1:] == (pytest.approx(0.06), 2, 1, True)
