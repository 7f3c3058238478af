#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# kft record is killed before each single change that it makes to the kernel and to its notes:
# the next command leaves tracefs as it was before. And kft stop before it writes what it has read.
# usage: PROBED=PROGRAM KILL_AT=PROGRAM record-killed-at.py KFT [TEST]...
import json
import os
import pathlib
import re
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


def state_of(kft, session):
    return json.loads(kft.run("status", "-n", session, "--format", "json").stdout)["sessions"][0]


def losses_and_holes(kft, file):
    """All losses of a trace, and those that lie where numbers of marks are missing."""
    lost = holes = since = last = 0
    for e in map(json.loads, kft.run("report", "--style", "json", file).stdout.splitlines()):
        number = re.search(r"number (\d+)", str(e.get("fields")))
        lost += e.get("lost", 0)
        since += e.get("lost", 0)
        if number:
            missing = int(number[1]) - last - 1
            check(missing <= since, f"{file}: {missing} marks are missing before {number[1]}, {since} lost")
            holes += missing
            since, last = 0, int(number[1])
    return lost, holes, last


def killed_with_pages_in_its_hands(kft):
    """Pages that were read and not written are a loss that is counted and has a place."""
    marks = 20000
    for name, args in {"p": [], "f": ["--overwrite"], "s": ["-o", "s.dat"]}.items():
        session = kft.session(name)
        file = f"{name}.dat"
        kft.run("record", "-n", session, "--detach", "-q", "-e", "sched:sched_process_exit/pid == 1/",
                "-b", "8M", *args)
        if name == "s":
            os.kill(state_of(kft, session)["keeper_pid"], signal.SIGKILL)
        verb = ["snapshot", "-o"] if name == "f" else ["stop"]
        raw = kft.dir / file if name == "s" else pathlib.Path("/run/kft", session, "raw.dat")
        with open(live.TRACEFS / "instances" / f"kft+{session}" / "trace_marker", "wb", buffering=0) as marker:
            # A CPU without an event after its loss shows the loss at the end of the trace only.
            allowed = os.sched_getaffinity(0)
            os.sched_setaffinity(0, {min(allowed)})
            for i in range(marks):
                marker.write(b"number %d" % (i + 1))
            # It opens the files of all CPUs first; the next change writes pages.
            p = subprocess.run([KILL_AT, str(os.cpu_count() + 1), f"{raw}.parts/cpu", kft.program, *verb,
                                *(["killed.dat"] if name == "f" else []), "-n", session],
                               cwd=kft.dir, capture_output=True, text=True, timeout=live.LIMIT)
            check_equal(p.returncode, 0, f"kill-at: {p.stdout}{p.stderr}")
            if name == "f":
                marks += 1
                marker.write(b"number %d" % marks)
            os.sched_setaffinity(0, allowed)
        # The keeper of a session may go on with it as well.
        kft.run(*verb, *([file] if name == "f" else []), "-n", session, status=None)
        live.wait_for(lambda: name == "f" or state_of(kft, session)["state"] == "complete", "its end")
        if name == "p":
            kft.run("save", "-n", session, "-o", file)
        lost, holes, last = losses_and_holes(kft, file)
        check(lost > 0, f"{name}: nothing is lost")
        check(holes == lost or lost - holes < 10, f"{name}: {lost} lost, {holes} of them marks")
        check_equal(last, marks, f"{name}: the last mark")
        stats = json.loads(kft.run("stats", "events", "--format", "json", file).stdout)
        check_equal(stats["lost"], lost, f"{name}: the losses that stats counts")
        told = state_of(kft, session)
        check_equal(told["lost"], lost, f"{name}: the losses of kft status")
        text = kft.run("status", "-n", session).stdout
        check(f"LOST {lost:,}" in text, f"{name}: the losses of kft status as text: {text}")
        if name != "f":
            check_equal(told["records"], sum(kft.counts(file).values()), f"{name}: the records of kft status")
        kft.run("reset", "-n", session)


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
        told = state_of(kft, name)
        check(told["records"] > 40000, f"only {told['records']} records")
        check_equal(sum(kft.counts("w.dat").values()), told["records"], f"killed at {p.stdout.strip()}")
        kft.run("reset", "-n", name)


if __name__ == "__main__":
    live.main([killed_before_each_change, killed_with_pages_in_its_hands,
               a_signal_waits_until_all_is_written])
