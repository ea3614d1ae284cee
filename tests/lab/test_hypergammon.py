"""Hypergammon: its rules, its index, its solver and its table; and `gammon hypergammon`."""

import json
from pathlib import Path

import numpy as np
import pytest

from gammon.base.errors import GammonError, SettingError
from gammon.eval.baseline import BASELINE
from gammon.eval.evaluators import leaf_and_probe
from gammon.formats.gnubg_id import format_position_id
from gammon.rules.board import flipped
from gammon.rules.dice import ROLLS
from gammon.rules.plays import MAX_ROWS, successors
from gammon.search import NOT_OVER, check_game
from gammon_lab.experiments.subjects import _tabled
from gammon_lab.games.hypergammon import game, opening
from gammon_lab.hypergammon.index import bases_of, index_of, positions
from gammon_lab.hypergammon.judge import _judged
from gammon_lab.hypergammon.sides import sides_of
from gammon_lab.hypergammon.solver import Solver
from gammon_lab.hypergammon.table import WIDTH, ExactTable, greatest_residual
from tests.engine.commands.program import assert_refused, run
from tests.naive import hypergammon as naive
from tests.schemas import faults

#: A table has equities in steps of 7e-12, and chances in steps of 2.4e-7.
STEP, CHANCE_STEP = 2.0**-37, 2.0**-22


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """The paths of the tables of one checker and of two."""
    paths = {}
    for checkers in (1, 2):
        folder = tmp_path_factory.mktemp("hyper")
        paths[checkers] = folder / "table.npy"
        Solver(checkers, folder).solve().save(paths[checkers])
    return paths


def generated(points, dice):
    """As `naive.replies`, by gammon's generator."""
    rows = np.empty((MAX_ROWS, 26), np.int8)
    n = successors(np.array(points, np.int8), ROLLS.index(dice), rows)
    return list(map(tuple, rows[:n].tolist()))


def assert_equal(
    table: ExactTable, twin: tuple[list[tuple[int, ...]], np.ndarray], error: float, in_chances: float = 0.0
) -> None:
    playing, numbers = twin
    ours = table.numbers(np.array(playing, np.int8))
    assert np.abs(ours - numbers)[:, :4].max() < STEP + error
    assert np.abs(ours - numbers)[:, 4:].max() < 2 * CHANCE_STEP + in_chances


def test_one_checker_a_side_has_the_values_of_the_twin(tables) -> None:
    table = ExactTable.load(tables[1])
    playing, numbers = naive.solved(1)
    assert len(playing) == 601
    assert_equal(table, (playing, numbers), 1e-11)
    assert numbers[:, 0].min() < -1.5, "there are gammons and backgammons"
    assert numbers[:, 0].max() > 1.5


@pytest.mark.nightly
def test_two_checkers_a_side_have_the_values_of_the_twin(tables) -> None:
    """Equities are unique. Best plays of equal equity have different chances, by 0.004 at most."""
    twin = naive.solved(2, generated, 1e-12)
    assert len(twin[0]) == 106_552
    assert_equal(ExactTable.load(tables[2]), twin, 1e-10, 0.01)


@pytest.mark.parametrize("checkers", [1, 2])
def test_every_stored_equity_fits_its_equation(tables, checkers: int) -> None:
    """The plays are from gammon's generator. The solver has lists of its own."""
    table, sides = ExactTable.load(tables[checkers]), sides_of(checkers)
    bases = bases_of(checkers)
    assert greatest_residual(sides, checkers, bases, table.rows, 1, len(sides.counts)) < 1e-10
    rows = table.rows.copy()
    state = np.array(opening(checkers), np.int8)
    rows[index_of(state, checkers, bases), 2] ^= 1  # of an equity: 2**-21
    assert greatest_residual(sides, checkers, bases, rows, 1, len(sides.counts)) > 2.0**-22


def test_positions_have_numbers_without_gaps() -> None:
    assert [positions(checkers) for checkers in (1, 2, 3)] == [652, 107_253, 7_959_904]
    assert [bases_of(checkers)[-1] for checkers in (1, 2, 3)] == [652, 107_253, 7_959_904]
    for checkers in (1, 2):
        bases = bases_of(checkers)
        states = np.array(naive.all_positions(checkers), np.int8)
        numbers = [index_of(state, checkers, bases) for state in states]
        assert sorted(numbers) == list(range(positions(checkers)))


