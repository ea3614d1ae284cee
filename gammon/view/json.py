"""The JSON of each type of answer: TypedDicts, and the functions that make them of answers.

See `gammon.view.json_parts`.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Generic, TypedDict, TypeVar

from gammon.core.estimate import Estimate, Open
from gammon.engine.analysis import Analysis, Candidate, Evaluation, Kind, RollTable, Sample
from gammon.engine.bearoff import Bearoff
from gammon.engine.boards import CubeDecisions, Evaluations, PlayValues
from gammon.engine.cube import CubeAction, CubeAnswer, CubeDecision, CubeValue
from gammon.engine.rolled import RolledCandidate, Rollout
from gammon.engine.score_grid import PlayGrid, ScoreGrid
from gammon.eval.equity import Probabilities
from gammon.formats.gnubg_id import Dice
from gammon.formats.position import Position
from gammon.rules.board import Points
from gammon.rules.dice import PROBABILITIES
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Payoffs, Terms
from gammon.search.stats import Stats
from gammon.view.bearoff import bearoff_notes
from gammon.view.heading import cube_notes, grid_notes, notes
from gammon.view.json_parts import IdsJson, TermsJson, entries_of, ids_json, terms_json
from gammon.view.rollout import ROLLING

#: The types of an answer's roll, its payoffs without the cube, and its terms with it.
Roll = TypeVar("Roll", str, str | None, None)
PayoffsOrNone = TypeVar("PayoffsOrNone", Payoffs | None, None)
TermsOrNone = TypeVar("TermsOrNone", TermsJson, TermsJson | None, None)


class AnswerJson(IdsJson, Generic[Roll, PayoffsOrNone, TermsOrNone]):
    """The first entries of an answer of a search."""

    dice: Roll
    depth: int
    algorithm: str | None
    level: str | None
    payoffs: PayoffsOrNone
    cubeful: bool
    terms: TermsOrNone
    notes: list[str]


def _first_entries(
    answer: Analysis | RollTable | CubeDecision | ScoreGrid | PlayGrid,
    dice: str | None,
    payoffs: Payoffs | None,
    terms: TermsJson | None,
    shown: list[str],
) -> dict[str, Any]:
    """Return the first entries of an answer; `noise_note` becomes its last note."""
    return {
        **ids_json(answer.position),
        "dice": dice,
        "payoffs": payoffs,
        "cubeful": payoffs is None,
        "terms": terms,
        "notes": [*shown, answer.noise_note] if answer.noise_note else shown,
    }


def _dice(dice: tuple[int, int]) -> str:
    return f"{dice[0]}{dice[1]}"


def _terms_or_none(terms: Terms) -> TermsJson | None:
    return None if terms.cubeless else terms_json(terms)


class CandidateJson(TypedDict):
    """A play and its value to the player who makes it.

    Attributes:
        play: The notation of the play, such as `24/18*/13`.
        equity: with the cube, points of it for money, or EMG in a match; cubeless, in the unit
            of the engine's stakes.
        mwc: in a match, `equity` as a chance to win the match.
        cubeless_equity: the equity of `probabilities` if nobody turns the cube any more; None
            where `equity` is cubeless.
        loss: the best play's equity less this one, at least 0. If only the best play was rolled
            out, the loss comes from the search.
        exact: Whether `equity` is the value of best play to `depth`.
        kind: the source of `equity`.
        depth: plies of the search that gave `equity` and `probabilities`; see `Engine`. 1 for static ones.
        bound: for a shallow equity, the upper bound that the deeper search has proved; else
            None.
        named: whether the question names this play.
        rollout: the rollout of a level from this play, or None.
    """

    play: str
    points: Points
    equity: float
    mwc: float | None
    cubeless_equity: float | None
    loss: float
    exact: bool
    kind: Kind
    depth: int
    bound: float | None
    probabilities: Probabilities
    named: bool
    rollout: Sample | None


def candidate_json(candidate: Candidate) -> CandidateJson:
    """Return a play of an analysis."""
    play = candidate.play
    return entries_of(CandidateJson, candidate, play=play.notation, points=play.points)


class PlaysJson(AnswerJson[str, Payoffs | None, TermsJson | None]):
    """All plays of a roll, in the order of their equities; static ones come last.

    Attributes:
        depth: The plies of the best play's search; a time limit may have reduced them.
        algorithm: the algorithm of the search; None if exact tables have the values.
        level: the level that rolls out close plays, or None.
        payoffs: the payoffs of the results to the player on roll; None with the cube.
        terms: score, cube and rules, seen from that player; None for a cubeless answer.
        candidates: see `Candidate`.
        confidence: The confidence, by the rollout, that the best play is really best; or None.
        seconds: wall time.
    """

    candidates: list[CandidateJson]
    confidence: float | None
    stats: Stats
    seconds: float


def analysis_json(analysis: Analysis) -> PlaysJson:
    """Return the plays of a roll."""
    dice, terms = _dice(analysis.dice), _terms_or_none(analysis.terms)
    lines = notes(analysis.position, analysis.terms)
    first = _first_entries(analysis, dice, analysis.terms.payoffs, terms, lines)
    candidates = [candidate_json(candidate) for candidate in analysis.candidates]
    return entries_of(PlaysJson, analysis, **first, candidates=candidates)


class _OfRoll(TypedDict):
    dice: str
    probability: float


class RollJson(_OfRoll, CandidateJson, TypedDict):
    """The best play of a roll.

    Attributes:
        dice: the roll, such as `31`.
        probability: the chance of the roll.
    """


class RollsJson(AnswerJson[None, Payoffs | None, TermsJson | None]):
    """The best play of each of the 21 rolls.

    Attributes:
        depth: The plies of the least deep search of a roll.
        algorithm: The algorithm of the searches; None if exact tables have the values.
        level: The level that rolls out close plays, or None.
        payoffs: The payoffs of the results to the player on roll; None with the cube.
        terms: Score, cube and rules; None for a cubeless answer.
        equity: The mean over the rolls of the best play's equity.
        seconds: wall time.
    """

    equity: float
    probabilities: Probabilities
    rolls: list[RollJson]
    stats: Stats
    seconds: float


def roll_table_json(table: RollTable) -> RollsJson:
    """Return the best play of each roll."""
    terms, lines = _terms_or_none(table.terms), notes(table.position, table.terms)
    rolls: list[RollJson] = [
        {
            "dice": _dice(analysis.dice),
            "probability": float(probability),
            **candidate_json(analysis.candidates[0]),
        }
        for probability, analysis in zip(PROBABILITIES, table.analyses, strict=True)
    ]
    first = _first_entries(table, None, table.terms.payoffs, terms, lines)
    return entries_of(RollsJson, table, **first, rolls=rolls)


class CubeJson(TypedDict):
    """A decision about the cube, before the roll of the player on roll.

    Attributes:
        double_take: the value of a double that is taken, before any beaver; None where the
            player may not double, or cannot gain by it.
        double_pass: the value of a double that is passed, or None.
        action: The right action of the player on roll.
        answer: The opponent's right answer to a double; None if no double is possible.
        verdict: The right decisions of both players, such as "redouble, take".
        gain: The equity of doubling less the equity of rolling; None if no double is possible.
        close: Whether the wrong choice between doubling and rolling loses less than 0.02.
        answer_gain: The equity that the opponent loses by the wrong answer to a double; or None.
        answer_close: Whether the wrong answer to a double loses less than 0.02.
        confidence: the confidence, by the rollout, that the decision to double and the answer to the
            double are both right: the smaller of both. None without a rollout.
    """

    no_double: CubeValue
    double_take: CubeValue | None
    double_pass: CubeValue | None
    action: CubeAction
    answer: CubeAnswer | None
    verdict: str
    gain: float | None
    close: bool
    answer_gain: float | None
    answer_close: bool
    confidence: float | None


def cube_json(decision: CubeDecision) -> CubeJson:
    """Return the values of a decision about the cube, and the right actions."""
    return entries_of(CubeJson, decision)


class DecisionJson(AnswerJson[None, None, TermsJson]):
    """A decision about the cube, before the roll of the player on roll.

    Attributes:
        depth: plies as an `Engine` counts them: one more than were searched; 1 without a search.
        algorithm: the algorithm of the search, or None.
        level: the level that rolls out a close decision, or None.
        equity: The equity of the position with the right decisions of both players.
        mwc: The chance to win the match with the right decisions of both; None for money.
        stats: the work of the search; None if the values are static or from exact tables.
        seconds: wall time of the search.
    """

    cube: CubeJson
    equity: float
    mwc: float | None
    probabilities: Probabilities
    stats: Stats | None
    seconds: float


def decision_json(decision: CubeDecision) -> DecisionJson:
    """Return a decision about the cube with its position and its terms."""
    first = _first_entries(decision, None, None, terms_json(decision.terms), cube_notes(decision))
    return entries_of(DecisionJson, decision, **first, cube=cube_json(decision))


class CubeAtScoreJson(TypedDict):
    """The decision about the cube at a score.

    Attributes:
        away: the points that the player on roll and the opponent still need.
    """

    away: tuple[int, int]
    cube: CubeJson


class ScoreGridJson(AnswerJson[None, None, None]):
    """Cube decisions by score: `scores` is the grid, `named` has the named scores and the owners of the cube.

    Attributes:
        depth: The plies of the answers; the fewest if a time limit reduced some.
        algorithm: The algorithm of the searches, or None where there was no search.
        level: The level that rolls out close choices, or None.
    """

    scores: list[CubeAtScoreJson]
    named: dict[str, CubeJson]
    seconds: float


def score_grid_json(grid: ScoreGrid) -> ScoreGridJson:
    """Return the decisions about the cube by score."""
    notes = grid_notes(grid.every, grid.position.context)
    return entries_of(
        ScoreGridJson,
        grid,
        **_first_entries(grid, None, None, None, notes),
        scores=[{"away": away, "cube": cube_json(decision)} for away, decision in grid.scores.items()],
        named={name: cube_json(decision) for name, decision in grid.named.items()},
    )


class _AtScore(TypedDict):
    away: tuple[int, int]


class AtScoreJson(_AtScore, CandidateJson, TypedDict):
    """The best play at a score.

    Attributes:
        away: the points that the player on roll and the opponent still need.
    """


class PlayGridJson(AnswerJson[str | None, None, None]):
    """The best plays of a roll by score: `scores` is the grid, `named` has the named scores.

    Attributes:
        depth: The plies of the answers; the fewest if a time limit reduced some.
        algorithm: The algorithm of the searches, or None where there was no search.
        level: The level that rolls out close choices, or None.
        named: The best play, and the best play for money if it is another one.
    """

    scores: list[AtScoreJson]
    named: dict[str, list[CandidateJson]]
    seconds: float


def play_grid_json(grid: PlayGrid) -> PlayGridJson:
    """Return the best plays by score; named scores have the best play for money, too."""
    dice = _dice(grid.position.dice) if grid.position.dice else None
    notes = grid_notes(grid.every, grid.position.context)
    return entries_of(
        PlayGridJson,
        grid,
        **_first_entries(grid, dice, None, None, notes),
        scores=[
            {"away": away, **candidate_json(analysis.candidates[0])} for away, analysis in grid.scores.items()
        ],
        named={
            name: [candidate_json(c) for n, c in enumerate(analysis.candidates) if not n or c.named]
            for name, analysis in grid.named.items()
        },
    )


#: The answer to a question.
Answer = PlaysJson | DecisionJson | RollsJson | ScoreGridJson | PlayGridJson


class RolledCandidateJson(TypedDict):
    """A candidate of a rollout, with its value to the player who decides.

    Attributes:
        name: the play, `No double`, `Double, take`, or `Before the roll`.
        points: 26 counts after the play, still seen from the player who made it.
        equity: the mean over the trials, in the unit of `Candidate.equity`.
        error: the standard error of the equity.
        interval: The bounds of the 95 % confidence interval of the equity.
        loss: the equity of the best candidate, or of the right decision about the cube, less
            this equity, over the trials that both had; at least 0.
        jsd: the same loss in standard errors of the difference; at least 0. With fewer than 324
            trials it is rough.
        may_be_best: Whether this candidate may be the best one, at 95 % confidence.
        mwc: in a match with the cube, the chance to win the match.
        mwc_error: the standard error of `mwc`.
        trials: the number of games.
        dropped: whether the candidate was dropped because it was far behind.
    """

    name: str
    points: Points | None
    equity: float
    error: Open
    interval: tuple[Open, Open]
    loss: float
    jsd: Open
    may_be_best: bool
    mwc: float | None
    mwc_error: float | None
    unadjusted: Estimate
    probabilities: Probabilities
    trials: int
    dropped: bool


def rolled_candidate_json(candidate: RolledCandidate) -> RolledCandidateJson:
    """Return a candidate of a rollout."""
    points = candidate.play.points if candidate.play else None
    return entries_of(RolledCandidateJson, candidate, points=points)


class RolloutJson(IdsJson, TypedDict):
    """The candidates of a decision, best first, with the means of games played from them.

    Attributes:
        payoffs: the payoffs of the results to the player; None with the cube.
        terms: score, cube and rules, seen from the player; None for a cubeless rollout.
        candidates: see `RolledCandidate`. Dropped candidates come last. In a decision about the
            cube the order is no double, then double and take.
        cube: for a decision about the cube, the decision by these means; else None.
        equity: The equity of the best candidate, or of the right decision about the cube.
        trials: the trials of the best candidate.
        games: the games of all candidates.
        turns: the turns of all games.
        complete: whether all requested trials were played.
        seconds: wall time.
    """

    dice: str | None
    payoffs: Payoffs | None
    cubeful: bool
    terms: TermsJson | None
    notes: list[str]
    settings: dict[str, Any]
    candidates: list[RolledCandidateJson]
    cube: CubeJson | None
    equity: float
    trials: int
    games: int
    turns: int
    complete: bool
    seconds: float


def rollout_json(rollout: Rollout) -> RolloutJson:
    """Return a rollout."""
    return entries_of(
        RolloutJson,
        rollout,
        **ids_json(rollout.position),
        dice=_dice(rollout.dice) if rollout.dice else None,
        payoffs=rollout.terms.payoffs,
        cubeful=not rollout.terms.cubeless,
        terms=_terms_or_none(rollout.terms),
        notes=notes(rollout.position, rollout.terms, ROLLING),
        settings=asdict(rollout.settings) | {"model": str(rollout.settings.model)},
        candidates=[rolled_candidate_json(candidate) for candidate in rollout.candidates],
        cube=cube_json(rollout.cube) if rollout.cube else None,
    )


class PositionValueJson(TypedDict):
    """The value of a position to the player on roll, before the turn.

    Attributes:
        equity: in the unit of `Candidate.equity`; with the cube, the player may double first.
        mwc: in a match with the cube, the chance to win the match.
        seconds: wall time.
    """

    equity: float
    mwc: float | None
    probabilities: Probabilities
    stats: Stats
    seconds: float


class PositionValuesJson(TypedDict):
    """The values of N positions to their players on roll, before the roll.

    Attributes:
        equities: the equity of each position.
        chances: win, win_gammon, win_backgammon, lose_gammon and lose_backgammon of each.
    """

    equities: list[float]
    chances: list[list[float]]


class PlayValuesJson(TypedDict):
    """All plays of N positions and rolls, K in total; the plays of each position best first.

    Attributes:
        offsets: where the plays of each position begin, and where the last ones end.
        rows: the 26 counts after each play, seen from the mover.
        equities: the equity of each play.
        chances: win, win_gammon, win_backgammon, lose_gammon and lose_backgammon of each play.
        searched: False for each play that the engine's move filter left out.
    """

    offsets: list[int]
    rows: list[list[int]]
    equities: list[float]
    chances: list[list[float]]
    searched: list[bool]


class CubeDecisionsJson(TypedDict):
    """The decisions about the cube in N positions, for their players on roll.

    Attributes:
        no_double: equities of rolling with the cube as it is.
        double_take: equities of a double that is taken, None where no double is allowed.
        double_pass: equities of a double that is passed, None where no double is allowed.
        chances: win, win_gammon, win_backgammon, lose_gammon and lose_backgammon of each.
        doubles: whether a double is right.
        takes: whether the answer to a double is a take, or a beaver.
    """

    no_double: list[float]
    double_take: list[float | None]
    double_pass: list[float | None]
    chances: list[list[float]]
    doubles: list[bool]
    takes: list[bool]


class PositionIdsJson(IdsJson, TypedDict):
    """The checkers of both sides, seen from the player on roll, with dice and context.

    Attributes:
        dice: the roll to play, or None.
        pips: The pip counts of the player on roll and of the opponent.
        off: The checkers that the player on roll and the opponent have borne off.
        is_over: Whether a side has borne off all its checkers.
    """

    points: Points
    dice: Dice
    pips: tuple[int, int]
    off: tuple[int, int]
    is_over: bool


def position_json(position: Position) -> PositionIdsJson:
    """Return a position."""
    return entries_of(PositionIdsJson, position)


class SideJson(TypedDict):
    """One side's race, played so that the mean number of rolls is least.

    Attributes:
        checkers: how many it has left.
        pips: its pip count.
        exact: whether `rolls` come from exact tables: all its checkers are at home, or it has at
            most three. Otherwise `rolls` are a network's estimate, and so are mean rolls, EPC
            and wastage. In a sample of races the mean rolls had a root-mean-square error of
            0.02, and 0.1 at most.
        mean_rolls: The mean number of rolls to bear off all checkers.
        epc: The effective pip count: mean rolls times the mean pips of a roll.
        wastage: The effective pips beyond the pip count.
        rolls: the chances that its last checker is off after exactly 1, 2, ... 31 rolls, and after 32
            or more.
    """

    checkers: int
    pips: int
    exact: bool
    mean_rolls: float
    epc: float
    wastage: float
    rolls: tuple[float, ...]


class BearoffJson(IdsJson, TypedDict):
    """The answer for a race before the roll.

    Attributes:
        exact: whether these are the chances of best play; otherwise each side minimizes its
            mean rolls. If the rolls of a side are estimates, the chances are, too: in a sample of
            races the chance to win had a root-mean-square error of 0.01, and 0.06 at most.
        equity: The mean payoff to the player on roll, cubeless, for money.
        notes: what the answer ignores.
    """

    exact: bool
    equity: float
    probabilities: Probabilities
    own: SideJson
    their: SideJson
    notes: list[str]


def bearoff_json(race: Bearoff) -> BearoffJson:
    """Return the answer for a race, with equity and chances of the player on roll."""
    own, their = (entries_of(SideJson, side) for side in (race.own, race.their))
    notes, ids = bearoff_notes(race), ids_json(race.position)
    return entries_of(BearoffJson, race, **ids, own=own, their=their, notes=notes)


class MatchEquitiesJson(TypedDict):
    """The chance to win a match at every score of matches to 64 points.

    Attributes:
        name: the name of the table.
        length: the points up to which the entries come from a file.
        main: `main[a - 1][b - 1]` is the chance of a side a-away against one b-away.
        post_crawford: `post_crawford[n - 1]` is the chance of a side n-away after the Crawford
            game.
    """

    name: str
    length: int
    main: list[list[float]]
    post_crawford: list[float]


def json_of(answer: object) -> Mapping[str, Any] | None:
    """Return the JSON entries of an answer; None if there is no JSON for its type."""
    match answer:
        case Analysis():
            return analysis_json(answer)
        case CubeDecision():
            return decision_json(answer)
        case RollTable():
            return roll_table_json(answer)
        case ScoreGrid():
            return score_grid_json(answer)
        case PlayGrid():
            return play_grid_json(answer)
        case Rollout():
            return rollout_json(answer)
        case Evaluation():
            return entries_of(PositionValueJson, answer)
        case Evaluations():
            return entries_of(PositionValuesJson, answer)
        case PlayValues():
            return entries_of(PlayValuesJson, answer)
        case CubeDecisions():
            return entries_of(CubeDecisionsJson, answer)
        case Position():
            return position_json(answer)
        case Bearoff():
            return bearoff_json(answer)
        case MatchEquityTable():
            return entries_of(MatchEquitiesJson, answer)
    return None
