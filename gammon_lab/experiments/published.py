"""Published cubeless equities of opening plays and of replies, to compare ours with.

The figures are in a file of the package's data.

- `XG`: eXtreme Gammon's ranking of opening plays, as the test script of a public backgammon
  site repeats it. The script does not describe how the figures were made. They are cubeless: no
  equity with the cube fits the chances of wins and gammons beside them.
- `REPLIES`: the best replies by Tom Keith's rollouts on bkgm.com, from his pages
  openings/reply-11.html, reply-52.html, reply-54.html and r21-yxnl-data.html.
"""

import csv
from pathlib import Path

from gammon_lab.reports.citation import printed

_FILE = Path(__file__).parents[1] / "data" / "published_openings.csv"
#: The sources of the figures.
RANKING = printed("eXtreme Gammon's ranking", "as a test script of a backgammon site repeats it")
KEITH = printed("T. Keith", "http://www.bkgm.com/openings/replyrollouts.html")

Dice = tuple[int, int]
#: The equity of each play of an opening roll.
XG: dict[Dice, dict[str, float]] = {}
#: By opening roll and play: the best play of each reply, and its equity.
REPLIES: dict[tuple[Dice, str], dict[Dice, tuple[str, float]]] = {}


def _roll(text: str) -> Dice:
    return int(text[0]), int(text[1])


with _FILE.open(newline="", encoding="utf-8") as _file:
    for _row in csv.DictReader(_file):
        _dice, _play, _equity = _roll(_row["dice"]), _row["play"], float(_row["equity"])
        if _row["reply_dice"]:
            _replies = REPLIES.setdefault((_dice, _play), {})
            _replies[_roll(_row["reply_dice"])] = _row["reply"], _equity
        else:
            XG.setdefault(_dice, {})[_play] = _equity
