"""The review of a match: the analysis of every play and every cube decision, in one or two passes.

Rollouts of the costliest decisions may follow. All candidates of a decision are rolled out with the
same dice. The unit of a decision and its result are plain JSON values.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise
from math import isfinite
from pathlib import Path
from typing import Any

from gammon.base.checks import number, shown, whole
from gammon.base.errors import SettingError, UnfinishedError
from gammon.base.folder import folder_or_temporary
from gammon.base.parallel import OnDone, Pool, run_units
from gammon.base.plugins import FORMATS, plugin
from gammon.base.showing import Rendered
from gammon.base.stop import check_stop
from gammon.base.store import Unit, key_of
from gammon.engine.question import RolloutSettings
from gammon.engine.rollout import rollout
from gammon.eval.equity import Probabilities
from gammon.eval.evaluators import search_networks
from gammon.formats.context import several
from gammon.formats.met_file import met_entry, met_of, met_of_entry, read_met
from gammon.formats.position import Position
from gammon.rules.match_equity import MatchEquityTable
from gammon.search import Stop
from gammon_study.match_files.match_file import read_transcript
from gammon_study.match_files.sgf import format_sgf
from gammon_study.match_files.transcript import ActionKind, Transcript
from gammon_study.reviews.choice import Choice, ChoiceKind, Luck, RolledChoice, RolledPlay
from gammon_study.reviews.imported import imported_results, merged
from gammon_study.reviews.task import fits, items_of, made_of, review_facts, review_unit, units_of
from gammon_study.reviews.totals import Totals, totals_of


@dataclass(frozen=True, repr=False)
class Review(Rendered):
    """A match with the cost of each choice and the luck of each roll. Its `str` is a table.

    Attributes:
        transcript: the match.
        depth: plies of the analysis.
        choices: all choices, in order.
        lucks: the luck of all rolls, in order.
        met: the match equity table.
        level: the level whose rollouts settled close choices, or None.
        unfinished: how many decisions are not analyzed to this depth, as the time was over. They have a
            quicker analysis, or are not among the choices.
    """

    transcript: Transcript
    depth: int
    choices: tuple[Choice, ...]
    lucks: tuple[Luck, ...]
    met: MatchEquityTable = field(default_factory=read_met)
    level: str | None = None
    unfinished: int = 0

    def totals(self, player: int, game: int | None = None) -> Totals:
        """Return the totals of a player.

        Args:
            player: 0 or 1.
            game: the number of a game, from 0 on; None: the whole match.

        Raises:
            SettingError: there is no such player, or no such game.
        """
        _check_player(player)
        choices, lucks = self.choices, self.lucks
        if game is not None:
            whole("game", game, 0, len(self.transcript.games) - 1)
            choices = tuple(choice for choice in choices if choice.game == game)
            lucks = tuple(luck for luck in lucks if luck.game == game)
        return totals_of(choices, lucks, player)

    def worst(self, player: int | None = None, most: int | None = 10) -> list[Choice]:
        """Return the choices that lost the most equity, the worst one first.

        Args:
            player: 0 or 1; None: both players.
            most: how many choices to return; None: all that lost something.

        Raises:
            SettingError: there is no such player, or no such number.
        """
        if player is not None:
            _check_player(player)
        if most is not None:
            whole("most", most, 0)
        wrong = [c for c in self.choices if c.error > 0.0 and player in (None, c.player)]
        return sorted(wrong, key=lambda c: -c.error)[:most]

    def result(self, player: int) -> float | None:
        """Return what a player gained in the match: points, or a change of the chance to win it.

        The result is None if the winner of a game is not known, or there is no game.

        Raises:
            SettingError: there is no such player.
        """
        _check_player(player)
        games = self.transcript.games
        if not games or any(game.winner is None for game in games):
            return None
        last = games[-1]
        won = last.points if last.winner == 0 else -last.points
        if not self.transcript.length:
            total = sum(game.points * (1 if game.winner == 0 else -1) for game in games)
            gained = float(total)
        else:
            gained = self.met.before(last.score.after(won)) - self.met.before(games[0].score)
        return gained if player == 0 else -gained

    def adjusted(self, player: int) -> float | None:
        """Return the result of a player minus the luck of both players' dice.

        It is None if the result is None, or if some of the luck is not known because a game of the match
        is missing, or the rest of a game was left out.

        Raises:
            SettingError: there is no such player.
        """
        result, games = self.result(player), self.transcript.games
        if result is None or not all(game.complete for game in games):
            return None
        if self.transcript.length and any(a.final_score != b.score.points for a, b in pairwise(games)):
            return None
        rolls = sum(action.kind is ActionKind.ROLL for game in games for action in game.actions)
        if self.unfinished and len(self.lucks) < rolls:
            return None
        return result - sum(luck.value if luck.player == player else -luck.value for luck in self.lucks)

    @property
    def notes(self) -> list[str]:
        """Remarks on the figures: what is missing, and where PR has no meaning."""
        notes = list(self.transcript.warnings)
        if self.unfinished:
            deep = self.level or f"depth {self.depth}"
            notes.append(
                f"The time was over: {several(self.unfinished, 'decision')} not yet analyzed by "
                f"{deep}. Ask for the same review, and it goes on from there; gammon serve "
                "--seconds gives it more time."
            )
        for side, name in enumerate(self.transcript.players):
            if (sums := self.totals(side).all).flawless:
                notes.append(
                    f"{name} made the review's own choices ({sums.counted} count), as does a "
                    "program that searches as deep. PR 0.00 means nothing then: look deeper."
                )
        return notes

    def page(self, player: int | None = None) -> str:
        """Return the report for browsers: the text of a file of HTML, with all decisions.

        Args:
            player: the player whose decisions are listed at first, 0 or 1; None: both players.

        Raises:
            SettingError: there is no such player.
        """
        if player is not None:
            _check_player(player)
        page: str = plugin(FORMATS, "page")(self, player)
        return page

    def __repr__(self) -> str:
        a, b = self.transcript.players
        return f"<Review of {a} and {b}: {len(self.choices)} choices, depth {self.depth}>"


def _check_player(player: int) -> None:
    """Raise a SettingError unless a player is 0 or 1."""
    whole("player", player, 0, 1)


def review(
    match: str | Path | Transcript,
    depth: int = 5,
    workers: int = 1,
    model: str | Path = "leaf",
    out: str | Path | None = None,
    scheduler: str | None = None,
    on_done: OnDone = lambda done, total: None,
    rollout_over: float | None = None,
    trials: int = 1296,
    stop: Stop | None = None,
    met: MatchEquityTable | str | Path | None = None,
    level: str | int | None = None,
    seed: int = 1,
    imported: bool = False,
) -> Review:
    """Analyze every play and every decision about the cube of a match.

    The result depends neither on the workers nor on interruptions.

    Args:
        match: a match file (`.mat`, `.sgf`, `.bgf`, `.xg`, `.ogxm`, `.gvab`), or a transcript.
        depth: plies, as an `Engine` counts them.
        workers: the number of processes.
        model: a shipped network's name, or a file.
        out: a folder that keeps the results, so that an interrupted review can continue; None: it
            starts over.
        scheduler: the address of a Dask scheduler, whose workers then do the analysis; see
            `gammon.base.parallel.Pool`.
        on_done: called with the numbers of finished and of all units, for progress; for rollouts
            it begins again.
        rollout_over: choices that lost at least this equity are rolled out, too, with the
            candidates of the search. None: no rollouts.
        trials: games of each candidate of a rollout, a multiple of 36.
        stop: another thread sets it to end the work.
        met: the match equity table, or its file; Kazaross-XG2 unless given.
        level: in place of a depth, as for an `Engine`.
        seed: of the dice in a level's games.
        imported: whether the file's own analysis is taken where it is as deep as asked.

    Raises:
        UnfinishedError: the stop was set.
        SettingError: a setting is out of range, or a score or cube is beyond 64.
        FormatError: the file is not a match file, and the message names the line; or the file of
            the match equity table has no table; or as for `Transcript.check`.
        ModelError: there is no such network.
        GammonError: a file or the folder cannot be read or written, the folder holds another
            run, or a worker was killed.
    """
    pool = Pool(workers, scheduler)
    if not isinstance(match, str | Path | Transcript):
        raise SettingError(f"match {shown(match)}: expected a path or a Transcript")
    check_stop(stop)
    if rollout_over is not None:
        rollout_over = number("rollout_over", rollout_over, "an equity, 0 or more", 0.0)
    model = str(RolloutSettings(trials=trials, model=model).model)
    if isinstance(match, Transcript):
        match.check()
    table = met_of(met)
    facts = review_facts(depth, model, table, level, seed)
    transcript = match if isinstance(match, Transcript) else read_transcript(match)
    known = []
    if imported:
        known = imported_results(transcript, table, facts["depth"], facts.get("level"))
        known = [result if result and result.get("luck", 0.0) is not None else None for result in known]
    units = units_of(transcript.games, facts, known)
    settings = facts | {"match": _digest(transcript)} | ({"imported": True} if imported else {})

    title = "a review of {} and {}".format(*transcript.players)
    with folder_or_temporary(out, title, settings) as folder:
        results = run_units(
            review_unit, units, folder / "units.jsonl", pool, on_done=on_done, fits=fits, stop=stop
        )
        analysis = review_of(
            transcript, facts["depth"], table, merged(known, chain.from_iterable(results)), facts.get("level")
        )
        if rollout_over is None:
            return analysis
        choices = with_rollouts(
            analysis.choices,
            rollout_over,
            trials,
            model,
            table,
            folder / "rollouts.jsonl",
            pool,
            on_done,
            stop,
        )
        return replace(analysis, choices=choices)


def review_of(
    transcript: Transcript,
    depth: int,
    met: MatchEquityTable,
    results: Iterable[dict[str, Any] | None],
    level: str | None = None,
    unfinished: int = 0,
) -> Review:
    """Return the review from results.

    Args:
        transcript: the match.
        depth: plies of the analysis.
        met: the match equity table.
        results: as for `made_of`.
        level: the level whose rollouts settled close choices, or None.
        unfinished: how many decisions are not analyzed to this depth.

    Raises:
        ValueError: as for `made_of`.
    """
    choices, lucks = made_of(transcript, met, results)
    return Review(transcript, depth, choices, lucks, met, level, unfinished)


def _digest(transcript: Transcript) -> str:
    played = replace(transcript, remarks={})
    return hashlib.sha256(format_sgf(played).encode()).hexdigest()[:16]


#: A deeper review begins with a pass to this depth, which takes seconds for a match.
QUICK = 3

#: Called with the numbers of finished and of all decisions, and the depth of the pass.
OnDecision = Callable[[int, int, int], None]


def review_passes(
    match: Transcript,
    kept: dict[str, Any],
    stop: Stop,
    depth: int = 5,
    level: str | int | None = None,
    seed: int = 1,
    on_done: OnDecision = lambda done, of, depth: None,
) -> Iterator[Review]:
    """Yield the review of a match after each pass; the last pass may be unfinished.

    Args:
        match: the match.
        kept: a cache of the results of units by their keys, of this match and of others. New
            results are added.
        stop: ends the work when it is set. The review then has some decisions `unfinished`.
        depth: plies of the last pass.
        level: in place of a depth, as for an `Engine`.
        seed: of the dice in a level's games.
        on_done: called for progress.

    Raises:
        SettingError: there is no such depth, level or seed.
        FormatError: as for `Transcript.check`.
    """
    met = read_met()
    last = review_facts(depth, "leaf", met, level, seed)
    passes = [last]
    if "level" in last or last["depth"] > QUICK:
        passes.insert(0, review_facts(QUICK, "leaf", met))
    known: list[dict[str, Any] | None] = [None for game in match.games for _ in items_of(game)]
    for facts in passes:
        done, plies = 0, facts["depth"]
        on_done(0, len(known), plies)
        for unit in units_of(match.games, facts):
            try:
                results = cached_results(unit, kept, stop)
            except UnfinishedError:
                break
            known[done : done + len(results)] = results
            done += len(results)
            on_done(done, len(known), plies)
        unfinished = len(known) - done
        yield review_of(match, plies, met, known, facts.get("level"), unfinished)
        if unfinished:
            return


def cached_results(unit: Unit, kept: dict[str, Any], stop: Stop) -> list[dict[str, Any]]:
    """Return the results of a unit, from a cache or by a review, which is added to the cache.

    Args:
        unit: a unit of `units_of`.
        kept: results of units by their keys.
        stop: ends the work when it is set.

    Raises:
        UnfinishedError: the stop was set.
    """
    key = key_of(unit)
    results: list[dict[str, Any]] | None = kept.get(key)
    if results is None:
        results = review_unit(unit, stop)
        stop.check()  # a stopped search has returned results of a smaller depth
        kept[key] = results
    return results


def unit_of_rollout(xgid: str, plays: list[str], trials: int, model: str, met: MatchEquityTable) -> Unit:
    """Return the unit of a decision.

    Args:
        xgid: the position, with the roll of a play.
        plays: the candidates; empty for a decision about the cube.
        trials: games of each candidate, a multiple of 36.
        model: the network that plays.
        met: the match equity table.
    """
    return {
        "rollout": xgid,
        "plays": plays,
        "trials": trials,
        "model": model,
        "networks": search_networks(model),
        "met": met_entry(met),
    }


def rollout_unit(unit: Unit, stop: Stop | None = None) -> dict[str, Any]:
    """Roll out a unit in a worker process, until a stop is set, and return the result."""
    rolled = rollout(
        Position.parse(unit["rollout"]),
        plays=unit["plays"] or None,
        trials=unit["trials"],
        model=unit["model"],
        met=met_of_entry(unit["met"]),
        stop=stop,
    )
    return {
        "trials": rolled.trials,
        "depth": rolled.settings.depth,
        "verdict": "" if rolled.cube is None else rolled.cube.verdict,
        "candidates": [
            [
                candidate.name,
                candidate.equity,
                candidate.error,
                candidate.loss,
                candidate.loss / candidate.jsd if candidate.jsd and isfinite(candidate.jsd) else None,
                candidate.trials,
                list(candidate.probabilities),
            ]
            for candidate in rolled.candidates
        ],
    }


def rollout_fits(unit: Unit, result: Any) -> bool:
    """Return whether a result from a file can belong to a unit."""
    try:
        names = [candidate.name for candidate in rolled_choice(result).candidates]
    except (KeyError, TypeError, ValueError):
        return False
    return sorted(names) == sorted(unit["plays"]) if unit["plays"] else len(names) == 2


def rolled_choice(result: dict[str, Any]) -> RolledChoice:
    """Return the result of a unit as a `RolledChoice`."""
    candidates = [
        RolledPlay(name, equity, error, loss, apart if loss else 0.0, trials, Probabilities(*chances))
        for name, equity, error, loss, apart, trials, chances in result["candidates"]
    ]
    return RolledChoice(result["trials"], result["depth"], tuple(candidates), result["verdict"])


def with_rollouts(
    choices: Sequence[Choice],
    over: float,
    trials: int,
    model: str,
    met: MatchEquityTable,
    store: Path,
    pool: Pool,
    on_done: OnDone,
    stop: Stop | None,
) -> tuple[Choice, ...]:
    """Return the choices, with rollouts of those that lost `over` or more.

    A double and its answer share a rollout. A double that cannot gain is not rolled out.

    Args:
        choices: the choices of a match.
        over: an equity, 0 or more; a choice that lost nothing is not rolled out.
        trials: as for `unit_of_rollout`.
        model: as for `unit_of_rollout`.
        met: as for `unit_of_rollout`.
        store: the file that keeps the results.
        pool: the pool of worker processes.
        on_done: called with the numbers of finished and of all units.
        stop: ends the work when it is set.

    Raises:
        UnfinishedError: the stop was set.
        GammonError: the file cannot be read or written, or a worker was killed.
    """
    wanted: dict[int, Unit] = {}
    for place, choice in enumerate(choices):
        if choice.error < over or not choice.error:
            continue
        position = Position.parse(choice.xgid)
        if choice.kind is not ChoiceKind.PLAY:
            if not position.context.terms().may_double:
                continue
            position = position.with_offer(False)
        plays = [result.play for result in choice.plays]
        wanted[place] = unit_of_rollout(position.xgid, plays, trials, model, met)
    units = list({key_of(unit): unit for unit in wanted.values()}.values())
    results = run_units(rollout_unit, units, store, pool, on_done=on_done, fits=rollout_fits, stop=stop)
    by_unit = {key_of(unit): rolled_choice(result) for unit, result in zip(units, results, strict=True)}
    return tuple(
        choice._replace(rollout=by_unit[key_of(wanted[place])]) if place in wanted else choice
        for place, choice in enumerate(choices)
    )
