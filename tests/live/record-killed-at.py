#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# kft record is killed before each single change that it makes to the kernel and to its notes:
# the next command leaves tracefs as it was before. And kft stop before it writes what it has read.
# usage: PROBED=PROGRAM KILL_AT=PROGRAM record-killed-at.py KFT [TEST]...
import json
import os
import pathlib
import shutil
import signal
import subprocess

import live
from live import check, check_equal

PROBED = os.environ["PROBED"]
KILL_AT = os.environ["KILL_AT"]


def state(kft):
    lists = [pathlib.Path(live.TRACEFS, name).read_text() for name in ("uprobe_events", "dynamic_events")]
    ours = [p.name for p in live.TRACEFS.joinpath("instances").iterdir() if p.name.startswith(kft.instance("k").name)]
    notes = pathlib.Path("/run/kft", "record+" + kft.session("k"))
    return live.state(), lists, ours, notes.exists()


def killed_before_each_change(kft):
    command = [str(kft.program), "record", "-q", "-n", kft.session("k"), "-o", "t.dat",
               "-e", "syscalls:sys_enter_pread64/count > 100/", "-e", "sched:sched_switch",
               "-u", PROBED + ":planted_add($arg1:s32)", "-u", PROBED + ":planted_add%return",
               "--start", "syscalls:sys_enter_pread64", "--stop", "syscalls:sys_enter_clock_nanosleep",
               "--", PROBED, "3", "/dev/null", "/etc/services"]
    before = state(kft)
    changes = []
    while True:
        p = subprocess.run([KILL_AT, str(len(changes) + 1), f"{live.TRACEFS},/run/kft", *command],
                           cwd=kft.dir, capture_output=True, text=True, timeout=live.LIMIT)
        check(p.returncode in (0, 1), f"kill-at: {p.stderr}")
        if p.returncode == 1:
            break
        changes.append(p.stdout.strip())
        # The kernel closes the files of the dead in its own time.
        live.wait_for(lambda: kft.run("reset").returncode == 0 and not state(kft)[2],
                      "the next command removes the session")
        check_equal(state(kft), before, f"killed before change {len(changes)}, of {changes[-1]}")
        for path in kft.dir.glob("t.dat*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    check_equal(state(kft), before, "it ended")
    for name in ("uprobe_events", "trigger", "filter", "enable", "tracing_on", "set_event_pid"):
        check(any(c.endswith("/" + name) for c in changes), f"never killed before {name}: {changes}")


def a_signal_waits_until_all_is_written(kft):
    """What was read out of the kernel's buffers is there only once."""
    name = kft.session("w")
    pages = f"/run/kft/{name}/raw.dat.parts/cpu"
    for at in (os.cpu_count() + 1, os.cpu_count() + 2):
        kft.run("record", "-n", name, "--detach", "-q", "-e", "raw_syscalls", "-P", os.getpid())
        for _ in range(20000):
            os.getppid()
        # Behind what makes the files of all CPUs.
        p = subprocess.run([KILL_AT, f"-{signal.SIGTERM}", str(at), pages, kft.program, "stop", "-n", name],
                           cwd=kft.dir, capture_output=True, text=True, timeout=live.LIMIT)
        check_equal(p.returncode, 0, f"kill-at: {p.stdout}{p.stderr}")
        kft.run("stop", "-n", name, status=None)
        kft.run("save", "-n", name, "-o", "w.dat")
        told = json.loads(kft.run("status", "-n", name, "--format", "json").stdout)["sessions"][0]
        check(told["records"] > 40000, f"only {told['records']} records")
        check_equal(sum(kft.counts("w.dat").values()), told["records"], f"killed at {p.stdout.strip()}")
        kft.run("reset", "-n", name)


if __name__ == "__main__":
    live.main([killed_before_each_change, a_signal_waits_until_all_is_written])
