"""Match equity tables that tests play by."""

from pathlib import Path

from gammon.formats.met_file import format_met
from gammon.rules.match_equity import MatchEquityTable

#: Each point is worth 1/32 at any score, but nothing after the Crawford game.
FLAT = MatchEquityTable.extended(
    "flat", [[0.5 + (b - a) / 32 for b in range(8)] for a in range(8)], [0.5] * 8
)


def written(table: MatchEquityTable, folder: Path) -> Path:
    """Write the file of a table."""
    path = folder / "table.csv"
    path.write_text(format_met(table))
    return path
