"""Rollouts: games played from each candidate of a decision estimate its value."""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gammon.base.errors import SettingError, UnfinishedError
from gammon.base.folder import folder_or_temporary
from gammon.base.parallel import Pool, run_units
from gammon.base.store import Unit
from gammon.core.level import BLOCK
from gammon.engine.analysis import Kind
from gammon.engine.block import is_block, play_block, scale_of
from gammon.engine.cube import CubeDecision, CubeValue, decision_terms
from gammon.engine.engine import Engine
from gammon.engine.question import Question, RolloutSettings
from gammon.engine.rolled import RolledCandidate, Rollout
from gammon.engine.rollout_sums import RolloutSums
from gammon.engine.scale import Scale
from gammon.eval.evaluators import search_networks
from gammon.formats.met_file import met_entry
from gammon.formats.play import Play, check_in_play, choose_play, legal_plays, listed_plays
from gammon.formats.position import Position
from gammon.rules.board import flipped
from gammon.rules.dice import checked_dice
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import CUBELESS, Payoffs, Terms
from gammon.search import NOT_OVER, Stop

#: Plies of the search that finds the candidates of a roll.
_CANDIDATE_DEPTH = 3
#: Units that are created at a time, so that games begin at once, however many trials there are.
_UNITS_AT_A_TIME = 1000


class _Candidate(NamedTuple):
    """A candidate: its name, its play if it is one, and the position in which games start."""

    name: str
    play: Play | None
    start: dict[str, Any]


class _Problem(NamedTuple):
    """A decision to roll out.

    Attributes:
        position: the position of the decision.
        dice: the roll; None before it.
        scale: what is at stake for the player who decides.
        candidates: of the decision.
        cash: for a decision about the cube the value of a double that is passed, else None.
        facts: all that the games depend on, as JSON values.
    """

    position: Position
    dice: tuple[int, int] | None
    scale: Scale
    candidates: list[_Candidate]
    cash: float | None
    facts: Unit


def rollout(
    position: Position,
    dice: tuple[int, int] | None = None,
    plays: Iterable[str | Play] | None = None,
    *,
    trials: int = 1296,
    depth: int = 1,
    cube_depth: int | None = None,
    truncate: int | None = None,
    seed: int = 1,
    model: str | Path = "leaf",
    move_filter: str | None = None,
    exact: bool = True,
    until_se: float | None = None,
    until_jsd: float | None = None,
    max_seconds: float | None = None,
    drop: bool = True,
    top: int = 5,
    cubeless: bool = False,
    stakes: Payoffs | Terms | str | None = None,
    met: MatchEquityTable | str | Path | None = None,
    workers: int = 1,
    scheduler: str | None = None,
    out: str | Path | None = None,
    on_result: Callable[[Rollout], None] | None = None,
    stop: Stop | None = None,
) -> Rollout:
    """Play games from the candidates of a decision, all with the same dice.

    With a roll the candidates are plays. Without a roll the candidates are the cube actions; if
    the player on roll may not double, the position itself is the only candidate.

    Args:
        position: seen from the player on roll. Its context has the terms.
        dice: the roll, in any order; the position's roll unless given.
        plays: the plays to roll out, in notation or from `legal_plays`; the best plays of a
            search to depth 3 unless given.
        trials: games of each candidate, a multiple of 36, 36,000,000 at most.
        depth: plies of a play: 1, 3 or 5, as an `Engine` counts them.
        cube_depth: plies of a decision about the cube, as many as `depth` unless given.
        truncate: the number of turns after which a game ends with the static value of its
            position; None for whole games.
        seed: the seed of the dice.
        model: the network that plays, a name or a file.
        move_filter: for plays deeper than 1, a name of `FILTERS`; None searches all plays.
        exact: whether a game ends when the exact bearoff tables have its value.
        until_se: stop once no candidate's standard error, in equity, is larger than this.
        until_jsd: stop once the best candidate leads every other one by this many standard
            errors of the difference. For a cube decision, both the double and the answer to it
            must be this clear.
        max_seconds: stop after this time; the 36 trials then in progress do not count. The number
            of trials depends on the machine.
        drop: whether candidates that are far behind stop early.
        top: how many plays of the search to roll out, unless `plays` are given.
        cubeless: whether to leave out the cube and the score.
        stakes: the payoffs of the six results to the player on roll, or a name for them; the
            rollout is then cubeless. Money unless given.
        met: a match equity table, or its file; Kazaross-XG2 unless given.
        workers: processes that share the games. The result does not depend on their number. With
            more than one, a script must start its work below `if __name__ == "__main__":`.
        scheduler: the address of a Dask scheduler, whose workers play in place of processes.
        out: a folder that stores the games, so that an interrupted rollout can continue.
        on_result: called every 36 trials with the result so far.
        stop: another thread sets it to get the result so far, as when `max_seconds` are over.

    Raises:
        SettingError: a setting is out of range, or two contradict each other.
        IllegalPositionError: the game is over.
        FormatError: a text is not a play, or there are no stakes of that name.
        IllegalPlayError: a play is not legal in the position.
        AmbiguousPlayError: a text fits several legal plays.
        ModelError: there is no such network.
        UnfinishedError: `max_seconds` or a stop came before the first 36 trials were done.
        GammonError: the folder holds another rollout, cannot be written or is in use, or a
            worker was killed.
    """
    begun, pool = time.perf_counter(), Pool(workers, scheduler)
    chosen = RolloutSettings(
        trials, depth, cube_depth, truncate, seed, model, move_filter, exact, until_se,
        until_jsd, max_seconds, drop,
    )  # fmt: skip
    ending = Stop(chosen.max_seconds, stop)
    given: dict[str, Any] = {"stakes": stakes, "met": met, "top": top, "cubeless": cubeless}
    problem = _problem(position, dice, plays, Question(**given), chosen)

    def report(sums: RolloutSums) -> None:
        if on_result is not None:
            on_result(_result(problem, chosen, sums, begun))

    title = f"a rollout of {problem.position.xgid}, seed {chosen.seed}"
    with folder_or_temporary(out, title, problem.facts) as folder:
        sums = _play_trials(problem, chosen, folder / "units.jsonl", pool, ending, report)
    return _result(problem, chosen, sums, begun)


