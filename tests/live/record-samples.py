#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# kft record --sample: the shares of planted functions, alone and beside events, and the losses.
# usage: SAMPLED=PROGRAM record-samples.py KFT [TEST]...
import collections
import functools
import json
import math
import os
import re
import shutil
import signal
import subprocess

import live
from live import check, check_equal

PROGRAM = os.environ["SAMPLED"]
SHARES = {"hot_six": 0.6, "hot_three": 0.3, "hot_one": 0.1}
# Some thousand samples; a round is some 20 us.
ROUNDS = 120000
CLOCK = "--sample=cpu-clock"
# The ids of Linux that own nothing.
NOBODY = 65534


@functools.cache
def functions():
    """[(offset in the file, size, name)], as nm and readelf see the program."""
    text = subprocess.run(["nm", "-S", PROGRAM], capture_output=True, text=True, check=True)
    return [(int(m[1], 16), int(m[2], 16), m[3]) for m in
            re.finditer(r"^(\w+) (\w+) [tT] (\w+)$", text.stdout, re.M)]


def load_bias(events, tgid):
    """What to subtract from an address: position-independent programs have file offsets."""
    for e in events:
        f = e["fields"]
        if e["event"] == "mmap" and f["tgid"] == tgid and f["filename"] == PROGRAM:
            return int(f["addr"]) - int(f["pgoff"])
    raise AssertionError("the program is not among the maps")


def samples_of(events, comm="sampled"):
    return [e for e in events if e["event"] == "cpu_clock" and e["comm"] == comm]


def counts_of(events):
    """{function: samples in it}, computed here from addresses and maps."""
    samples = samples_of(events)
    bias = load_bias(events, samples[0]["fields"]["tgid"])
    counts = collections.Counter()
    for e in samples:
        at = int(e["fields"]["ip"]) - bias
        counts.update(name for start, size, name in functions() if start <= at < start + size)
    return counts


def are_as_planted(counts):
    """Within five standard errors of what the program does: chance alone fails that once in a
    million runs."""
    n = sum(counts[name] for name in SHARES)
    check(n > 500, f"only {n} samples: {counts}")
    for name, share in SHARES.items():
        error = math.sqrt(share * (1 - share) / n)
        check(abs(counts[name] / n - share) <= 5 * error,
              f"{name}: {counts[name]} of {n} samples, not {share} +- {error}")


def shares_are_as_planted_and_as_perf_says(kft):
    live.need_program("perf")
    perf = ["perf", "record", "-q", "-o", "p.data", "-e", "cpu-clock", "-F", "997", "--"]
    subprocess.run([*perf, kft.program, "record", "-q", CLOCK, "-o", "s.dat", "--", PROGRAM,
                    str(ROUNDS)], cwd=kft.dir, check=True, timeout=live.LIMIT,
                   stderr=subprocess.DEVNULL)
    counts = counts_of(kft.events("s.dat"))
    are_as_planted(counts)
    text = subprocess.run(["perf", "report", "-i", "p.data", "--stdio", "-n", "-s", "sym",
                           "--comm", "sampled", "-t", ";"], cwd=kft.dir, check=True,
                          capture_output=True, text=True, timeout=live.LIMIT).stdout
    by_perf = collections.Counter({m[2]: int(m[1]) for m in
                                   re.finditer(r"^ *[\d.]+% *; *(\d+) *;\[\.\] (\w+)", text, re.M)})
    n = sum(counts[name] for name in SHARES)
    n_perf = sum(by_perf[name] for name in SHARES)
    for name in SHARES:
        share = counts[name] / n
        error = math.sqrt(share * (1 - share) * (1 / n + 1 / n_perf))
        check(abs(share - by_perf[name] / n_perf) <= 5 * error,
              f"{name}: kft {counts[name]} of {n}, perf {by_perf[name]} of {n_perf}")


