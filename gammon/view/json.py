"""The JSON of each kind of answer: what it has, and the function that takes it from the answer.

See `gammon.view.json_parts`.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Generic, TypedDict, TypeVar

import numpy as np

from gammon.core.estimate import Estimate, Open
from gammon.engine.analysis import Analysis, Candidate, Evaluation, Kind, RollTable, Sample
from gammon.engine.bearoff import Bearoff, Side
from gammon.engine.boards import CubeDecisions, Evaluations, PlayValues
from gammon.engine.cube import CubeAction, CubeAnswer, CubeDecision, CubeValue
from gammon.engine.rolled import RolledCandidate, Rollout
from gammon.engine.score_grid import PlayGrid, ScoreGrid
from gammon.eval.equity import Probabilities
from gammon.formats.match_id import Dice
from gammon.formats.position import Position
from gammon.rules.board import Points
from gammon.rules.dice import PROBABILITIES
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import Payoffs, Terms
from gammon.search.stats import Stats
from gammon.view.bearoff import bearoff_notes
from gammon.view.heading import notes
from gammon.view.json_parts import IdsJson, StakesJson, ids_json, stakes_json
from gammon.view.rollout import ROLLING

#: Of an answer, the types of its roll, its algorithm, and what is at stake, cubeless or not.
Roll = TypeVar("Roll", str, str | None, None)
Algorithm = TypeVar("Algorithm", str, str | None)
Worth = TypeVar("Worth", Payoffs | None, None)
AtStake = TypeVar("AtStake", StakesJson, StakesJson | None, None)


class AnswerJson(IdsJson, Generic[Roll, Algorithm, Worth, AtStake]):
    """The beginning of an answer of a search."""

    dice: Roll
    depth: int
    algorithm: Algorithm
    level: str | None
    worth: Worth
    cubeful: bool
    stakes: AtStake
    notes: list[str]


def _begun(
    answer: Analysis | RollTable | CubeDecision | ScoreGrid | PlayGrid,
    dice: Roll,
    algorithm: Algorithm,
    worth: Worth,
    stakes: AtStake,
    shown: list[str],
) -> AnswerJson[Roll, Algorithm, Worth, AtStake]:
    """Return the beginning of an answer. What says `errs` goes behind its other notes."""
    return {
        **ids_json(answer.position),
        "dice": dice,
        "depth": answer.depth,
        "algorithm": algorithm,
        "level": answer.level,
        "worth": worth,
        "cubeful": worth is None,
        "stakes": stakes,
        "notes": [*shown, answer.errs] if answer.errs else shown,
    }


def _dice(dice: tuple[int, int]) -> str:
    return f"{dice[0]}{dice[1]}"


def _stakes_or_none(terms: Terms) -> StakesJson | None:
    return None if terms.cubeless else stakes_json(terms)


class CandidateJson(TypedDict):
    """A play and what it is worth to the player who makes it.

    Attributes:
        play: The play as people write it, such as `24/18*/13`.
        equity: with the cube, points of it for money, or EMG in a match; cubeless, in the unit
            of the engine's stakes.
        mwc: in a match, the chance to win it that `equity` stands for.
        cubeless_equity: that of `probabilities` if nobody turns the cube any more; None where
            `equity` is cubeless.
        loss: how much less than the best play's equity that is, at least 0. Where that one is
            the mean of games and this one is not, the search says by how much.
        exact: Whether `equity` is the value of best play to `depth`.
        kind: whether `equity` is exact, shallow, static, or the mean of games.
        depth: plies of the search that `equity` is from; see `Engine`. 1 where the equity is
            static.
        bound: where the equity is shallow, the upper bound of the equity to the full depth that
            the deeper search has proved. None elsewhere.
        probabilities_depth: the same of the chances.
        named: whether the analysis was asked for this play by name.
        games: those that a level has played from there, or None.
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
    probabilities_depth: int
    named: bool
    games: Sample | None


def candidate_json(candidate: Candidate) -> CandidateJson:
    """Return a play of an analysis."""
    return {
        "play": candidate.play.notation,
        "points": candidate.play.points,
        "equity": candidate.equity,
        "mwc": candidate.mwc,
        "cubeless_equity": candidate.cubeless_equity,
        "loss": candidate.loss,
        "exact": candidate.exact,
        "kind": candidate.kind,
        "depth": candidate.depth,
        "bound": candidate.bound,
        "probabilities": candidate.probabilities,
        "probabilities_depth": candidate.probabilities_depth,
        "named": candidate.named,
        "games": candidate.games,
    }


