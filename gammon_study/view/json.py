"""The JSON of matches, reviews and a library; see `gammon.view.json_parts`.

In a review, errors are equities, and costs are chances to win the match or, for money, points. Games
and actions are numbered from 0.
"""

from collections.abc import Mapping
from typing import Any, TypedDict

from gammon.eval.equity import Probabilities
from gammon.formats.context import BOTTOM, Context
from gammon.formats.gnubg_id import Dice
from gammon.formats.notation import format_play
from gammon.formats.position import Position
from gammon.rules.match_equity import MatchEquityTable
from gammon.view.json_parts import entries_of
from gammon_study.library.decks import ReferencePositions
from gammon_study.library.export import StudiedChoice
from gammon_study.library.matches import ListedMatch, MatchList, StoredReview
from gammon_study.library.notes import NoteList
from gammon_study.library.plan import DrillProgress, Plan
from gammon_study.library.stats import Error, LargestErrors, Statistics
from gammon_study.match_files.transcript import (
    Action,
    ActionKind,
    GameTranscript,
    Remark,
    StoredAnalysis,
    Transcript,
)
from gammon_study.reviews.choice import (
    Choice,
    ChoiceKind,
    CubeValues,
    Luck,
    ReviewedPlay,
    RolledChoice,
    value_of,
)
from gammon_study.reviews.difficulty import PlayerIntervals
from gammon_study.reviews.explain import explained
from gammon_study.reviews.imported import ranked_plays
from gammon_study.reviews.rates import ErrorSums
from gammon_study.reviews.review import Review
from gammon_study.reviews.totals import Totals
from gammon_study.view.review import figure_rows, units


class TotalsJson(TypedDict):
    """The choices of a player in a match, or in a game of it.

    Attributes:
        pr: The performance rating: 500 times the mean error of counted decisions.
        pr_class: XG's class of the PR; None for few decisions, or if all were the review's own.
        snowie_rate: The Snowie error rate: 1000 times the error per roll of either player.
        rating: GNU Backgammon's word for its rate of all decisions; None for few decisions.
        kinds: the choices of each kind.
        luck: the luck of the player's rolls, as equities.
        luck_value: the luck as a chance to win the match, or for money in points.
    """

    pr: float | None
    pr_class: str | None
    snowie_rate: float | None
    rating: str | None
    all: ErrorSums
    plays: ErrorSums
    cube: ErrorSums
    doubles: ErrorSums
    takes: ErrorSums
    kinds: dict[ChoiceKind, ErrorSums]
    luck: float
    luck_value: float


def totals_json(totals: Totals) -> TotalsJson:
    """Return the totals of a player."""
    return entries_of(
        TotalsJson, totals, pr=totals.all.pr, pr_class=totals.all.pr_class, snowie_rate=totals.snowie
    )


def _stored(review: Review, choice: Choice) -> StoredAnalysis | None:
    """Return the analysis of a choice that the file holds, if it holds one."""
    stored = review.transcript.stored.get((choice.game, choice.action))
    if stored is None:
        return None
    return stored._replace(plays=ranked_plays(stored.plays, choice.made, review.transcript.stored_by))


class DecidedJson(TypedDict):
    """A decision that a player made, in a review or in a library.

    Attributes:
        game: the number of the game in the match, from 0 on.
        action: the number of the action in the game, from 0 on.
        player: the player who made the choice, 0 or 1.
        kind: the kind of the choice.
        xgid: the position; for an answer, with the double on offer.
        made: the choice that was made, in words or as a play.
        best: the best choice.
        error: the lost equity, 0 or more.
        cost: the loss as a chance to win the match, or for money in points.
        counted: whether the choice is a decision by XG's rule, which PR uses.
        active: whether the choice is a decision by GNU Backgammon's rule: an unforced play, a
            double, an answer, or no double if a double would not cost much.
        depth: plies of the analysis.
        values: the equities of a choice about the cube.
        chances: for a choice about the cube, the cubeless chances of the player on roll.
        plays: for a play, the best plays, the best first, and the play that was made.
        rollout: the rollout of the decision, if there is one. It changes no other field.
        level: the program and its level, such as `XG Roller+`, if a file's analysis was taken.
    """

    game: int
    action: int
    player: int
    kind: ChoiceKind
    xgid: str
    made: str
    best: str
    error: float
    cost: float
    counted: bool
    active: bool
    depth: int
    values: CubeValues | None
    chances: Probabilities | None
    plays: tuple[ReviewedPlay, ...]
    rollout: RolledChoice | None
    level: str


