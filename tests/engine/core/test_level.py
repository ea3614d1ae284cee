"""Levels that roll: their rounds are what blocks of games allow."""

from gammon.core.level import BLOCK, ROLLERS


def test_rounds_are_whole_blocks_that_grow() -> None:
    for level in ROLLERS.values():
        assert all(trials % BLOCK == 0 for trials in level.rounds)
        assert list(level.rounds) == sorted(set(level.rounds))
        assert level.depth in (3, 5, 7) and level.plies in (1, 3, 5)


def test_each_level_plays_more_than_the_one_before() -> None:
    work = [level.rounds[-1] * level.turns * level.plies for level in ROLLERS.values()]
    assert work == sorted(set(work))
