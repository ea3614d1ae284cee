"""Rollouts: what a decision is worth, by playing games from each of its candidates."""

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gammon.base.errors import SettingError, UnfinishedError
from gammon.base.folder import kept_or_passing
from gammon.base.parallel import Pool, run_units
from gammon.base.store import Unit
from gammon.core.level import BLOCK
from gammon.engine.analysis import Kind
from gammon.engine.block import is_block, play_block, scale_of
from gammon.engine.cube import CubeDecision, CubeValue, decision_terms
from gammon.engine.engine import Engine
from gammon.engine.question import Question
from gammon.engine.rolled import RolledCandidate, Rollout
from gammon.engine.rollout_settings import RolloutSettings
from gammon.engine.scale import Scale
from gammon.engine.tally import Tally
from gammon.eval.model_file import network_id
from gammon.formats.met_file import met_entry
from gammon.formats.play import Play, check_in_play, choose_play, legal_plays, listed_plays
from gammon.formats.position import Position
from gammon.rules.board import flipped
from gammon.rules.dice import checked_dice
from gammon.rules.match_equity import MatchEquityTable
from gammon.rules.terms import CUBELESS, Payoffs, Terms
from gammon.search import NOT_OVER, Stop

#: Plies of the search that finds the candidates of a roll.
_SEARCHED = 3
#: Units that are made at a time, so that games begin at once however many are asked for.
_PIECE = 1000


class _Candidate(NamedTuple):
    """A candidate: what it is called, its play if it is one, and where its games start."""

    name: str
    play: Play | None
    start: dict[str, Any]


