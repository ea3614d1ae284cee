"""The report of a review as one HTML file, which needs nothing else."""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape

from gammon.formats.transcript import ActionKind
from gammon.reviews.review import Review
from gammon.shown.analysis import depth_words
from gammon.shown.html import table_html
from gammon.shown.page.card import turn_card
from gammon.shown.page.graph import graph
from gammon.shown.page.parts import badge, player_mark
from gammon.shown.page.style import SCRIPT, style
from gammon.shown.page.turns import turns_of
from gammon.shown.review import match_words, players_table, units, worth_format
from gammon.svg.sheet import sheet_parts

__all__ = ["page_policy", "review_page"]


def review_page(review: Review, player: int | None = None, most: int = 10) -> str:
    """Return the file.

    Args:
        review: the review.
        player: 0 or 1, whose worst choices are listed; None: those of both.
        most: how many of these.
    """
    a, b = map(escape, review.transcript.players)
    styles = style()
    parts = [
        f"<!DOCTYPE html>\n<html lang=en><meta charset=utf-8>{page_policy(styles)}",
        '<meta name=viewport content="width=device-width,initial-scale=1">',
        f"<title>{a} against {b}</title><style>{styles}</style>",
        f"<body>{sheet_parts()}<main>",
        *_heading(review),
        f"<section class=two>{_player(review, 0)}{_player(review, 1)}</section>",
        *_figures(review),
        *_graph(review),
        *_worst(review, player, most),
        *_games(review),
        f"</main><script>{SCRIPT}</script>",
    ]
    return "\n".join(parts) + "\n"


def page_policy(styles: str) -> str:
    """Return what forbids browsers all but the page's own style sheet and its script.

    So what a stranger's file might smuggle into the page does not run, and loads nothing.
    """
    sheet, script = (
        b64encode(sha256(text.encode()).digest()).decode() for text in (styles, SCRIPT)
    )
    return (
        "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
        f"style-src 'sha256-{sheet}'; script-src 'sha256-{script}'; "
        "base-uri 'none'; form-action 'none'\">"
    )


def _cell(tag: str, text: str, justify: str, bold: bool) -> str:
    return f'<{tag} class="{justify}{" bold" * bold}">{escape(text)}</{tag}>'


def _heading(review: Review) -> Iterator[str]:
    a, b = map(escape, review.transcript.players)
    yield f"<h1>{a} – {b}</h1><p>{escape(match_words(review))}</p>"
    details = [escape(value) for name, value in review.transcript.details if name != "Comment"]
    if details:
        yield f"<p class=s>{' · '.join(details)}</p>"
    depth = escape(depth_words(review.depth, review.level))
    yield f"<p class=s>Analyzed by gammon to {depth}, with the cube</p>"
    if review.transcript.stored_by:
        by = escape(review.transcript.stored_by)
        yield f"<p class=s>Beside it stands the analysis that is in the file, by {by}</p>"
    for note in review.notes:
        yield f"<p class=s>Note: {escape(note)}</p>"


def _player(review: Review, side: int) -> str:
    """Return the figures of a player that people look for first."""
    totals, worth = review.totals(side), worth_format(review)
    emg, mwc = (" EMG", " MWC") if review.transcript.length else ("", "")
    pr = "–" if totals.all.pr is None else f"{totals.all.pr:.2f}"
    said = f"<b>{totals.all.pr_class.capitalize()}</b>" if totals.all.pr_class else "–"
    lines = [
        f"<h3>{player_mark(side)}{escape(review.transcript.players[side])}</h3>",
        f"<div class=pr>{pr} <small>PR</small></div>",
        f"<p>{said} <span class=s>XG's class</span></p>",
        _pair("Errors", f"{-totals.all.error:+.3f}{emg}", f"{worth(-totals.all.cost)}{mwc}"),
        _pair("Luck", f"{totals.luck:+.3f}{emg}", f"{worth(totals.luck_worth)}{mwc}"),
        f"<p>Result {worth(review.result(side))}, "
        f"<b>luck taken out {worth(review.adjusted(side))}</b></p>",
    ]
    return f"<div class=box>{''.join(lines)}</div>"


def _pair(name: str, equity: str, cost: str) -> str:
    return f"<p>{name} {equity} <span class=s>{cost}</span></p>"


def _figures(review: Review) -> Iterator[str]:
    yield (
        "<details class='box more'><summary>All figures</summary>"
        f"<div class=w>{table_html(players_table(review, (0, 1)), _cell)}</div>"
        f"<p class=s>{escape(units(review))}</p></details>"
    )


def _graph(review: Review) -> Iterator[str]:
    a, b = map(escape, review.transcript.players)
    what = (
        f"The chance of {a} to win the match" if review.transcript.length else f"Points of {a}"
    )
    yield f"<h2>{what}</h2><div class='box'><div class=scroll>{graph(review)}</div>"
    yield (
        f"<p class=s>Light is {a}'s part, dark is {b}'s. Below stand the scores. Marks are "
        f"errors from .03 on: round those of {a}, square those of {b}, the largest very bad."
        "</p></div>"
    )


def _worst(review: Review, player: int | None, most: int) -> Iterator[str]:
    worst = review.worst(player, most)
    if not worst:
        return
    names = {
        (choice.game, choice.action): turn.name
        for game in {choice.game for choice in worst}
        for turn in turns_of(review, game)
        for choice in turn.choices
    }
    yield "<h2>The worst decisions</h2><ol class=worst>"
    for choice in worst:
        who = escape(review.transcript.players[choice.player])
        rolled = ""
        if choice.rollout is not None:
            rolled = (
                f"<span class=s>rolled out: {escape(choice.rollout.words(choice.made))}</span>"
            )
        yield (
            f'<li><a href="#{names[choice.game, choice.action]}">{badge(choice)}'
            f"<span>{player_mark(choice.player)}{who}, game {choice.game + 1}: "
            f"{escape(choice.made)}, best <b>{escape(choice.best)}</b></span>{rolled}</a>"
        )
    yield "</ol>"


def _games(review: Review) -> Iterator[str]:
    yield (
        "<h2>All decisions</h2><p class=s>The player on roll is at the bottom, and points are "
        "numbered as that player counts them. Arrows: <i class=key></i>the best play, "
        "<i class='key made'></i>the play that was made, if it is another.</p>"
        "<div class=bar></div>"
    )
    players = review.transcript.players
    for number, game in enumerate(review.transcript.games):
        score = "{}–{}".format(*game.score.points)
        crawford = ", Crawford game" if game.score.crawford else ""
        rates = ", ".join(
            f"{escape(name)} {-totals.all.error:+.3f}"
            for name, totals in zip(
                players, (review.totals(side, number) for side in (0, 1)), strict=True
            )
        )
        yield f"<h2 id=g{number + 1}>Game {number + 1}, {score}{crawford}</h2>"
        yield f"<p class=s>Errors: {rates}</p>"
        for turn in turns_of(review, number):
            yield turn_card(turn, players)
        if game.winner is not None:
            last = game.actions[-1].kind if game.actions else None
            how = " by a resignation" if last is ActionKind.RESIGN else ""
            points = f"{game.points} point{'s' if game.points > 1 else ''}"
            winner = f"{player_mark(game.winner)}{escape(players[game.winner])}"
            yield f"<p>{winner}: {points} won{how}</p>"