class PlaysJson(AnswerJson[str, str, Payoffs | None, StakesJson | None]):
    """All plays of a roll, in the order of their equities; static ones come last.

    Attributes:
        depth: The plies of the best play, which a limit of time may have kept down.
        algorithm: of the search.
        level: the level that plays games where plays are close, or None.
        worth: what results are worth to the player on roll; None with the cube.
        stakes: what is at stake for that player with the cube; None: cubeless.
        candidates: see `Candidate`.
        sure: The chance, by the games, that the lead of the best play is not luck; or None.
        seconds: wall time.
    """

    candidates: list[CandidateJson]
    sure: float | None
    stats: Stats
    seconds: float


def analysis_json(analysis: Analysis) -> PlaysJson:
    """Return the plays of a roll."""
    dice, stakes = _dice(analysis.dice), _stakes_or_none(analysis.terms)
    said = notes(analysis.position, analysis.terms)
    return {
        **_begun(analysis, dice, analysis.algorithm, analysis.terms.payoffs, stakes, said),
        "candidates": [candidate_json(candidate) for candidate in analysis.candidates],
        "sure": analysis.sure,
        "stats": analysis.stats,
        "seconds": analysis.seconds,
    }


class _OfRoll(TypedDict):
    dice: str
    probability: float


class RollJson(_OfRoll, CandidateJson, TypedDict):
    """The best play of a roll.

    Attributes:
        dice: the roll, such as `31`.
        probability: its chance.
    """


class RollsJson(AnswerJson[None, str, Payoffs | None, StakesJson | None]):
    """The best play of each of the 21 rolls. Its `str` is a table for people.

    Attributes:
        depth: The plies of all rolls: those of the least deep one.
        algorithm: The algorithm of the searches.
        level: The level that plays games where plays are close, or None.
        worth: The worth of results to the player on roll; None with the cube.
        stakes: The terms with the cube; None: cubeless.
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
    stakes, said = _stakes_or_none(table.terms), notes(table.position, table.terms)
    rolls: list[RollJson] = [
        {
            "dice": _dice(analysis.dice),
            "probability": float(probability),
            **candidate_json(analysis.candidates[0]),
        }
        for probability, analysis in zip(PROBABILITIES, table.analyses, strict=True)
    ]
    return {
        **_begun(table, None, table.algorithm, table.terms.payoffs, stakes, said),
        "equity": table.equity,
        "probabilities": table.probabilities,
        "rolls": rolls,
        "stats": table.stats,
        "seconds": table.seconds,
    }


class CubeJson(TypedDict):
    """A decision about the cube, before the roll of the player on roll.

    Attributes:
        double_take: the value of a double that is taken, before any beaver; None where the
            player may not double, or cannot gain by it.
        double_pass: the value of a double that is passed, or None.
        action: The right action of the player on roll.
        answer: The opponent's right answer to a double; None where none can come.
        verdict: The right decisions of both players in words, such as "redouble, take".
        gain: The equity that a double adds to rolling; below 0 if it costs. None without one.
        close: Whether the wrong choice between doubling and rolling loses less than .02.
        answer_gain: The equity that the right answer to a double saves the opponent, against
            the other.
        answer_close: Whether the wrong answer to a double loses less than .02.
        sure: the chance, by these games, that the double and the answer to it are both right as
            they stand; of the two the less certain one counts. None without games.
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
    sure: float | None


def cube_json(decision: CubeDecision) -> CubeJson:
    """Return the values of a decision about the cube, and what is right."""
    return {
        "no_double": decision.no_double,
        "double_take": decision.double_take,
        "double_pass": decision.double_pass,
        "action": decision.action,
        "answer": decision.answer,
        "verdict": decision.verdict,
        "gain": decision.gain,
        "close": decision.close,
        "answer_gain": decision.answer_gain,
        "answer_close": decision.answer_close,
        "sure": decision.sure,
    }


class DecisionJson(AnswerJson[None, str | None, None, StakesJson]):
    """A decision about the cube, before the roll of the player on roll.

    Attributes:
        depth: plies as an `Engine` counts them, which searched one less; 1 without a search.
        algorithm: of the search, or None.
        level: the level that plays games if the decision is close, or None.
        equity: The equity of the position with the right decisions of both players.
        mwc: The chance to win the match with the right decisions of both; None for money.
        stats: the work that a search took, or None: the values are static, or known.
        seconds: wall time of a search.
    """

    cube: CubeJson
    equity: float
    mwc: float | None
    probabilities: Probabilities
    stats: Stats | None
    seconds: float


