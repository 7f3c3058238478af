#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# kft record --start and --stop at events and times, for a program whose calls are known; also of
# recordings that no process waits for.
# usage: PROBED=PROGRAM record-conditions.py KFT [TEST]...
import json
import os

import live
from live import check, check_equal

PROBED = os.environ["PROBED"]
READ = "syscalls:sys_enter_pread64"
READ_DONE = "syscalls:sys_exit_pread64"
SLEEP = "syscalls:sys_enter_clock_nanosleep"


def work(rounds):
    """Each round reads as many bytes as its number is above 100, and sleeps."""
    return "--", PROBED, str(rounds), "/dev/null", "/etc/services"


def sizes(kft, trace):
    """Not those of the loader, which reads 784 bytes."""
    counts = [e["fields"]["count"] for e in kft.events(trace) if e["event"] == "sys_enter_pread64"]
    return [n for n in counts if n != 784]


def between_two_events(kft):
    p = kft.run("record", "-o", "t.dat", "-e", READ, "-e", SLEEP,
                "--start", READ + "/count == 104/",
                "--stop", SLEEP, *work(20))
    # The start's own event switches recording on and is not in the trace, the stop's is.
    check_equal(kft.asked_counts("t.dat"), {"sys_enter_clock_nanosleep": 1}, "events")
    check("nothing lost" in p.stderr, f"it said {p.stderr}")


def a_stop_before_the_start_is_none(kft):
    kft.run("record", "-q", "-o", "t.dat", "-e", READ, "--stop", READ + "/count == 102/",
            "--start", SLEEP, *work(10))
    # The first sleep is that of round 0.
    check_equal(sizes(kft, "t.dat"), [101, 102], "reads")


def from_an_event_to_the_end(kft):
    kft.run("record", "-q", "-o", "t.dat", "-e", READ, "--start", READ + "/count == 107/",
            *work(12))
    check_equal(sizes(kft, "t.dat"), [108, 109, 110, 111], "reads")


def to_an_event_and_the_command_goes_on(kft):
    kft.run("record", "-q", "-o", "t.dat", "-e", READ, "--stop", READ + "/count == 103/",
            "--", "sh", "-c", f"{PROBED} 12 /dev/null /etc/services; exit 7", status=7)
    check_equal(sizes(kft, "t.dat"), [100, 101, 102, 103], "reads")


def conditions_are_those_of_the_chosen_tasks(kft):
    other = live.subprocess.Popen([PROBED, "100000", "/dev/null", "/etc/services"])
    try:
        kft.run("record", "-q", "-o", "t.dat", "-e", READ, "--start", READ + "/count < 105/",
                *work(4))
        check_equal(sizes(kft, "t.dat"), [101, 102, 103], "reads")
    finally:
        other.kill()
        other.wait()


def times(kft):
    kft.run("record", "-q", "-o", "t.dat", "-e", READ, "--start", "100ms", "--stop", "100ms",
            "--format", "json", *work(500))
    got = sizes(kft, "t.dat")
    check(got and got == list(range(got[0], got[0] + len(got))), f"a piece of the reads: {got}")
    check(got[0] > 100, "nothing was left out before the start")


def step(kft, verb, *args, **more):
    return kft.run(verb, "-n", kft.session("c"), *args, **more)


def status(kft):
    return json.loads(step(kft, "status", "--format", "json").stdout)["sessions"][0]


def by_probed(event, condition):
    return f'{event}/comm == "probed" && {condition}/'


def detached_between_two_events(kft):
    p = step(kft, "record", "--detach", "-e", by_probed(READ, "fd >= 0"),
             "--start", by_probed(READ, "count == 104"), "--stop", by_probed(READ_DONE, "ret == 108"))
    check("waits for its start" in p.stderr, f"it said {p.stderr}")
    told = status(kft)
    check_equal((told["state"], told["records"]), ("primed", 0), "before the start")
    live.subprocess.run([PROBED, "20", "/dev/null", "/etc/services"], check=True)
    told = status(kft)
    check_equal((told["state"], told["stopped_by"]), ("complete", "trigger"), "behind the stop")
    step(kft, "save", "-o", "t.dat")
    # The start's own event is recorded where the recorded event has a filter, too.
    check_equal([n for n in sizes(kft, "t.dat") if n != 104], [105, 106, 107, 108], "reads")
    step(kft, "reset")


