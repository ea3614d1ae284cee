"""Searches of every position of hypergammon at once, and what decisions lose by them."""

from pathlib import Path

import numpy as np
import pytest

from gammon.eval.erring import shared_errors
from gammon.rules.board import SIZE
from gammon.rules.dice import ROLLS, WEIGHTS
from gammon.search.evaluation import gauss
from gammon_lab.experiments import truth as truth_module
from gammon_lab.experiments.truth import (
    KINDS,
    SIZES,
    Likeness,
    Loss,
    _draw,
    likeness_in_backgammon,
    likeness_of,
    loss_of,
    relatives,
    visits_in,
    winners_curse,
)
from gammon_lab.hypergammon.networks import HIDDEN, learn, value_all
from gammon_lab.hypergammon.sides import sides_of
from gammon_lab.hypergammon.solve import CUBELESS, rules_of
from gammon_lab.hypergammon.solver import Solver
from gammon_lab.hypergammon.table import ExactTable
from gammon_lab.hypergammon.truth import BIASED, LANES, list_errors, list_visits, look_deeper, truth_of
from tests.lab.experiments.figures import drawn_bars
from tests.naive import hypergammon as naive


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> tuple[ExactTable, np.ndarray]:
    """The table of one checker a side, and its equities by both sides."""
    table = Solver(1, tmp_path_factory.mktemp("truth")).solve()
    return table, truth_of(table)


def place_of(points: tuple[int, ...]) -> int:
    """Return the index of a position with one checker a side: sides are numbered by their place."""
    own = max((place for place in range(SIZE) if points[place] > 0), default=0)
    their = max((25 - place for place in range(SIZE) if points[place] < 0), default=0)
    return SIZE * their + own


POSITIONS = naive.all_positions(1)
PLAYING = [points for points in POSITIONS if not naive.is_over(points)]


def test_the_truth_is_that_of_the_table(solved) -> None:
    table, truth = solved
    numbers = table.numbers(np.array(PLAYING, np.int8))[:, CUBELESS]
    assert truth[[place_of(points) for points in PLAYING]].tolist() == numbers.tolist()


def test_a_step_is_the_search_of_one_turn(solved) -> None:
    """It also gives what its values lose in the games of exact play, and how far off they are."""
    _, truth = solved
    random = np.random.default_rng(1)
    before = random.normal(size=(len(truth), LANES)).astype(np.float32)
    before[:, -1] = truth
    after, lost, moments = np.zeros_like(before).ravel(), np.empty(LANES), np.empty((2, LANES))
    visits = np.zeros(len(truth))
    visits[[place_of(points) for points in PLAYING]] = random.random(len(PLAYING))
    look_deeper(rules_of(1), visits, before.ravel(), after, lost, moments)
    after = after.reshape(before.shape)
    losses = np.zeros(LANES)
    for points in PLAYING:
        expected, weight = np.zeros(LANES), visits[place_of(points)]
        for ways, dice in zip(WEIGHTS, ROLLS, strict=True):
            places = [place_of(reply) for reply in naive.replies(points, dice)]
            expected += ways / 36 * -before[places].min(axis=0)
            chosen = np.array(places)[before[places].argmin(axis=0)]
            losses += weight * ways / 36 * (before[chosen, -1] - before[places, -1].min())
        assert after[place_of(points)] == pytest.approx(expected, abs=1e-5)
    assert (after[:SIZE] == before[:SIZE]).all(), "finished games stay as they are"
    assert lost == pytest.approx(losses, rel=1e-5)
    assert lost[-1] == 0.0 and lost[0] > 1.0
    errors = before - before[:, -1:]
    for moment, power in zip(moments, (1, 2), strict=True):
        assert moment == pytest.approx(np.average(errors**power, axis=0, weights=visits), abs=1e-5)


def test_the_truth_backed_up_is_the_truth(solved) -> None:
    _, truth = solved
    before = np.repeat(truth[:, None], LANES, axis=1).astype(np.float32).ravel()
    after, lost = np.zeros_like(before), np.empty(LANES)
    look_deeper(rules_of(1), np.ones(len(truth)), before, after, lost, np.empty((2, LANES)))
    places = [place_of(points) for points in PLAYING]
    assert np.abs(after.reshape(-1, LANES)[places, 3] - truth[places]).max() < 1e-6
    assert (lost == 0.0).all()