def decision_json(decision: CubeDecision) -> DecisionJson:
    """Return a decision about the cube with its position and what is at stake."""
    stakes = stakes_json(decision.terms)
    return {
        **_begun(decision, None, decision.algorithm, None, stakes, []),
        "cube": cube_json(decision),
        "equity": decision.equity,
        "mwc": decision.mwc,
        "probabilities": decision.probabilities,
        "stats": decision.stats,
        "seconds": decision.seconds,
    }


class CubeAtScoreJson(TypedDict):
    """The decision about the cube at a score.

    Attributes:
        away: the points that the player on roll and the opponent still need.
    """

    away: tuple[int, int]
    cube: CubeJson


class ScoreGridJson(AnswerJson[None, str | None, None, None]):
    """Cube decisions by score, in `scores` and `named`. Its `str` is a table for people.

    Attributes:
        depth: The plies of all answers, or the fewest where time was over.
        algorithm: The algorithm of the searches, or None where there was no search.
        level: The level that plays games where choices are close, or None.
    """

    scores: list[CubeAtScoreJson]
    named: dict[str, CubeJson]
    seconds: float


def score_grid_json(grid: ScoreGrid) -> ScoreGridJson:
    """Return the decisions about the cube by score."""
    return {
        **_begun(grid, None, grid.algorithm, None, None, []),
        "scores": [{"away": away, "cube": cube_json(each)} for away, each in grid.scores.items()],
        "named": {name: cube_json(decision) for name, decision in grid.named.items()},
        "seconds": grid.seconds,
    }


class _AtScore(TypedDict):
    away: tuple[int, int]


class AtScoreJson(_AtScore, CandidateJson, TypedDict):
    """The best play at a score.

    Attributes:
        away: the points that the player on roll and the opponent still need.
    """


class PlayGridJson(AnswerJson[str | None, str | None, None, None]):
    """The best plays of a roll by score: `scores` and `named` have analyses.

    Attributes:
        depth: The plies of all answers, or the fewest where time was over.
        algorithm: The algorithm of the searches, or None where there was no search.
        level: The level that plays games where choices are close, or None.
        named: The best play, and the one that is best for money where that is another.
    """

    scores: list[AtScoreJson]
    named: dict[str, list[CandidateJson]]
    seconds: float


def play_grid_json(grid: PlayGrid) -> PlayGridJson:
    """Return the best plays by score; at named ones the best play for money, too."""
    dice = _dice(grid.position.dice) if grid.position.dice else None
    return {
        **_begun(grid, dice, grid.algorithm, None, None, []),
        "scores": [
            {"away": away, **candidate_json(analysis.candidates[0])} for away, analysis in grid.scores.items()
        ],
        "named": {
            name: [candidate_json(c) for n, c in enumerate(each.candidates) if not n or c.named]
            for name, each in grid.named.items()
        },
        "seconds": grid.seconds,
    }


#: The answer to a question.
Answer = PlaysJson | DecisionJson | RollsJson | ScoreGridJson | PlayGridJson


