"""The settings and the stakes of the Universal Backgammon Interface."""

from pathlib import Path

import pytest

from gammon.base.errors import FormatError, SettingError
from gammon.base.settings import OneOf, Whole
from gammon.engine.question import DEPTHS, Question
from gammon.eval.model_file import shipped_models
from gammon.formats.position import Position
from gammon.rules.terms import Terms
from gammon.search import MAX_THREADS
from gammon_adapters.ubgi_state import KEYS, OLD_NAMES, SessionTerms, question_of
from tests.tables import FLAT, written

USUAL = {name: key.default for name, key in KEYS.items()}


def test_their_lines() -> None:
    lines = [key.line for key in KEYS.values()]
    assert "key engine.ply int 1..4 2 plies as XG counts them: 1 is static" in lines
    assert "key engine.threads int 1..256 1 ! processors for one decision" in lines
    assert any(line.startswith("key engine.cube bool true ") for line in lines)
    assert any(line.startswith("key engine.met string * none ") for line in lines)
    assert any(
        line.startswith("key game.variant enum backgammon backgammon ") for line in lines
    )


def test_limits_and_choices_are_those_that_there_are() -> None:
    for ply in range(1, 5):
        question = question_of(USUAL | {"engine.ply": ply})
        assert question.depth == 2 * ply - 1 == DEPTHS[ply - 1]
    assert KEYS["engine.model"].kind == OneOf(tuple(each.stem for each in shipped_models()))
    assert KEYS["engine.threads"].kind == Whole(1, MAX_THREADS)


def test_old_names_are_of_settings() -> None:
    assert {*OLD_NAMES.values()} <= {*KEYS}


def test_the_question_of_settings(tmp_path: Path) -> None:
    assert question_of(USUAL) == Question(depth=3, cubeless=False, seed=0)
    level = question_of(USUAL | {"engine.level": "roller"})
    assert level == Question(level="roller", cubeless=False, seed=0)
    path = str(written(FLAT, tmp_path))
    texts = {
        "engine.cube": "OFF", "engine.filter": "tiny", "engine.noise": "30", "engine.met": path,
        "engine.seed": "7", "engine.movetime": "1500",
    }  # fmt: skip
    values = {name: KEYS[name].kind.read(name, text) for name, text in texts.items()}
    assert question_of(USUAL | values) == Question(
        depth=3, cubeless=True, move_filter="tiny", noise=0.03, met=FLAT, noise_seed=7,
        max_seconds=1.5, seed=7,
    )  # fmt: skip


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
        (
            ["newsession type match length 7", "setscore 6 0", "setscore 0 0", "setscore 0 6"],
            Terms(7, (7, 1), crawford=True),
        ),
        (
            ["newsession type match length 7", "setscore 6 4", "setscore 6 2"],
            Terms(7, (1, 5), crawford=True),
        ),
        (
            ["newsession type match length 7", "setscore 6 4", "setscore 5 4"],
            Terms(7, (2, 3)),
        ),
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
        "newsession type match length 65", "newsession type match length 9999999999",
        "newsession type money jacoby maybe", "setscore 1", "setscore 1 2 3", "setscore -1 2",
        "setscore a b", "setcube value", "setcube owner p0", "setcube value 2 owner p3",
        "setcube value 3 owner p0", "setcube value 128 owner p0", "setcube value 1 owner p0",
        "setturn", "setturn p0 p1", "setturn 1",
    ],
)  # fmt: skip
def test_what_is_refused(line: str) -> None:
    with pytest.raises(FormatError, match=f"{line.split(maxsplit=1)[0]}.*expected"):
        terms(line)


def test_stakes_that_no_game_has() -> None:
    for line in ("setscore 5 1", "setscore 3 99", "setcube value 2 owner center"):
        with pytest.raises(FormatError, match=f"{line}.*expected"):
            terms("newsession type match length 5", line)
    with pytest.raises(SettingError, match="cube 2 in the Crawford game"):
        terms("newsession type match length 5", "setscore 4 1", "setcube value 2 owner p0")
