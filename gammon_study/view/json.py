"""The JSON of matches, reviews and a library; see `gammon.view.json_parts`.

In a review, errors are equities, costs chances to win the match or, for money, points. Numbers
of games and actions count from 0.
"""

from collections.abc import Mapping
from typing import Any, TypedDict

from gammon.eval.equity import Probabilities
from gammon.formats.context import BOTTOM, Context
from gammon.formats.match_id import Dice
from gammon.formats.notation import format_play
from gammon.formats.position import Position
from gammon.rules.match_equity import MatchEquityTable
from gammon_study.library.errors import Error, FoundErrors
from gammon_study.library.export import StudiedChoice
from gammon_study.library.stats import Group, Part, Statistics
from gammon_study.match_files.stored import StoredAnalysis, StoredCube, StoredPlay
from gammon_study.match_files.transcript import Action, ActionKind, GameTranscript, Transcript
from gammon_study.reviews.choice import (
    Choice,
    ChoiceKind,
    CubeValues,
    Luck,
    ReviewedPlay,
    RolledChoice,
    worth_of,
)
from gammon_study.reviews.explain import explained
from gammon_study.reviews.review import Review
from gammon_study.reviews.totals import ErrorSums, Totals
from gammon_study.view.review import figure_rows, units


class ErrorsJson(TypedDict):
    """Some choices and what they cost.

    Attributes:
        choices: how many there are, forced ones and clear ones too.
        counted: those that are decisions by XG's rule.
        active: those that are decisions by GNU Backgammon's rule.
        wrong: those that lost .001 or more.
        error: the sum of the equities that were lost.
        cost: the same as chances to win the match, or for money in points.
        marks: how many were doubtful, bad, very bad.
        pr: The performance rating: 500 times the error of a counted decision.
        rate: GNU Backgammon's rate: 1000 times the error of an active decision.
    """

    choices: int
    counted: int
    active: int
    wrong: int
    error: float
    cost: float
    marks: tuple[int, int, int]
    pr: float | None
    rate: float | None


def errors_json(sums: ErrorSums) -> ErrorsJson:
    """Return the sums of some choices."""
    return {
        "choices": sums.choices,
        "counted": sums.counted,
        "active": sums.active,
        "wrong": sums.wrong,
        "error": sums.error,
        "cost": sums.cost,
        "marks": sums.marks,
        "pr": sums.pr,
        "rate": sums.rate,
    }


class TotalsJson(TypedDict):
    """The choices of a player in a match, or in a game of it.

    Attributes:
        pr: The performance rating: 500 times the error of a counted decision.
        pr_class: XG's class of the PR; None where that says nothing, or there are few
            decisions.
        snowie_rate: The Snowie error rate: 1000 times the error of a roll of either player.
        rating: GNU Backgammon's word for its rate of all decisions; None of few ones.
        kinds: the choices of each kind.
        luck: of the player's rolls, as equities.
        luck_worth: the same as a chance to win the match, or for money in points.
    """

    pr: float | None
    pr_class: str | None
    snowie_rate: float | None
    rating: str | None
    all: ErrorsJson
    plays: ErrorsJson
    cube: ErrorsJson
    doubles: ErrorsJson
    takes: ErrorsJson
    kinds: dict[ChoiceKind, ErrorsJson]
    luck: float
    luck_worth: float


def totals_json(totals: Totals) -> TotalsJson:
    """Return the totals of a player."""
    return {
        "pr": totals.all.pr,
        "pr_class": totals.all.pr_class,
        "snowie_rate": totals.snowie,
        "rating": totals.rating,
        "all": errors_json(totals.all),
        "plays": errors_json(totals.plays),
        "cube": errors_json(totals.cube),
        "doubles": errors_json(totals.doubles),
        "takes": errors_json(totals.takes),
        "kinds": {kind: errors_json(sums) for kind, sums in totals.kinds.items()},
        "luck": totals.luck,
        "luck_worth": totals.luck_worth,
    }


class StoredPlayJson(TypedDict):
    """A play of a roll.

    Attributes:
        play: its notation.
        equity: to the player who makes it.
        level: how the program looked at it, in its own words, such as `2-ply`.
    """

    play: str
    equity: float
    level: str
    probabilities: Probabilities


