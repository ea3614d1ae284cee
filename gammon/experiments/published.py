"""Published cubeless equities of opening plays and of replies, as facts to compare with.

- `XG`: eXtreme Gammon's ranking of opening plays, as the test script of a public backgammon
  site repeats it. The script does not say how they were made. They are cubeless: with the
  chances of wins and gammons beside them, no equity with the cube fits.
- `REPLIES`: the best replies by Tom Keith's rollouts on bkgm.com, from his pages
  openings/reply-11.html, reply-52.html, reply-54.html and r21-yxnl-data.html.
"""

from gammon.experiments.reference import printed

__all__ = ["KEITH", "RANKING", "REPLIES", "XG"]

Dice = tuple[int, int]

#: Where the figures below are printed.
RANKING = printed(
    "eXtreme Gammon's ranking", "as a test script of a backgammon site repeats it"
)
KEITH = printed("T. Keith", "http://www.bkgm.com/openings/replyrollouts.html")

#: The equity of each play of an opening roll.
XG: dict[Dice, dict[str, float]] = {
    (2, 1): {"13/11 6/5": 0.0088, "24/23 13/11": 0.0045, "24/21": -0.0226, "13/10": -0.0256},
    (3, 1): {"8/5 6/5": 0.1670},
    (3, 2): {
        "13/11 13/10": 0.0053, "24/21 13/11": 0.0052, "24/22 13/10": 0.0006,
        "13/10 6/4": -0.0279, "24/22 24/21": -0.0280,
    },
    (4, 1): {
        "24/23 13/9": 0.0024, "13/9 6/5": -0.0063, "24/23 24/20": -0.0318, "13/8": -0.0348,
        "24/20 6/5": -0.0406,
    },
    (4, 2): {"8/4 6/4": 0.1234},
    (4, 3): {
        "13/10 13/9": 0.0125, "24/21 13/9": 0.0060, "24/20 13/10": 0.0008,
        "24/21 24/20": -0.0120,
    },
    (5, 1): {"24/23 13/8": 0.0056, "13/8 6/5": -0.0031, "24/18": -0.0321},
    (5, 2): {"24/22 13/8": 0.0032, "13/11 13/8": -0.0023, "13/8 6/4": -0.0276},
    (5, 3): {"8/3 6/3": 0.0638, "24/21 13/8": 0.0196, "13/10 13/8": 0.0042},
    (5, 4): {
        "24/20 13/8": 0.0155, "13/9 13/8": 0.0145, "24/15": -0.0071, "13/4": -0.0344,
    },
    (6, 1): {"13/7 8/7": 0.1035},
    (6, 2): {"24/18 13/11": 0.0066, "13/5": -0.0109, "24/16": -0.0117},
    (6, 3): {
        "24/18 13/10": 0.0072, "24/15": -0.0071, "24/21 13/7": -0.0332, "13/4": -0.0344,
        "13/10 13/7": -0.0462,
    },
    (6, 4): {"8/2 6/2": 0.0102, "24/18 13/9": 0.0069, "24/14": 0.0003},
    (6, 5): {"24/13": 0.0545, "24/18 13/8": 0.0158},
}  # fmt: skip

#: After an opening roll and its play: the best play of each reply, and its equity.
REPLIES: dict[tuple[Dice, str], dict[Dice, tuple[str, float]]] = {
    ((2, 1), "24/23 13/11"): {
        (1, 1): ("24/22 6/5(2)", 0.114), (2, 1): ("24/21", -0.102),
        (5, 2): ("24/22 13/8", -0.085), (5, 4): ("24/20 13/8", -0.075),
    },
    ((2, 1), "13/11 6/5"): {
        (1, 1): ("24/20*", 0.091), (5, 2): ("24/22 13/8", -0.180),
        (5, 4): ("24/20* 13/8", 0.136),
    },
    ((3, 1), "8/5 6/5"): {
        (1, 1): ("24/22 6/5(2)", 0.001), (5, 2): ("24/22 13/8", -0.213),
        (5, 4): ("13/9 13/8", -0.241),
    },
    ((3, 2), "24/21 13/11"): {
        (1, 1): ("6/4* 6/4", 0.150), (5, 2): ("13/8 6/4*", -0.065), (5, 4): ("13/4*", -0.067),
    },
}  # fmt: skip