def _decided_json(choice: Choice) -> DecidedJson:
    return entries_of(DecidedJson, choice)


class ChoiceJson(DecidedJson, TypedDict):
    """A decision that a player made.

    Attributes:
        stored: the analysis in the match file.
        game_value: the value of the game to the first player after the choice, by our analysis: a
            chance to win the match, or points.
        explanation: what an error gave away.
        themes: what the decision is about.
        remark: the mark and the comment in the match file.
    """

    stored: StoredAnalysis | None
    game_value: float
    explanation: str
    themes: tuple[str, ...]
    remark: str


def choice_json(review: Review, choice: Choice) -> ChoiceJson:
    """Return a decision of a review."""
    position = Position.parse(choice.xgid)
    explanation, themes = explained(choice, position)
    return {
        **_decided_json(choice),
        "stored": _stored(review, choice),
        "game_value": _game_value(choice, position.context, review.met),
        "explanation": explanation,
        "themes": themes,
        "remark": review.transcript.remarks.get((choice.game, choice.action), Remark()).words,
    }


def _game_value(choice: Choice, context: Context, met: MatchEquityTable) -> float:
    """Return the value of the game to the first player after a choice."""
    answers = choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS)
    equity = -choice.equity if answers else choice.equity
    value = value_of(equity, context.terms(), met)
    if context.on_roll == BOTTOM:
        return value
    return 1.0 - value if context.length else -value


class StudiedChoiceJson(DecidedJson, TypedDict):
    """A decision of a library, with the analysis of its review.

    Attributes:
        explanation: what an error gave away.
        themes: what the decision is about.
        names: the names of the players, side 0 first.
        source: the match and the game, in words.
        remark: the mark and the comment in the match file.
    """

    explanation: str
    themes: tuple[str, ...]
    names: tuple[str, str]
    source: str
    remark: str


def studied_choice_json(studied: StudiedChoice) -> StudiedChoiceJson:
    """Return a decision of a library."""
    return entries_of(StudiedChoiceJson, studied, **_decided_json(studied.choice))


class _Named(TypedDict):
    name: str


class ReviewedPlayerJson(_Named, TotalsJson, TypedDict):
    """A player in the match; results are changes of the chance to win it, or points."""

    result: float | None
    luck_adjusted_result: float | None


def _player_json(review: Review, side: int) -> ReviewedPlayerJson:
    return {
        "name": review.transcript.players[side],
        **totals_json(review.totals(side)),
        "result": review.result(side),
        "luck_adjusted_result": review.adjusted(side),
    }


class BegunGameJson(TypedDict):
    """The score before a game, and its end.

    Attributes:
        score: the points of A and B before the game.
        crawford: whether the game is the Crawford game.
        jacoby: whether gammons count only after the cube is turned (money).
        winner: 0 or 1, or None if the winner is not known.
        points: the points that the winner got, including the cube; 0 if they are not known.
    """

    score: tuple[int, int]
    crawford: bool
    jacoby: bool
    winner: int | None
    points: int


def _begun_game_json(game: GameTranscript) -> BegunGameJson:
    return {
        "score": game.score.points,
        "crawford": game.score.crawford,
        "jacoby": game.score.jacoby,
        "winner": game.winner,
        "points": game.points,
    }


class ReviewedGameJson(BegunGameJson, TypedDict):
    """A game of the match, and the figures of both players in it."""

    players: tuple[TotalsJson, TotalsJson]


class FigureJson(TypedDict):
    """A figure of both players, as text.

    Attributes:
        name: the name of the figure.
        part: whether the figure is a part of the one above.
        values: the figures of both players.
    """

    name: str
    part: bool
    values: tuple[str, str]


class ReviewJson(TypedDict):
    """A match with the cost of each choice and the luck of each roll. Its `str` is a table.

    Attributes:
        length: points of the match, 0 for money.
        details: other facts in the file; facts of the same name are lines of one text.
        warnings: what had to be repaired or left out of the file, one line each.
        notes: Remarks on the figures: what is missing, and where PR has no meaning.
        depth: plies of the analysis.
        level: the level whose rollouts settled close choices, or None.
        unfinished: how many decisions are not analyzed to this depth, as the time was over. They have a
            quicker analysis, or are not among the choices.
        stored_by: the program that made the stored analysis, and its version; empty without one.
        rolls: the luck of all rolls, in order.
    """

    players: tuple[ReviewedPlayerJson, ReviewedPlayerJson]
    figures: list[FigureJson]
    units: str
    length: int
    details: dict[str, str]
    warnings: tuple[str, ...]
    notes: list[str]
    depth: int
    level: str | None
    unfinished: int
    games: list[ReviewedGameJson]
    stored_by: str
    choices: list[ChoiceJson]
    rolls: tuple[Luck, ...]


