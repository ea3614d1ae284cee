"""The machine in words."""

import json
import platform

from gammon_lab.bench import machine as module
from gammon_lab.bench.machine import machine


def test_it_says_what_times_depend_on():
    found = machine()
    assert found["python"] == platform.python_version()
    assert found["processors"] >= 1
    assert found["processor"].strip()
    json.dumps(found)


def test_a_system_that_tells_less(monkeypatch):
    monkeypatch.setattr(module.sys, "platform", "darwin")
    monkeypatch.setattr(module.platform, "processor", lambda: "")
    monkeypatch.setattr(module.platform, "machine", lambda: "arm64")
    monkeypatch.delattr(module.os, "getloadavg", raising=False)
    found = machine()
    assert found["processor"] == "arm64"
    assert found["load"] is None
