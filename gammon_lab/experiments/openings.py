"""An opening book: the 15 opening rolls, and the 21 replies to each best play.

Our own study, for money with the cube and without the Jacoby rule. An exact search to depth 5
values all plays. Plays with close values are rolled out: all plays of a decision with the same dice
(common random numbers), each decision with dice of its own.
"""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from gammon import svg
from gammon.base.store import Unit
from gammon.eval.equity import Probabilities
from gammon.eval.evaluators import search_networks
from gammon.formats.play import choose_play, legal_plays
from gammon.formats.position import Position
from gammon.rules.board import OPENING, Points, flipped
from gammon.rules.dice import N_ROLLS, ROLLS, WEIGHTS
from gammon_lab.experiments.decision import QUICK, ValuedPlay, decide, decision_unit, ranked, rollout_words
from gammon_lab.experiments.study import Study
from gammon_lab.report import Cell, Drawing, Report, Sheet, printed

Dice = tuple[int, int]

#: Published cubeless equities, with which ours are compared.
_FILE = Path(__file__).parents[1] / "data" / "published_openings.csv"
#: The sources of these equities.
RANKING = printed("eXtreme Gammon's ranking", "as a test script of a backgammon site repeats it")
KEITH = printed("T. Keith", "http://www.bkgm.com/openings/replyrollouts.html")


def _roll(text: str) -> Dice:
    return int(text[0]), int(text[1])


def _published() -> tuple[
    dict[Dice, dict[str, float]], dict[tuple[Dice, str], dict[Dice, tuple[str, float]]]
]:
    """Return the equities of the file, as `XG` and `REPLIES` have them."""
    openings: dict[Dice, dict[str, float]] = {}
    replies: dict[tuple[Dice, str], dict[Dice, tuple[str, float]]] = {}
    with _FILE.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            dice, play, equity = _roll(row["dice"]), row["play"], float(row["equity"])
            if row["reply_dice"]:
                best = replies.setdefault((dice, play), {})
                best[_roll(row["reply_dice"])] = row["reply"], equity
            else:
                openings.setdefault(dice, {})[play] = equity
    return openings, replies


#: `XG` has the equity of each play of an opening roll, by eXtreme Gammon. The script of the public site
#: does not describe how the equities were made. They are cubeless: no equity with the cube fits the
#: chances of wins and gammons beside them. `REPLIES` has, by opening roll and play, the best play of
#: each reply and its equity, by Tom Keith's rollouts (his pages openings/reply-11.html, reply-52.html,
#: reply-54.html and r21-yxnl-data.html).
XG, REPLIES = _published()

#: The rolls that can open a game.
_OPENINGS = tuple((high, low) for high, low in ROLLS if high != low)
#: The search and the rollout of a decision; see `decision_unit`.
_SETTINGS: Unit = {
    "cube": True, "model": "large", "depth": 5, "top": 5, "near": 0.02, "most": 5,
    "rollout": {
        "trials": 1296, "depth": 3, "cube_depth": 1, "move_filter": "tiny", "truncate": 12,
        "until_se": 0.003,
    },
}  # fmt: skip
#: The small version.
_QUICK_OPENINGS = _OPENINGS[:2]
#: The doubles, which the opening position may have when it is not the start of a game.
_DOUBLES = tuple((high, low) for high, low in ROLLS if high == low)
_QUICK_DOUBLES = _DOUBLES[:1]
#: More plays of opening rolls are rolled out than of replies.
_WIDER: Unit = {"near": 0.05, "most": 8, "top": 8}

_PUBLISHED_COLUMNS = (
    "opening",
    "reply",
    "Keith's best",
    "his equity",
    "ours of it",
    "difference",
    "source",
    "our best",
    "loses",
)


class _Page(NamedTuple):
    """An opening roll.

    Attributes:
        dice: the roll.
        plays: best first.
        replies: after the best play, the plays of each of the 21 rolls, best first.
    """

    dice: Dice
    plays: list[ValuedPlay]
    replies: list[list[ValuedPlay]]

    @property
    def by_replies(self) -> float:
        """The equity of the best play as the mean over the best replies."""
        total = sum(
            weight * _equity(choices[0]) for weight, choices in zip(WEIGHTS, self.replies, strict=True)
        )
        return -total / 36.0


