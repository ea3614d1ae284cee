"""Analyses as tables for people: the plays of a roll, and all rolls of a position."""

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gammon.core.level import ROLLERS
from gammon.engine.analysis import Analysis, Candidate, Kind, RollTable, close_plays
from gammon.eval.equity import Probabilities
from gammon.formats.position import Position
from gammon.formats.words import SEATS
from gammon.rules.dice import ROLLS, WEIGHTS
from gammon.search.stats import Stats
from gammon.view.heading import notes, stakes_words, terms_words, unit_of
from gammon.view.tables import indented, new_table
from gammon.view.view import Columns, View

#: The plays that a table has, unless more exact ones were asked for.
_SHOWN = 10
#: The columns of both sides' chances, in per cent.
CHANCES = ("Win%", "G", "BG", "Lose%", "G", "BG")


def analysis_view(analysis: Analysis) -> View:
    """Show a decision: what was searched, and the best plays.

    Plays that were asked for by name stand below the best ones.
    """
    roll = f"to play {analysis.dice[0]}{analysis.dice[1]}"
    said, found = _opening_words(analysis.position, roll, analysis, is_filtered(analysis))
    rolled = sum(each.games is not None for each in analysis.candidates)
    how = f"{rolled} plays by games, which stand before the others"
    lines = level_lines(analysis.level, analysis.sure, how, _without_games(analysis))
    best = analysis.candidates[0].play
    return View(analysis.position, said, [*found, *lines], [[_candidates(analysis)]], best)


def _without_games(analysis: Analysis) -> str:
    """Return why a level has played no games, where it has not."""
    if len(analysis.candidates) == 1:
        return "there is one play"
    level = ROLLERS[analysis.level] if analysis.level else None
    if level is None or len(close_plays(analysis.candidates, level)) < 2:
        return "nothing is close"
    return "all is known, or time was over"


def _candidates(analysis: Analysis) -> Columns:
    """Return the table of the plays, and a line about those that it leaves out."""
    candidates, least = analysis.candidates, max(analysis.top, _SHOWN)
    shown = [(number, each) for number, each in enumerate(candidates, 1) if number <= least or each.named]
    rest = [each for each in candidates[least:] if not each.named]
    unit = unit_of(analysis.terms)
    mwc = ["MWC%"] if unit == "EMG" else []
    cubeless = [] if analysis.terms.cubeless else ["Cubeless"]
    columns = "", "Play", unit, "Loss", "Value", *mwc, *CHANCES, *cubeless
    table = new_table(*columns, left=(1,), wrap=False)
    table.columns[1].no_wrap = False
    for number, candidate in shown:
        style = "bold" if number == 1 else "dim" if candidate.kind is Kind.SHALLOW else ""
        table.add_row(f"{number}.", *_candidate_cells(candidate), style=style)
    more = f"and {len(rest)} more" if rest else ""
    if rest and rest[-1].kind is not Kind.STATIC:
        more += f", from {max(each.equity for each in rest):+z.4f} down"
    return Columns(table, 3, more)


def bounds_table(analysis: Analysis) -> Table | None:
    """Return the table of the plays with bounds, and what each is at most worth; or None."""
    bounds = [(each.bound, each) for each in analysis.candidates if each.bound is not None]
    if not bounds:
        return None
    table = new_table("Play", f"{unit_of(analysis.terms)} at most", left=(0,))
    for bound, candidate in bounds:
        table.add_row(candidate.play.notation, f"{bound:+z.4f}")
    return table


def level_lines(level: str | None, sure: float | None, how: str, without: str) -> list[str]:
    """Return a line about a level that plays games, if there is one.

    Args:
        level: its name.
        sure: the chance, by the games, that the answer stands; None without games.
        how: what the games decided.
        without: why there were none, where there were none.
    """
    if level is None:
        return []
    if sure is None:
        return [f"Level {level}: no games: {without}."]
    known = 100 * min(sure, 0.999)  # no number of games is sure
    return [f"Level {level}: {how}; they are {known:.1f} % sure of the first choice."]


def roll_table_view(rolls: RollTable) -> View:
    """Show a position before the roll: its equity, and the best play of each roll."""
    filtered = any(map(is_filtered, rolls.analyses))
    said, found = _opening_words(rolls.position, "to roll", rolls, filtered)
    if rolls.level is not None:
        found = [*found, f"Level {rolls.level}: close plays are settled by games."]
    stays = ", without a double" if rolls.terms.may_double else ""
    before = f"{unit_of(rolls.terms)} before the roll{stays}: {rolls.equity:+z.4f}"
    notes = [*found, f"{before}, the mean over the 21 rolls"]
    return View(rolls.position, said, notes, [[Columns(_best_plays(rolls), 4)]])


