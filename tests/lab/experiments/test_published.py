"""Published openings: each play is legal, and written as ours are."""

from gammon.formats.play import find_play
from gammon.formats.position import Position
from gammon.rules.dice import ROLLS
from gammon_lab.experiments.published import REPLIES, XG


def test_plays_are_ours():
    opening = Position.opening()
    assert set(XG) == {(high, low) for high, low in ROLLS if high != low}
    for dice, plays in XG.items():
        for play, equity in plays.items():
            assert find_play(opening, dice, play).notation == play
            assert abs(equity) < 0.2
    for (dice, play), replies in REPLIES.items():
        after = find_play(opening, dice, play).position
        assert play in XG[dice]
        for reply, (best, equity) in replies.items():
            assert find_play(after, reply, best).notation == best
            assert abs(equity) < 0.3
