"""Do opponents play at their nominal strength? Our own study: their games, reviewed.

Each strength plays against itself, for money with the cube and in matches to 7 points. A review
at depth 3 judges all decisions of both sides. The report has the performance rating and the sizes
of the errors. Decisions of self-play also show the effect of correlated errors, which similar
positions share: a window of 26 points makes the errors independent.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gammon.base.mean import FEW, ratio_and_error
from gammon.engine.engine import Engine
from gammon.engine.misjudge import position_errors, sigma_of, spread
from gammon.match.match import MatchSettings
from gammon.match.player import Boards, Player
from gammon.rules.board import SIZE
from gammon.rules.dice import ROLLS
from gammon.rules.terms import Score
from gammon_lab.bench.positions import self_play_positions
from gammon_lab.experiments.study import Study
from gammon_lab.report import Cell, Report, Sheet
from gammon_study.match_files.mat import transcribe
from gammon_study.reviews.choice import ALIKE, PLAYS_ALIKE, Choice, ChoiceKind
from gammon_study.reviews.rates import RATING
from gammon_study.reviews.review import review

_STRENGTHS = (3.0, 5.0, 7.0, 10.0, 15.0, 25.0)
#: Matches (or single games for money) of each strength, by the points of a match, 0 for money.
_MATCHES = {0: 120, 7: 24}
#: Errors are counted by their sizes, in points.
_SIZES = (0.0, 0.02, 0.1, 0.2, np.inf)
#: The number of decisions, the windows of errors to compare, and the rating of the errors.
_DECISIONS, _WINDOWS, _AT = 4000, (1, 3, 8, SIZE), 10.0

_CHECK_COLUMNS = (
    "strength",
    "sigma",
    "play",
    "games",
    "decisions",
    "PR",
    "s.e.",
    "PR of plays",
    "PR of the cube",
)
_SHARES = ("loss below 0.02, %", "0.02 to 0.1, %", "0.1 to 0.2, %", "above 0.2, %")
_LOOK_COLUMNS = (
    "strength",
    "wrong, %",
    "0.02 or more, %",
    "0.1 or more, %",
    *_SHARES,
    "by the cube, %",
    "mean wrong play",
    "mean wrong cube",
)
_KIND_COLUMNS = ("window", "sigma", "correlation of the best two", "wrong, %", *_SHARES)

Floats = npt.NDArray[np.float64]


class _Game(NamedTuple):
    """The pair of games or matches with the same dice that a game belongs to, and its choices."""

    pair: int
    choices: list[Choice]


class _Decision(NamedTuple):
    """A roll: the positions after its plays, best first, their losses, and the spread of the game."""

    boards: Boards
    losses: Floats
    spread: float


def reproduce(study: Study) -> Report:
    """Play and review the games of all strengths, and return the tables.

    Raises:
        GammonError: the folder cannot be written.
    """
    check: list[list[Cell]] = []
    look: list[list[Cell]] = []
    share = 20 if study.quick else 1
    counts = {length: 4 * max(count // share // 4, 1) for length, count in _MATCHES.items()}
    total, done = len(_STRENGTHS) * sum(counts.values()), 0
    for strength in _STRENGTHS:
        choices: list[Choice] = []
        for length, count in counts.items():
            games = _reviewed(study.part(done, total), strength, length, count)
            done += count
            kind = f"{length} points" if length else "money"
            check.append([strength, sigma_of(strength), kind, *_rating(games)])
            choices += [choice for game in games for choice in game.choices]
        look.append([strength, *_look(choices)])
    decisions = list(_decisions(_DECISIONS // share, study.seed))
    kinds = [_kind_row(decisions, window, study.seed) for window in _WINDOWS]
    tables = [
        Sheet("strength-check", "Nominal and measured strength", _CHECK_COLUMNS, check),
        Sheet("strength-look", "Errors by their size", _LOOK_COLUMNS, look),
        Sheet("strength-kinds", "Errors that similar positions share", _KIND_COLUMNS, kinds),
    ]
    notes = [
        f"Both sides have the same strength. A review at depth {_depth(study)} judges; decisions "
        "are those that count for PR. The standard error is over pairs of games or matches, which have "
        "the same dice.",
        f"The last table has {len(decisions)} plays of self-play, judged at depth 1, with "
        f"errors of such a size that their PR is {_AT:g}.",
        f"Seed {study.seed}.",
    ]
    return Report("Opponents of any strength", tables, notes=notes)


def _depth(study: Study) -> int:
    """Return the depth of the review."""
    return 1 if study.quick else 3


def _reviewed(study: Study, strength: float, length: int, count: int) -> list[_Game]:
    """Return the reviewed games of a strength against itself."""
    player, folder = Player(strength=strength), Path(f"{strength:g}-{length}")
    study.play(MatchSettings(player, player, count, folder, luck=None, length=length, cubeful=not length))
    lines = (study.out / folder / "games.jsonl").read_text(encoding="utf-8").splitlines()
    games = [json.loads(line) for line in lines]
    matches = [games]
    if length:
        matches = [list(group) for _, group in groupby(games, key=itemgetter("match"))]
    reviewed_games: list[_Game] = []
    for number, match in enumerate(matches):
        reviewed = review(
            transcribe("A", "B", match, Score(length)),
            _depth(study),
            study.pool.workers,
            out=study.out / folder / f"review-{number}",
            scheduler=study.pool.scheduler,
        )
        by_game = groupby(reviewed.choices, key=lambda choice: choice.game)
        reviewed_games += [_Game(match[game]["match"] // 2, list(group)) for game, group in by_game]
    return reviewed_games


def _rating(games: Sequence[_Game]) -> list[Cell]:
    """Return the number of games, the decisions that count, and their PR, in all and by kind."""
    pairs: dict[int, list[Choice]] = {}
    for game in games:
        pairs.setdefault(game.pair, []).extend(game.choices)
    choices = [choice for pair in pairs.values() for choice in pair]
    errors = [sum(choice.error for choice in pair) for pair in pairs.values()]
    counts = [sum(choice.counted for choice in pair) for pair in pairs.values()]
    mean, error = ratio_and_error(errors, counts)
    kinds: list[Cell] = []
    for plays in (True, False):
        part = [choice for choice in choices if (choice.kind is ChoiceKind.PLAY) == plays]
        counted = max(sum(choice.counted for choice in part), 1)
        kinds.append(RATING * sum(choice.error for choice in part) / counted)
    shown_error = RATING * error if len(pairs) >= FEW else None
    return [len(games), sum(counts), RATING * mean, shown_error, *kinds]


def _look(choices: Sequence[Choice]) -> list[Cell]:
    """Return the share of counted decisions that are wrong, and the sizes of the errors."""
    counted = [choice for choice in choices if choice.counted]
    cube = np.array([choice.kind is not ChoiceKind.PLAY for choice in counted])
    errors = np.array([choice.error for choice in counted])
    wrong = errors >= ALIKE
    often = [100.0 * float((errors >= size).mean()) for size in (ALIKE, *_SIZES[1:3])]
    means = [float(errors[wrong & of].mean()) for of in (~cube, cube) if (wrong & of).any()]
    by_cube = 100.0 * float(errors[cube].sum() / errors.sum())
    return [*often, *_shares(errors), by_cube, *means, *[None] * (2 - len(means))]


def _shares(errors: Floats) -> list[Cell]:
    """Return the shares of the loss that come from errors of each size, in per cent."""
    return [
        100.0 * float(errors[(errors >= low) & (errors < high)].sum() / errors.sum())
        for low, high in pairwise(_SIZES)
    ]


def _decisions(count: int, seed: int) -> Iterator[_Decision]:
    """Yield the rolls of self-play whose plays differ by more than PR's tolerance."""
    positions = self_play_positions(Engine(1, cubeless=True), count, seed, 3)
    values = Engine(1).values_of_plays(
        [points for points, _ in positions], [ROLLS[outcome] for _, outcome in positions]
    )
    for first, end in pairwise(values.offsets.tolist()):
        losses = values.equities[first] - values.equities[first:end]
        if losses[-1] >= PLAYS_ALIKE:
            yield _Decision(values.rows[first:end], losses, spread(values.chances[first]))


def _kind_row(decisions: Sequence[_Decision], window: int, seed: int) -> list[Cell]:
    """Return the row of errors with a window, at the size that leads to the rating `_AT`."""
    seeds = np.random.default_rng(seed).integers(0, 2**63, len(decisions)).tolist()
    errors = [
        decision.spread * position_errors(decision.boards, own_seed, window)
        for decision, own_seed in zip(decisions, seeds, strict=True)
    ]

    def lost(size: float) -> Floats:
        return np.array(
            [
                decision.losses[np.argmax(size * error - decision.losses)]
                for decision, error in zip(decisions, errors, strict=True)
            ]
        )

    low, high = 0.0, 1.0
    for _ in range(20):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if RATING * lost(middle).mean() > _AT else (middle, high)
    best_two = np.array([error[:2] for error in errors])
    losses = lost(low)
    wrong = 100.0 * float((losses >= ALIKE).mean())
    return [window, low, float(np.corrcoef(best_two.T)[0, 1]), wrong, *_shares(losses)]
