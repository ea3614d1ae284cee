"""Searches of every position of hypergammon at once, and what decisions lose by them."""

from pathlib import Path

import numpy as np
import pytest

from gammon.compiled.vector import EIGHT
from gammon.eval.erring import shared_errors
from gammon.rules.board import SIZE
from gammon.rules.dice import ROLLS, WEIGHTS
from gammon.search.evaluation import gauss
from gammon_lab.experiments.truth import KINDS, loss_of
from gammon_lab.hypergammon.sides import sides_of
from gammon_lab.hypergammon.solve import CUBELESS, rules_of
from gammon_lab.hypergammon.solver import Solver
from gammon_lab.hypergammon.table import ExactTable
from gammon_lab.hypergammon.truth import BIASED, back_up, list_errors, list_losses, play_games, truth_of
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
    _, truth = solved
    random = np.random.default_rng(1)
    before = random.normal(size=(len(truth), EIGHT)).astype(np.float32)
    after = np.zeros_like(before).ravel()
    back_up(rules_of(1), before.ravel(), after)
    after = after.reshape(before.shape)
    for points in PLAYING:
        expected = np.zeros(EIGHT)
        for weight, dice in zip(WEIGHTS, ROLLS, strict=True):
            replies = [before[place_of(reply)] for reply in naive.replies(points, dice)]
            expected += weight / 36 * np.max([-values for values in replies], axis=0)
        assert after[place_of(points)] == pytest.approx(expected, abs=1e-5)
    assert (after[:SIZE] == before[:SIZE]).all(), "finished games stay as they are"


def test_the_truth_backed_up_is_the_truth(solved) -> None:
    _, truth = solved
    before = np.repeat(truth[:, None], EIGHT, axis=1).astype(np.float32).ravel()
    after = np.zeros_like(before)
    back_up(rules_of(1), before, after)
    places = [place_of(points) for points in PLAYING]
    assert np.abs(after.reshape(-1, EIGHT)[places, 3] - truth[places]).max() < 1e-6


def test_losses_are_what_the_chosen_plays_lose(solved) -> None:
    _, truth = solved
    random = np.random.default_rng(2)
    values = random.normal(size=(len(truth), EIGHT)).astype(np.float32)
    chosen = random.integers(len(PLAYING), size=100)
    decisions, expected = np.zeros((100, 4), np.int64), np.empty((EIGHT, 100))
    for k, number in enumerate(chosen):
        points, roll = PLAYING[number], int(random.integers(len(ROLLS)))
        decisions[k, :3] = place_of(points) % SIZE, place_of(points) // SIZE, roll
        replies = [place_of(reply) for reply in naive.replies(points, ROLLS[roll])]
        for lane in range(EIGHT):
            taken = min(replies, key=lambda place, lane=lane: values[place, lane])
            expected[lane, k] = truth[taken] - min(truth[replies])
    out = np.empty_like(expected)
    list_losses(rules_of(1), truth, values.ravel(), decisions, out)
    assert (out == expected).all()
    assert out.max() > 0.1
    exact = np.repeat(truth[:, None], EIGHT, axis=1).astype(np.float32).ravel()
    list_losses(rules_of(1), truth, exact, decisions, out)
    assert out.max() < 1e-6


def test_games_of_exact_play_have_unforced_decisions(solved) -> None:
    _, truth = solved
    decisions = np.empty((5000, 4), np.int64)
    many = play_games(rules_of(1), truth, 24, np.uint64(3), 300, decisions)
    assert 50 < many < 5000
    decisions = decisions[:many]
    assert (np.diff(decisions[:, 3]) >= 0).all()
    assert {*decisions[:, 3]} <= {*range(300)}
    by_place = {place_of(points): points for points in PLAYING}
    for side, waiting, roll, _ in decisions.tolist():
        assert len(naive.replies(by_place[SIZE * waiting + side], ROLLS[roll])) > 1
    again = np.empty((10, 4), np.int64)
    assert play_games(rules_of(1), truth, 24, np.uint64(3), 300, again) == many
    assert (again == decisions[:10]).all(), "no more is written than there is room for"


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


def test_the_standard_errors_are_those_of_means_over_seeds_and_games() -> None:
    """Losses of 6 seeds and 4,000 games, of one decision each, without any common part."""
    random = np.random.default_rng(4)
    shallow = 1.0 + 0.3 * random.normal(size=(6, 1)) + random.normal(size=(6, 4000))
    deep = 0.5 * shallow
    found = []
    for losses in zip(shallow, deep, strict=True):
        rows = []
        for loss in losses:
            deviation, first = loss - loss.mean(), losses[0] - losses[0].mean()
            games = loss.size
            rows.append([loss.mean(), (deviation**2).sum() / games**2, (deviation * first).sum() / games**2])
        found.append(rows)
    one, half = loss_of(np.array(found))
    means = shallow.mean(axis=1)
    assert one.mean == pytest.approx(means.mean())
    assert one.error == pytest.approx(np.sqrt(means.var(ddof=1) / 6 + 1 / 4000), rel=0.02)
    assert (one.left, one.left_error) == pytest.approx((1.0, 0.0), abs=1e-6)
    assert (half.left, half.left_error) == pytest.approx((0.5, 0.0), abs=1e-6)
    assert half.error == pytest.approx(one.error / 2)


def test_the_small_version_is_reproduced(tmp_path: Path) -> None:
    from tests.lab.experiments.conftest import reproduced

    rows = reproduced(tmp_path, "truth")("truth")
    assert len(rows) == len(KINDS) * EIGHT
    for row in rows:
        if row["errors"] == "independent":
            depths = [float(row[f"depth_{depth}"]) for depth in (1, 3, 5, 7)]
            assert depths == sorted(depths, reverse=True), "each depth averages independent errors"
    sizes = [float(row["depth_1"]) for row in rows[:EIGHT]]
    assert sizes == sorted(sizes), "larger errors lose more"
    assert 0 < float(rows[3]["depth_1_se"]) < 0.05 * sizes[3]
    page = (tmp_path / "report.md").read_text()
    reproduced(tmp_path, "truth")
    assert (tmp_path / "report.md").read_text() == page, "the second run reads what is there"