class RolledCandidateJson(TypedDict):
    """A candidate of a rollout, and what it is worth to the player whose decision it is.

    Attributes:
        name: the play, `No double`, `Double, take`, or `Before the roll`.
        points: 26 counts after the play, still seen from the player who made it.
        equity: the mean over the trials, in the unit of a `Candidate`'s.
        error: its standard error.
        interval: The equities between which the truth lies with a chance of 95 %.
        loss: how much less than the best candidate's equity, or that of the right decision
            about the cube, by the trials that both had; at least 0.
        jsd: by how many standard errors of the difference it is worth less than the best
            candidate, or than the right decision about the cube; at least 0. By fewer than 324
            trials it is rough.
        may_be_best: Whether the games leave open that no other candidate is better, with 95 %
            certainty.
        mwc: in a match with the cube, the chance to win it.
        mwc_error: its standard error.
        trials: games.
        out: whether it was given up because it was far behind.
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
    plain: Estimate
    probabilities: Probabilities
    trials: int
    out: bool


def rolled_candidate_json(candidate: RolledCandidate) -> RolledCandidateJson:
    """Return a candidate of a rollout."""
    return {
        "name": candidate.name,
        "points": candidate.play.points if candidate.play else None,
        "equity": candidate.equity,
        "error": candidate.error,
        "interval": candidate.interval,
        "loss": candidate.loss,
        "jsd": candidate.jsd,
        "may_be_best": candidate.may_be_best,
        "mwc": candidate.mwc,
        "mwc_error": candidate.mwc_error,
        "plain": candidate.plain,
        "probabilities": candidate.probabilities,
        "trials": candidate.trials,
        "out": candidate.out,
    }


class RolloutJson(IdsJson, TypedDict):
    """The candidates of a decision, best first, by games that were played from them.

    Attributes:
        worth: what results are worth to the player; None with the cube.
        stakes: what is at stake for the player with the cube; None: cubeless.
        candidates: see `RolledCandidate`. Those that are out come last. Decisions about the
            cube keep the order no double, double and take.
        cube: the decision about the cube that the candidates lead to, where it is one.
        equity: The equity of the best candidate, or of the right decision about the cube.
        trials: those of the best candidate.
        games: of all candidates.
        turns: played in all games.
        whole: whether all trials that were asked for were played.
        seconds: wall time.
    """

    dice: str | None
    worth: Payoffs | None
    cubeful: bool
    stakes: StakesJson | None
    notes: list[str]
    settings: dict[str, Any]
    candidates: list[RolledCandidateJson]
    cube: CubeJson | None
    equity: float
    trials: int
    games: int
    turns: int
    whole: bool
    seconds: float


def rollout_json(rollout: Rollout) -> RolloutJson:
    """Return a rollout."""
    settings = asdict(rollout.settings) | {"model": str(rollout.settings.model)}
    return {
        **ids_json(rollout.position),
        "dice": _dice(rollout.dice) if rollout.dice else None,
        "worth": rollout.terms.payoffs,
        "cubeful": not rollout.terms.cubeless,
        "stakes": _stakes_or_none(rollout.terms),
        "notes": notes(rollout.position, rollout.terms, ROLLING),
        "settings": settings,
        "candidates": [rolled_candidate_json(candidate) for candidate in rollout.candidates],
        "cube": cube_json(rollout.cube) if rollout.cube else None,
        "equity": rollout.equity,
        "trials": rollout.trials,
        "games": rollout.games,
        "turns": rollout.turns,
        "whole": rollout.whole,
        "seconds": rollout.seconds,
    }


class PositionValueJson(TypedDict):
    """The worth of a position to the player on roll, before the turn.

    Attributes:
        equity: as that of a `Candidate`; with the cube, the player may double first.
        mwc: in a match with the cube, the chance to win it.
        seconds: wall time.
    """

    equity: float
    mwc: float | None
    probabilities: Probabilities
    stats: Stats
    seconds: float


def evaluation_json(value: Evaluation) -> PositionValueJson:
    """Return the worth of a position."""
    return {
        "equity": value.equity,
        "mwc": value.mwc,
        "probabilities": value.probabilities,
        "stats": value.stats,
        "seconds": value.seconds,
    }


class PositionValuesJson(TypedDict):
    """The worth of N positions to their players on roll, before the roll.

    Attributes:
        equities: of each position.
        chances: win, win_gammon, win_backgammon, lose_gammon and lose_backgammon of
            each.
    """

    equities: list[float]
    chances: list[list[float]]


def evaluations_json(values: Evaluations) -> PositionValuesJson:
    """Return the worth of many positions."""
    return {"equities": values.equities.tolist(), "chances": values.chances.tolist()}


class PlayValuesJson(TypedDict):
    """All plays of N positions and rolls: K in all, those of each position best first.

    Attributes:
        offsets: where the plays of each position begin, and where the last ones end.
        rows: the 26 counts after each play, seen from the mover.
        equities: of each position.
        chances: win, win_gammon, win_backgammon, lose_gammon and lose_backgammon of
            each.
        exact: False for each play that the engine's move filter left out.
    """

    offsets: list[int]
    rows: list[list[int]]
    equities: list[float]
    chances: list[list[float]]
    exact: list[bool]


def play_values_json(values: PlayValues) -> PlayValuesJson:
    """Return the worth of the plays of many positions."""
    return {
        "offsets": values.offsets.tolist(),
        "rows": values.rows.tolist(),
        "equities": values.equities.tolist(),
        "chances": values.chances.tolist(),
        "exact": values.exact.tolist(),
    }


class CubeDecisionsJson(TypedDict):
    """The decisions about the cube in N positions, to their players on roll.

    Attributes:
        no_double: equities of rolling with the cube as it is.
        double_take: equities of a double that is taken, None where none may be made.
        double_pass: equities of a double that is passed, None as there.
        chances: win, win_gammon, win_backgammon, lose_gammon and lose_backgammon of
            each.
        doubles: whether a double is right.
        takes: whether the answer to a double is a take, or a beaver.
    """

    no_double: list[float]
    double_take: list[float | None]
    double_pass: list[float | None]
    chances: list[list[float]]
    doubles: list[bool]
    takes: list[bool]


def cube_decisions_json(values: CubeDecisions) -> CubeDecisionsJson:
    """Return the decisions about the cube in many positions."""
    taken, passed = (
        [None if np.isnan(equity) else equity for equity in equities.tolist()]
        for equities in (values.double_take, values.double_pass)
    )
    return {
        "no_double": values.no_double.tolist(),
        "double_take": taken,
        "double_pass": passed,
        "chances": values.chances.tolist(),
        "doubles": values.doubles.tolist(),
        "takes": values.takes.tolist(),
    }


class PositionIdsJson(IdsJson, TypedDict):
    """The checkers of both sides, seen from the player on roll, with dice and context.

    Attributes:
        dice: the roll to be played, or None.
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
    return {
        **ids_json(position),
        "points": position.points,
        "dice": position.dice,
        "pips": position.pips,
        "off": position.off,
        "is_over": position.is_over,
    }