def test_visits_are_those_of_games_of_exact_play(solved) -> None:
    """By the twin: probabilities of all positions, turn after turn, from a dictionary.

    Values are off by a little, so that no two plays are equal.
    """
    truth = solved[1] + 1e-6 * np.random.default_rng(6).random(len(solved[1]))
    visits = np.empty(len(truth))
    decisions = list_visits(rules_of(1), truth, 24, visits)
    plays: dict[int, list[tuple[int, float, bool]]] = {}
    for points in PLAYING:
        for ways, dice in zip(WEIGHTS, ROLLS, strict=True):
            places = {place_of(reply) for reply in naive.replies(points, dice)}
            best = min(places, key=lambda place: truth[place])
            plays.setdefault(place_of(points), []).append((best, ways / 36, len(places) > 1))
    expected, unforced = np.zeros(len(truth)), 0.0
    reached = {SIZE * 24 + 24: 1.0}
    for _ in range(100):
        after: dict[int, float] = {}
        for place, chance in reached.items():
            expected[place] += chance
            for best, part, open_ in plays.get(place, []):
                after[best] = after.get(best, 0.0) + chance * part
                unforced += chance * part * open_
        reached = after
    assert decisions == pytest.approx(unforced, rel=1e-3)
    assert visits == pytest.approx(expected, abs=2e-5)
    assert visits[:SIZE].sum() == pytest.approx(1.0, abs=1e-3), "each game ends once"


@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_a_damaged_file_of_visits_is_made_again(solved, tmp_path: Path, damage: bytes | None) -> None:
    path, truth = tmp_path / "visits.npy", solved[1]
    visits, decisions = visits_in(path, rules_of(1), truth, 24)
    whole = path.read_bytes()
    path.write_bytes(whole[:-9] if damage is None else damage)
    again = visits_in(path, rules_of(1), truth, 24)
    assert (again[0] == visits).all() and again[1] == decisions > 0.1
    assert path.read_bytes() == whole


