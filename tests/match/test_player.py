"""Players are read, written and refused."""

import pytest

from gammon.match import parse_player


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("depth=3", "depth=3"),
        ("noise=0.03, depth=5", "depth=5,noise=0.03"),
        ("noise=0.123456789", "depth=1,noise=0.123456789"),
        ("algorithm=star1,filter=tiny", "depth=1,algorithm=star1,filter=tiny"),
        ("gnubg=2", "gnubg=2"),
    ],
)  # fmt: skip
def test_players_are_read_and_written(text, written):
    player = parse_player(text)
    assert str(player) == written
    assert parse_player(written) == player
