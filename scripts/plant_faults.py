"""Plant faults in a copy of the package, and check whether the tests find them.

    python3 scripts/plant_faults.py            # all faults, in a quarter of an hour
    python3 scripts/plant_faults.py edge jsd   # only these

A fault that no test finds is a fault of the suite: the exit status is then 1.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Fault(NamedTuple):
    """A change of one line, and the tests that should find it.

    Attributes:
        file: a file of the package.
        right: the line, or a part of it, which occurs once in the file.
        wrong: the text that replaces it.
        tests: files of tests.
        plain: whether kernels run as plain Python, since compiling the search takes minutes.
    """

    file: str
    right: str
    wrong: str
    tests: str
    plain: bool = False


FAULTS = {
    "edge": Fault(  # in a window, the outcomes to come have the wrong sign
        "gammon/search/star.py", "(target - seen - others)", "(target - seen + others)",
        "engine/search/test_star.py", plain=True,
    ),
    "held": Fault(  # a value may rise by more than its width
        "gammon/search/bounded.py",
        "held = min(max(value, least), most)", "held = max(value, least)",
        "engine/search/test_bounded.py", plain=True,
    ),
    "reach": Fault(  # bounds of replies are those of the lowest nodes
        "gammon/search/bounded.py",
        "reach = 1.0 + _ratio(problem, level - 1)", "reach = 1.0",
        "engine/search/test_bounded.py", plain=True,
    ),
    "ceiling": Fault(  # a play is left out although it may be the best
        "gammon/search/bounded.py",
        "elif mean - away >= beta:", "elif mean >= beta:",
        "engine/search/test_bounded.py", plain=True,
    ),
    "predicted": Fault(  # a prediction inside the window cuts
        "gammon_lab/searches/chance_prob_cut.py",
        "(alpha - away - offset) / slope", "(alpha + away - offset) / slope",
        "lab/test_searches.py", plain=True,
    ),
    "visits": Fault(  # a decision counts each successor once, not by its visits
        "gammon_lab/searches/mcts.py",
        "total -= tree.visits[child] * tree.value[child]", "total -= tree.value[child]",
        "lab/test_searches.py", plain=True,
    ),
    "pip": Fault(  # the last checker of a play moves one point too far
        "gammon/rules/plays.py",
        "target = max(source - die, 0)", "target = max(source - die - 1, 0)",
        "engine/rules/test_plays.py",
    ),
    "xgid": Fault(  # the wrong player is on roll
        "gammon/formats/xgid.py", "(first) + 1", "(first)", "engine/formats/test_position.py",
    ),
    "gammon": Fault(  # gammons won count as lost
        "gammon/eval/janowski_row.py", "(six.win_g - six.lose_g)", "(six.lose_g - six.win_g)",
        "engine/eval/test_janowski.py",
    ),
    "weight": Fault(  # two outcomes have the same chance
        "gammon_lab/games/random_nim.py", "weight[1] = params[1]", "weight[1] = params[0]",
        "lab/test_games.py",
    ),
    "take": Fault(  # a double is passed a tenth of a point too early
        "gammon/engine/cube.py", "self.double_take.equity >= self.double_pass.equity",
        "self.double_take.equity >= self.double_pass.equity - 0.1",
        "engine/engine/test_cube.py",
    ),
    "jsd": Fault(  # two candidates are compared as if their dice differed
        "gammon/core/estimate.py", "values[better, i] / unit - values[worse, i] / unit",
        "values[better, i] / unit - values[worse, n - 1 - i] / unit",
        "engine/core/test_estimate.py",
    ),
    "luck": Fault(  # good luck counts as bad luck
        "gammon/engine/luck.py", "return value - mean, mean", "return mean - value, mean",
        "engine/engine/test_luck.py",
    ),
    "json": Fault(  # a field has the value of another field
        "gammon/view/json.py", "points=play.points", "points=play.before.points", "engine/view/test_json.py",
    ),
    "tie": Fault(  # of equal leaves, the last one is kept
        "gammon/search/evaluation.py", "values[j] == values[best] and ties[j] < ties[least]",
        "values[j] == values[best] and ties[j] > ties[least]", "engine/search/test_order.py",
        plain=True,
    ),
    "outcomes": Fault(  # of two outcomes with equal chances, the last one comes first
        "gammon/search/picker.py", "chance[sequence[place - 1]] < chance[i]",
        "chance[sequence[place - 1]] <= chance[i]", "engine/search/test_tasks.py",
        plain=True,
    ),
    "list": Fault(  # a play searched less deeply has the bound of the full search
        "gammon/engine/search.py", "np.where(kinds == search.BOUND, shallow.values, values)",
        "values.copy()", "engine/engine/test_search.py",
    ),
    "guard": Fault(  # pages of other origins get answers
        "gammon_web/guard.py", "            self._check(scope, headers, authority)\n", "",
        "web/test_server.py",
    ),
    "noise": Fault(  # the noise has the wrong sign
        "gammon/search/evaluation.py", "value += problem.sigma", "value -= problem.sigma",
        "engine/search/test_evaluation.py", plain=True,
    ),
    "adjusted": Fault(  # the luck of the dice is counted twice instead of not at all
        "gammon/match/result.py", "gain - luck", "gain + luck", "engine/match/test_match.py",
    ),
    "race": Fault(  # a side needs one roll too few
        "gammon/eval/race_tables.py", "out[i, k + 1] += PROB", "out[i, k] += PROB",
        "engine/eval/test_race.py",
    ),
    "stop": Fault(  # a stop that was set before the work began is lost
        "gammon/base/stop.py", "if self.is_set():\n            tell()\n        with",
        "with", "engine/base/test_workers.py",
    ),
    "shown": Fault(  # a play is shown with the chances of another play
        "gammon/engine/search.py", "chances[order].tolist()", "chances.tolist()",
        "engine/engine/test_displayed_numbers.py",
    ),
    "crawford": Fault(  # in the Crawford game the cube may be turned
        "gammon/rules/terms.py", "self.owner < 0 or self.crawford or not self.live",
        "self.owner < 0 or not self.live", "engine/rules/test_terms.py",
    ),
    "rating": Fault(  # one decision too many counts
        "gammon_study/reviews/rates.py", "RATING * error / counted if",
        "RATING * error / (counted + 1) if", "study/reviews/test_totals.py",
    ),
}  # fmt: skip


def tested(fault: Fault, copy: Path, tests: list[str]) -> tuple[str, str]:
    """Run tests until one fails; return its name or "", and the output of pytest."""
    process = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *tests],
        cwd=copy,
        env=os.environ
        | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
        | ({"GAMMON_KERNELS": "python"} if fault.plain else {}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode in (0, 1), process.stdout + process.stderr
    failed = [line for line in process.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    assert len(failed) == process.returncode, process.stdout
    return (failed[0].split(" ", 1)[1].split(" - ")[0] if failed else ""), process.stdout


def is_found(fault: Fault, copy: Path) -> bool:
    """Plant a fault, run the tests, and undo it; return whether a test failed only because of it."""
    path = copy / fault.file
    whole = path.read_text()
    count = whole.count(fault.right)
    assert count == 1, f"{fault.file} has changed: {fault.right!r} occurs {count} times"
    path.write_text(whole.replace(fault.right, fault.wrong))
    failed, _ = tested(fault, copy, [f"tests/{name}" for name in fault.tests.split()])
    path.write_text(whole)
    print(f"{fault.file}: {failed or 'all passed'}", flush=True)
    if failed:
        again, output = tested(fault, copy, [failed])
        assert not again, f"it fails without the fault, too:\n{output}"
    return failed != ""


def main() -> int:
    """Plant the named faults, or all of them."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        shutil.copytree(ROOT, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".*"))
        missed = [name for name in sys.argv[1:] or FAULTS if not is_found(FAULTS[name], copy)]
    print(f"not found: {', '.join(missed)}" if missed else "all were found")
    return len(missed) > 0


if __name__ == "__main__":
    raise SystemExit(main())