def stats_and_flame_count_the_same(kft):
    kft.run("record", "-q", CLOCK, "-o", "s.dat", "--", PROGRAM, ROUNDS // 3, 2)
    events = kft.events("s.dat")
    counts = counts_of(events)
    are_as_planted(counts)
    stats = json.loads(kft.run("stats", "sample", "--format", "json", "s.dat").stdout)
    samples = [e for e in events if e["event"] == "cpu_clock"]
    check_equal(stats["samples"], len(samples), "samples")
    rows = {r["function"]: r for r in stats["by_function"]}
    for name in SHARES:
        # Samples in interrupts of a function are in its total, but not in itself.
        check_equal(rows[f"sampled:{name}"]["samples"], counts[name], name)
    one, calls = rows["sampled:hot_one"], rows["sampled:calls_one"]
    # A sample in the first instructions of hot_one, before its frame is set up, has no caller.
    check(abs(calls["total"] - one["total"]) <= 0.02, f"callers: {one} {calls}")
    for table, key in (("by_task", "pid"), ("by_cpu", "cpu")):
        check_equal({r[key]: r["samples"] for r in stats[table]},
                    dict(collections.Counter(e[key] for e in samples)), table)
    flame = kft.run("flame", "--folded", "s.dat").stdout
    check_equal(sum(int(line.split()[-1]) for line in flame.splitlines()),
                sum(e["fields"]["period"] for e in samples), "time in the flame graph")
    check(re.search("^sampled;.*;sampled:work;sampled:calls_one;sampled:hot_one ", flame, re.M),
          f"no stack of hot_one: {flame}")


def stacks_have_the_callers(kft):
    kft.run("record", "-q", CLOCK, "-o", "s.dat", "--", PROGRAM, ROUNDS // 3)
    events = kft.events("s.dat")
    at = {name: (start, start + size) for start, size, name in functions()}
    bias = load_bias(events, samples_of(events)[0]["fields"]["tgid"])
    text = kft.run("report", "s.dat").stdout
    stacks = [[int(a, 16) - bias for a in re.findall(r"<([0-9a-f]+)>", s)]
              for s in text.split("<user stack trace>")[1:]]

    def is_in(address, name):
        return at[name][0] <= address < at[name][1]

    # The frame is set up by the first instructions, and taken down before the last one, a return.
    begin, end = at["hot_one"]
    inner = [s for s in stacks if s and begin + 4 < s[0] < end - 1]
    check(inner, "no sample is in hot_one")
    for s in inner:
        check(len(s) > 2 and is_in(s[1], "calls_one") and is_in(s[2], "work"),
              f"its callers are {[hex(a) for a in s]}")


def threads_and_children_are_sampled(kft):
    kft.run("record", "-q", CLOCK, "-o", "s.dat", "--", "sh", "-c",
            f"{PROGRAM} {ROUNDS // 20} 3; {PROGRAM} {ROUNDS // 20} 1; true")
    samples = samples_of(kft.events("s.dat"))
    check_equal(len({e["fields"]["tgid"] for e in samples}), 2, "processes")
    check_equal(len({e["pid"] for e in samples}), 4, "threads")


def processes_that_run_already_are_sampled(kft):
    with subprocess.Popen([PROGRAM, "1000000000", "2"]) as p:
        try:
            live.wait_for(lambda: len(os.listdir(f"/proc/{p.pid}/task")) == 2, "threads")
            tids = {int(t) for t in os.listdir(f"/proc/{p.pid}/task")}
            kft.run("record", "-q", CLOCK, "-o", "s.dat", "-P", p.pid, "-d", "1")
            events = kft.events("s.dat")
            check_equal({e["pid"] for e in samples_of(events)}, tids, "threads")
            load_bias(events, p.pid)
        finally:
            p.kill()


def why_names_the_functions(kft):
    kft.run("record", "-q", "--for", "why", CLOCK, "-o", "s.dat", "--", "sh", "-c",
            f"{PROGRAM} {ROUNDS // 3}; true")
    answer = json.loads(kft.run("why", "s.dat", "command", "--format", "json").stdout)
    own = [r for r in answer["functions"] if (r["comm"], r["mode"]) == ("sampled", "in user mode")]
    are_as_planted({name: sum(r["samples"] for r in own if r["function"] == f"sampled:{name}")
                    for name in SHARES})
    check(sum(r["time"] for r in answer["functions"]) ==
          sum(r["time"] for r in answer["rows"] if r["cause"] in ("run", "run-other", "fault")),
          "the functions do not add up to the running time")
    # Where the machine was busy, the sentence may be about the wait for a CPU.
    check(answer["cause"] != "run-other" or
          re.search(r"running in user mode, about \d+ of the \d+ % in sampled:hot_six, from \d",
                    answer["sentence"]), answer["sentence"])
    spent = sum(r["time"] for r in own)
    samples = [e for e in samples_of(kft.events("s.dat"))]
    taken = sum(e["fields"]["period"] for e in samples)
    check(abs(spent - taken) <= 0.1 * taken,
          f"{spent} ns in user mode, but samples of {taken} ns")


def why_takes_samples_where_they_cost_little(kft):
    def dry(*args):
        p = kft.run("record", "--for", *args, "--dry-run")
        return " samples with call stacks " in p.stderr, "cpu-clock, 997 a second" in p.stdout, p

    told, taken, p = dry("why,why:fault")
    check(told and taken == ("they are taken" in p.stderr), p)
    kft.run("record", "-q", "--for", "why", "-o", "s.dat", "--", PROGRAM, ROUNDS // 20)
    check(bool(samples_of(kft.events("s.dat"))) == taken, f"{taken}: samples are taken")
    # Narrow questions, and what samples do not work with.
    for args in (("why:timer",), ("why", "--sample=none"), ("why", "--clock", "local")):
        told, taken, p = dry(*args)
        check(not told and not taken, (args, p))


def samples_lie_beside_events(kft):
    kft.run("record", "-q", CLOCK, "-e", "sched:sched_switch", "-e", "raw_syscalls", "-o",
            "s.dat", "--", PROGRAM, ROUNDS // 3)
    events = kft.events("s.dat")
    are_as_planted(counts_of(events))
    # All have one clock: no sample is before the program's start or after its end.
    pids = {e["pid"] for e in samples_of(events)}
    own = [e["ts"] for e in events if e["pid"] in pids and e["event"] != "cpu_clock"]
    for e in samples_of(events):
        check(min(own) <= e["ts"] <= max(own), f"a sample at {e['ts']}, outside of the run")
    check("overrun" not in kft.run("report", "s.dat").stderr, "something is damaged")
    text = subprocess.run(["trace-cmd", "report", "s.dat"], cwd=kft.dir, check=True,
                          capture_output=True, text=True, timeout=live.LIMIT).stdout
    for name, n in kft.report_counts("s.dat").items():
        check_equal(len(re.findall(rf"\d: {name}: ", text)), n, f"{name} by trace-cmd")


def lost_samples_are_counted_in_their_place(kft):
    r = kft.start("record", "--sample=page-faults/1", "-b", "16k", "-o", "s.dat", "-a")
    parts = kft.dir / "s.dat.parts"
    live.wait_for(lambda: any(f.stat().st_size for f in parts.glob("cpu*")), "it records")
    # A recorder that stands still does not empty the buffers, so that they must overflow.
    r.send_signal(signal.SIGSTOP)
    for _ in range(100):
        subprocess.run(["true"], check=True)
    r.send_signal(signal.SIGCONT)
    for _ in range(10):
        subprocess.run(["true"], check=True)
    said = kft.end(r, sig=signal.SIGINT)
    lost = int(re.search(r"LOST ([\d,]+) events", said)[1].replace(",", ""))
    check(lost > 0, f"nothing is lost: {said}")
    text = kft.run("report", "s.dat").stdout
    placed = sum(map(int, re.findall(r"\[(\d+) EVENTS DROPPED\]", text)))
    check(0 < placed <= lost, f"{placed} of {lost} lost samples have a place")


def a_pause_has_no_samples(kft):
    with subprocess.Popen([PROGRAM, "1000000000"]) as p:
        try:
            r = kft.record("s", CLOCK, "-e", "sched:sched_switch", "-P", p.pid)
            name = kft.session("s")
            live.time.sleep(0.2)
            kft.run("pause", name)
            live.time.sleep(0.2)
            kft.run("resume", name)
            live.time.sleep(0.2)
            kft.end(r, sig=signal.SIGINT)
        finally:
            p.kill()
    marks = kft.run("report", "s.dat", "-e", "ftrace:print").stdout
    begin, end = (float(t) for t in re.findall(r"(\d+\.\d+): print: .*kft: (?:pause|resume)",
                                               marks))
    times = [e["ts"] for e in samples_of(kft.events("s.dat"))]
    check(min(times) < begin * 1e9 and end * 1e9 < max(times), "no samples around the pause")
    # The marks are written after the one and before the other, by another clock tick.
    inside = [ts for ts in times if begin * 1e9 + 1e6 < ts < end * 1e9 - 1e6]
    check(not inside, f"{len(inside)} samples in the pause")


def a_killed_recorder_leaves_what_it_had(kft):
    with subprocess.Popen([PROGRAM, "1000000000"]) as p:
        try:
            r = kft.start("record", "-q", CLOCK, "-o", "s.dat", "-P", p.pid)
            parts = kft.dir / "s.dat.parts"
            live.wait_for(lambda: sum(f.stat().st_size for f in parts.glob("cpu*")) > 40000,
                          "samples are written")
            r.kill()
            r.wait()
            before = counts_of(kft.events("s.dat"))
            check(sum(before.values()) > 100, f"only {before}")
            kft.run("recover", "s.dat")
            check_equal(counts_of(kft.events("s.dat")), before, "recovered")
        finally:
            p.kill()


def as_user(kft, *args, **more):
    """kft of an ordinary user, in a directory of its own."""
    home = kft.dir / "home"
    home.mkdir(exist_ok=True)
    os.chmod(kft.dir, 0o755)
    os.chown(home, NOBODY, NOBODY)
    p = subprocess.run(["setpriv", "--reuid", str(NOBODY), "--regid", str(NOBODY),
                        "--clear-groups", kft.program, *map(str, args)], cwd=home,
                       capture_output=True, text=True, timeout=live.LIMIT, check=False, **more)
    return p, home / "s.dat"


def users_sample_their_own_programs(kft):
    live.need_program("setpriv")
    paranoid = live.pathlib.Path("/proc/sys/kernel/perf_event_paranoid")
    if paranoid.read_text().strip() != "2":
        live.skip("kernel.perf_event_paranoid is not 2")
    own = kft.dir / "sampled"
    shutil.copy(PROGRAM, own)
    p, trace = as_user(kft, "record", CLOCK, "-o", "s.dat", "--", own, ROUNDS // 3)
    check_equal(p.returncode, 0, p.stderr)
    check("user space only" in p.stderr, f"it does not tell what is missing: {p.stderr}")
    events = kft.events(trace)
    check(len(samples_of(events)) > 100, "there are no samples")
    check(all(int(e["fields"]["ip"]) < 1 << 63 for e in samples_of(events)),
          "there is an address of the kernel")
    for args, why in ((("-a", "-d", "1"), "only root"),
                      (("-P", "1", "-d", "1"), "cannot sample process 1")):
        p, _ = as_user(kft, "record", CLOCK, "-o", "t.dat", *args)
        check(p.returncode == 1 and why in p.stderr and "CAP_PERFMON" in p.stderr,
              f"{args}: {p.returncode}: {p.stderr}")
    p, _ = as_user(kft, "record", "--sample=context-switches", "-o", "t.dat", "--", "true")
    check("happen in the kernel" in p.stderr, p.stderr)


def others_are_refused_with_the_reason(kft):
    for args, why in (((CLOCK, "--overwrite"), "newest only"),
                      ((CLOCK, "--detach"), "only while a process waits"),
                      ((CLOCK, "-C", "x86-tsc"), "mono"),
                      ((CLOCK, "-o", "-"), "to a file only"),
                      (("--sample=sched:sched_switch",), "no samples are taken"),
                      (("--sample=cycles/0",), "cannot be taken")):
        p = kft.run("record", *args, "-d", "1", status=None)
        check(p.returncode and why in p.stderr, f"{args}: {p.returncode}: {p.stderr}")


live.main([
    shares_are_as_planted_and_as_perf_says,
    stats_and_flame_count_the_same,
    stacks_have_the_callers,
    threads_and_children_are_sampled,
    processes_that_run_already_are_sampled,
    why_names_the_functions,
    why_takes_samples_where_they_cost_little,
    samples_lie_beside_events,
    lost_samples_are_counted_in_their_place,
    a_pause_has_no_samples,
    a_killed_recorder_leaves_what_it_had,
    users_sample_their_own_programs,
    others_are_refused_with_the_reason,
])