def test_networks_learn_the_truth(solved) -> None:
    _, truth = solved
    visits = np.zeros(len(truth))
    list_visits(rules_of(1), truth, 24, visits)
    places = [place_of(points) for points in PLAYING]
    sides = sides_of(1)
    errors = []
    for steps in (20, 400):
        networks = learn(sides, truth, visits, 3, steps)
        values = value_all(networks, sides)
        errors.append(np.std(values[places] - truth[places, None], axis=0))
    assert (errors[1] < errors[0]).all()
    assert errors[1][-1] < errors[1][0] / 3, "a large network learns more"
    place = places[300]
    inputs = np.zeros((1, len(networks.first)), np.float32)
    inputs[0, [place % SIZE, SIZE + place // SIZE, 2 * SIZE]] = 1.0
    units = np.maximum(inputs @ networks.first, 0.0)[0]
    own = slice(HIDDEN[0], HIDDEN[0] + HIDDEN[1])
    expected = units[own] @ networks.second[own, 1] + networks.second[len(units) + 1, 1]
    assert values[place, 1] == pytest.approx(expected, abs=1e-5), "the second network alone"
    assert (learn(sides, truth, visits, 3, 20).first == learn(sides, truth, visits, 3, 20).first).all()


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_errors_depend_on_the_position_and_the_seed(kind: int) -> None:
    sides = sides_of(2)
    errors = np.empty((2, len(sides.counts) ** 2))
    for row, seed in zip(errors, (5, 6), strict=True):
        list_errors(sides, kind, np.uint64(seed), row)
    playing = (sides.seen[:, None] & sides.points) == 0
    playing[0], playing[:, 0] = False, False
    mask = playing.ravel()
    assert (errors[:, ~mask] == 0.0).all()
    assert errors[:, mask].mean(axis=1) == pytest.approx(0.0, abs=1e-9)
    assert errors[:, mask].std(axis=1) == pytest.approx(1.0)
    if kind == BIASED:
        assert (errors[0] == errors[1]).all()
        return
    assert np.abs(errors[0] - errors[1])[mask].mean() > 0.5
    states, drawn = [], []
    for waiting, side in np.argwhere(playing)[::997]:
        state = np.zeros(SIZE, np.int8)
        state[1:] = sides.counts[side, 1:]
        state[:25] -= sides.counts[waiting, :0:-1]
        states.append(state)
        drawn.append(errors[0].reshape(playing.shape)[waiting, side])
    expected = np.array([gauss(state, np.uint64(5)) for state in states])
    if kind != SIZE:
        shared_errors(np.array(states), np.uint64(5), kind, expected)
    line = np.polyfit(expected, drawn, 1)
    assert line[0] > 0
    assert np.polyval(line, expected) == pytest.approx(drawn)


def test_the_standard_errors_are_over_seeds() -> None:
    random = np.random.default_rng(4)
    shallow = 1.0 + 0.3 * random.normal(size=50)
    losses = np.stack([shallow, 0.5 * shallow, 0.2 + 0.1 * random.normal(size=50)], axis=1)
    one, half, other = loss_of(losses)
    assert one.mean == pytest.approx(shallow.mean())
    assert one.error == pytest.approx(shallow.std(ddof=1) / np.sqrt(50))
    assert (one.left, one.left_error) == pytest.approx((1.0, 0.0), abs=1e-9)
    assert (half.left, half.left_error) == pytest.approx((0.5, 0.0), abs=1e-9)
    resampled = [losses[random.integers(50, size=50)] for _ in range(2000)]
    ratios = [some[:, 2].mean() / some[:, 0].mean() for some in resampled]
    assert other.left_error == pytest.approx(np.std(ratios), rel=0.1)


def test_bars_are_as_long_as_the_seeds_ask_for() -> None:
    losses = {(kind, 0.1): [Loss(0.01, 0.0, 1.0, 0.0), Loss(0.005, 0.0, 0.5, error)]
              for kind, error in (("alike-3", 0.1), ("biased", float("nan")))}  # fmt: skip
    bars = drawn_bars(lambda axes: _draw(axes, losses, {"alike-3": 4, "biased": 1}))
    assert [segments[0][:, 1].tolist() for segments in bars] == [
        pytest.approx([50 - 10 * 3.182446, 50 + 10 * 3.182446]), [50.0, 50.0],
    ]  # fmt: skip


def test_relatives_and_the_winners_curse() -> None:
    """In a game of numbers: from p a roll r leads to 10 p + r and its neighbours, which are worth -r."""

    def successors(position: int, roll: int) -> np.ndarray:
        return 100 * position + roll + np.arange(3)

    def equities(places: np.ndarray) -> np.ndarray:
        return -(places % 100).astype(float)

    starts = [(position, position % 21) for position in range(1, 400)]
    family = relatives(starts, successors, equities, lambda place: place == 100, 1)
    assert (family.siblings[0] - family.siblings[1] == 1).all()
    assert (family.cousins[0] // 100 == family.cousins[1] // 100).all()
    assert (family.cousins[0] != family.cousins[1]).all()
    assert (family.line[1] // 100 == family.line[0]).all()
    assert (np.diff(family.plays, axis=1) == -1).all()
    random = np.random.default_rng(2)
    own = random.normal(size=40_000 * 100 + 100)
    shared = random.normal(size=40_001)

    def errors(places: np.ndarray) -> np.ndarray:
        return 0.6 * own[places] + 0.8 * shared[places // 100]

    found = likeness_of(family, errors)
    assert found.spread == pytest.approx(1.0, abs=0.1)
    assert found.siblings == pytest.approx(0.64, abs=0.1)
    assert found.cousins == pytest.approx(0.64, abs=0.1)
    assert found.line == pytest.approx(0.0, abs=0.15)
    level = family._replace(plays=np.zeros((2000, 2)))
    curse = winners_curse(level, Likeness(1.0, 0.64, 0.0, 0.0), 1)
    assert curse == pytest.approx(0.6 / np.sqrt(np.pi), abs=0.01), "the mean of the larger of two"
    assert winners_curse(family._replace(plays=np.array([[0.0, -np.inf]] * 500)), found, 1) == pytest.approx(
        0.0, abs=0.05
    )


def test_errors_of_shipped_networks_in_backgammon() -> None:
    probe, leaf = (likeness_in_backgammon(model, 20, 1) for model in ("probe", "leaf"))
    assert leaf.spread < probe.spread / 2
    assert probe.siblings > 0.5


def test_the_small_version_is_reproduced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two seeds of each kind of errors, and networks that learn for a shorter time."""
    from tests.lab.experiments.conftest import reproduced

    seeds = {kind: min(many, 2) for kind, many in truth_module._QUICK.seeds.items()}
    monkeypatch.setattr(truth_module, "_QUICK", truth_module._QUICK._replace(seeds=seeds, steps=300))
    rows = reproduced(tmp_path, "truth")("truth")
    assert len(rows) == (len(KINDS) + 1) * len(SIZES)
    for row in rows:
        if row["errors"] in ("independent", "network"):
            depths = [float(row[f"depth_{depth}"]) for depth in (1, 3, 5, 7)]
            assert depths == sorted(depths, reverse=True), "each depth averages errors"
    sizes = [float(row["depth_1"]) for row in rows[: len(SIZES)]]
    assert sizes == sorted(sizes), "larger errors lose more"
    assert 0 < float(rows[3]["depth_1_se"]) < 0.05 * sizes[3]
    page = (tmp_path / "report.md").read_text()
    assert "A mean of fewer than ten has no standard error, except over seeds." in page
    reproduced(tmp_path, "truth")
    assert (tmp_path / "report.md").read_text() == page, "the second run reads what is there"
