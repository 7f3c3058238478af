#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Probes of a program whose calls are known, on this machine's kernel.
# usage: PROBED=PROGRAM record-probes.py KFT [TEST]...
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import live
from live import check, check_equal

PROBED = os.environ["PROBED"]
TEXTS = ["alpha", "beta", "gamma", "delta", "e"]
TRACEFS = "/sys/kernel/tracing"


def probes():
    """The events that kft has made, as the kernel lists them."""
    text = pathlib.Path(TRACEFS, "uprobe_events").read_text()
    return [line for line in text.splitlines() if ":kftp_" in line]


def fields(kft, trace, event):
    return [e["fields"] for e in kft.events(trace) if e["event"] == event]


def arguments_and_returns(kft):
    kft.run("record", "-q", "-o", "t.dat", "-u", PROBED + ":planted_add(n=$arg1:s32, text=$arg2:string)",
            "-u", PROBED + ":planted_add%return($retval:s32)", "--", PROBED)
    got = [(f["n"], f["text"]) for f in fields(kft, "t.dat", "planted_add")]
    check_equal(got, [(100 + i, TEXTS[i]) for i in range(5)], "arguments")
    got = [f["retval"] for f in fields(kft, "t.dat", "planted_add_return")]
    check_equal(got, [100 + i + ord(TEXTS[i][0]) - ord("a") for i in range(5)], "returns")
    order = [e["event"] for e in kft.events("t.dat")]
    check_equal(order, ["planted_add", "planted_add_return"] * 5, "order")
    check_equal(probes(), [], "probes that are left")


def globs_filters_and_events_together(kft):
    kft.run("record", "-q", "-o", "t.dat", "-u", PROBED + ":planted_*",
            "-u", PROBED + ":planted_twice($arg1:s32)/arg1 >= 3/",
            "-e", "sched:sched_process_exit", "--", PROBED)
    counts = kft.counts("t.dat")
    check_equal({k: v for k, v in counts.items() if k.startswith("planted")},
                {"planted_add": 5, "planted_twice": 5, "planted_twice_2": 2}, "counts")
    check(counts.get("sched_process_exit", 0) >= 1, f"no event beside the probes: {counts}")


def a_library_by_its_name(kft):
    kft.run("record", "-q", "-o", "t.dat", "-u", "libc.so.6:getppid", "--",
            sys.executable, "-c", "import os; [os.getppid() for _ in range(7)]")
    check(kft.counts("t.dat").get("getppid", 0) >= 7, "calls in a library")


def stacks_of_one_event(kft):
    """Only where they are asked for, and where the filter lets the event pass."""
    kft.run("record", "-q", "-o", "s.dat", "-e", "sched:sched_process_exit//stack", "-e",
            "raw_syscalls:sys_exit/ret == 0/stack", "-e", "raw_syscalls:sys_enter", "--",
            "sh", "-c", "true; true | true")
    stacked, before = {}, {}
    for e in kft.events("s.dat"):
        if e["event"] == "kernel_stack":
            name = before.get(e["cpu"], "nothing")
            stacked[name] = stacked.get(name, 0) + 1
        before[e["cpu"]] = e["event"]
    counts = kft.counts("s.dat")
    check_equal(stacked, {name: counts[name] for name in ("sched_process_exit", "sys_exit")},
                f"stacks, of {counts}")
    check(counts["sched_process_exit"] >= 3, f"{counts}")
    kft.run("record", "-q", "-o", "p.dat", "-u", PROBED + ":planted_add//stack", "--", PROBED)
    counts = kft.counts("p.dat")
    check_equal(counts.get("kernel_stack"), counts["planted_add"], f"stacks of a probe: {counts}")
    said = kft.run("record", "-e", "sched:sched_switch/stack", "--", "true", status=2).stderr
    check("no closing '/'" in said, said)


def stacks(kft):
    kft.run("record", "-q", "-o", "t.dat", "--stack", "-e", "sched:sched_process_exit", "--",
            PROBED)
    counts = kft.counts("t.dat")
    check(counts.get("kernel_stack", 0) >= counts["sched_process_exit"] >= 1,
          f"no kernel stacks: {counts}")
    kft.run("record", "-q", "-o", "u.dat", "--user-stack", "-u", PROBED + ":planted_add", "--",
            PROBED)
    check_equal(kft.counts("u.dat").get("user_stack"), 5, "user stacks")


def sessions_do_not_collide(kft):
    spec = PROBED + ":planted_add($arg1:s32)"
    a = kft.record("a", "-u", spec, "-a")
    b = kft.record("b", "-u", spec + "/arg1 == 101/", "-a")
    check_equal(len(probes()), 2, "probes of two sessions")
    subprocess.run([PROBED, "5"], check=True)
    kft.end(a, sig=signal.SIGINT)
    check_equal(len(probes()), 1, "probes when one has ended")
    subprocess.run([PROBED, "5"], check=True)
    kft.end(b, sig=signal.SIGINT)
    check_equal(probes(), [], "probes that are left")
    check_equal(kft.asked_counts("a.dat"), {"planted_add": 5}, "a")
    check_equal(kft.asked_counts("b.dat"), {"planted_add": 2}, "b")


def killed_ones_are_removed(kft):
    for _ in range(3):
        a = kft.record("a", "-u", PROBED + ":planted_*", "-a")
        check_equal(len(probes()), 2, "probes")
        a.kill()
        a.wait()
        # What holds the dead session's files is freed in the kernel's own time.
        live.wait_for(lambda: kft.run("reset").returncode == 0 and not probes(),
                      "the next command removes them")
        shutil.rmtree(kft.dir / "a.dat.parts", ignore_errors=True)
        (kft.dir / "a.dat").unlink(missing_ok=True)


def what_cannot_be_probed_is_said(kft):
    for spec, says, hint in (
            (PROBED + ":planted_ad", "has no function 'planted_ad'", "'planted_add'"),
            # It is built without debugging information.
            (PROBED + ":planted_add(n)", "arguments", "$arg1"),
            (PROBED + ":planted_add%return($arg1)", "only $retval is", ""),
            ("/etc/passwd:main", "not an ELF program", ""),
            ("/no/such:main", "/no/such", ""),
            ("no-such-program:main", "no-such-program", "")):
        p = kft.run("record", "-q", "-o", "n.dat", "-u", spec, "--", "true", status=125)
        check(says in p.stderr and hint in p.stderr, f"{spec}: it said {p.stderr}")
        check_equal(probes(), [], f"{spec}: probes that are left")
    p = kft.run("record", "-q", "-o", "n.dat", "-u", "main", "--", "true", status=2)
    check("not a probe: 'main'" in p.stderr, f"it said {p.stderr}")


if __name__ == "__main__":
    live.main([arguments_and_returns, globs_filters_and_events_together, a_library_by_its_name,
               stacks, stacks_of_one_event, sessions_do_not_collide, killed_ones_are_removed,
               what_cannot_be_probed_is_said])
