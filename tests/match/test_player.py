"""Players are read, written and refused."""

import pytest

from gammon.errors import FormatError, SettingError
from gammon.match import parse_player
from gammon.match.player import mind_of


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("depth=3", "depth=3"),
        ("noise=0.03, depth=5", "depth=5,noise=0.03"),
        ("noise=0.123456789", "depth=1,noise=0.123456789"),
        ("algorithm=star1,filter=tiny", "depth=1,algorithm=star1,filter=tiny"),
        ("gnubg=2", "gnubg=2"),
        (" bgsage=3 ", "bgsage=3"),
        ("external=127.0.0.1:1234", "external=127.0.0.1:1234"),
        ("external=./socket", "external=./socket"),
    ],
)  # fmt: skip
def test_players_are_read_and_written(text, written):
    player = parse_player(text)
    assert str(player) == written
    assert parse_player(written) == player


def test_who_plays():
    assert parse_player("gnubg=0").peer == ("gnubg", 0)
    assert parse_player("bgsage=4").peer == ("bgsage", 4)
    assert parse_player("external=a:1").peer == ("external", "a:1")
    assert parse_player("depth=1").peer is None


def test_who_listens_plays_with_the_cube_alone():
    with pytest.raises(SettingError, match="external=a:1 without the cube"):
        mind_of(parse_player("external=a:1"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("gnubg=5", "gnubg=0 to 4, alone"),
        ("bgsage=0", "bgsage=1 to 4, alone"),
        ("bgsage=5", "bgsage=1 to 4, alone"),
        ("depth=1,bgsage=1", "bgsage=1 to 4, alone"),
        ("gnubg=0,bgsage=1", "gnubg=0 to 4, alone"),
        ("bgsage=x", "'x' is no value of bgsage"),
        ("external=a:1,depth=1", "external=ADDRESS, alone"),
        ("external=a:", "expected HOST:PORT"),
        ("external=", "'' is no value of external"),
    ],
)
def test_plies_that_another_program_does_not_have(text, expected):
    with pytest.raises(FormatError, match=expected):
        parse_player(text)
