"""Reproductions of papers, and studies of the cube and of strength, in small versions."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import gammon
from gammon.formats.gnubg_id import format_position_id
from gammon.rules.board import OPENING
from gammon.search import NOT_OVER, Cube, Stats
from gammon_lab.experiments import ballard, dice, front, strength
from gammon_lab.experiments.cube import _change_rows, reproduce
from gammon_lab.experiments.strength import _Game, _look, _rating
from gammon_lab.experiments.strength import reproduce as strength_reproduce
from gammon_lab.experiments.study import Study
from gammon_lab.games import dice_game
from tests.lab.experiments.conftest import reproduced
from tests.lab.experiments.figures import differences
from tests.matches import HAND, reviewed_file
from tests.naive.search import payoff

# Alpha-beta against the formula, and against the one count that is printed.


def test_alphabeta(reproduce):
    rows = reproduce("alphabeta")("alphabeta")
    assert [r["alpha_beta"] for r in rows if r["source"].startswith("printed: ")] == ["11"]
    assert differences(rows) == [0] * 6
    assert differences(rows, "value_difference") == [0] * 6


# Ballard's tables against the printed figures.


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    return reproduced(tmp_path_factory.mktemp("ballard"), "ballard")


def test_ballard(read):
    assert differences(read("ballard-figure-2")) == [0, 0]
    for row in read("ballard-table-1"):
        rounding = 0.0 if row["count"] == "leaves" else 0.05 + 1e-9
        assert abs(float(row["difference"])) <= rounding


def test_means_tell_how_far_apart_they_are(read):
    tables = {number: read(f"ballard-table-{number}") for number in (2, 3)}
    percentages = {row["n"]: row["printed"] for row in tables[3] if row["mean"] == "leaves, % of N^3"}
    assert percentages == {"4": "75.4", "6": "64.5", "8": "57.3", "10": "53.1"}
    for row in tables[2] + tables[3]:
        off, error, own = (abs(float(row[name])) for name in ("difference", "difference_se", "ours_se"))
        step = 0.1 if "." in row["printed"] else 1
        # Ours are of 100 trees and those of the paper of 1000, with rounding.
        assert error == pytest.approx((1.1 * own**2 + step**2 / 12) ** 0.5)
        assert float(row["apart"]) == pytest.approx(off / error, abs=0.051)
        if "if L ends" not in row["mean"]:
            assert float(row["apart"]) < 4


def test_ballards_constants(read):
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


# The Game of Dice: savings, positions, pairs.


def test_dice(reproduce, monkeypatch):
    small = dice.BOARDS["5x5"]._replace(positions=3, deepest=5, played=(1, 3), pairs=4)
    monkeypatch.setattr(dice, "_QUICK_BOARDS", {"5x5": small})
    read = reproduce("dice")
    savings = {(r["depth"], r["algorithm"]): r for r in read("dice-savings")}
    full, star1, star2 = (float(savings["5", name]["leaves"]) for name in ("expectimax", "star1", "star2"))
    assert star2 < star1 < full
    assert [row["games"] for row in read("dice-tournament")] == ["8"]


def test_dice_positions_are_fixed_and_in_play():
    board = dice.BOARDS["11x11"]
    for number in range(20):
        state, die = dice.position(board, 1, number)
        again, same = dice.position(board, 1, number)
        assert (state == again).all()
        assert die == same < board.n
        assert payoff(dice_game.game(board.n, board.m), state) == NOT_OVER
        assert board.marks[0] <= abs(state).sum() < board.marks[1]


def test_a_pair_of_a_player_with_itself_is_even():
    unit = {"board": "5x5", "seed": 3, "deep": 1, "shallow": 1, "first": 0, "pairs": 20}
    assert set(dice.play(unit)) == {0.5}


# The reproduction of Hauk, Buro and Schaeffer, in its small version.


def test_quick_run(reproduce, tmp_path: Path) -> None:
    read = reproduce("hauk")
    rows = {row["algorithm"]: row for row in read("hauk-savings")}
    assert float(rows["expectimax"]["leaves_percent"]) == 100
    assert float(rows["star2"]["leaves_percent"]) < float(rows["star1"]["leaves_percent"]) < 100
    times = {row["algorithm"]: row for row in read("hauk-times")}
    assert [times[name]["seconds_printed"] for name in rows] == ["1.1", "1.1", "1.0"]
    assert [times[name]["time_percent_printed"] for name in rows] == ["", "100", "91"]
    assert float(times["star2"]["time_percent_ours"]) == float(rows["star2"]["time_percent"])
    assert (tmp_path / "hauk-leaves.svg").exists()
    page = (tmp_path / "report.md").read_text()
    assert "Probe efficiency" in page
    reproduce("hauk")
    assert (tmp_path / "report.md").read_text() == page, "the second run reads what is there"


# The front of loss against time, in a tiny version, and losses about the cube by hand.


def test_front(tmp_path, monkeypatch):
    monkeypatch.setattr(front, "QUICK_SIZES", front.Sizes(2, 1, (3,), (3, 5)))
    monkeypatch.setattr(front, "_NETWORKS", ("leaf",))
    told: list[tuple[int, int]] = []
    study = Study(tmp_path, 1, True, on_done=lambda *counts: told.append(counts))
    report = front.reproduce(study)
    assert told[-1] == (20, 20)
    sheets = {sheet.name: sheet for sheet in report.tables}

    def rows(name):
        return [dict(zip(sheets[name].columns, row, strict=True)) for row in sheets[name].rows]

    groups = rows("front-groups")
    assert len(groups) == (6 * 2 + 4) * len(front.SEARCHES), "plays at two depths, the cube at one"
    for row in groups:
        if row["search"] == "exact":
            assert (row["loss"], row["other choice %"], row["difference of the value"]) == (0.0, 0.0, 0.0)
            assert (row["time %"], row["equal values %"]) == (100.0, 100.0)
    assert any(row["difference of the value"] > 0.0 for row in groups), "searches approximate"
    plays = {row["search"]: row for row in rows("front-5")}
    assert {row["decisions"] for row in plays.values()} == {6}
    rising = [plays[name]["evaluations"] for name in (*front.LINES["bounded"], "exact")]
    assert rising == sorted(rising) and rising[0] < rising[-1]
    again = front.reproduce(study)
    assert [sheet.rows for sheet in again.tables] == [sheet.rows for sheet in report.tables]


def test_what_a_choice_loses_to_the_exact_search():
    """A double gains 0.2 and is a take by 0.3; a play loses its distance from the best one."""
    cube = Cube(0.5, 0.7, 1.0, Stats(*[0] * 7), 2, None)
    exact = front.Answer((True, True), 0.7, 0, 0.0, cube)
    loss = front.loss_by({}, 3, exact)
    losses = [loss(choice) for choice in product((True, False), repeat=2)]
    assert losses == pytest.approx([0.0, 0.3, 0.2, 0.5])
    unit = {"kind": "play", "stake": "money", "network": "leaf", "outcome": 1}
    unit["position"] = format_position_id(OPENING)
    exact = front.search(unit, "exact", 3)
    loss = front.loss_by(unit, 3, exact)
    tree = front.tree_of("money", "leaf", "exact")
    decision = tree.decide(OPENING, 1, 3, top=100)
    for row, value in zip(decision.rows, decision.values, strict=True):
        assert loss(row.tobytes()) == pytest.approx(exact.value - value, abs=1e-9)


# The iterated game against what is expected, and where that is from.


@pytest.mark.smoke
def test_iterated(reproduce):
    read = reproduce("iterated")
    rows = read("iterated")
    for each in rows, read("iterated-choices"):
        assert max(map(abs, differences(each))) < 1e-12
    assert {row["strategy"]: row["source"].split(":")[0] for row in rows} == {
        "always A3": "printed",
        "safe when ahead": "printed",
        "best play": "program",
    }


# NIM against what is expected, and where that is from.


def test_nim(reproduce):
    read = reproduce("nim")
    assert max(map(abs, differences(read("nim-random")))) < 1e-12
    assert {r["p_w1"]: r["source"].split(":")[0] for r in read("nim-random")} == {
        "1/2": "printed",
        "1/4": "formula",
        "2/3": "formula",
    }
    assert [list(row.values())[:3] for row in read("nim-misere")] == [
        ["(1, 2, 2)", "win", "win"],
        ["(1, 3, 5, 7)", "loss", "loss"],
    ]
    assert [row["source"].split(":")[0] for row in read("nim-misere")] == ["printed", "program"]


# Tic-tac-toe with swaps against a second program: the paper has no value of the game.


def test_tictactoe(reproduce):
    rows = reproduce("tictactoe")("tictactoe")
    assert max(map(abs, differences(rows))) < 1e-12
    assert {row["best_cell"] for row in rows} == {"9"}
    assert all(row["source"].startswith("program: ") for row in rows)


# The study of depth with the cube, in its small version.


def test_the_small_version(tmp_path):
    seen = []
    settings = Study(tmp_path / "one", 3, True, on_done=lambda done, total: seen.append((done, total)))
    report = reproduce(settings)
    worth, changes = report.tables
    assert [row[:3] for row in worth.rows] == [["money, cubeless", 3, 1], ["money", 3, 1], ["7 points", 3, 1]]
    assert [row[:2] for row in changes.rows] == [["all", 1], ["close", 1]]
    assert changes.rows[0][2] == 60
    assert seen[-1][0] == seen[-1][1]
    report.write(tmp_path)
    assert (tmp_path / "cube-worth.svg").stat().st_size > 1000


def test_actions_that_change_and_what_they_lose():
    engine = gammon.Engine(depth=1)
    right = engine.cube(gammon.Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:0:0:0:0:10"))
    holds = replace(right, no_double=replace(right.no_double, equity=9.0))
    passes = replace(right, double_take=replace(right.double_take, equity=1.5))
    (row,) = _change_rows("all", [(holds, right), (passes, right), (right, right)])
    doubles, takes, lost, _ = row[3:]
    assert (doubles, takes) == pytest.approx((100 / 3, 100 / 3))
    assert lost == pytest.approx((right.gain + right.answer_gain) / 3)


def test_rounding_is_no_other_decision():
    """Where double and take is worth as much as rolling, either is right."""
    right = gammon.Engine(depth=1).cube(
        gammon.Position.parse("XGID=--CDBbC-B-----a----bdA-cc-:0:0:1:00:0:0:0:0:10")
    )

    def worth(double_take):
        return replace(
            right,
            no_double=replace(right.no_double, equity=0.5),
            double_take=replace(right.double_take, equity=double_take),
        )

    tie, above, clear = worth(0.5), worth(0.5 + 1e-16), worth(0.75)
    assert above.gain > 0.0
    (row,) = _change_rows("all", [(tie, above), (above, tie)] * 5)
    assert row[3:] == [0.0, 0.0, 0.0, 0.0]
    (row,) = _change_rows("all", [(worth(1.0), worth(1.0 - 1e-16))] * 10)
    assert row[3:] == [0.0, 0.0, 0.0, 0.0]
    (row,) = _change_rows("all", [(tie, clear)] * 10)
    assert row[3:] == [100.0, 0.0, 0.25, 0.0]


# The study of opponents of any strength, in its small version, and its sums by hand.


def test_strength_the_small_version(tmp_path, monkeypatch):
    monkeypatch.setattr(strength, "_STRENGTHS", (20.0, 4.0))
    monkeypatch.setattr(strength, "_MATCHES", {0: 80, 1: 80})
    told: list[tuple[int, int]] = []
    study = Study(tmp_path, 3, True, on_done=lambda *counts: told.append(counts))
    check, look, kinds = strength_reproduce(study).tables
    assert told == sorted(told) and told[-1] == (16, 16), "progress never goes back"
    assert [row[:3:2] for row in check.rows] == [
        [20.0, "money"],
        [20.0, "1 points"],
        [4.0, "money"],
        [4.0, "1 points"],
    ]
    assert [row[3] for row in check.rows] == [4, 4, 4, 4]
    weak, strong = (check.rows[place][5] for place in (0, 2))
    assert 12.0 < weak < 30.0 and 2.0 < strong < 7.0
    assert [row[0] for row in look.rows] == [20.0, 4.0]
    for row in look.rows:
        assert sum(row[4:8]) == pytest.approx(100.0)
    assert [row[0] for row in kinds.rows] == [1, 3, 8, 26]
    alike = [row[2] for row in kinds.rows]
    assert alike == sorted(alike, reverse=True) and abs(alike[-1]) < 0.3 and alike[0] > 0.5
    again = strength_reproduce(Study(tmp_path, 3, True)).tables
    assert [table.rows for table in again] == [check.rows, look.rows, kinds.rows]


def test_ratings_are_those_of_the_review():
    found = reviewed_file(HAND)
    choices = list(found.choices)
    sums = [found.totals(player).all for player in (0, 1)]
    counted = sum(each.counted for each in sums)
    pr = 500.0 * sum(each.error for each in sums) / counted
    games, decisions, rating, error, plays, _ = _rating([_Game(0, choices)])
    same = _rating([_Game(pair, choices) for pair in range(10)])
    assert (games, decisions, rating) == (1, counted, pytest.approx(pr))
    assert error is None, "of one game"
    assert same[2] == pytest.approx(rating)
    assert same[3] == pytest.approx(0.0, abs=1e-9)
    half = len(choices) // 2
    parts = choices[:half], choices[half:]
    both = _rating([_Game(pair, parts[pair % 2]) for pair in range(10)])
    x, n = (
        [sum(getattr(choice, name) for choice in part) for part in parts] for name in ("error", "counted")
    )
    error = 500.0 * abs(x[0] - pr / 500.0 * n[0]) / np.mean(n) / np.sqrt(9)
    assert both[2:4] == pytest.approx([pr, error])
    pairs = [_Game(pair, parts[pair % 2]) for pair in range(10) for _ in range(2)]
    assert _rating(pairs)[:4:3] == [20, pytest.approx(error)], "games of a pair may be alike"
    of_plays = [each.error for each in choices if each.kind == "play" and each.counted]
    assert plays == pytest.approx(500.0 * np.mean(of_plays))
    look = _look(choices)
    wrong = [each.error for each in choices if each.counted and each.error >= 0.001]
    assert look[0] == pytest.approx(100.0 * len(wrong) / counted)
    assert sum(look[3:7]) == pytest.approx(100.0)