def reproduce(study: Study) -> Report:
    """Search the decisions, roll out their close plays, and return the book.

    Raises:
        GammonError: the folder cannot be written.
    """
    rolls = _QUICK_OPENINGS if study.quick else _OPENINGS
    doubles = _QUICK_DOUBLES if study.quick else _DOUBLES
    first = [*rolls, *doubles]
    count, total = len(first), len(first) + len(rolls) * N_ROLLS
    decided = _decided(study.part(0, total), [(OPENING, dice) for dice in first], _WIDER)
    openings = decided[: len(rolls)]
    boards = [flipped(choices[0].after) for choices in openings]
    reply_decisions = [(points, dice) for points in boards for dice in ROLLS]
    replies = _decided(study.part(count, total), reply_decisions, {})
    book = [
        _Page(dice, openings[n], replies[N_ROLLS * n : N_ROLLS * (n + 1)]) for n, dice in enumerate(rolls)
    ]
    return _report(study, book, dict(zip(first, decided, strict=True)))


def _decided(study: Study, decisions: Iterable[tuple[Points, Dice]], more: Unit) -> list[list[ValuedPlay]]:
    """Return the choices of decisions, best first; `more` changes the settings."""
    chosen = _settings(study, more)
    units = [
        decision_unit(*decision, [], chosen | {"rollout": _rolled(chosen, *decision)})
        for decision in decisions
    ]
    return [ranked(ValuedPlay.listed(result)) for result in study.run(decide, units, "units")]


def _settings(study: Study, more: Unit | None = None) -> Unit:
    """Return how decisions are searched and rolled out, see `decision_unit`."""
    chosen = _SETTINGS | (more or {}) | (QUICK if study.quick else {})
    games = chosen["rollout"] | {"seed": study.seed}
    return chosen | {"rollout": games, "networks": search_networks(chosen["model"])}


def _rolled(chosen: Unit, points: Points, dice: Dice) -> Unit:
    """Return the settings of a decision's rollout, with its own seed."""
    games: Unit = chosen["rollout"]
    return games | {"seed": crc32(f"{games['seed']} {points} {dice}".encode())}


def _equity(choice: ValuedPlay) -> float:
    """Return the equity of a play by its rollout, or else by the search."""
    return choice.equity if choice.rolled is None else choice.rolled


def _name(dice: Dice) -> str:
    """Return a roll as people write it."""
    return "{}{}".format(*dice)


def _signed(equity: float | None) -> str | None:
    """Return an equity with its sign."""
    return None if equity is None else f"{equity:+.4f}"


def _report(study: Study, book: list[_Page], first: dict[Dice, list[ValuedPlay]]) -> Report:
    """Return the tables of openings and replies, with notes on how they were made.

    Args:
        study: its settings.
        book: the pages of the rolls that open a game.
        first: the choices of each roll from the opening position, doubles too, best first.
    """
    rows = [row for page in book for row in _opening_rows(page)]
    chosen = _settings(study)
    depth = f"depth {chosen['depth']}"
    columns = (
        "roll", "play", depth, "rolled out", "s.e.", "loses", "games", "by its replies", "cubeless", "XG",
        "difference", "source",
    )  # fmt: skip
    first_rows = [_reply_row(depth, dice, first[dice]) for dice in ROLLS if dice in first]
    tables = [
        Sheet("openings", "The 15 opening rolls", columns, rows),
        Sheet(
            "published-replies",
            "Replies of Tom Keith",
            _PUBLISHED_COLUMNS,
            [row for page in book for row in _published_rows(page)],
        ),
        *(_replies(page, depth) for page in book),
        Sheet("first-rolls", "The best play of each roll", _reply_columns(depth), first_rows),
    ]
    decisions = [*first.values(), *(choices for page in book for choices in page.replies)]
    games = [choice.trials for choices in decisions for choice in choices if choice.trials]
    rolled = sum(any(choice.trials for choice in choices) for choices in decisions)
    near, nearer = (unit["near"] for unit in (_settings(study, _WIDER), chosen))
    notes = [
        "Money with the cube, without the Jacoby rule; equities are for the player who "
        f"makes the play. An exact search to depth {chosen['depth']} with the network "
        f"{chosen['model']} values all plays. Opening plays within {near} of the best play, and "
        f"replies within {nearer}, are rolled out, the luck taken out. "
        f"{rollout_words(chosen)}",
        f"{rolled} of {len(decisions)} decisions were rolled out, in {sum(games):,} games. "
        f"Seed {study.seed}.",
    ]
    return Report("An opening book", tables, (), notes)


