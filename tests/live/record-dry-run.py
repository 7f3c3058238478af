#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# --dry-run: what it says of this kernel is what doctor says, and nothing is recorded or left.
# usage: record-dry-run.py KFT [TEST]...
import json
import os
import subprocess

import live
from live import check, check_equal


def states(kft):
    rows = json.loads(kft.run("doctor", "--json").stdout)["mechanisms"]
    return {row["id"]: row["state"] for row in rows}


def rows_of(kft, *args):
    """The rows, and whether all can be had, which is the exit status as well."""
    files = sorted(kft.dir.rglob("*"))
    known = states(kft)
    p = kft.run(args[0], "--format", "json", *args[1:], status=None)
    answer = json.loads(p.stdout)
    for row in answer["plan"]:
        want = known[row["mechanism"]] if row["mechanism"] else "yes"
        check_equal(row["can"], want, f"{args}: {row['source']} {row['what']}")
    can = all(row["can"] in ("yes", "limited") for row in answer["plan"])
    check_equal(answer["can"], can, f"{args}: the whole")
    check_equal(p.returncode, 0 if can else 1, f"{args}: status")
    check_equal(sorted(kft.dir.rglob("*")), files, f"{args}: files")
    return [(row["source"], row["what"]) for row in answer["plan"]]


def record_says_what_it_would_do(kft):
    rows = rows_of(kft, "record", "--dry-run", "-e", "sched:sched_switch/prev_pid == 1/", "-k",
                   "vfs_read", "-f", "vfs_*", "--min", "10us", "-o", "t.dat", "--", "false")
    for row in [("event", "sched:sched_switch"), ("filter", "prev_pid == 1"),
                ("kprobe", "vfs_read"), ("calls", "vfs_*"), ("min", "at least 10000 ns"),
                ("tasks", "1 process and its descendants")]:
        check(row in rows, f"no {row} in {rows}")
    rows_of(kft, "flight", "start", "--dry-run", "-e", "sched")


def filters_are_tried_without_the_marks_of_others(kft):
    """A filter that nothing passes lets no event through, whatever programs mark meanwhile."""
    loop = 'while :; do "$0" mark y >/dev/null 2>&1; done'
    with subprocess.Popen(["sh", "-c", loop, kft.program]) as p:
        try:
            for _ in range(5):
                check_equal(states(kft)["event-filters"], "yes", "filters")
        finally:
            p.kill()


def conditions_are_part_of_it(kft):
    conditions = ["irq > 5ms do snapshot", "sched:sched_process_exec do mark exec", "2s do stop"]
    on = [word for text in conditions for word in ("--on", text)]
    rows = rows_of(kft, "record", "--dry-run", "-e", "sched", "--detach", *on)
    check_equal([what for source, what in rows if source == "on"], conditions, "conditions")
    p = kft.run("flight", "start", "--dry-run", "--on", "irk > 5ms do snapshot", status=None)
    check("irk" in p.stderr and p.returncode != 0, f"status {p.returncode}: {p.stderr}")


def without_events_it_is_those_of_the_manual(kft):
    for verb in (["record"], ["record", "-a"], ["flight", "start"]):
        rows = rows_of(kft, *verb, "--dry-run")
        check_equal([what for source, what in rows if source == "event"],
                    ["sched", "irq", "raw_syscalls"], f"{verb}")


def run_says_it_of_each_run(kft):
    (kft.dir / "c.conf").write_text("begin\n trigger start time 0\n filter mintime 500\nend\n"
                                    "begin\n filter maxtime 900\nend\n")
    rows = rows_of(kft, "run", "--dry-run", "c.conf")
    check(("min", "at least 500000 ns") in rows, f"the first run: {rows}")
    check(("max", "at most 900000 ns") in rows, f"the second run: {rows}")


def what_does_not_exist_is_an_error(kft):
    p = kft.run("record", "--dry-run", "-e", "sched:sched_swich", status=1)
    check("sched_switch" in p.stderr, f"it said: {p.stderr}")
    p = kft.run("record", "--dry-run", "-f", "vfs_*", "--min", "2us", "--max", "1us", status=2)
    check("--max is less than --min" in p.stderr, f"it said: {p.stderr}")


def probes_are_looked_up(kft):
    """In kft itself, with the words that a recording would refuse them with."""
    program = os.path.realpath(kft.program)
    for probe, words in [("./nofile:x", "cannot read program './nofile'"),
                         (f"{program}:maim", "has no function 'maim'"),
                         (f"{program}:main($nonsense)", "$nonsense")]:
        p = kft.run("record", "--dry-run", "-u", probe, status=1)
        check(words in p.stderr, f"{probe}: it said: {p.stderr}")
    p = kft.run("record", "--dry-run", "-k", "vfs_raed", status=1)
    check("no such function" in p.stderr, f"it said: {p.stderr}")
    rows = rows_of(kft, "record", "--dry-run", "-u", f"{program}:mai[n]")
    check(("uprobe", f"{program}:mai[n]") in rows, f"no probe in {rows}")


def a_session_that_no_backend_takes_is_refused(kft):
    for args, words in ((("--detach",), "only while a process waits"), (("-C", "x86-tsc"), "mono")):
        p = kft.run("record", "--dry-run", "-e", "sched", "--sample=cpu-clock", *args, status=1)
        check(words in p.stderr, f"{args}: it said: {p.stderr}")


live.main([record_says_what_it_would_do, filters_are_tried_without_the_marks_of_others, conditions_are_part_of_it,
           without_events_it_is_those_of_the_manual,
           run_says_it_of_each_run, what_does_not_exist_is_an_error, probes_are_looked_up,
           a_session_that_no_backend_takes_is_refused])
