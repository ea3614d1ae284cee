"""Analyses as tables for people: the plays of a roll, and all rolls of a position."""

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gammon.core.level import ROLLERS
from gammon.engine.analysis import Analysis, Candidate, Kind, RollTable, close_plays, deep_kind
from gammon.eval.equity import Probabilities
from gammon.formats.context import SEATS
from gammon.formats.position import Position
from gammon.rules.dice import ROLLS, WEIGHTS
from gammon.search.stats import Stats
from gammon.view.heading import notes, stakes_words, terms_words, unit_of
from gammon.view.tables import indented, new_table
from gammon.view.view import Columns, View

#: The fewest plays of a table (if there are as many); with a larger `top` there are more.
_SHOWN = 10
#: The columns of both sides' chances, in per cent.
CHANCES = ("Win%", "G", "BG", "Lose%", "G", "BG")


def analysis_view(analysis: Analysis) -> View:
    """Return the view of an analysis: the settings of the search, and the best plays.

    Named plays stand below the best ones.
    """
    roll = f"to play {analysis.dice[0]}{analysis.dice[1]}"
    title, lines = _opening_words(analysis.position, roll, analysis, is_filtered(analysis))
    rolled = sum(candidate.rollout is not None for candidate in analysis.candidates)
    how = f"{rolled} plays rolled out, listed before the others, whose losses are by the search"
    lines += level_lines(analysis.level, analysis.confidence, how, _without_games(analysis))
    best = analysis.candidates[0].play
    return View(analysis.position, title, lines, [[_candidates(analysis)]], best)


def _without_games(analysis: Analysis) -> str:
    """Return the reason why a level has played no games, if it has not."""
    if len(analysis.candidates) == 1:
        return "there is only one play"
    level = ROLLERS[analysis.level] if analysis.level else None
    if level is None or len(close_plays(analysis.candidates, level)) < 2:
        return "nothing is close"
    return "exact tables have the values, or time was over"


def _candidates(analysis: Analysis) -> Columns:
    """Return the table of the plays, and a line about plays that it leaves out."""
    candidates, least = analysis.candidates, max(analysis.top, _SHOWN)
    shown = [(n, play) for n, play in enumerate(candidates, 1) if n <= least or play.named]
    rest = [play for play in candidates[least:] if not play.named]
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
        more += f", from {max(play.equity for play in rest):+z.4f} down"
    return Columns(table, 3, more)


def bounds_table(analysis: Analysis) -> Table | None:
    """Return the table of the plays that have upper bounds, or None without any."""
    bounds = [(play.bound, play) for play in analysis.candidates if play.bound is not None]
    if not bounds:
        return None
    table = new_table("Play", f"{unit_of(analysis.terms)} at most", left=(0,))
    for bound, candidate in bounds:
        table.add_row(candidate.play.notation, f"{bound:+z.4f}")
    return table


def level_lines(level: str | None, confidence: float | None, how: str, without: str) -> list[str]:
    """Return a line about a level with rollouts, if there is one.

    Args:
        level: the name of the level.
        confidence: the confidence that the answer is right; None without games.
        how: what was rolled out.
        without: the reason why there were no games, if there were none.
    """
    if level is None:
        return []
    if confidence is None:
        return [f"Level {level}: no games: {without}."]
    percent = 100 * min(confidence, 0.999)  # no number of games gives certainty
    return [f"Level {level}: {how}; {percent:.1f} % confidence in the first choice."]


def roll_table_view(rolls: RollTable) -> View:
    """Return the view of a position before the roll: its equity, and the best play of each roll."""
    filtered = any(map(is_filtered, rolls.analyses))
    title, lines = _opening_words(rolls.position, "to roll", rolls, filtered)
    if rolls.level is not None:
        lines.append(f"Level {rolls.level}: close plays are rolled out.")
    stays = ", without a double" if rolls.terms.may_double else ""
    before = f"{unit_of(rolls.terms)} before the roll{stays}: {rolls.equity:+z.4f}"
    lines.append(f"{before}, the mean over the 21 rolls")
    return View(rolls.position, title, lines, [[Columns(_best_plays(rolls), 4)]])


def _best_plays(rolls: RollTable) -> Table:
    """Return the table of the best play of each roll, with the mean as its last row."""
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
    """Return a phrase with a depth in all conventions, and the level if it rolls out."""
    names = f"GNU Backgammon's {(depth - 1) // 2}-ply, XG's {(depth + 1) // 2}-ply"
    return f"depth {depth} ({names}){_level_words(level)}"


def exact_words(
    depth: int,
    level: str | None = None,
    filtered: bool = False,
    static: bool = False,
    algorithm: str | None = None,
) -> str:
    """Return a phrase about the exactness of values.

    Args:
        depth: plies of the search.
        level: as for `depth_words`.
        filtered: whether a move filter has left out plays.
        static: whether there was no search.
        algorithm: the name of the search's algorithm; None without a search.
    """
    if algorithm is None and not static:
        return "exact to the end of the game"
    if static:
        return f"static, without a search{_level_words(level)}"
    within = "within the filter " if filtered else ""
    return f"{deep_kind(depth, algorithm)} {within}to {depth_words(depth, level)}"


def _level_words(level: str | None) -> str:
    return f", level {level}: close choices rolled out" if level else ""


def is_filtered(analysis: Analysis) -> bool:
    """Return whether a filter has left out plays."""
    return any(candidate.kind is Kind.STATIC for candidate in analysis.candidates)


def _opening_words(
    position: Position, roll: str, answer: Analysis | RollTable, filtered: bool
) -> tuple[str, list[str]]:
    """Return the title of an answer, and lines about the terms, or what was left out."""
    player = SEATS[position.context.on_roll]
    searched = (
        f"{player} {roll}, {exact_words(answer.depth, filtered=filtered, algorithm=answer.algorithm)}, "
    )
    noted = notes(position, answer.terms)
    noted += [answer.noise_note] if answer.noise_note else []
    if answer.terms.cubeless:
        searched += f"cubeless, {stakes_words(answer.terms)}"
        return searched, noted
    return searched + "with the cube", [terms_words(answer.terms, position.context), *noted]


def _candidate_cells(candidate: Candidate) -> list[str]:
    """Return the cells of a play, beginning with its notation."""
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
    if candidate.rollout is not None:
        value += f" ±{candidate.rollout.error:.4f}"
    return [candidate.play.notation, equity, loss, value, *more]


def _percent(chance: float) -> str:
    """Return a chance in per cent, with one decimal."""
    return f"{100 * chance:z.1f}"


def chances_cells(probabilities: Probabilities) -> list[str]:
    """Return the cells of the chances to win, then of the chances to lose, as in `CHANCES`."""
    win, win_g, win_bg, lose_g, lose_bg = probabilities
    return [_percent(p) for p in (win, win_g, win_bg, 1.0 - win, lose_g, lose_bg)]


def work_line(stats: Stats, seconds: float, width: float | None) -> RenderableType:
    """Return a line about the work of a search, and the width of the position if there is one."""
    sharpness = "" if width is None else f"; width {width:.3f}"
    efficiency = f" ({100 * stats.probe_cuts / stats.probes:.0f} %)" if stats.probes else ""
    return indented(
        Text(
            f"nodes {stats.nodes:,}, leaves {stats.leaves:,}, evaluations {stats.evaluations:,}, "
            f"probes {stats.probes:,}, of these cut {stats.probe_cuts:,}{efficiency}, "
            f"search cuts {stats.search_cuts:,}; {seconds:.2f} s{sharpness}"
        )
    )