class _Decided(NamedTuple):
    """The decision that is rolled out.

    Attributes:
        position: where it is made.
        dice: the roll; None before it.
        scale: what is at stake for the player whose decision it is.
        candidates: of the decision.
        cash: of a decision about the cube: the value of a double that is passed. Else None.
        facts: all that the games depend on; plain JSON values.
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

    With a roll the candidates are plays. Without one it is the decision about the cube, if the
    player on roll may double; if not, the position is rolled out as it is.

    Args:
        position: seen from the player on roll. Its context says what is at stake.
        dice: the roll, in any order; that of the position unless given.
        plays: the plays that are rolled out, as people write them or from `legal_plays`; the
            best ones of a search to depth 3 unless given.
        trials: games of each candidate, a multiple of 36, 36,000,000 at most.
        depth: plies of a play: 1, 3 or 5, as an `Engine` counts them.
        cube_depth: plies of a decision about the cube, as many as `depth` unless given.
        truncate: a game ends after so many turns, with the static value of its position; None
            for whole games.
        seed: of the dice.
        model: the network that plays, a name or a file.
        move_filter: of plays deeper than 1, a name of `FILTERS`; None looks at all plays.
        exact: whether a game ends where the exact tables of bearoffs say its value.
        until_se: enough is played once no candidate's standard error is larger, in equity.
        until_jsd: enough is played once the best candidate beats each other one by so many
            standard errors of their difference; of a cube decision, once both questions are
            answered so clearly.
        max_seconds: enough is played after so long; the 36 trials that are then under way do
            not count. The number of trials depends on the machine.
        drop: whether candidates that are far behind stop early.
        top: how many plays of that search, unless there are plays.
        cubeless: whether the cube and the score are left out.
        stakes: what results pay the player on roll, or the name of such stakes; the rollout is
            then cubeless. Money unless given.
        met: a match equity table, or its file; Kazaross-XG2 unless given.
        workers: processes that share the games. The result does not depend on them. With more
            than one, a script begins its work below `if __name__ == "__main__":`.
        scheduler: the address of a Dask scheduler, whose workers play instead.
        out: a folder that keeps the games. The same rollout goes on there where it was
            interrupted.
        on_result: called with the result so far, every 36 trials.
        stop: another thread sets it to have the result so far at once, as when `max_seconds`
            are over. The 36 trials that are then under way do not count.

    Raises:
        SettingError: a setting is out of range, or two contradict each other.
        IllegalPositionError: the game is over.
        FormatError: a text is not a play, or a name not that of stakes.
        IllegalPlayError: a play is not legal here.
        AmbiguousPlayError: several legal plays answer to a text.
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
    question = _decided(position, dice, plays, Question(**given), chosen)

    def tell(tally: Tally) -> None:
        if on_result is not None:
            on_result(_answer(question, chosen, tally, begun))

    title = f"a rollout of {question.position.xgid}, seed {chosen.seed}"
    with kept_or_passing(out, title, question.facts) as folder:
        tally = _play(question, chosen, folder / "units.jsonl", pool, ending, tell)
    return _answer(question, chosen, tally, begun)


def _decided(
    position: Position,
    dice: tuple[int, int] | None,
    plays: Iterable[str | Play] | None,
    asked: Question,
    settings: RolloutSettings,
) -> _Decided:
    """Return the decision that is asked about; the arguments are those of `rollout`."""
    check_in_play(position)
    dice = position.dice if dice is None else checked_dice(dice)
    position = position.with_dice(dice)
    terms, met = asked.stakes or (CUBELESS if asked.cubeless else None), asked.met
    if terms is None:
        terms = position.context.terms() if dice else decision_terms(position)
    elif met is not None:
        raise SettingError(f"met {met.name!r}: expected none without the cube and the score")
    facts: Unit = {
        "model": str(settings.model), "network": network_id(settings.model),
        "probe": network_id("probe"), "seed": settings.seed, "depth": settings.depth,
        "cube_depth": settings.plies_of_cube, "truncate": settings.truncate or 0,
        "filter": settings.move_filter or "",
        "exact": settings.exact,
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
            return Engine(_SEARCHED, model=settings.model, stakes=stakes, met=met)

        candidates = _plays(position, dice, plays, asked.top, engine)
    elif plays is not None:
        raise SettingError("plays without a roll: expected dice too, such as 31")
    else:
        candidates = _actions(position, cash is not None)
    facts["starts"] = [candidate.start for candidate in candidates]
    return _Decided(position, dice, scale, candidates, cash, facts)


def _actions(position: Position, doubles: bool) -> list[_Candidate]:
    """Return the candidates before a roll."""
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
    """Return the plays that are asked for, each once; those that an engine finds if none is."""
    if plays is None:
        found = [each.play for each in engine().analyze(position, dice, top).candidates[:top]]
    else:
        named, legal = listed_plays(plays), legal_plays(position, dice)
        found = [choose_play(legal, dice, str(play)) for play in named]
        if not found:
            raise SettingError("plays []: expected one or more")
    return [
        _Candidate(play.notation, play, {"points": list(flipped(play.points)), "doubled": False})
        for play in {play.points: play for play in found}.values()
    ]


def _play(
    question: _Decided,
    settings: RolloutSettings,
    store: Path,
    pool: Pool,
    ending: Stop,
    tell: Callable[[Tally], None],
) -> Tally:
    """Play until the trials are done, or enough.

    The candidates that are dropped, and the last trial, follow from the first trials alone;
    an end by `ending` is the exception.

    Args:
        question: the decision.
        settings: how games are played, and how many.
        store: the file of the units that are done.
        pool: the processes that play.
        ending: ends the games at once.
        tell: called with the tally every 36 trials.

    Raises:
        UnfinishedError: it came before the first 36 trials were done.
    """
    tally = Tally(len(question.candidates), question.scale, question.facts["after"], question.cash)
    ended = False
    while not ended:
        done = tally.trials(tally.playing[0])
        units = [
            question.facts | {"candidates": tally.playing, "first": first}
            for first in range(done, min(settings.trials, done + _PIECE * BLOCK), BLOCK)
        ]

        def enough(batches: Sequence[Any]) -> bool:
            """Take up the latest block; tell whether the candidates change, or it ends."""
            nonlocal ended
            tally.add(batches[-1])
            tell(tally)
            played = tally.trials(tally.playing[0])
            ended = (
                played >= settings.trials
                or tally.is_enough(settings.until_se, settings.until_jsd)
                or ending.is_set()
            )
            return ended or (settings.drop and tally.drop(settings.until_jsd))

        try:
            run_units(play_block, units, store, pool, enough=enough, fits=is_block, stop=ending)
        except UnfinishedError:
            if not tally.trials(tally.playing[0]):
                limit = settings.max_seconds
                within = "" if limit is None else f" within {limit:g} seconds"
                raise UnfinishedError(
                    f"no {BLOCK} trials of each candidate were done{within}: expected more "
                    "time, fewer candidates, a smaller depth or a filter"
                ) from None
            ended = True
    return tally


def _answer(question: _Decided, settings: RolloutSettings, tally: Tally, begun: float) -> Rollout:
    """Return what the trials so far say."""
    count = len(question.candidates)
    cube = None if question.cash is None else _decision(question, tally)

    def candidate(c: int) -> RolledCandidate:
        value, equity = tally.value(c), tally.equity(c)
        mwc = question.scale.mwc(value.mean)
        return RolledCandidate(
            name=question.candidates[c].name,
            play=question.candidates[c].play,
            equity=equity.mean,
            error=equity.error,
            loss=max(tally.behind(c).mean / question.scale.unit, 0.0),
            jsd=max(tally.jsd(c), 0.0),
            probabilities=tally.chances(c),
            plain=tally.plain(c),
            trials=tally.trials(c),
            out=c not in tally.playing,
            mwc=mwc,
            mwc_error=None if mwc is None else 0.5 * value.error,
        )

    candidates = [candidate(c) for c in range(count)]
    if cube is None:
        candidates.sort(key=lambda each: (each.out, each.loss))
    games = sum(tally.trials(c) for c in range(count))
    trials = tally.trials(tally.playing[0])
    return Rollout(
        question.position, question.dice, question.scale.terms, candidates, cube, settings,
        trials, games, tally.turns, time.perf_counter() - begun, trials >= settings.trials,
    )  # fmt: skip


def _decision(question: _Decided, tally: Tally) -> CubeDecision:
    """Return the decision about the cube that the means lead to."""
    scale, cash = question.scale, question.cash
    assert cash is not None, "it is a decision about the cube"
    return CubeDecision(
        question.position,
        scale.terms,
        tally.chances(0),
        tally.cube_value(0),
        tally.cube_value(1),
        CubeValue(scale.equity(cash), scale.mwc(cash), Kind.EXACT),
        question.facts["depth"],
    )