def _problem(
    position: Position,
    dice: tuple[int, int] | None,
    plays: Iterable[str | Play] | None,
    question: Question,
    settings: RolloutSettings,
) -> _Problem:
    """Return the decision to roll out; for the arguments see `rollout`."""
    check_in_play(position)
    dice = position.dice if dice is None else checked_dice(dice)
    position = position.with_dice(dice)
    terms, met = question.stakes or (CUBELESS if question.cubeless else None), question.met
    if terms is None:
        terms = position.context.terms() if dice else decision_terms(position)
    elif met is not None:
        raise SettingError(f"met {met.name!r}: expected none without the cube and the score")
    facts: Unit = {
        "model": str(settings.model), "networks": search_networks(settings.model),
        "seed": settings.seed, "depth": settings.depth, "cube_depth": settings.plies_of_cube,
        "truncate": settings.truncate or 0, "filter": settings.move_filter or "", "exact": settings.exact,
        "stakes": str(terms.payoffs) if terms.cubeless else None,
        "terms": None if terms.cubeless else list(terms[:-1]),
        "met": None if met is None else met_entry(met), "after": dice is not None,
    }  # fmt: skip
    scale = scale_of(facts)
    facts["exact"] &= scale.has_exact_ends
    double = scale.game.offer(scale.game.stake, scale.game.params)
    cash = None if dice or double.cash == NOT_OVER else double.cash
    if dice:

        def engine() -> Engine:
            stakes = terms if terms.cubeless else None
            return Engine(_CANDIDATE_DEPTH, model=settings.model, stakes=stakes, met=met)

        candidates = _plays(position, dice, plays, question.top, engine)
    elif plays is not None:
        raise SettingError("plays without a roll: expected dice too, such as 31")
    else:
        candidates = _actions(position, cash is not None)
    facts["starts"] = [candidate.start for candidate in candidates]
    return _Problem(position, dice, scale, candidates, cash, facts)


def _actions(position: Position, doubles: bool) -> list[_Candidate]:
    """Return the candidates before the roll."""
    names = ("No double", "Double, take") if doubles else ("Before the roll",)
    return [
        _Candidate(name, None, {"points": list(position.points), "doubled": number > 0})
        for number, name in enumerate(names)
    ]


