#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""kft stats wall: the time of threads is that of the kernel's own counts (schedstat, getrusage) and
that of waits that were planted."""
import json
import pathlib
import shutil

import live
from live import check

# Prints what the kernel counts of each thread at its beginning, and when it has waited and worked,
# with the time of that.
PROGRAM = """
import os, threading, time
def work(n):
    begin = time.thread_time()
    while time.thread_time() - begin < n:
        pass
def slept():
    time.sleep(0.3)
    work(0.05)
def locked():
    with lock:
        work(0.02)
    counts()
def schedstat():
    tid = threading.get_native_id()
    return f"{tid} " + open(f"/proc/self/task/{tid}/schedstat").read().rsplit(" ", 1)[0]
begins = {threading.get_native_id(): schedstat()}
def counts():
    tid = threading.get_native_id()
    with open("counts", "a") as f:
        f.write(f"{schedstat()} {time.monotonic_ns()} {begins.get(tid, '0 0 0')}\\n")
lock = threading.Lock()
def sleeper():
    slept()
    counts()
threads = [threading.Thread(target=t) for t in (sleeper, locked)]
with lock:
    for t in threads:
        t.start()
    time.sleep(0.2)
for t in threads:
    t.join()
counts()
"""


def wall_of(kft, *command):
    kft.run("record", "-q", "--for", "why", "-b", "32M", "-o", "s.dat", "--", *command)
    return json.loads(kft.run("stats", "wall", "--format", "json", "s.dat").stdout)


def parts_are_those_of_the_kernel(kft):
    (kft.dir / "program.py").write_text(PROGRAM)
    wall = wall_of(kft, "python3", "program.py")
    threads = {row["pid"]: row for row in wall["by_thread"]}
    counts = [map(int, line.split()) for line in
              (kft.dir / "counts").read_text().splitlines()]
    check(len(counts) == 3, "a thread did not say what it has used")
    exits = {e["pid"]: e["ts"] for e in kft.events("s.dat", "-e", "sched_process_exit")}
    for tid, run, delay, read_ns, _, early_run, early_delay in counts:
        row = threads[tid]
        # Threads run on, or wait to, after they have read their counts, and the first one has done
        # so before it was recorded. The kernel counts the interrupts of a running task as its time.
        later = exits[tid] - read_ns + 20e6
        more = row["interrupted"] + row["other"] + 2e6
        check(row["running"] <= run + later and run - early_run <= row["running"] + more,
              f"{row}: the kernel counts {run} ns on CPUs, {early_run} ns at the beginning")
        check(row["cpu"] <= delay + later and delay - early_delay <= row["cpu"] + more,
              f"{row}: the kernel counts {delay} ns of waiting for CPUs, {early_delay} ns at the "
              "beginning")
    waits = {row["pid"]: row for row in wall["by_thread"] if row["sleep"] >= 0.29e9}
    check(counts and waits, f"nobody slept for 0.3 s: {wall['by_thread']}")


def everyday_commands_add_up(kft):
    (kft.dir / "Makefile").write_text("all: a b\na b:\n\t@sleep 0.1\n")
    (kft.dir / "words").write_text("\n".join(str(n * 7919 % 100003) for n in range(50000)))
    for command in (["make", "-s", "-j2"], ["sh", "-c", "tar cf - words | xz -1 > w.tar.xz"]):
        if not shutil.which(command[0]) or not shutil.which("xz"):
            continue
        wall = wall_of(kft, *command)
        for row in wall["by_thread"]:
            parts = sum(row[c] for c in ("running", "cpu", "tasks", "io", "sleep", "device",
                                         "interrupted", "other"))
            check(parts == row["time"], f"{row} does not add up")
        names = {row["comm"] for row in wall["by_thread"]}
        check(pathlib.Path(command[0]).name in names, f"no {command[0]} in {names}")


live.main([parts_are_those_of_the_kernel, everyday_commands_add_up])
