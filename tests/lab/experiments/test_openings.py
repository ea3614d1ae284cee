"""The opening book, in its small version."""

from zlib import crc32

import pytest

import gammon
from gammon.rules.dice import ROLLS, WEIGHTS
from gammon_lab.experiments.openings import KEITH, RANKING, XG, reproduce

EXPERIMENT = reproduce


def best_by_hand(position, dice):
    """The play with the highest equity, its equity, and whether it was rolled out."""
    found = gammon.Engine(3, model="large").analyze(position, dice, 8)
    close = [each.play for each in found.candidates if each.deep and each.loss <= 0.02][:5]
    if len(close) == 1:
        return close[0].notation, found.candidates[0].equity, False
    own = crc32(f"3 {position.points} {dice}".encode())
    games = gammon.rollout(
        position, dice, close, trials=36, depth=1, truncate=4, seed=own, model="large", drop=False
    )
    best = games.candidates[0]
    return best.name, best.equity, True


def test_replies_are_those_of_the_engine(small):
    report, _, seen = small
    assert seen[-1] == (45, 45)
    openings, _, *replies = report.tables
    rolls = list(dict.fromkeys(row[0] for row in openings.rows))
    assert rolls == ["21", "31"]
    (best,) = (row for row in openings.rows if row[0] == "31" and row[7] is not None)
    assert best[1] == "8/5 6/5"
    after = gammon.find_play(gammon.Position.opening(), (3, 1), "8/5 6/5").position
    depths = {name for table in (openings, *replies) for name in table.columns if name.startswith("depth")}
    assert depths == {"depth 3"}
    assert {row[7] for table in replies for row in table.rows} <= {"depth 3", "games", None}
    assert [row[0] for row in replies[1].rows] == [f"{high}{low}" for high, low in ROLLS]
    for dice in ((1, 1), (4, 2), (5, 3)):
        row = replies[1].rows[ROLLS.index(dice)]
        play, equity, rolled = best_by_hand(after, dice)
        assert row[1] == play
        assert float(row[3] if rolled else row[2]) == pytest.approx(equity, abs=6e-5)
        assert (row[4] is not None) == rolled


def test_an_opening_is_worth_what_its_replies_are(small):
    report, _, _ = small
    openings, _, *replies = report.tables
    (best,) = (row for row in openings.rows if row[0] == "31" and row[7] is not None)
    total = sum(
        weight * float(row[2] if row[3] is None else row[3])
        for weight, row in zip(WEIGHTS, replies[1].rows, strict=True)
    )
    assert float(best[7]) == pytest.approx(-total / 36, abs=1e-4)


def test_published_equities_stand_beside_cubeless_ones(small):
    report, _, _ = small
    openings, published, *_ = report.tables
    for row in openings.rows:
        known = XG[int(row[0][0]), int(row[0][1])].get(row[1])
        assert (row[9] is None) == (known is None)
        if known is not None:
            assert float(row[9]) == known
            assert float(row[10]) == pytest.approx(float(row[8]) - known, abs=1.1e-4)
            assert abs(float(row[10])) < 0.04
        assert row[11] == (None if known is None else RANKING)
    assert [row[1] for row in published.rows if row[0].startswith("31")] == ["11", "52", "54"]
    assert all(abs(float(row[5])) < 0.04 and row[6] == KEITH for row in published.rows)


def test_the_first_rolls_are_the_best_plays_of_the_book_and_doubles(small):
    report, _, _ = small
    openings, *_, first = report.tables
    assert (first.name, [row[0] for row in first.rows]) == ("first-rolls", ["11", "21", "31"])
    best = {row[0]: row[1:3] for row in openings.rows if row[7] is not None}
    assert {row[0]: row[1:3] for row in first.rows[1:]} == best
    play, equity, rolled = best_by_hand(gammon.Position.opening(), (3, 1))
    assert not rolled
    assert first.rows[2][1] == play
    assert float(first.rows[2][2]) == pytest.approx(equity, abs=6e-5)


def test_files(small):
    report, folder, _ = small
    names = {path.name for path in report.write(folder)}
    assert {"opening-21.svg", "replies-31.csv", "openings.csv", "report.md"} <= names
    assert (folder / "opening-31.svg").read_text().startswith("<svg ")
    assert "![Replies to 31: 8/5 6/5](opening-31.svg)" in (folder / "report.md").read_text()