def detached_to_a_file_and_nothing_between(kft):
    step(kft, "record", "--detach", "-q", "-o", "t.dat", "-e", by_probed(SLEEP, "common_pid > 0"),
         "--start", by_probed(READ, "count == 104"), "--stop", by_probed(READ_DONE, "ret == 104"))
    live.subprocess.run([PROBED, "20", "/dev/null", "/etc/services"], check=True)
    live.wait_for(lambda: status(kft)["state"] == "complete", "the stop is noticed")
    check_equal(kft.asked_counts("t.dat"), {}, "events")
    step(kft, "reset")


def detached_paused_after_its_start(kft):
    work = [PROBED, "20", "/dev/null", "/etc/services"]
    step(kft, "record", "--detach", "-q", "-e", by_probed(READ, "count == 119"),
         "--start", by_probed(READ, "count == 110"))
    said = step(kft, "pause", status=1).stderr
    check("has not started" in said, said)
    live.subprocess.run(work, check=True)
    step(kft, "pause")
    live.subprocess.run(work, check=True)
    step(kft, "resume")
    live.subprocess.run(work, check=True)
    step(kft, "stop")
    step(kft, "save", "-o", "t.dat")
    check_equal(sizes(kft, "t.dat"), [119, 119], "reads")
    step(kft, "reset")


def detached_snapshot_after_its_start(kft):
    step(kft, "record", "--detach", "-q", "--overwrite", "-e", by_probed(READ, "count == 119"),
         "--start", by_probed(READ, "count == 110"))
    live.subprocess.run([PROBED, "20", "/dev/null", "/etc/services"], check=True)
    for i in range(2):
        step(kft, "snapshot", "-q", "-o", "t.dat")
        check_equal([n for n in sizes(kft, "t.dat") if n != 110], [119], f"reads of snapshot {i}")
    step(kft, "reset")


def detached_times(kft):
    step(kft, "record", "--detach", "-q", "-e", "sched:sched_switch", "--start", "50ms",
         "--stop", "50ms")
    live.wait_for(lambda: status(kft)["state"] == "complete", "it ends by itself")
    check_equal(status(kft)["stopped_by"], "time", "why it ended")
    step(kft, "save", "-o", "t.dat")
    check(kft.counts("t.dat").get("sched_switch", 0) > 0, "it recorded nothing")
    step(kft, "reset")


def what_does_not_come_is_said(kft):
    p = kft.run("record", "-o", "t.dat", "-e", READ, "--start", READ + "/count == 1/",
                *work(3), status=125)
    check("the condition of --start did not occur" in p.stderr, f"it said {p.stderr}")
    check_equal(kft.asked_counts("t.dat"), {}, "events")


def what_is_no_condition_is_said(kft):
    for when, status, says in (
            ("sched", 2, "not a moment: 'sched'"),
            ("sched:*", 2, "not one event: 'sched:*'"),
            ("sched:sched_swich", 125, "did you mean 'sched:sched_switch'"),
            (READ + "/cont == 1/", 125, "Field not found"),
            ("enter:vfs_*", 2, "wants one function"),
            ("enter:no_such_function", 125, "no_such_function")):
        p = kft.run("record", "-q", "-o", "n.dat", "-e", READ, "--start", when, "--", "true",
                    status=status)
        check(says in p.stderr, f"{when}: it said {p.stderr}")
    p = kft.run("record", "-q", "-o", "n.dat", "-e", READ, "--start", READ, "--stop", READ,
                "--", "true", status=125)
    check("the kernel has one for each event" in p.stderr, f"it said {p.stderr}")


if __name__ == "__main__":
    live.main([between_two_events, a_stop_before_the_start_is_none, from_an_event_to_the_end,
               to_an_event_and_the_command_goes_on, conditions_are_those_of_the_chosen_tasks,
               times, detached_between_two_events, detached_to_a_file_and_nothing_between,
               detached_paused_after_its_start, detached_snapshot_after_its_start, detached_times,
               what_does_not_come_is_said, what_is_no_condition_is_said])
