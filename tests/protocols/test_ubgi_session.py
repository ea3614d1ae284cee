"""The stakes that version 0.1 of the Universal Backgammon Interface tells."""

import pytest

from gammon.base.errors import FormatError, SettingError
from gammon.formats.position import Position
from gammon.protocols.ubgi_session import SessionTerms
from gammon.rules.terms import Terms


def terms(*lines: str) -> Terms:
    session = SessionTerms()
    for line in lines:
        word, *rest = line.split()
        session = session.told(word, rest)
    return session.placed(Position.opening()).context.terms()


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], Terms()),
        (["newsession type money jacoby on"], Terms(jacoby=True)),
        (["setcube value 2 owner p0"], Terms(cube=2, owner=1)),
        (["setcube value 2 owner p0", "setturn p1"], Terms(cube=2, owner=-1)),
        (["newsession type match length 7"], Terms(7, (7, 7))),
        (["newsession type match length 7", "setscore 2 4"], Terms(7, (5, 3))),
        (["newsession type match length 7", "setscore 2 4", "setturn p1"], Terms(7, (3, 5))),
        (
            ["newsession type match length 7", "setscore 6 4"],
            Terms(7, (1, 3), crawford=True),
        ),
        (["newsession type match length 7 crawford off", "setscore 6 4"], Terms(7, (1, 3))),
        (
            ["newsession type match length 7", "setscore 6 4", "setscore 6 4"],
            Terms(7, (1, 3), crawford=True),
        ),
        (["newsession type match length 7", "setscore 6 4", "setscore 6 5"], Terms(7, (1, 2))),
        (["newsession type match length 7", "setscore 6 6"], Terms(7, (1, 1))),
        (["newsession type match length 1"], Terms(1, (1, 1))),
        (["newsession type match length 5", "newsession type money"], Terms()),
    ],
)
def test_what_was_told(lines: list[str], expected: Terms) -> None:
    assert terms(*lines) == expected


@pytest.mark.parametrize(
    "line",
    [
        "newsession", "newsession type match", "newsession type money length 5",
        "newsession type match length 5 hats on", "newsession type match length -5",
        "newsession type money jacoby maybe", "setscore 1", "setscore 1 2 3", "setscore -1 2",
        "setscore a b", "setcube value", "setcube owner p0", "setcube value 2 owner p3",
        "setturn", "setturn p0 p1", "setturn 1",
    ],
)  # fmt: skip
def test_what_is_refused(line: str) -> None:
    with pytest.raises(FormatError, match=f"{line.split(maxsplit=1)[0]}.*expected"):
        terms(line)


def test_stakes_that_no_game_has() -> None:
    with pytest.raises(SettingError, match="away"):
        terms("newsession type match length 5", "setscore 5 1")
    with pytest.raises(SettingError, match="cube 3"):
        terms("setcube value 3 owner p0")
