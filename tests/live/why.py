#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# kft why names faults that are planted here, on this machine as busy as it is: each is among
# the rows with at least the time that was planted, and is what the sentence is about unless
# something else took longer.
# usage: why.py KFT FAULTS [TEST]...; KFT_WHY_TIMES=N repeats each
import json
import os
import pathlib
import re
import sys

import live
from live import check

FAULTS = os.path.realpath(sys.argv.pop(2))
TIMES = int(os.environ.get("KFT_WHY_TIMES", "2"))
counts = {}


def plant(kft, fault, n, *args, before=()):
    """Records a fault; what it says of itself: nanoseconds planted, to whom, and where."""
    p = kft.run("record", "-q", "--for", "why", *args, "-b", "32M", "-n", kft.session("why"),
                "-o", f"{n}.dat", "--", *before, FAULTS, fault, status=None)
    if "exit 77" in p.stderr or p.returncode == 77:
        live.skip(f"{fault}: not possible here")
    check(p.returncode == 0, f"{fault}: {p.returncode} {p.stderr}")
    said = dict(line.split() for line in p.stdout.splitlines())
    check("planted" in said, p.stdout + p.stderr)
    return int(said["planted"]), said["victim"], said.get("within")


def strip(kft, n):
    """Takes the switches from idle out, as some kernels record none on a CPU that was off."""
    names = {e["event"] for e in kft.stats(f"{n}.dat")["by_event"]} - {"sched:sched_switch"}
    kft.run("export", "--to", "trace.dat", "-o", "stripped.dat",
            "-e", "sched_switch/prev_pid != 0/", *(a for e in names for a in ("-e", e)),
            f"{n}.dat")
    os.replace(kft.dir / "stripped.dat", kft.dir / f"{n}.dat")


def plant_and_ask(kft, fault, n, what, args, more, before, stripped):
    """On a busy machine a fault may fail, or events can be lost, and with them the interval:
    then again."""
    for _ in range(10):
        ns, victim, within = plant(kft, fault, n, *more, before=before)
        if not ns:
            continue
        if stripped:
            strip(kft, n)
        p = kft.run("why", "--format", "json", f"{n}.dat", within or what, "--task", victim,
                    *args, status=None)
        if p.returncode == 0:
            return ns, json.loads(p.stdout)
        check("such intervals" in p.stderr and kft.stats(f"{n}.dat")["lost"], p.stderr)
    live.skip("events are lost each time")


def ask_and_judge(kft, fault, n, what, is_cause, args, more, before, stripped):
    """Asks once: what is wrong with the answer; None: nothing."""
    ns, answer = plant_and_ask(kft, fault, n, what, args, more, before, stripped)
    rows = answer["rows"]
    check(sum(r["time"] for r in rows) == answer["time"], "rows do not add up")
    mine = sum(r["time"] for r in rows if is_cause(r))
    first = next(r for r in rows if r["cause"] == answer["cause"] and
                 r["what"] in answer["sentence"])
    is_first = is_cause(first)
    is_right = is_first or answer["cause_time"] > mine
    c = counts.setdefault(fault, [0, 0, 0, 0])
    for i, yes in enumerate((True, mine >= ns * 0.9, is_first, is_right)):
        c[i] += yes
    if mine >= ns * 0.9 and (is_first if TIMES > 5 else is_right):
        return None
    text = "\n".join(f"{r['time']:>12} {r['cause']:10} {r['what']} {r['chain'] or ''}"
                     for r in rows[:8])
    return f"{mine} of {ns} planted: {answer['sentence']}\n{text}"


def look(kft, fault, what, is_cause, *args, before=(), more=(), stripped=False):
    """Whether the cause is there with its time, and first, or behind something larger. On a
    busy machine what is planted can fail to happen: it may a few times."""
    for n in range(TIMES):
        tries = 1 if TIMES > 5 else 5  # more: they are counted
        for _ in range(tries):
            wrong = ask_and_judge(kft, fault, n, what, is_cause, args, more, before, stripped)
            if not wrong:
                break
            print(f"  {wrong}")
        check(not wrong or TIMES > 5, f"{fault}: wrong {tries} times")
    print(f"  {fault}: {counts[fault][0]} planted, {counts[fault][1]} present, "
          f"{counts[fault][2]} named first, {counts[fault][3]} or behind what took longer")


def starved_by_a_higher_priority(kft):
    look(kft, "starve", None, lambda r: r["cause"] in ("cpu", "held") and "hog-" in r["what"])


def a_mutex_whose_owner_sleeps(kft):
    look(kft, "lock", "syscall:futex",
         lambda r: r["cause"] in ("sleep", "slack") and r["what"].startswith("owner-") and
         "owner-" in r["chain"])


def the_last_of_three_processes(kft):
    look(kft, "chain", "syscall:read",
         lambda r: "third-" in (r["chain"] or "") and "second-" in r["chain"])


def a_slow_fsync(kft):
    look(kft, "fsync", "syscall:fsync", lambda r: r["cause"].startswith("io-"))


def page_faults(kft):
    look(kft, "fault", "syscall:read", lambda r: r["cause"] == "fault",
         more=("--for", "why:fault"))


def a_cpu_quota(kft):
    group = next((g for g in (pathlib.Path("/sys/fs/cgroup/cpu"), pathlib.Path("/sys/fs/cgroup"))
                  if (g / "cgroup.procs").exists()), None)
    if not group:
        live.skip("no cgroups")
    mine = group / f"kft-test-{os.getpid()}"
    try:
        mine.mkdir()
    except OSError as e:
        live.skip(f"no cgroup can be made: {e}")
    try:
        if (mine / "cpu.cfs_quota_us").exists():
            (mine / "cpu.cfs_quota_us").write_text("10000")
        elif (mine / "cpu.max").exists():
            (mine / "cpu.max").write_text("10000 100000")
        else:
            live.skip("no quotas")
        # When it may run it does, whatever else this machine does.
        for file, most in (("cpu.shares", "262144"), ("cpu.weight", "10000")):
            if (mine / file).exists():
                (mine / file).write_text(most)
        for stripped in False, True:
            look(kft, "throttle", None, lambda r: r["cause"] == "throttled", stripped=stripped,
                 before=("sh", "-c", f'echo $$ >{mine}/cgroup.procs && exec "$@"', "sh"))
    finally:
        mine.rmdir()


def a_deadline_and_its_limit(kft):
    look(kft, "limit", None, lambda r: r["cause"] == "limited" and "of its deadline" in r["what"])


def a_crowd_on_one_cpu(kft):
    look(kft, "crowd", None,
         lambda r: r["cause"] in ("cpu", "held") and "crowd-" in r["what"])


def what_kft_does_to_record_is_left_out(kft):
    """It maps and empties buffers right at the start, which takes long beside other calls."""
    for n in range(TIMES):
        kft.run("record", "-q", "--for", "why", "-a", "-n", kft.session("own"), "-o", "own.dat",
                "-d", "300ms")
        for rank in 1, 2, 3:
            p = kft.run("why", "--format", "json", "own.dat", "all", f"--rank={rank}",
                        status=None)
            task = json.loads(p.stdout)["task"] if p.returncode == 0 else None
            check(not re.match(r"kft(-|$)", task or ""), p.stdout[:500])


live.main([starved_by_a_higher_priority, a_mutex_whose_owner_sleeps, the_last_of_three_processes,
           a_slow_fsync, page_faults, a_cpu_quota, a_deadline_and_its_limit, a_crowd_on_one_cpu,
           what_kft_does_to_record_is_left_out])