def _opening_rows(page: _Page) -> Iterable[list[Cell]]:
    """Yield a row for the best play, and for each other play that was rolled out."""
    best = page.plays[0]
    for choice in page.plays:
        if choice.rolled is None and choice is not best:
            continue
        games: list[Cell] = [None] * 4
        if choice.rolled is not None and best.rolled is not None:
            lost = best.rolled - choice.rolled
            games = [_signed(choice.rolled), f"{choice.error:.4f}", f"{lost:.4f}", choice.trials]
        replies = _signed(page.by_replies) if choice is best else None
        cubeless = Probabilities(*choice.chances).equity
        published = XG[page.dice].get(choice.play)
        apart = None if published is None else cubeless - published
        yield [
            _name(page.dice),
            choice.play,
            _signed(choice.equity),
            *games,
            replies,
            _signed(cubeless),
            _signed(published),
            _signed(apart),
            None if published is None else RANKING,
        ]


def _replies(page: _Page, depth: str) -> Sheet:
    """Return the table of the replies to an opening play, with a drawing of the play; see `_reply_row`."""
    name, play = _name(page.dice), page.plays[0].play
    position = Position(OPENING).with_dice(page.dice)
    opening = choose_play(legal_plays(position, page.dice), page.dice, play)
    drawing = Drawing(f"opening-{name}", svg.board(position, play=opening, size=420))
    rows = [_reply_row(depth, dice, choices) for dice, choices in zip(ROLLS, page.replies, strict=True)]
    title = f"Replies to {name}: {play}"
    return Sheet(f"replies-{name}", title, _reply_columns(depth), rows, drawing)


def _reply_columns(depth: str) -> Sequence[str]:
    """Return the names of the cells of `_reply_row`."""
    return "roll", "play", depth, "rolled out", "s.e.", "next", "loses", "by"


def _reply_row(depth: str, dice: Dice, choices: Sequence[ValuedPlay]) -> list[Cell]:
    """Return the row of a reply; its last cell is the source of the next best play's loss.

    Args:
        depth: the depth of the search, in words.
        dice: the roll.
        choices: its plays, best first.
    """
    best, *others = choices
    after: list[Cell] = [None, None, None]
    if others and others[0].rolled is not None:
        after = [others[0].play, f"{_equity(best) - others[0].rolled:.4f}", "games"]
    elif others:
        after = [others[0].play, f"{best.equity - others[0].equity:.4f}", depth]
    error = None if best.rolled is None else f"{best.error:.4f}"
    equities = _signed(best.equity), _signed(best.rolled)
    return [_name(dice), best.play, *equities, error, *after]


def _published_rows(page: _Page) -> Iterable[list[Cell]]:
    """Yield a row for each reply whose best play is published."""
    published = REPLIES.get((page.dice, page.plays[0].play), {})
    for dice, (play, equity) in sorted(published.items()):
        choices = page.replies[ROLLS.index(dice)]
        same = next(choice for choice in choices if choice.play == play)
        ours = Probabilities(*same.chances).equity
        loss = 0.0 if same is choices[0] else _equity(choices[0]) - _equity(same)
        yield [
            f"{_name(page.dice)}: {page.plays[0].play}",
            _name(dice),
            play,
            f"{equity:+.3f}",
            f"{ours:+.3f}",
            f"{ours - equity:+.3f}",
            KEITH,
            choices[0].play,
            f"{loss:.4f}",
        ]
