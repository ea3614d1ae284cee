"""The small versions of the reproductions, against the published figures."""

import csv

import pytest
from click.testing import CliRunner

from gammon.commands.main import main
from gammon.experiments import ballard, dice
from gammon.games import dice_game
from gammon.search import NOT_OVER


@pytest.fixture
def reproduce(tmp_path):
    """Return a function that runs one, and then reads its CSV files by name."""

    def run(name: str, *more: str):
        done = CliRunner().invoke(
            main, ["reproduce", name, "--quick", "--out", str(tmp_path), *more]
        )
        assert done.exit_code == 0, done.output

        def rows(table: str):
            with (tmp_path / f"{table}.csv").open() as file:
                return list(csv.DictReader(file))

        assert all(path.stat().st_size > 10_000 for path in tmp_path.glob("*.png"))
        assert list(tmp_path.glob("*.png"))
        return rows

    return run


def differences(rows, column="difference"):
    return [float(row[column]) for row in rows]


def test_alphabeta(reproduce):
    rows = reproduce("alphabeta")("alphabeta")
    assert [r["alpha-beta"] for r in rows if r["b"] == r["d"] == "3"] == ["11"]
    assert differences(rows) == [0] * 6
    assert differences(rows, "value difference") == [0] * 6


def test_nim(reproduce):
    read = reproduce("nim")
    assert max(map(abs, differences(read("nim-random")))) < 1e-12
    assert {r["heaps"]: (r["published"], r["ours"]) for r in read("nim-misere")} == {
        "(1, 2, 2)": ("win", "win"), "(1, 3, 5, 7)": ("loss", "loss"),
    }  # fmt: skip


def test_iterated(reproduce):
    assert max(map(abs, differences(reproduce("iterated")("iterated")))) < 1e-12


def test_tictactoe(reproduce):
    rows = reproduce("tictactoe")("tictactoe")
    assert max(map(abs, differences(rows))) < 1e-12
    assert {row["best cell"] for row in rows} == {"9"}


def test_ballard(reproduce):
    read = reproduce("ballard")
    assert differences(read("ballard-figure-2")) == [0, 0]
    table = read("ballard-table-1")
    assert [row["star2 ours"] for row in table] == ["5", "25", "58", "105", "166"]
    assert [row["star1 ours"] for row in table] == ["5", "40", "138", "336", "670"]
    # A hundred trees only: six standard errors.
    for row in read("ballard-table-2"):
        assert abs(float(row["difference"])) < 6 * float(row["s.e."]) + 1
    for row in read("ballard-table-3"):
        assert abs(float(row["difference"])) < 6 * float(row["s.e."]) + 0.1
    assert max(map(abs, differences(read("ballard-constants")))) < 5e-5


@pytest.mark.parametrize(("n", "star1", "star2"), [(2, 5, 5), (6, 138, 58), (40, 45320, 2732)])
def test_outcomes_to_cut_add_up_to_table_1(n, star1, star2):
    # A cut after m outcomes leaves n (m - 1) + 1 leaves to Star1, m to Star2; the best
    # node has all its n^2. The very first outcome of the last node ends with its first
    # leaf, which is worth L, unless it is cut there anyway.
    outcomes = ballard.outcomes_to_cut(n)
    saved = n - 1 if outcomes[0] > 1 else 0
    assert (n * (outcomes - 1) + 1).sum() + n * n - saved == star1
    assert outcomes.sum() + n * n == star2


def test_dice(reproduce, monkeypatch):
    small = dice.BOARDS["5x5"]._replace(positions=5, deepest=5, played=(1, 3), pairs=10)
    monkeypatch.setattr(dice, "_QUICK_BOARDS", {"5x5": small})
    read = reproduce("dice")
    savings = {(r["depth"], r["algorithm"]): r for r in read("dice-savings")}
    full, star1, star2 = (
        float(savings["5", name]["leaves"]) for name in ("expectimax", "star1", "star2")
    )
    assert star2 < star1 < full
    assert [row["games"] for row in read("dice-tournament")] == ["20"]


def test_dice_positions_are_fixed_and_in_play():
    board = dice.BOARDS["11x11"]
    for number in range(20):
        state, die = dice.position(board, 1, number)
        again, same = dice.position(board, 1, number)
        assert (state == again).all()
        assert die == same < board.n
        assert dice_game.game(board.n).terminal(state) == NOT_OVER
        assert board.marks[0] <= abs(state[2:]).sum() < board.marks[1]


def test_a_pair_of_a_player_with_itself_is_even():
    unit = {"board": "5x5", "seed": 3, "deep": 1, "shallow": 1, "first": 0, "pairs": 20}
    assert set(dice.play(unit)) == {0.5}
