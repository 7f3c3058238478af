#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# A backend beside tracefs (tests/example) in attached, detached and flight sessions: a timer
# that ticks every millisecond, with numbers from 1 on, so that each tick is known.
# usage: backends.py KFT_EXAMPLE [TEST]...
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import live
from live import check, check_equal

TICK_NS = 1000000
BOTH = ("-e", "sched", "--sample")


def step(kft, verb, name, *args, **more):
    return kft.run(verb, "-n", kft.session(name), *args, **more)


def detach(kft, name, *args):
    step(kft, "record", name, "--detach", "-q", *args)


def status(kft, name):
    return json.loads(step(kft, "status", name, "--format", "json").stdout)["sessions"][0]


def run_dir(kft, name):
    return pathlib.Path("/run/kft", kft.session(name))


def split(kft, file):
    """The ticks, as {number: time}, and the other events of a trace."""
    check(kft.stats(file)["lost"] == 0, "events are lost")
    ticks, others = {}, []
    for e in kft.events(file):
        if e["event"] != "tick":
            others.append(e)
            continue
        number = int(e["fields"]["number"])
        check(number not in ticks, f"tick {number} is there twice")
        ticks[number] = e["ts"]
    return ticks, others


def marks(others):
    """{what: time} of the session's own markers."""
    return {m[1]: e["ts"] for e in others if e["event"] == "print"
            for m in [re.search(r"kft: (start|pause|resume|stop) ", str(e["fields"]))] if m}


def gaps(ticks):
    """(before, after) of ticks that are not a period apart; no number is missing."""
    numbers = sorted(ticks)
    check_equal(numbers, list(range(numbers[0], numbers[0] + len(numbers))), "the numbers")
    times = [ticks[n] for n in numbers]
    return [(a, b) for a, b in zip(times, times[1:]) if b - a != TICK_NS]


def check_both(ticks, others):
    """The buffers cover the same time of the same clock."""
    check(len(ticks) > 10 and len(others) > 10, f"{len(ticks)} ticks, {len(others)} others")
    times = [e["ts"] for e in others]
    check(min(ticks.values()) < max(times) and max(ticks.values()) > min(times),
          "ticks and events are of different times")


def wait_for_ticks(kft, name, n):
    """Until the session has recorded so many of both."""
    live.wait_for(lambda: status(kft, name)["records"] > 2 * n, f"{name} records")
    time.sleep(2 * n * TICK_NS / 1e9)


def an_attached_session_has_both(kft):
    p = kft.record("a", *BOTH)
    time.sleep(0.3)
    step(kft, "pause", "a")
    time.sleep(0.1)
    step(kft, "resume", "a")
    time.sleep(0.3)
    kft.end(p, sig=signal.SIGINT)
    ticks, others = split(kft, "a.dat")
    check_both(ticks, others)
    check_equal(min(ticks), 1, "the first tick")
    check_equal(len(gaps(ticks)), 1, "gaps of the ticks, for one pause")
    (before, after), mark = gaps(ticks)[0], marks(others)
    check(before > mark["pause"] - TICK_NS and after < mark["resume"] + TICK_NS,
          "the ticks pause when the events do not")


def a_detached_session_has_both(kft):
    detach(kft, "d", *BOTH)
    wait_for_ticks(kft, "d", 100)
    step(kft, "pause", "d")
    check_equal(status(kft, "d")["state"], "paused", "it pauses")
    time.sleep(0.1)
    step(kft, "resume", "d")
    time.sleep(0.1)
    step(kft, "stop", "d")
    step(kft, "save", "d", "-o", "d.dat")
    ticks, others = split(kft, "d.dat")
    check_both(ticks, others)
    check_equal(min(ticks), 1, "the first tick")
    check_equal(len(gaps(ticks)), 1, "gaps of the ticks, for one pause")
    (before, after), mark = gaps(ticks)[0], marks(others)
    check(before > mark["pause"] - TICK_NS and after < mark["resume"] + TICK_NS,
          "the ticks pause when the events do not")
    # The others start before the lead, and stop after it.
    check(min(ticks.values()) < mark["start"] + TICK_NS, "the ticks start later")
    check(max(ticks.values()) > mark["stop"] - TICK_NS, "the ticks stop earlier")
    said = status(kft, "d")
    check_equal(said["records"], len(ticks) + len(others), "the records of both")
    step(kft, "reset", "d")
    check(not run_dir(kft, "d").exists(), "its directory is left")


def a_trigger_starts_and_stops_both(kft):
    program = kft.dir / "kft-planted"
    shutil.copy("/bin/sleep", program)
    detach(kft, "t", *BOTH, "--start", f'sched:sched_process_exec/filename == "{program}"/',
           "--stop", f'sched:sched_process_exit/comm == "{program.name}"/')
    time.sleep(0.1)
    check_equal(status(kft, "t")["state"], "primed", "it waits")
    check_equal(status(kft, "t")["records"], 0, "it records before its start")
    p = subprocess.Popen([program, "0.3"])
    live.wait_for(lambda: status(kft, "t")["state"] in ("complete", "saved"), "it stops")
    p.wait()
    step(kft, "save", "t", "-o", "t.dat")
    ticks, others = split(kft, "t.dat")
    # A check that comes late, as the session says, may have started no ticks at all.
    check(not ticks or min(ticks.values()) > others[0]["ts"], "ticks before the start")
    check_equal(gaps(ticks) if ticks else [], [], "gaps of the ticks")
    step(kft, "reset", "t")


