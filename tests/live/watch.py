#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Conditions of a flight recorder: what they wait for, what is done then, and what becomes of a
# watcher that is killed, left behind, or has no room to write to.
# usage: watch.py KFT [TEST]...; KFT_TEST_SEED repeats a run.
import contextlib
import functools
import json
import os
import pathlib
import random
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


def an_interval_over_a_limit(kft):
    """Long calls are waited for; kft why starts where the condition came."""
    start(kft, "syscall:rt_sigtimedwait > 50ms do snapshot",
          opts=("-e", "raw_syscalls", "-e", "sched", "--keep", "64M"))
    signal.sigtimedwait([signal.SIGUSR2], 0.1)
    live.wait_for(lambda: shots(kft), "a snapshot")
    why = kft.run("why", "--format", "json", shots(kft)[0])
    check("the snapshot was taken on syscall:rt_sigtimedwait > 50ms: " in why.stderr, why.stderr)
    answer = json.loads(why.stdout)
    check(answer["time"] > 50_000_000 and "rt_sigtimedwait" in answer["sentence"], answer)


def a_moment_is_no_wait(kft):
    """What took long when a mark came is the answer, else the worst of the snapshot: neither who
    waited then, nor the short call that wrote it."""
    start(kft, "mark:now do snapshot", opts=("-e", "raw_syscalls", "-e", "sched", "--keep", "64M"))
    waits, wakes = os.pipe()
    waiter = subprocess.Popen(["/bin/dd", "bs=1", "count=1", "status=none"], stdin=waits,
                              stdout=subprocess.DEVNULL)
    time.sleep(0.2)
    with marker(kft).open("w", encoding="ascii") as file:
        file.write("now")
        file.flush()
        os.write(wakes, b".")
    waiter.wait()
    live.wait_for(lambda: shots(kft), "a snapshot")
    why = kft.run("why", "--format", "json", shots(kft)[0])
    answer = json.loads(why.stdout)
    check(answer["time"] > 50_000 and not answer["sentence"].startswith("dd-"), answer)


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
    # A file is there before its action is over.
    wait_until_said(kft, "on mark:the end: came 1 times")


def a_mark_stops(kft):
    start(kft, "mark:enough do stop")
    kft.run("mark", "not yet")
    kft.run("mark", "enough now")
    live.wait_for(lambda: "stopped by a trigger" in said(kft), "the stop")
    wait_until_said(kft, "came 1 times")
    check("no longer watched" not in said(kft), said(kft))
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


def sets_are_switched(kft):
    """They are those of the start, whatever becomes of their file."""
    own = kft.dir / "own.conf"
    own.write_text("own sched:sched_wakeup\n")
    start(kft, "mark:wide do set +own.conf:own,set +irq,snapshot", "mark:narrow do set -irq,snapshot")
    own.unlink()
    enabled = live.TRACEFS / "instances" / ("kft+" + kft.session("w")) / "set_event"
    for mark, want in (("wide", ["+own.conf:own", "+irq"]), ("narrow", ["+own.conf:own", "-irq"])):
        kft.run("mark", mark)
        wait_until_said(kft, f"on mark:{mark}: came 1 times")
        check(("irq:" in enabled.read_text()) == ("+irq" in want), enabled.read_text())
        check("sched:sched_wakeup" in enabled.read_text(), enabled.read_text())
        check(f"switched: {', '.join(want)}" in said(kft), said(kft))
        marks = re.findall(r"kft: set (\S+)$", reports(kft, max(shots(kft), key=os.path.getmtime)), re.M)
        check_equal(marks[-2:], want, "the marks")
    check("not done" not in said(kft), said(kft))


def limits(kft):
    start(kft, "mark:hit do snapshot", opts=("--max-snapshots", "2", "--at-most", "4"))
    for i in range(1, 7):
        kft.run("mark", "hit")
        if i <= 4:
            wait_until_said(kft, f"came {i} times")
    check("no more snapshots: 2 were taken" in said(kft), said(kft))
    told = json.loads(step(kft, "status", "--format", "json").stdout)
    check_equal([(row["condition"], row["times"]) for row in told["conditions"]], [("mark:hit", 4)], "conditions")
    row, = told["watchers"]
    check_equal((row["watches"], row["missed"], row["snapshots"]), (True, 0, 2), f"the watcher {row}")
    check(os.path.realpath(row["last_snapshot"]) in map(os.path.realpath, shots(kft)) and "no more snapshots" in row["trouble"], row)
    kft.run("mark", "hit")
    # What is written later is looked at later: the session goes on, and nothing came.
    step(kft, "snapshot", "-q", "-o", "l.dat")
    check("came 4 times" in said(kft) and "recording" in said(kft), said(kft))
    check_equal(len(shots(kft)), 2, "snapshots")
    check("kft: not done: no more snapshots" in reports(kft, "l.dat"), "the mark")


def not_again_for(kft):
    start(kft, "mark:hit do mark seen", "mark:last do snapshot", opts=("--not-again-for", "1h"))
    for _ in range(3):
        kft.run("mark", "hit")
    kft.run("mark", "last")
    live.wait_for(lambda: shots(kft), "a snapshot")
    check("on mark:hit: came 1 times" in said(kft), said(kft))