def _plays(
    position: Position,
    dice: tuple[int, int],
    plays: Iterable[str | Play] | None,
    top: int,
    engine: Callable[[], Engine],
) -> list[_Candidate]:
    """Return the requested plays without duplicates, or else the best plays by an engine."""
    if plays is None:
        chosen = [candidate.play for candidate in engine().analyze(position, dice, top).candidates[:top]]
    else:
        named, legal = listed_plays(plays), legal_plays(position, dice)
        chosen = [choose_play(legal, dice, str(play)) for play in named]
        if not chosen:
            raise SettingError("plays []: expected one or more")
    return [
        _Candidate(play.notation, play, {"points": list(flipped(play.points)), "doubled": False})
        for play in {play.points: play for play in chosen}.values()
    ]


def _play_trials(
    problem: _Problem,
    settings: RolloutSettings,
    store: Path,
    pool: Pool,
    ending: Stop,
    report: Callable[[RolloutSums], None],
) -> RolloutSums:
    """Play trials until all are done, or a rule to stop early is met.

    The dropped candidates and the last trial depend only on the results of
    earlier trials, unless `ending` is set.

    Args:
        problem: the decision to roll out.
        settings: how games are played, and how many.
        store: the file of the finished units.
        pool: the processes that play.
        ending: ends the games when it is set.
        report: called with the sums every 36 trials.

    Raises:
        UnfinishedError: `ending` was set before the first 36 trials were done.
    """
    sums = RolloutSums(len(problem.candidates), problem.scale, problem.facts["after"], problem.cash)
    ended = False
    while not ended:
        done = sums.trials(sums.playing[0])
        units = [
            problem.facts | {"candidates": sums.playing, "first": first}
            for first in range(done, min(settings.trials, done + _UNITS_AT_A_TIME * BLOCK), BLOCK)
        ]

        def enough(batches: Sequence[Any]) -> bool:
            """Add the latest block; return whether the candidates change or the rollout ends."""
            nonlocal ended
            sums.add(batches[-1])
            report(sums)
            played = sums.trials(sums.playing[0])
            ended = (
                played >= settings.trials
                or sums.is_enough(settings.until_se, settings.until_jsd)
                or ending.is_set()
            )
            return ended or (settings.drop and sums.drop(settings.until_jsd))

        try:
            run_units(play_block, units, store, pool, enough=enough, fits=is_block, stop=ending)
        except UnfinishedError:
            if not sums.trials(sums.playing[0]):
                limit = settings.max_seconds
                within = "" if limit is None else f" within {limit:g} seconds"
                raise UnfinishedError(
                    f"no {BLOCK} trials of each candidate were done{within}: expected more "
                    "time, fewer candidates, a smaller depth or a filter"
                ) from None
            ended = True
    return sums


def _result(problem: _Problem, settings: RolloutSettings, sums: RolloutSums, begun: float) -> Rollout:
    """Return the result of the trials so far."""
    count = len(problem.candidates)
    cube = None if problem.cash is None else _decision(problem, sums)

    def candidate(c: int) -> RolledCandidate:
        value, equity = sums.value(c), sums.equity(c)
        mwc = problem.scale.mwc(value.mean)
        return RolledCandidate(
            name=problem.candidates[c].name,
            play=problem.candidates[c].play,
            equity=equity.mean,
            error=equity.error,
            loss=max(sums.behind(c).mean / problem.scale.unit, 0.0),
            jsd=max(sums.jsd(c), 0.0),
            probabilities=sums.chances(c),
            unadjusted=sums.unadjusted(c),
            trials=sums.trials(c),
            dropped=c not in sums.playing,
            mwc=mwc,
            mwc_error=None if mwc is None else 0.5 * value.error,
        )

    candidates = [candidate(c) for c in range(count)]
    if cube is None:
        candidates.sort(key=lambda candidate: (candidate.dropped, candidate.loss))
    games = sum(sums.trials(c) for c in range(count))
    trials = sums.trials(sums.playing[0])
    return Rollout(
        problem.position, problem.dice, problem.scale.terms, candidates, cube, settings,
        trials, games, sums.turns, time.perf_counter() - begun, trials >= settings.trials,
    )  # fmt: skip


def _decision(problem: _Problem, sums: RolloutSums) -> CubeDecision:
    """Return the decision about the cube by the means of the trials."""
    scale, cash = problem.scale, problem.cash
    assert cash is not None, "it is a decision about the cube"
    return CubeDecision(
        problem.position,
        scale.terms,
        sums.chances(0),
        sums.cube_value(0),
        sums.cube_value(1),
        CubeValue(scale.equity(cash), scale.mwc(cash), Kind.EXACT),
        problem.facts["depth"],
    )