class SideJson(TypedDict):
    """One side's race, played so that the mean number of rolls is least.

    Attributes:
        checkers: how many it has left.
        pips: its pip count.
        exact: whether they come from exact tables: all its checkers are at home, or it has no
            more than three. Otherwise they are a network's estimate, as are its mean rolls, EPC
            and wastage. In drawn races the mean is off by .02 rolls (root of the mean square),
            by .1 at most.
        mean_rolls: The mean number of rolls to bear off all checkers.
        epc: The effective pip count: the mean rolls, in pips of a mean roll.
        wastage: The effective pips beyond the pip count.
        rolls: the chances that its last checker is off after exactly 1, 2, ... 32 rolls.
    """

    checkers: int
    pips: int
    exact: bool
    mean_rolls: float
    epc: float
    wastage: float
    rolls: tuple[float, ...]


def side_json(side: Side) -> SideJson:
    """Return a side's race."""
    return {
        "checkers": side.checkers,
        "pips": side.pips,
        "exact": side.exact,
        "mean_rolls": side.mean_rolls,
        "epc": side.epc,
        "wastage": side.wastage,
        "rolls": side.rolls,
    }


class BearoffJson(IdsJson, TypedDict):
    """The answer for a race before the roll.

    Attributes:
        exact: whether these are the chances of best play; otherwise each side only races. If
            the rolls of a side are estimates, these chances are, too: in drawn races the chance
            to win is off by .01 (root of the mean square), by .06 at most.
        equity: The mean payoff to the player on roll, cubeless, for money.
        notes: what is not looked at.
    """

    exact: bool
    equity: float
    probabilities: Probabilities
    own: SideJson
    their: SideJson
    notes: list[str]


def bearoff_json(race: Bearoff) -> BearoffJson:
    """Return the answer for a race. Equity and chances are those of the player on roll."""
    return {
        **ids_json(race.position),
        "exact": race.exact,
        "equity": race.equity,
        "probabilities": race.probabilities,
        "own": side_json(race.own),
        "their": side_json(race.their),
        "notes": bearoff_notes(race),
    }


class MatchEquitiesJson(TypedDict):
    """The chance to win a match at every score of matches to 64 points.

    Attributes:
        name: what people call the table.
        length: the points up to which M is that of a file.
        main: `main[a - 1][b - 1]` is the chance of a side a-away against one b-away.
        post_crawford: `post_crawford[n - 1]` is the chance of a side n-away after the Crawford
            game.
    """

    name: str
    length: int
    main: list[list[float]]
    post_crawford: list[float]


def match_equities_json(table: MatchEquityTable) -> MatchEquitiesJson:
    """Return a match equity table."""
    return {
        "name": table.name,
        "length": table.length,
        "main": table.main.tolist(),
        "post_crawford": table.post_crawford.tolist(),
    }


def json_of(answer: object) -> Mapping[str, Any] | None:
    """Return what the JSON of an answer has; None: answers of this type have none."""
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
            return evaluation_json(answer)
        case Evaluations():
            return evaluations_json(answer)
        case PlayValues():
            return play_values_json(answer)
        case CubeDecisions():
            return cube_decisions_json(answer)
        case Position():
            return position_json(answer)
        case Bearoff():
            return bearoff_json(answer)
        case MatchEquityTable():
            return match_equities_json(answer)
    return None