class StoredCubeJson(TypedDict):
    """A decision about the cube; both equities are those of the player who may double.

    Attributes:
        no_double: the equity of no double.
        double_take: that of double and take. Double and pass is 1.
        level: as in `StoredPlay`.
    """

    no_double: float
    double_take: float
    level: str
    probabilities: Probabilities


class StoredAnalysisJson(TypedDict):
    """The analysis of an action that a file holds.

    Attributes:
        plays: of a roll, the best ones first; none where the file has none.
        cube: the decision about the cube before a roll, or the one that the action is part of.
        luck: of a roll, as an equity.
    """

    plays: list[StoredPlayJson]
    cube: StoredCubeJson | None
    luck: float | None


def _stored_play_json(play: StoredPlay) -> StoredPlayJson:
    return {
        "play": play.play,
        "equity": play.equity,
        "level": play.level,
        "probabilities": Probabilities(*play.probabilities),
    }


def _stored_cube_json(cube: StoredCube) -> StoredCubeJson:
    return {
        "no_double": cube.no_double,
        "double_take": cube.double_take,
        "level": cube.level,
        "probabilities": Probabilities(*cube.probabilities),
    }


def stored_json(stored: StoredAnalysis | None) -> StoredAnalysisJson | None:
    """Return the analysis of an action that a file holds, if it holds one."""
    if stored is None:
        return None
    return {
        "plays": [_stored_play_json(play) for play in stored.plays],
        "cube": _stored_cube_json(stored.cube) if stored.cube else None,
        "luck": stored.luck,
    }