def review_json(review: Review) -> ReviewJson:
    """Return the match, the figures of each player, all choices and the luck of rolls."""
    transcript = review.transcript
    games: list[ReviewedGameJson] = [
        {
            **_begun_game_json(game),
            "players": (totals_json(review.totals(0, number)), totals_json(review.totals(1, number))),
        }
        for number, game in enumerate(transcript.games)
    ]
    details: dict[str, str] = {}
    for name, value in transcript.details:
        details[name] = f"{details[name]}\n{value}" if name in details else value
    return {
        "players": (_player_json(review, 0), _player_json(review, 1)),
        "figures": [
            {"name": name.strip(), "part": name[:1] == " ", "values": (first, second)}
            for name, first, second in figure_rows(review, (0, 1))
        ],
        "units": units(review),
        "length": transcript.length,
        "details": details,
        "warnings": transcript.warnings,
        "notes": review.notes,
        "depth": review.depth,
        "level": review.level,
        "unfinished": review.unfinished,
        "games": games,
        "stored_by": transcript.stored_by,
        "choices": [choice_json(review, choice) for choice in review.choices],
        "rolls": review.lucks,
    }


class PlayedActionJson(TypedDict):
    """An action of a player.

    Attributes:
        kind: the kind of the action.
        side: the side that acts, 0 or 1.
        dice: the dice of a roll, in the file's order; else None.
        play: the play of a roll; else None.
        points: the points that a resignation costs, including the cube.
    """

    kind: ActionKind
    side: int
    dice: Dice
    play: str | None
    points: int


class PlayedGameJson(BegunGameJson, TypedDict):
    """A game of a match or of a session for money.

    Attributes:
        actions: the actions, in order. Actions after an unreadable place are left out.
    """

    actions: list[PlayedActionJson]


class PlayedMatchJson(TypedDict):
    """A match, or a session of games for money.

    Attributes:
        players: the names of sides 0 and 1.
        length: points of the match, 0 for money.
        games: the games that were played.
        details: other facts in the file, in its order, such as ("EventDate", "2026.11.22").
        warnings: what had to be repaired or left out of the file, one line each.
        stored_by: the program that made the stored analysis, and its version; empty without one.
    """

    players: tuple[str, str]
    length: int
    games: list[PlayedGameJson]
    details: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    stored_by: str


def _action_json(action: Action) -> PlayedActionJson:
    play = format_play(action.moves) if action.kind is ActionKind.ROLL else None
    return entries_of(PlayedActionJson, action, play=play)


def transcript_json(transcript: Transcript) -> PlayedMatchJson:
    """Return a match as it was played."""
    games: list[PlayedGameJson] = [
        {**_begun_game_json(game), "actions": [_action_json(action) for action in game.actions]}
        for game in transcript.games
    ]
    return entries_of(PlayedMatchJson, transcript, games=games)


class LargestErrorsJson(TypedDict):
    """Errors of a library.

    Attributes:
        errors: the largest errors, the largest first.
        count: how many errors the selection has.
        total_error: the equity that all these errors lost.
    """

    errors: list[Error]
    count: int
    total_error: float


def largest_errors_json(errors: LargestErrors) -> LargestErrorsJson:
    """Return errors of a library."""
    return entries_of(LargestErrorsJson, errors, count=errors.number)


class StoredReviewJson(ReviewJson, TypedDict):
    """A match of a library with its review.

    Attributes:
        match: the match in the list of the library.
        intervals: the PRs of both players with intervals, and the decisions to look at.
    """

    match: ListedMatch
    intervals: tuple[PlayerIntervals, PlayerIntervals]


def stored_review_json(stored: StoredReview) -> StoredReviewJson:
    """Return a match of a library with its review."""
    return {**review_json(stored.review), "match": stored.match, "intervals": stored.intervals}


def json_of(answer: object) -> Mapping[str, Any] | None:
    """Return the JSON of an answer, or None if its type has none."""
    match answer:
        case Review():
            return review_json(answer)
        case Transcript():
            return transcript_json(answer)
        case LargestErrors():
            return largest_errors_json(answer)
        case StoredReview():
            return stored_review_json(answer)
        case Statistics() | MatchList() | NoteList() | Plan() | DrillProgress() | ReferencePositions():
            return answer._asdict()
    return None
