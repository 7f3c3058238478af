#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Conditions of a flight recorder: what they wait for, what is done then, and what becomes of a
# watcher that is killed, left behind, or has no room to write to.
# usage: watch.py KFT [TEST]...; KFT_TEST_SEED repeats a run.
import contextlib
import functools
import os
import pathlib
import re
import signal
import subprocess
import time

import live
from live import check, check_equal

EVENT = "sched:sched_process_exec"


def step(kft, verb, *args, **more):
    return kft.run(verb, "-n", kft.session("w"), *args, **more)


def start(kft, *conditions, opts=(), **more):
    on = [word for text in conditions for word in ("--on", text)]
    return kft.run("flight", "start", "-q", "-n", kft.session("w"), "--keep", "4M", "-e", EVENT,
                   "--not-again-for", "0", "--to", ".", *opts, *on, **more)


def resets(test):
    """Whatever becomes of the test, its session does not stay."""
    @functools.wraps(test)
    def run(kft):
        try:
            test(kft)
        finally:
            step(kft, "reset", status=None)
    return run


def said(kft):
    return step(kft, "status").stdout


def wait_until_said(kft, text):
    live.wait_for(lambda: text in said(kft), f"'{text}' in {said(kft)}")


def shots(kft):
    return sorted(kft.dir.glob(f"{kft.session('w')}-*.dat"))


def reports(kft, file):
    return kft.run("report", file).stdout


def marker(kft):
    """Where marks for the watcher alone are written to."""
    instance, = (d for d in (live.TRACEFS / "instances").glob(f"kft-{watcher(kft)}-*")
                 if "+" not in d.name)
    return instance / "trace_marker"


def write_mark(kft, text):
    marker(kft).write_text(text, encoding="ascii")


def execute(kft, name):
    """Executes a program of this name."""
    path = kft.dir / name
    if not path.exists():
        path.symlink_to("/bin/true")
    subprocess.run([path], check=True)


def watcher(kft):
    return int(pathlib.Path("/run/kft", kft.session("w"), "watcher").read_text(encoding="ascii"))


def an_event_and_its_filter(kft):
    start(kft, f'{EVENT}/filename ~ "*kft-watched*"/ do snapshot,exec echo "$KFT_SNAPSHOT" >>done')
    done = kft.dir / "done"
    for i in (1, 2):
        execute(kft, "not-watched")
        execute(kft, "kft-watched")
        live.wait_for(lambda: done.exists() and len(done.read_text().splitlines()) == i,
                      f"command {i}")
        # It counts again.
        wait_until_said(kft, f"came {i} times")
    check_equal(sorted(map(os.path.realpath, done.read_text().splitlines())),
                [os.path.realpath(f) for f in shots(kft)], "files")
    for i, file in enumerate(sorted(shots(kft), key=os.path.getmtime)):
        check(re.search(r"-sched-sched_process_exec-filename-kft-watched(-2)?\.dat$", file.name), f"the name {file.name}")
        text = reports(kft, file)
        check_equal(len(re.findall(r"filename=\S*/kft-watched", text)), i + 1, "executions")
        check(f"kft: snapshot on {EVENT}/filename" in text, "the reason")
    check("2 snapshots, last" in said(kft), said(kft))


def a_function(kft):
    if not (live.TRACEFS / "kprobe_events").exists():
        print("this kernel has no probes of its functions")
        return
    start(kft, "enter:ksys_sync do mark sync", opts=("--at-most", "1"))
    os.sync()
    wait_until_said(kft, "came 1 times")


def scopes_of_programs(kft):
    """Only those that are longer than the limit, and of the name."""
    start(kft, "mark:frame > 20ms do mark slow", "mark:the end do snapshot")
    pid = os.getpid()
    for name in ("frame", "other", "frame"):
        write_mark(kft, f"B|{pid}|{name}")
        if name == "other":
            time.sleep(0.03)
        write_mark(kft, f"E|{pid}")
    write_mark(kft, f"B|{pid}|frame")
    time.sleep(0.03)
    write_mark(kft, f"E|{pid}")
    step(kft, "mark", "the other end", status=None)
    kft.run("mark", "the end")
    live.wait_for(lambda: shots(kft), "a snapshot")
    slow = re.findall(r"slow: (\S+) ms", reports(kft, shots(kft)[0]))
    # The machine may make any of them slow.
    check(slow and all(float(ms) > 20 for ms in slow), slow)
    check("on mark:the end: came 1 times" in said(kft), said(kft))


def a_mark_stops(kft):
    start(kft, "mark:enough do stop")
    kft.run("mark", "not yet")
    kft.run("mark", "enough now")
    live.wait_for(lambda: "stopped by a trigger" in said(kft), "the stop")
    check("came 1 times" in said(kft) and "nobody watches" not in said(kft), said(kft))
    step(kft, "save", "-o", "m.dat")
    check("enough now" in reports(kft, "m.dat"), "the mark")


def silence_and_time(kft):
    start(kft, f'no {EVENT}/filename == "kft-none"/ for 20ms do mark silent', "80ms do mark on time")
    wait_until_said(kft, "on 80ms: came 1 times")
    live.wait_for(lambda: int(re.search(r"for 20ms: came (\d+)", said(kft))[1]) >= 2, "silence")
    step(kft, "snapshot", "-q", "-o", "t.dat")
    text = reports(kft, "t.dat")
    check("silent: no event came" in text and "on time: the time is over" in text, text[-2000:])


def pause_and_resume(kft):
    start(kft, "mark:away do pause", "mark:back do resume")
    kft.run("mark", "away")
    live.wait_for(lambda: "  paused" in said(kft), "the pause")
    kft.run("mark", "back")
    live.wait_for(lambda: "  recording" in said(kft), "the resume")


if __name__ == "__main__":
    live.main([resets(test) for test in (
        an_event_and_its_filter, a_function, scopes_of_programs, a_mark_stops, silence_and_time,
        pause_and_resume)])
