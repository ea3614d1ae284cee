"""GNU Backgammon's analysis of match5: the values of cube decisions and the luck of rolls."""

import re
from collections.abc import Iterator

from gammon.formats.met_file import read_met
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.transcript import ActionKind, Transcript
from gammon_study.reviews.choice import (
    Choice,
    ChoiceKind,
    CubeValues,
    Luck,
    counts_for_gnu,
    counts_without_double,
    cube_error,
    unit_cost,
)
from tests.matches import MATCH5_SGF


def match5() -> Transcript:
    return read_transcript(MATCH5_SGF)


def nodes() -> Iterator[tuple[int, int, str]]:
    """The game, the action and the text of each node."""
    for game, tree in enumerate(MATCH5_SGF.read_text().split("(;FF")[1:]):
        for action, text in enumerate(re.split(r"\n;", tree)[1:]):
            yield game, action, text


def cube_choices() -> list[Choice]:
    """The choices about the cube, by GNU Backgammon's values at 0-ply."""
    found, games = [], match5().games
    moments = [list(game.moments()) for game in games]
    for game, number, text in nodes():
        stored = re.search(r"DA\[E ver 3 0C 1 \S+ 1 (.*?)\]", text)
        if not stored:
            continue
        numbers = [float(number) for number in stored[1].split()]
        action, position, _ = moments[game][number]
        terms = position.context.terms()
        emg = [read_met().emg(mwc, terms) for mwc in (numbers[6], numbers[13])]
        values = CubeValues(emg[0], emg[1], 1.0)
        kind = ChoiceKind.NO_DOUBLE
        if action.kind is not ActionKind.ROLL:
            kind = ChoiceKind(action.kind.value)
        actual = kind is not ChoiceKind.NO_DOUBLE
        error = cube_error(kind, values)
        found.append(
            Choice(
                game, number, action.side, kind, position.xgid, "", "", error,
                error * unit_cost(terms, read_met()), actual or counts_without_double(values),
                actual or counts_for_gnu(values), 1, values,
            )
        )  # fmt: skip
    return found


def lucks() -> list[Luck]:
    """The luck of all rolls, by GNU Backgammon at 0-ply."""
    found, games = [], match5().games
    moments = [list(game.moments()) for game in games]
    for game, number, text in nodes():
        stored = re.search(r"LU\[(.*?)\]", text)
        if stored:
            action, position, _ = moments[game][number]
            luck = float(stored[1])
            unit = unit_cost(position.context.terms(), read_met())
            found.append(Luck(game, number, action.side, luck, luck * unit))
    return found
