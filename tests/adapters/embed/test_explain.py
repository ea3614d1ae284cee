"""The explanations of errors in C are the explanations of Python's reviews."""

from itertools import product

import numpy as np

from gammon import legal_plays
from gammon.eval.equity import Probabilities
from gammon_adapters.embed.calls import explain_cube, explain_play
from gammon_adapters.embed.core_state import CoreState
from gammon_adapters.embed.layout import CUBE, FAULTS, PLAY, REASONS, number_of, slots, width
from gammon_study.reviews.choice import Choice, ChoiceKind, CubeValues, ReviewedPlay, cube_error
from gammon_study.reviews.explain import reasons_of, themes_of
from gammon_study.reviews.names import THEMES
from tests.adapters.embed.questions import AT, asked, numbers

WHOLE, REAL = slots(REASONS.whole), slots(REASONS.real)
EQUITY, CHANCES = slots(PLAY.real)["equity"], slots(PLAY.real)["chances"]


def named(bits: int) -> list[str]:
    return [theme for k, theme in enumerate(THEMES) if bits >> k & 1]


def test_a_play_has_the_reasons_and_themes_of_python() -> None:
    core, rng, told_something = CoreState.allocate(1), np.random.default_rng(5), 0
    usual = np.array([0.5, 0.15, 0.01, 0.15, 0.01])
    for position, dice in asked(60, 5):
        legal = legal_plays(position, dice)
        drawn = rng.permutation(len(legal))[:3]
        names = [legal[k].notation for k in drawn]
        chances = [Probabilities(*(usual * rng.choice([0.8, 0.9, 1.0, 1.1], 5)).tolist()) for _ in names]
        plays = tuple(map(ReviewedPlay, names, (0.0, 0.0, 0.0), chances))
        error = float(rng.choice([0.004, 0.05, 0.2])) if len(names) > 1 else 0.0
        choice = Choice(
            0, 0, 0, ChoiceKind.PLAY, position.xgid, names[-1], names[0], error, 0.0, True,
            True, 1, plays=plays,
        )  # fmt: skip
        core.question[:] = numbers(position)
        rows = [len(names) - 1, 0, *range(len(names[:2]))]
        core.question[AT["compared"]] = len(rows)
        for row, k in enumerate(rows):
            core.whole[row, :26] = legal[drawn[k]].points
            core.real[row, CHANCES : CHANCES + 5] = chances[k]
            core.real[row, EQUITY] = 0.0 if row == 0 else error
        assert explain_play(core) == 1
        told, figures = reasons_of(choice, position)
        assert core.whole[0, 1 : width(REASONS.whole)].tolist() == told
        assert core.real[0, : REAL["loss"] + 1].tolist() == [*figures, 0.0]
        assert named(core.whole[0, WHOLE["themes"]]) == themes_of(choice, position)
        told_something += any(told[:10])
    assert told_something > 20


def test_a_choice_about_the_cube_has_the_themes_of_python() -> None:
    core, seen = CoreState.allocate(1), set()
    cases = product(asked(16, 6), list(ChoiceKind)[1:], (0.5, 1.2), (0.7, 1.4))
    for (position, _), kind, stay, taken in cases:
        values = CubeValues(stay, taken, 1.0)
        error = cube_error(kind, values)
        choice = Choice(0, 0, 0, kind, position.xgid, "", "", error, 0.0, True, True, 1, values=values)
        core.question[:] = numbers(position)
        core.question[AT["action"]] = kind.number
        at = slots(CUBE.real)["equity"]
        core.real[0, at : at + 3] = values
        assert explain_cube(core) == 1
        assert core.real[0, REAL["loss"]] == error
        found = named(core.whole[0, WHOLE["themes"]])
        assert found == themes_of(choice, position)
        seen |= set(found)
    assert seen > {"missed double", "wrong double", "wrong take", "wrong pass", "too good"}


def test_faults() -> None:
    core = CoreState.allocate(1)
    [(position, _)] = asked(1, 1)
    core.question[:] = numbers(position)
    for count in (0, 17, -1):
        core.question[AT["compared"]] = count
        assert explain_play(core) == number_of("COMPARED")
    core.question[AT["compared"]] = 1
    core.whole[0, 3] = 100
    assert explain_play(core) == number_of("POINTS")
    for action in (0, 5):
        core.question[AT["action"]] = action
        assert explain_cube(core) == number_of("ACTION")
    core.question[:26] = 0
    assert explain_play(core) == explain_cube(core) == number_of("OVER")
    assert len(FAULTS) == 13