def its_own_doing_is_no_reason(kft):
    """A command that would cause the condition under which it is executed."""
    looper = kft.dir / "kft-loop"
    looper.write_text("#!/bin/sh\necho >>runs\n")
    looper.chmod(0o755)
    start(kft, f'{EVENT}/filename ~ "*kft-loop*"/ do exec ./kft-loop; sh -c ./kft-loop')
    runs = kft.dir / "runs"
    elsewhere = kft.dir / "elsewhere"
    elsewhere.mkdir()
    for i in (1, 2):
        subprocess.run([looper], cwd=elsewhere, check=True)
        live.wait_for(lambda: runs.exists() and len(runs.read_text()) == 2 * i, f"run {i}")
        wait_until_said(kft, f"came {i} times")


def a_full_disk_costs_the_snapshot(kft):
    full = kft.dir / "full"
    full.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", full], check=True)
    try:
        start(kft, "mark:hit do snapshot", opts=("--to", full))
        kft.run("mark", "hit")
        wait_until_said(kft, "not done: ")
        check_equal(os.listdir(full), [], "what is left of it")
        check("recording" in said(kft), said(kft))
        step(kft, "snapshot", "-q", "-o", "after.dat")
        text = reports(kft, "after.dat")
        check("hit" in text and "kft: not done: " in text, text)
    finally:
        step(kft, "reset", status=None)
        subprocess.run(["umount", full], check=True)


def hostile_names(kft):
    start(kft, "mark:\x1b[2J/../../x do snapshot")
    kft.run("mark", "\x1b[2J/../../x")
    live.wait_for(lambda: shots(kft), "a snapshot")
    check_equal(os.path.dirname(shots(kft)[0]), str(kft.dir), "its directory")
    check("\x1b" not in said(kft) + reports(kft, shots(kft)[0]), "escape sequences")


def a_detached_recording(kft):
    said_no = step(kft, "record", "-e", EVENT, "--on", "mark:x do stop", status=2).stderr
    check("--on needs --detach" in said_no, said_no)
    detach = ("record", "--detach", "-q", "-e", EVENT, "--on")
    said_no = step(kft, *detach, "mark:x do snapshot", status=1).stderr
    check("does not keep the newest" in said_no, said_no)
    step(kft, *detach, "mark:enough do stop")
    kft.run("mark", "enough")
    live.wait_for(lambda: "stopped by a trigger" in said(kft), "the stop")


def what_cannot_be_waited_for_is_refused(kft):
    for text in ("irq > 5ms", "irqs > 5ms do stop", "function > 5ms do stop", "x do stop"):
        start(kft, text, status=2)
    start(kft, "no:such_event do stop", status=1)
    start(kft, "enter:kft_no_such_function do stop", status=1)
    (kft.dir / "f.conf").write_text("functions vfs_read\n")
    start(kft, "mark:x do set +no_such", status=1)
    said_no = start(kft, "mark:x do stop,set +f.conf:functions", status=1).stderr
    check("has probes or functions" in said_no or "nothing of set" in said_no, said_no)
    check(not os.path.exists(f"/run/kft/{kft.session('w')}"), "there is a session")


def it_ends_with_its_session(kft):
    for end in ("stop", "reset"):
        start(kft, "mark:hit do snapshot")
        pid = watcher(kft)
        step(kft, end)
        live.wait_for(lambda: not os.path.exists(f"/proc/{pid}"), f"its end at {end}")
        step(kft, "reset", status=None)


def a_killed_one_is_told(kft):
    start(kft, "mark:hit do snapshot")
    os.kill(watcher(kft), signal.SIGKILL)
    wait_until_said(kft, "the conditions are no longer watched")
    check("recording" in said(kft), said(kft))
    told = json.loads(step(kft, "status", "--format", "json").stdout)
    check_equal([(row["times"], row["last"]) for row in told["conditions"]], [(0, None)], "conditions")
    check_equal([row["watches"] for row in told["watchers"]], [False], "watchers")
    step(kft, "snapshot", "-q", "-o", "k.dat")


def what_it_missed_is_told(kft):
    start(kft, "mark:hit do snapshot")
    pid = watcher(kft)
    os.kill(pid, signal.SIGSTOP)
    text = "no hit " + "x" * 200
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        with open(marker(kft), "w", encoding="ascii") as file:
            for _ in range(20000):
                with contextlib.suppress(OSError):
                    os.write(file.fileno(), text.encode())
    finally:
        os.sched_setaffinity(0, allowed)
        os.kill(pid, signal.SIGCONT)
    wait_until_said(kft, "MISSED")
    kft.run("mark", "hit")
    live.wait_for(lambda: shots(kft), "a snapshot")
    check("kft: not watched: events were lost" in reports(kft, shots(kft)[0]), "the mark")


def killed_at_any_moment(kft):
    """kft flight start is killed: there is a session that can be found and ended, or nothing."""
    seed = int(os.environ.get("KFT_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"KFT_TEST_SEED={seed}", flush=True)
    rng = random.Random(seed)
    for _ in range(15):
        p = kft.start("flight", "start", "-q", "-n", kft.session("w"), "--keep", "1M", "-e", EVENT,
                      "--on", "mark:hit do snapshot")
        try:
            p.wait(timeout=rng.uniform(0, 0.3))
        except subprocess.TimeoutExpired:
            p.kill()
        p.communicate()
        step(kft, "reset")


if __name__ == "__main__":
    live.main([resets(test) for test in (
        an_event_and_its_filter, a_function, an_interval_over_a_limit, a_moment_is_no_wait,
        scopes_of_programs,
        a_mark_stops, silence_and_time, pause_and_resume, sets_are_switched, limits, not_again_for,
        its_own_doing_is_no_reason, a_full_disk_costs_the_snapshot, hostile_names,
        a_detached_recording,
        what_cannot_be_waited_for_is_refused, it_ends_with_its_session, a_killed_one_is_told,
        what_it_missed_is_told, killed_at_any_moment)])
