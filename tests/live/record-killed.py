#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# A recorder that is killed at any moment costs what was still in the kernel, nothing else.
# usage: record-killed.py KFT [TEST]...; KFT_TEST_SEED repeats a run.
import os
import pathlib
import random
import subprocess
import time

import live
from live import check, check_equal

ROUNDS = 24
RECORD_S = 0.4
# Arming takes less than the one, finishing less than the other.
ARM_S = 0.3
FINISH_S = 0.2

# Something to record on a machine that does nothing else.
BUSY = "while :; do read -r _ < /proc/self/stat; /bin/true; done"


def is_off(kft, name):
    """What the dead session has in the kernel, if anything, costs nothing any more."""
    if not kft.instance(name).exists():
        return False
    # The kernel closes the files of the dead in its own time. Who dies while the kernel makes
    # the instance leaves one that is on, as all new ones are, with nothing to record.
    live.wait_for(lambda: kft.instance_file(name, "tracing_on") != "1" or
                  (kft.instance_file(name, "events/enable") == "0" and
                   kft.instance_file(name, "current_tracer") == "nop"),
                  "a dead session's tracing is off")
    live.wait_for(lambda: int(kft.instance_file(name, "buffer_total_size_kb") or 0) < 200,
                  "a dead session's buffers are freed")
    return kft.instance(name).exists()


def is_saved(kft, trace, counts, how):
    """`kft recover` makes an ordinary trace of it: elsewhere (how) or in place (None)."""
    saved = trace
    if how is None:
        kft.run("recover", trace.name)
        check(not parts_of(trace).exists(), "parts of a recovered trace")
    else:
        source = trace.read_bytes()
        saved = kft.dir / "saved.dat"
        kft.run("recover", "-o", saved.name, *how, trace.name)
        check_equal(trace.read_bytes(), source, "a trace that was recovered elsewhere")
        check_equal(kft.counts(trace.name), counts, "the same, its events")
    check_equal(live.trace_cmd_counts(saved), counts, f"recover {how}, by trace-cmd")
    check_equal(kft.counts(saved.name), counts, f"recover {how}")


def parts_of(trace):
    return pathlib.Path(f"{trace}.parts")


def is_readable(kft, trace):
    """At once, everything that reached the disk. Returns what there is."""
    counts = kft.counts(trace.name)
    parts = parts_of(trace)
    if (parts / "cpu0").exists() and b"fk" in trace.read_bytes()[:200]:
        check_equal(counts, live.parts_counts(parts), "kft stats, and its pages walked")
    check_equal(kft.report_counts(trace.name), counts, "kft report")
    return counts


def kill_once(kft, rng, number, how):
    """Returns the events that were saved, and whether the kernel had something left."""
    name = f"k{number}"
    trace = kft.dir / f"{name}.dat"
    args = ["record", "-q", "-n", kft.session(name), "-o", trace.name,
            "-b", rng.choice(["64k", "256k", "1M"])]
    if number // 4 % 2:
        args += ["-a", "-d", RECORD_S]
        command = None
    else:
        command = kft.dir / f"{name}.ran"
        args += ["--", "sh", "-c", f"touch {command}; exec timeout {RECORD_S} sh -c '{BUSY}'"]
    late = rng.random() < 0.75
    delay = rng.uniform(0, RECORD_S + FINISH_S if late else ARM_S)
    p = kft.start(*args)
    if late:
        live.wait_for(lambda: kft.is_on(name) or p.poll() is not None, "it records")
    time.sleep(delay)
    p.kill()
    p.wait()
    left = is_off(kft, name)
    counts = {}
    if trace.exists():
        counts = is_readable(kft, trace)
        is_saved(kft, trace, counts, how)
    elif command:
        check(not command.exists(), "a command runs that is not recorded")
    # The session's name can be used again, and takes away what is left. So can the file's
    # once nothing would be lost.
    if trace.exists() and counts and how is not None:
        said = kft.run("record", "-o", trace.name, "--", "true", status=None).stderr
        check("kft recover" in said or not parts_of(trace).exists(), f"it said: {said}")
        kft.run("recover", trace.name)
    kft.run("record", "-n", kft.session(name), "-o", trace.name, "--", "true")
    check(not kft.instance(name).exists(), "an instance is left")
    print(f"killed {delay:.3f} s after its {'arming' if late else 'start'}: {sum(counts.values())} events saved"
          f"{', an instance left' if left else ''}", flush=True)
    return sum(counts.values()), left


def killed_at_random_moments(kft):
    seed = int(os.environ.get("KFT_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"KFT_TEST_SEED={seed}", flush=True)
    rng = random.Random(seed)
    busy = subprocess.Popen(["sh", "-c", BUSY])
    saved = []
    left = 0
    try:
        for number in range(ROUNDS):
            how = [None, [], ["--compress"], ["--file-version", "6"]][number % 4]
            events, is_left = kill_once(kft, rng, number, how)
            saved.append(events)
            left += is_left
    finally:
        busy.kill()
        busy.wait()
    # Else nothing was tested.
    check(sum(n > 0 for n in saved) >= ROUNDS // 4, f"few recordings had events: {saved}")
    check(left > 0, "no kill left an instance")


def reset_leaves_the_living_alone(kft):
    living = {"a": kft.record("a", "-e", "sched"), "b": kft.record("b", "-e", "irq")}
    dead = kft.record("dead", "-e", "sched")
    dead.kill()
    dead.wait()
    said = kft.run("reset").stdout
    check(not kft.instance("dead").exists(), "reset has not removed the dead session")
    for name in living:
        check(f"kft-{kft.session(name)}: left alone" in said, f"reset said: {said}")
        check(kft.is_on(name), f"reset has stopped session {name}")
    # They record on: this program ends after the reset.
    mark = subprocess.Popen(["sleep", "0.01"])
    mark.wait()
    for p in living.values():
        kft.end(p, sig=2)
    pids = {e["pid"] for e in kft.events("a.dat", "-e", "sched_process_exit")}
    check(mark.pid in pids, "session a has missed what came after the reset")
    check_equal(kft.counts("b.dat"), live.trace_cmd_counts(kft.dir / "b.dat"), "b.dat")
    check(kft.dir.joinpath("dead.dat.parts").exists(), "reset has touched files")


if __name__ == "__main__":
    live.need_program("trace-cmd")
    live.main([killed_at_random_moments, reset_leaves_the_living_alone])