def test_three_checkers_have_numbers_without_gaps_too() -> None:
    """All positions of some sides on roll, which take whole ranges."""
    bases, sides = bases_of(3), sides_of(3)
    for side in (0, 7, 1000, 2222, 3275):
        own = sides.counts[side]
        numbers = []
        for counts, points in zip(sides.counts, sides.points, strict=True):
            if points & sides.seen[side] == 0:
                state = np.zeros(26, np.int8)
                state[1:] = own[1:]
                state[:25] -= counts[:0:-1]
                numbers.append(index_of(state, 3, bases))
        assert len({*numbers}) == max(numbers) - min(numbers) + 1
        assert min(numbers) in bases


@pytest.mark.parametrize("checkers", [0, 4, 2.0, True])
def test_there_are_one_to_three_checkers(checkers) -> None:
    with pytest.raises(SettingError, match=r"expected a whole number, 1 to 3"):
        sides_of(checkers)


class Stopped(Exception):
    """Ends a solver in the middle of its work."""


@pytest.mark.parametrize("after", [4, 11])
def test_a_stopped_solver_goes_on(
    tables, after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gammon_lab.hypergammon.solver._SAVE", 0.0)
    parts = []

    def stop(part: float) -> None:
        parts.append(part)
        if len(parts) > after:
            raise Stopped

    with pytest.raises(Stopped):
        Solver(2, tmp_path, stop).solve()
    stopped = parts[-1]
    assert (stopped > 0.7) == (tmp_path / "chances.npy").exists() == (after == 11)
    parts.clear()
    again = Solver(2, tmp_path, parts.append)
    table = again.solve()
    assert parts[0] > stopped - 0.1, "what was known is not computed again"
    numbers = [each.numbers(np.array([opening(2)], np.int8)) for each in (table, ExactTable.load(tables[2]))]
    assert np.abs(numbers[0] - numbers[1]).max() < 2 * CHANCE_STEP
    again.clear()
    assert not list(tmp_path.glob("*.npy"))


def test_a_damaged_state_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "values.npy"
    for damaged in (np.zeros((26 * 26, 3)), np.full((26 * 26, 4), np.nan), np.array([{}], object)):
        np.save(path, damaged)
        with pytest.raises(GammonError, match=r"values.npy' is damaged: delete it"):
            Solver(1, tmp_path).solve()


def test_a_file_that_is_no_table_is_refused(tables, tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    with pytest.raises(GammonError, match=r"x.npy' cannot be read: No such file"):
        ExactTable.load(path)
    for data in (b"", b"no array", tables[1].read_bytes()[:-9]):
        path.write_bytes(data)
        with pytest.raises(GammonError, match=r"x.npy' cannot be read: it is damaged, or no array"):
            ExactTable.load(path)
    np.save(path, np.array([print], object))  # whose pickle would be run
    with pytest.raises(GammonError, match=r"it is damaged, or no array"):
        ExactTable.load(path)
    for array in (np.zeros((652, WIDTH)), np.zeros((653, WIDTH), np.int8), np.zeros(652, np.int8)):
        np.save(path, array)
        with pytest.raises(GammonError, match=r"expected a table by `gammon reproduce hypergammon`"):
            ExactTable.load(path)


# The game for searches.


@pytest.mark.parametrize("checkers", [1, 2, 3])
def test_the_game_keeps_its_contract(checkers: int) -> None:
    rules = game(checkers)
    assert check_game(rules, BASELINE, np.array([opening(checkers)], np.int8), most=200) > 100


def test_finished_games_pay_as_the_twin_says() -> None:
    rules = game(2)
    for points in naive.all_positions(2):
        payoff = rules.terminal(np.array(points, np.int8), 0, rules.params)
        if not naive.is_over(points):
            assert payoff == NOT_OVER
        elif any(count > 0 for count in points):
            assert payoff == -naive.points_lost(points, 2)
        elif any(points):
            assert payoff == naive.points_lost(flipped(points), 2)


def test_more_checkers_are_no_states() -> None:
    states = np.array([opening(2), opening(3), opening(2)], np.int8)
    assert game(2).fits(game(2), states) == 1
    assert game(3).fits(game(3), states) == 3


# `gammon hypergammon`.


def test_a_position_is_asked(tables) -> None:
    table = str(tables[2])
    answer = json.loads(run("hypergammon", "ask", "--table", table, "--json").stdout)
    exact = ExactTable.load(tables[2]).exact(opening(2))
    assert answer["position"] == format_position_id(opening(2))
    assert answer["equity"] == exact.equity
    assert answer["chances"] == list(exact.chances)
    text = run("hypergammon", "ask", answer["position"], "--table", table).stdout
    assert f"{exact.centred:+.6f}" in text
    assert f"{exact.doubled:+.6f}" in text


def test_a_roll_is_asked(tables) -> None:
    """The mean of the best plays of all rolls is the equity of rolling, wherever the cube is."""
    table = str(tables[2])
    sums = dict.fromkeys(("equity", "own", "centred", "theirs"), 0.0)
    for high, low in ROLLS:
        asked = run("hypergammon", "ask", "--table", table, "--dice", f"{high}{low}", "--json")
        plays = json.loads(asked.stdout)["plays"]
        assert plays == sorted(plays, key=lambda play: -play["equity"])
        for name in sums:
            sums[name] += (1 if high == low else 2) / 36 * max(play[name] for play in plays)
    exact = ExactTable.load(tables[2]).exact(opening(2))
    for name, mean in sums.items():
        assert mean == pytest.approx(getattr(exact, name), abs=1e-10)
    text = run("hypergammon", "ask", "--table", table, "--dice", "66").stdout
    assert "24/12 23/11" in text


def test_players_play_against_the_table(tables) -> None:
    arguments = ["depth=1", "depth=3", "--games", "100", "--table", str(tables[2])]
    done = run("hypergammon", "play", *arguments, "--json")
    shallow, deep = json.loads(done.stdout)["players"].values()
    assert shallow["games"] == 100
    assert shallow["given"] > deep["given"] > 0
    assert shallow["rating"] == pytest.approx(500 * shallow["given"] * 100 / shallow["decisions"])
    # What is given away is what the player loses but for luck.
    assert abs(shallow["points"] + shallow["given"]) < 4 * shallow["points_error"]
    assert json.loads(run("hypergammon", "play", *arguments, "--json").stdout) == json.loads(done.stdout)
    assert "given away a game" in run("hypergammon", "play", *arguments[:1], *arguments[2:]).stdout


def test_the_error_of_a_rating_is_that_of_a_ratio() -> None:
    """Long games give more away and have more decisions; the bootstrap draws pairs of games."""
    random = np.random.default_rng(5)
    counts = random.integers(2, 40, 400)
    losses = [np.maximum(random.normal(0.0, 0.1, count), 0.0) for count in counts]
    given = np.array([some.sum() for some in losses])
    found = _judged(np.zeros(400), given, counts.astype(float), np.concatenate(losses).tolist())
    assert found.rating == pytest.approx(500 * given.sum() / counts.sum())
    pairs = np.stack([given, counts]).reshape(2, -1, 2).sum(axis=2)
    drawn = pairs[:, random.integers(200, size=(2000, 200))].sum(axis=2)
    assert found.rating_error == pytest.approx(500 * np.std(drawn[0] / drawn[1]), rel=0.1)


def test_another_seed_has_other_games_of_exact_play(tables) -> None:
    """They have the decisions of the first turns in common."""
    table, evaluators = ExactTable.load(tables[2]), leaf_and_probe("leaf")
    subjects = [_tabled(table, *evaluators, 100, seed) for seed in (1, 2)]
    one, two = ({(state.tobytes(), roll) for state, roll in subject.decisions} for subject in subjects)
    assert len(one & two) < 50


def test_decisions_of_exact_play_are_different(tables) -> None:
    subject = _tabled(ExactTable.load(tables[2]), *leaf_and_probe("leaf"), 60, 1)
    assert len({(state.tobytes(), roll) for state, roll in subject.decisions}) == len(subject.decisions) == 60


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        (["ask"], "ExactValue"),
        (["ask", "--dice", "31"], "ExactPlays"),
        (["play", "depth=1", "--games", "20"], "JudgedPlayers"),
    ],
)
def test_answers_have_a_schema(tables, asked: list[str], name: str) -> None:
    schema = json.loads(run("schema").stdout)
    answer = json.loads(run("hypergammon", *asked, "--table", str(tables[2]), "--json").stdout)
    fitting = [some["$ref"] for some in schema["anyOf"] if not faults(answer, some, schema)]
    assert fitting == [f"#/$defs/{name}"], faults(answer, schema["$defs"][name], schema)


def test_mistakes_get_one_line(tables, tmp_path: Path) -> None:
    table = ["--table", str(tables[2])]
    assert_refused(["hypergammon", "ask", "4HPwATDgc/ABMA", *table], "15 and 15 checkers on the board")
    assert_refused(["hypergammon", "ask", "--table", str(tmp_path / "no.npy")], "no.npy' cannot be read")
    assert_refused(["hypergammon", "ask", "--dice", "7", *table], "'7'")
    assert_refused(["hypergammon", "play", "strength=5", *table], "expected a depth")
    assert_refused(["hypergammon", "play", "gnubg=0", *table], "gnubg")
