"""`gammon completion`."""

import shutil
import subprocess

import pytest

from tests.engine.commands.program import assert_refused, run


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    named = run("completion", shell)
    assert named.exit_code == 0
    assert f"_GAMMON_COMPLETE={shell}_complete" in named.stdout
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    assert run("completion").stdout == named.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_bash_takes_its_script() -> None:
    script = run("completion", "bash").stdout
    checked = subprocess.run(
        ["bash", "-n"], input=script, capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_other_shells_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_refused(["completion", "tcsh"], "'tcsh' is not one of 'bash', 'zsh', 'fish'")
    for shell in ("", "/bin/sh"):
        monkeypatch.setenv("SHELL", shell)
        assert_refused(["completion"], f"SHELL '{shell}': expected bash, zsh, fish")
    monkeypatch.delenv("SHELL")
    assert_refused(["completion"], "SHELL ''")