class DecidedJson(TypedDict):
    """A decision that a player made, in a review or in a library.

    Attributes:
        game: its number in the match, from 0 on.
        action: the number of the action in the game, from 0 on.
        player: 0 or 1, who made it.
        kind: what was decided.
        xgid: the position; of an answer, that with the double on offer.
        made: the choice, in words or as a play.
        best: the best one.
        error: the equity that was lost, 0 or more.
        cost: the same as a chance to win the match, or for money in points.
        counted: whether it is a decision by XG's rule, by which PR goes.
        active: whether it is one by GNU Backgammon's rule: a play that is not forced, a double
            or the answer to it, and no double where a double would not cost much.
        depth: plies of the analysis.
        values: of a choice about the cube.
        chances: of a choice about the cube: those of the player on roll, without it.
        plays: of a play: the best ones, the best of all first, and the one that was made.
        rollout: the decision by games that were played from it, where that was asked for.
            Nothing else here goes by it.
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


def _decided_json(choice: Choice) -> DecidedJson:
    return {
        "game": choice.game,
        "action": choice.action,
        "player": choice.player,
        "kind": choice.kind,
        "xgid": choice.xgid,
        "made": choice.made,
        "best": choice.best,
        "error": choice.error,
        "cost": choice.cost,
        "counted": choice.counted,
        "active": choice.active,
        "depth": choice.depth,
        "values": choice.values,
        "chances": choice.chances,
        "plays": choice.plays,
        "rollout": choice.rollout,
    }


class ChoiceJson(DecidedJson, TypedDict):
    """A decision that a player made.

    Attributes:
        stored: what the match file says of it.
        worth: what the game is worth to the first player after it, by our analysis: a chance to
            win the match, or points.
        why: what an error gave away.
        themes: what the decision is about.
    """

    stored: StoredAnalysisJson | None
    worth: float
    why: str
    themes: tuple[str, ...]


def choice_json(review: Review, choice: Choice) -> ChoiceJson:
    """Return a decision of a review."""
    position = Position.parse(choice.xgid)
    why, themes = explained(choice, position)
    return {
        **_decided_json(choice),
        "stored": stored_json(review.transcript.stored.get((choice.game, choice.action))),
        "worth": _worth(choice, position.context, review.met),
        "why": why,
        "themes": themes,
    }


def _worth(choice: Choice, context: Context, met: MatchEquityTable) -> float:
    """Return what a position is worth to the first player after a choice."""
    answers = choice.kind in (ChoiceKind.TAKE, ChoiceKind.PASS)
    equity = -choice.equity if answers else choice.equity
    worth = worth_of(equity, context.terms(), met)
    if context.on_roll == BOTTOM:
        return worth
    return 1.0 - worth if context.length else -worth


class StudiedChoiceJson(DecidedJson, TypedDict):
    """A decision of a library, with all that its review says of it.

    Attributes:
        stored: what the match file says of it.
        why: what an error gave away.
        themes: what the decision is about.
        names: of the players, the first one first.
        where: the match, and the game in it, in words.
    """

    stored: StoredAnalysisJson | None
    why: str
    themes: tuple[str, ...]
    names: tuple[str, str]
    where: str


def studied_choice_json(studied: StudiedChoice) -> StudiedChoiceJson:
    """Return a decision of a library."""
    return {
        **_decided_json(studied.choice),
        "stored": stored_json(studied.stored),
        "why": studied.why,
        "themes": studied.themes,
        "names": studied.names,
        "where": studied.where,
    }


class _Named(TypedDict):
    name: str


class ReviewedPlayerJson(_Named, TotalsJson, TypedDict):
    """A player in the match; results are chances to win it, or points."""

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
        score: those that A and B have won.
        crawford: whether the game is the Crawford game.
        jacoby: whether gammons count only after the cube is turned (money).
        winner: 0 or 1, or None where that is not known.
        points: those that the winner got, with the cube; 0 where that is not known.
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
    """A figure of both players as people read it.

    Attributes:
        name: what it is called.
        part: whether it belongs to the figure above.
        values: of both.
    """

    name: str
    part: bool
    values: tuple[str, str]


class ReviewJson(TypedDict):
    """A match with what each choice cost and how lucky each roll was. Its `str` is a table.

    Attributes:
        length: points of the match, 0 for money.
        warnings: what in a file had to be repaired or left out, a line each.
        notes: What to know of the figures: what is left or lacks, and where PR says nothing.
        depth: plies of the analysis.
        level: that played games where choices were close, or None.
        left: how many decisions are not analyzed so deep, as the time was over. A decision with
            a quicker analysis has that one; others are not among the choices.
        stored_by: the program that said it, with its version; empty where nothing is stored.
        rolls: the luck of all rolls, in their order.
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
    left: int
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
    return {
        "players": (_player_json(review, 0), _player_json(review, 1)),
        "figures": [
            {"name": name.strip(), "part": name[:1] == " ", "values": (one, other)}
            for name, one, other in figure_rows(review, (0, 1))
        ],
        "units": units(review),
        "length": transcript.length,
        "details": dict(transcript.details),
        "warnings": transcript.warnings,
        "notes": review.notes,
        "depth": review.depth,
        "level": review.level,
        "left": review.left,
        "games": games,
        "stored_by": transcript.stored_by,
        "choices": [choice_json(review, choice) for choice in review.choices],
        "rolls": review.lucks,
    }


class PlayedActionJson(TypedDict):
    """An action of a player.

    Attributes:
        kind: what it is.
        side: 0 or 1, who acts.
        dice: of a roll, as they were written.
        play: of a roll; None: the action is no roll.
        points: those that a resignation costs, with the cube.
    """

    kind: ActionKind
    side: int
    dice: Dice
    play: str | None
    points: int


class PlayedGameJson(BegunGameJson, TypedDict):
    """A game of a match or of a session for money.

    Attributes:
        actions: in their order. Those behind a place that cannot be read are left out.
    """

    actions: list[PlayedActionJson]


class PlayedMatchJson(TypedDict):
    """A match, or a session of games for money.

    Attributes:
        players: the names of sides 0 and 1.
        length: points of the match, 0 for money.
        games: those that were played.
        details: what else a file says, such as ("EventDate", "2026.11.22"), in its order.
        warnings: what in a file had to be repaired or left out, a line each.
        stored_by: the program that said it, with its version; empty where nothing is stored.
    """

    players: tuple[str, str]
    length: int
    games: list[PlayedGameJson]
    details: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    stored_by: str


def _action_json(action: Action) -> PlayedActionJson:
    return {
        "kind": action.kind,
        "side": action.side,
        "dice": action.dice,
        "play": format_play(action.moves) if action.kind is ActionKind.ROLL else None,
        "points": action.points,
    }


