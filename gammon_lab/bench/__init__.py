"""The benchmark: what this machine does in a second, and what a decision costs.

Counts come first: a generator or a search that does other work than it should is not
timed but refused. Machines are noisy, so times are medians, and speeds are given beside
that of a yardstick of the same run: hashes a second on one core. Other programs decide in the
same positions in turns with gammon, and their times are processor time.
"""

from gammon_lab.bench.bench import BenchSettings, run_bench
from gammon_lab.bench.programs import OTHERS
from gammon_lab.bench.report import bench_report

__all__ = ["OTHERS", "BenchSettings", "bench_report", "run_bench"]
