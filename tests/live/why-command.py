#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""The run of a command, by program: the tasks that it was waited for own the time that was planted, as
far as no other task of the command ran or waited for a CPU meanwhile."""
import json
import os
import pathlib

import live
from live import check

# A cache or a version manager must not stand between a command and its programs.
os.environ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"

# Works for a time on a CPU, and writes what the kernel counts of that.
BURN = """#!/usr/bin/python3
import resource, sys, time
while time.process_time() < {seconds}:
    pass
used = resource.getrusage(resource.RUSAGE_SELF)
print(int((used.ru_utime + used.ru_stime) * 1e9), file=open("{name}.used", "w"))
"""
MAKEFILE = "all: long short\nlong:\n\t@sleep 0.3\nshort:\n\t@sleep 0.1\n"


def burner(kft, name, seconds):
    path = kft.dir / name
    path.write_text(BURN.format(name=name, seconds=seconds))
    path.chmod(0o755)


def programs_of(kft, *argv):
    """{name: its row}, and the time of all programs but that one in which they did not wait."""
    for _ in range(3):
        p = kft.run("why", "--format", "json", "--", *argv)
        answer = json.loads(p.stdout[p.stdout.rindex('{"sentence"'):])
        rows = {row["comm"]: row for row in answer["programs"]}
        check(sum(row["time"] for row in rows.values()) == answer["time"], answer["programs"])
        # On a busy machine events can be lost, and what follows from them.
        if not any(row["cause"] == "lost" for row in answer["rows"]):
            break
    print(f"  {answer['sentence'][:160]}")

    def busy(name=None):
        return sum(row["time"] - row["sleep"] - row["io"] for row in rows.values()
                   if row["comm"] != name)

    return rows, busy


def check_sleep(kft, ns, all_ns, *argv):
    """The path has the longest sleep, or work and waits for CPUs meanwhile, and at most all sleeps."""
    rows, busy = programs_of(kft, *argv)
    slept = rows["sleep"]["sleep"]
    check(slept <= all_ns + 1e6 and ns <= slept + busy() + 2e6, rows)


def a_sleep_is_followed_into_pipelines_and_parallel_children(kft):
    (kft.dir / "Makefile").write_text(MAKEFILE)
    check_sleep(kft, 0.2e9, 0.2e9, "sleep", "0.2")
    check_sleep(kft, 0.2e9, 0.2e9, "sh", "-c", "(sleep 0.2; echo x) | cat")
    # Until the short one ends, make waits for that; on a busy machine the long one begins late.
    check_sleep(kft, 0.3e9, 0.4e9, "make", "-s", "-j2")


def work_is_that_of_the_kernels_counts(kft):
    burner(kft, "heavy", 0.15)
    burner(kft, "light", 0.05)
    rows, busy = programs_of(kft, "sh", "-c", "./heavy | cat; ./light")
    for name in "heavy", "light":
        used = int((kft.dir / f"{name}.used").read_text())
        row = rows[name]
        ran = row["running"] + row["interrupted"] + row["other"]
        # Python runs on for some time after it has read the count.
        check(row["running"] <= used + 30e6 and used <= ran + busy(name) + 5e6,
              f"{row}: the kernel counts {used} ns")
    check(rows["heavy"]["running"] > rows["light"]["running"], rows)


def a_flush_waits_for_the_disk(kft):
    device = os.stat(kft.dir).st_dev
    if not pathlib.Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}").exists():
        print("  no disk below this directory")
        return
    rows, _ = programs_of(kft, "dd", "if=/dev/zero", "of=z", "bs=1M", "count=4", "conv=fsync")
    check(sum(row["io"] for row in rows.values()) > 0, rows)


live.main([a_sleep_is_followed_into_pipelines_and_parallel_children,
           work_is_that_of_the_kernels_counts, a_flush_waits_for_the_disk])