def _best_plays(rolls: RollTable) -> Table:
    """Return the table of the best play of each roll, and the mean below."""
    table = new_table("Roll", "Chance", "Play", unit_of(rolls.terms), *CHANCES, left=(2,), wrap=False)
    table.columns[2].no_wrap = False
    for dice, weight, analysis in zip(ROLLS, WEIGHTS, rolls.analyses, strict=True):
        best = analysis.candidates[0]
        table.add_row(
            f"{dice[0]}{dice[1]}",
            f"{weight}/36",
            best.play.notation,
            f"{best.equity:+z.4f}",
            *chances_cells(best.probabilities),
        )
    table.add_section()
    table.add_row("mean", "", "", f"{rolls.equity:+z.4f}", *chances_cells(rolls.probabilities), style="bold")
    return table


def depth_words(depth: int, level: str | None = None) -> str:
    """Name a depth in both conventions, and the level if games are played where it is close."""
    names = f"GNU Backgammon's {(depth - 1) // 2}-ply, XG's {(depth + 1) // 2}-ply"
    return f"depth {depth} ({names}){_level_words(level)}"


def exact_words(depth: int, level: str | None = None, filtered: bool = False, static: bool = False) -> str:
    """Say how far values are exact.

    Args:
        depth: plies of the search.
        level: as for `depth_words`.
        filtered: whether a move filter has left plays out.
        static: whether there was no search.
    """
    if static:
        return f"static, without a search{_level_words(level)}"
    within = "within the filter " if filtered else ""
    return f"exact {within}to {depth_words(depth, level)}"


def _level_words(level: str | None) -> str:
    return f", level {level}: close choices by games" if level else ""


def is_filtered(analysis: Analysis) -> bool:
    """Tell whether a filter has left plays out."""
    return any(candidate.kind is Kind.STATIC for candidate in analysis.candidates)


def _opening_words(
    position: Position, roll: str, answer: Analysis | RollTable, filtered: bool
) -> tuple[str, list[str]]:
    """Return what was searched, and what was left out or is at stake."""
    player = SEATS[position.context.on_roll]
    searched = f"{player} {roll}, {exact_words(answer.depth, filtered=filtered)}, "
    errs = [answer.errs] if answer.errs else []
    if answer.terms.cubeless:
        searched += f"cubeless, {stakes_words(answer.terms)}"
        return searched, [*notes(position, answer.terms), *errs]
    return searched + "with the cube", [terms_words(answer.terms, position.context), *errs]


def _candidate_cells(candidate: Candidate) -> list[str]:
    """Return the cells of a play, from its notation on."""
    equity, loss = f"{candidate.equity:+z.4f}", f"{candidate.loss:.4f}"
    if candidate.kind is Kind.STATIC:
        loss = ""
    more = []
    if candidate.mwc is not None:
        more.append(f"{100 * candidate.mwc:.2f}")
    more += chances_cells(candidate.probabilities)
    if candidate.cubeless_equity is not None:
        more.append(f"{candidate.cubeless_equity:+z.4f}")
    shallow = candidate.kind is Kind.SHALLOW
    value = f"depth {candidate.depth}" if shallow else candidate.kind.value
    if candidate.games is not None:
        value += f" ±{candidate.games.error:.4f}"
    return [candidate.play.notation, equity, loss, value, *more]


def _percent(chance: float) -> str:
    """Return a chance in per cent, with one place."""
    return f"{100 * chance:z.1f}"


def chances_cells(probabilities: Probabilities) -> list[str]:
    """Return the cells of both sides' chances: ours to win, theirs last."""
    win, win_g, win_bg, lose_g, lose_bg = probabilities
    return [_percent(p) for p in (win, win_g, win_bg, 1.0 - win, lose_g, lose_bg)]


def work_line(stats: Stats, seconds: float) -> RenderableType:
    """Show the work of a search in a line."""
    efficiency = f" ({100 * stats.probe_cuts / stats.probes:.0f} %)" if stats.probes else ""
    return indented(
        Text(
            f"{stats.nodes:,} nodes, {stats.leaves:,} leaves, {stats.evaluations:,} "
            f"evaluations, {stats.probes:,} probes, {stats.probe_cuts:,} cut{efficiency}, "
            f"{stats.search_cuts:,} search cuts, {seconds:.2f} s"
        )
    )