def transcript_json(transcript: Transcript) -> PlayedMatchJson:
    """Return a match as it was played."""
    return {
        "players": transcript.players,
        "length": transcript.length,
        "games": [
            {**_begun_game_json(game), "actions": [_action_json(each) for each in game.actions]}
            for game in transcript.games
        ],
        "details": transcript.details,
        "warnings": transcript.warnings,
        "stored_by": transcript.stored_by,
    }


class PartJson(TypedDict):
    """The plays, the doubles or the takes of a group.

    Attributes:
        pr: The performance rating, None without decisions.
        counted: those that are decisions.
        wrong: those that lost .001 or more.
        bad: those that lost .06 or more.
        error: the sum of the equities that were lost.
    """

    pr: float | None
    counted: int
    wrong: int
    bad: int
    error: float


def _part_json(part: Part | None) -> PartJson | None:
    if part is None:
        return None
    return {"pr": part.pr, "counted": part.counted, "wrong": part.wrong, "bad": part.bad, "error": part.error}


class GroupJson(TypedDict):
    """The decisions of a group.

    Attributes:
        name: of the group.
        matches: how many there are.
        pr: The performance rating; None without decisions, or where all of them are errors.
        pr_class: XG's class of the PR, or None.
        choices: how many there are, forced ones and clear ones too.
        counted: those that are decisions by XG's rule.
        active: those that are decisions by GNU Backgammon's rule.
        wrong: those that lost .001 or more.
        error: the sum of the equities that were lost.
        cost: the same as chances to win the match, or for money in points.
        bad: The errors that lost .06 or more.
        luck: of the player's rolls, as equities; None where the group has a part of the
            decisions, those of both sides, or an analysis without luck.
        won: matches that brought something; None where no match came to an end, or the group
            has a part of the decisions, or those of both sides.
        of: where the group has errors alone, such as wrong doubles: how many decisions of that
            kind there are; else None.
        plays: the plays; None where the group has a part of the decisions.
        doubles: the decisions to double or not.
        takes: the decisions to take or to pass.
    """

    name: str
    matches: int
    pr: float | None
    pr_class: str | None
    choices: int
    counted: int
    active: int
    wrong: int
    error: float
    cost: float
    bad: int
    luck: float | None
    won: int | None
    of: int | None
    plays: PartJson | None
    doubles: PartJson | None
    takes: PartJson | None


def group_json(group: Group) -> GroupJson:
    """Return the figures of a group of decisions."""
    return {
        "name": group.name,
        "matches": group.matches,
        "pr": group.pr,
        "pr_class": group.pr_class,
        "choices": group.sums.choices,
        "counted": group.sums.counted,
        "active": group.sums.active,
        "wrong": group.sums.wrong,
        "error": group.sums.error,
        "cost": group.sums.cost,
        "bad": group.bad,
        "luck": group.luck,
        "won": group.won,
        "of": group.of,
        "plays": _part_json(group.plays),
        "doubles": _part_json(group.doubles),
        "takes": _part_json(group.takes),
    }


class StatisticsJson(TypedDict):
    """The decisions of a library in groups.

    Attributes:
        by: what they are groups of.
        groups: the figures of each.
        analyses: the same matches by who analyzed them.
    """

    by: str
    groups: list[GroupJson]
    analyses: list[GroupJson]


def statistics_json(statistics: Statistics) -> StatisticsJson:
    """Return the decisions of a library in groups."""
    return {
        "by": statistics.by,
        "groups": [group_json(group) for group in statistics.groups],
        "analyses": [group_json(group) for group in statistics.analyses],
    }


class FoundErrorsJson(TypedDict):
    """Errors of a library.

    Attributes:
        errors: the largest ones, in this order.
        count: how many there are like that.
        lost: equity, by all of them.
    """

    errors: list[Error]
    count: int
    lost: float


def found_errors_json(found: FoundErrors) -> FoundErrorsJson:
    """Return errors of a library."""
    return {"errors": found.errors, "count": found.number, "lost": found.lost}


def json_of(answer: object) -> Mapping[str, Any] | None:
    """Return what the JSON of an answer has; None: answers of this type have none."""
    match answer:
        case Review():
            return review_json(answer)
        case Transcript():
            return transcript_json(answer)
        case Statistics():
            return statistics_json(answer)
        case FoundErrors():
            return found_errors_json(answer)
    return None