def a_limit_counts_both(kft):
    # No event of the kernel can reach it.
    detach(kft, "l", "-e", "sched:sched_process_exit/pid == 1/", "--sample",
           "--limit", "300ev")
    live.wait_for(lambda: status(kft, "l")["state"] in ("complete", "saved"), "the limit")
    step(kft, "save", "l", "-o", "l.dat")
    ticks, _ = split(kft, "l.dat")
    check(len(ticks) >= 290, f"it ended with {len(ticks)} ticks")
    check_equal(gaps(ticks), [], "gaps of the ticks")
    check("limit" in str(status(kft, "l")), "the cause of its end")
    step(kft, "reset", "l")


def a_flight_session_keeps_the_newest_of_both(kft):
    detach(kft, "f", *BOTH, "--overwrite", "-b", "64k")
    wait_for_ticks(kft, "f", 200)
    step(kft, "snapshot", "f", "-o", "1.dat")
    time.sleep(1)
    step(kft, "snapshot", "f", "-o", "2.dat")
    first = {int(e["fields"]["number"]) for e in kft.events("1.dat", "-e", "tick")}
    second = {int(e["fields"]["number"]): e["ts"] for e in kft.events("2.dat", "-e", "tick")}
    check(max(second) > max(first) > 100, f"the snapshots end at {max(first)}, {max(second)}")
    # Its buffer has two pages, of some 200 ticks each.
    check(min(second) > 1 and len(second) < 500, f"{len(second)} ticks from {min(second)} on")
    check_equal(gaps(second), [], "gaps of the ticks")
    check(kft.counts("2.dat").get("sched_switch"), "the kernel's events are missing")
    step(kft, "stop", "f")
    step(kft, "save", "f", "-o", "3.dat")
    third = {int(e["fields"]["number"]) for e in kft.events("3.dat", "-e", "tick")}
    check(max(third) > max(second), "the end is missing")
    step(kft, "reset", "f")


def a_stream_has_both(kft):
    step(kft, "record", "s", "--detach", "-q", *BOTH, "-o", "s.dat")
    wait_for_ticks(kft, "s", 300)
    # It is a readable trace while it records.
    check(kft.counts("s.dat").get("tick", 0) > 1, "the file has no ticks yet")
    step(kft, "stop", "s")
    ticks, others = split(kft, "s.dat")
    check_both(ticks, others)
    check_equal(min(ticks), 1, "the first tick")
    check_equal(gaps(ticks), [], "gaps of the ticks")
    step(kft, "reset", "s")


def the_example_alone_needs_no_tracefs(kft):
    detach(kft, "e", "--sample")
    time.sleep(0.3)
    check_equal(kft.instances(), [], "instances of tracefs")
    step(kft, "stop", "e")
    step(kft, "save", "e", "-o", "e.dat")
    ticks, others = split(kft, "e.dat")
    check_equal((min(ticks), gaps(ticks), others), (1, [], []), "the trace")
    step(kft, "reset", "e")


def keeper(kft, name):
    return int((run_dir(kft, name) / "keeper").read_text())


def a_killed_keeper_costs_nothing(kft):
    for name, more in (("k", ()), ("o", ("--overwrite",))):
        detach(kft, name, *BOTH, *more)
        os.kill(keeper(kft, name), signal.SIGKILL)
        time.sleep(0.2)
        step(kft, "stop", name)
        step(kft, "save", name, "-o", f"{name}.dat")
        ticks, others = split(kft, f"{name}.dat")
        check_both(ticks, others)
        check_equal(gaps(ticks), [], "gaps of the ticks")
        step(kft, "reset", name)
        check(not run_dir(kft, name).exists(), "its directory is left")
    detach(kft, "r", *BOTH)
    os.kill(keeper(kft, "r"), signal.SIGKILL)
    step(kft, "reset", "r")
    check(not run_dir(kft, "r").exists() and not kft.instances(), "something is left")


def a_killed_recorder_leaves_both(kft):
    p = kft.record("a", *BOTH)
    # Only full pages reach the disk before the end, and an idle machine fills none for a while.
    busy = subprocess.Popen(["sh", "-c", "while :; do /bin/true; done"])
    try:
        live.wait_for(lambda: any(f.stat().st_size for f in kft.dir.glob("a.dat.parts/cpu*")),
                      "pages of a trace reach the disk")
    finally:
        busy.kill()
        busy.wait()
    os.killpg(p.pid, signal.SIGKILL)
    p.wait()
    kft.run("recover", "a.dat")
    check(kft.counts("a.dat").get("sched_switch"), "the kernel's events are missing")
    kft.run("reset")
    check_equal(kft.instances(), [], "instances of the killed session")


live.main([
    an_attached_session_has_both,
    a_detached_session_has_both,
    a_trigger_starts_and_stops_both,
    a_limit_counts_both,
    a_flight_session_keeps_the_newest_of_both,
    a_stream_has_both,
    the_example_alone_needs_no_tracefs,
    a_killed_keeper_costs_nothing,
    a_killed_recorder_leaves_both,
])
