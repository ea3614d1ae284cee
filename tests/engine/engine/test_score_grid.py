"""Cube decisions by score: each cell is the decision at that score."""

import pytest

import gammon
from gammon.rules.terms import Terms

POSITION = gammon.Position.parse("XGID=-a-B--C-B-a-dDB--bBbcb----:0:0:1:00:0:0:0:0:10")


@pytest.fixture(scope="module")
def engine() -> gammon.Engine:
    return gammon.Engine(depth=1)


def test_each_cell_is_the_decision_at_its_score(engine: gammon.Engine) -> None:
    grid = engine.cube_by_score(POSITION, 3)
    assert list(grid.scores) == [(own, their) for own in (1, 2, 3) for their in (1, 2, 3)]
    for (own, their), found in grid.scores.items():
        terms = Terms(max(own, their), (own, their))
        assert found.terms == terms
        alone = engine.cube(POSITION.with_terms(terms))
        assert found.no_double == alone.no_double
        assert found.double_take == alone.double_take
    assert grid.depth == 1
    assert grid.named["money"].no_double == engine.cube(POSITION).no_double
    assert grid.named["dmp"].double_take is None
    go, save = grid.named["gammon-go"], grid.named["gammon-save"]
    assert (go.terms.away, save.terms.away) == ((2, 1), (1, 2))
    assert go.terms.crawford and save.terms.crawford


def test_the_cube_and_its_owner_stay(engine: gammon.Engine) -> None:
    owned = POSITION.with_terms(Terms(9, (4, 7), cube=2, owner=1))
    grid = engine.cube_by_score(owned, 3)
    assert {(each.terms.cube, each.terms.owner) for each in grid.scores.values()} == {(2, 1)}
    assert grid.named["money"].terms == Terms(cube=2, owner=1)
    # In the Crawford game there is no double; the cells are not that game.
    crawford = POSITION.with_terms(Terms(9, (1, 7), crawford=True))
    assert not any(
        each.terms.crawford for each in engine.cube_by_score(crawford, 2).scores.values()
    )


@pytest.mark.parametrize("away", [0, 26, 2.5, "7", None])
def test_scores_out_of_range_are_refused(engine: gammon.Engine, away: object) -> None:
    with pytest.raises(gammon.SettingError, match="away"):
        engine.cube_by_score(POSITION, away)  # type: ignore[arg-type]


def test_progress(engine: gammon.Engine) -> None:
    import numpy as np

    bar = np.zeros(2, np.int64)
    engine.cube_by_score(POSITION, 2, bar)
    assert bar.tolist() == [8, 8]


def test_best_plays_by_score(engine: gammon.Engine) -> None:
    opening = gammon.Position.opening()
    grid = engine.plays_by_score(opening, (2, 1), 3)
    for (own, their), found in grid.scores.items():
        alone = engine.analyze(
            opening.with_terms(Terms(max(own, their), (own, their))), (2, 1), 1
        )
        assert found.candidates[0] == alone.candidates[0]
    money = grid.named["money"].candidates[0]
    assert grid.plays[0] == money.play.notation
    for analysis in grid.named.values():
        (mine,) = [c for c in analysis.candidates if c.play.points == money.play.points]
        assert mine.exact
    bests = {each.candidates[0].play.notation for each in grid.scores.values()}
    assert bests <= set(grid.plays)
    with pytest.raises(gammon.SettingError, match="cubeless"):
        gammon.Engine(depth=1, cubeless=True).plays_by_score(opening, (2, 1))


def owners(engine: gammon.Engine, **settings: object) -> gammon.PlayGrid | gammon.ScoreGrid:
    found = engine.answer(gammon.Question(owners=True, depth=1, **settings))  # type: ignore[arg-type]
    assert isinstance(found, gammon.PlayGrid | gammon.ScoreGrid)
    return found


def test_best_plays_by_the_place_of_the_cube(engine: gammon.Engine) -> None:
    at = POSITION.with_terms(Terms(7, (4, 2), cube=4, owner=-1))
    grid = owners(engine, position=at, dice=(6, 4))
    assert (grid.away, list(grid.scores), grid.depth) == (0, [], 1)
    assert list(grid.named) == ["cube-centred", "cube-mine", "cube-theirs"]
    cubes = [(1, 0), (4, 1), (4, -1)]
    for (cube, owner), found in zip(cubes, grid.named.values(), strict=True):
        assert isinstance(found, gammon.Analysis)
        terms = Terms(7, (4, 2), cube=cube, owner=owner)
        alone = engine.analyze(at.with_terms(terms), (6, 4), 1).candidates[0]
        best = found.candidates[0]
        assert (best.play, best.equity) == (alone.play, alone.equity)
    assert isinstance(grid, gammon.PlayGrid)
    assert (
        grid.plays[0]
        == engine.analyze(at.with_terms(Terms(7, (4, 2))), (6, 4), 1)
        .candidates[0]
        .play.notation
    )


def test_decisions_by_the_place_of_the_cube_beside_scores(engine: gammon.Engine) -> None:
    grid = owners(engine, position=POSITION, scores=2)
    assert isinstance(grid, gammon.ScoreGrid)
    assert list(grid.named)[:2] == ["money", "dmp"]
    assert len(grid.scores) == 4
    turned = [engine.cube(POSITION.with_terms(Terms(cube=2, owner=owner))) for owner in (1, -1)]
    assert grid.named["cube-centred"].no_double == engine.cube(POSITION).no_double
    assert grid.named["cube-mine"].double_take == turned[0].double_take
    assert grid.named["cube-theirs"].no_double == turned[1].no_double
    assert grid.named["cube-theirs"].double_take is None
    question = gammon.Question(position=POSITION, owners=True, scores=2)
    assert question.searches == 4 + 4 + 3
    assert "cube-mine" in repr(grid)


@pytest.mark.parametrize("dice", [None, (3, 1)])
def test_nobody_owns_a_cube_in_the_crawford_game(
    engine: gammon.Engine, dice: tuple[int, int] | None
) -> None:
    with pytest.raises(gammon.SettingError, match="owners in the Crawford game: expected"):
        owners(engine, position=POSITION, dice=dice, match=7, score="6-3", crawford=True)
