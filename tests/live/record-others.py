#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# What other programs do to a recording is told, with its time, and kft fails: its events
# are taken, its buffers emptied, recording is switched off for a while.
# usage: record-others.py KFT [TEST]...
import ctypes
import os
import signal
import sys
import time

import live
from live import check, check_equal

libc = ctypes.CDLL(None, use_errno=True)
GETPPID = 110 if os.uname().machine == "x86_64" else 173
EVENTS = ["-e", f"raw_syscalls:sys_enter/common_pid == {os.getpid()} && "
          f"id == {110 if os.uname().machine == 'x86_64' else 173}/"]


def calls(first, count):
    """getppid() with a number that it ignores: which of them are in the trace is known."""
    for n in range(first, first + count):
        libc.syscall(GETPPID, n)


def numbers(kft, file):
    return [int(e["fields"]["args"][0]) for e in kft.events(file)]


def clock():
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def losses(kft, file):
    """The CPUs' lost and uncounted gaps, as kft stats has them."""
    rows = kft.stats(file)["by_cpu"]
    return sum(r["lost"] for r in rows), sum(r["uncounted_gaps"] for r in rows)


def another_reader_is_counted(kft):
    p = kft.record("t", *EVENTS)
    # Marks of other programs would be among the events that are counted.
    (kft.instance("t") / "options/markers").write_text("0")
    calls(0, 20000)
    # More than a page each, and all at once: what kft has not fetched by then is taken.
    taken = 0
    pipes = [os.open(f, os.O_RDONLY | os.O_NONBLOCK)
             for f in kft.instance("t").glob("per_cpu/cpu*/trace_pipe_raw")]
    first = 20000
    while taken < 5:
        calls(first, 1000)
        first += 1000
        for fd in pipes:
            try:
                page = os.read(fd, 4096)
            except OSError:
                continue
            taken += sum(1 for _ in live.page_events(page + bytes(4096 - len(page))))
    for fd in pipes:
        os.close(fd)
    calls(first, 5000)
    said = kft.end(p, status=1, sig=signal.SIGINT)
    got = numbers(kft, "t.dat")
    check_equal(len(got) + taken, first + 5000, "what is in the trace and what was taken")
    check(f"another program took {taken:,} events" in said, f"{taken} taken: {said}")
    check("nothing lost" not in said, said)
    check(f" {len(got):,} events in" in said, said)
    lost, uncounted = losses(kft, "t.dat")
    check_equal((lost, uncounted), (taken, 0), "losses in the trace")


def an_emptied_buffer_is_told(kft):
    p = kft.record("t", *EVENTS)
    calls(0, 3000)
    (kft.instance("t") / "trace").write_text("")
    calls(3000, 3000)
    said = kft.end(p, status=1, sig=signal.SIGINT)
    got = numbers(kft, "t.dat")
    check(len(got) < 6000, "nothing was in the buffer")
    check("unknown number of events" in said, said)
    check_equal(got[-1], 5999, "the last call")


def times_without_recording_are_told(kft):
    p = kft.record("t", "-C", "mono", *EVENTS)
    calls(0, 100)
    off = clock()
    (kft.instance("t") / "tracing_on").write_text("0")
    calls(100, 100)
    (kft.instance("t") / "tracing_on").write_text("1")
    on = clock()
    calls(200, 100)
    said = kft.end(p, status=1, sig=signal.SIGINT)
    check_equal(numbers(kft, "t.dat"), [*range(100), *range(200, 300)], "the calls")
    check("switched recording off" in said, said)
    lost, uncounted = losses(kft, "t.dat")
    check(uncounted >= 1 and lost == 0, f"lost {lost}, {uncounted} gaps")
    # The loss record of the file has the span: read without kft.
    spans = loss_records(kft.dir / "t.dat")
    check(spans and all(s <= off and u >= on for s, u in spans),
          f"{off} to {on} is not in {spans}")


def loss_records(file):
    """(since, until) of the LOST option: see docs/formats/trace-dat.md."""
    data = file.read_bytes()
    # Behind the start come name and version of the compression, and the first options.
    at = 18
    at = data.index(b"\0", at) + 1
    at = data.index(b"\0", at) + 1
    at = int.from_bytes(data[at:at + 8], "little")
    found = []
    while at:
        at += 16
        while True:
            kind = int.from_bytes(data[at:at + 2], "little")
            size = int.from_bytes(data[at + 2:at + 6], "little")
            body = data[at + 6:at + 6 + size]
            at += 6 + size
            if kind == 0:
                at = int.from_bytes(body, "little")
                break
            if kind == 0x6b67:
                for r in range(0, size, 32):
                    found.append((int.from_bytes(body[r + 8:r + 16], "little"),
                                  int.from_bytes(body[r + 16:r + 24], "little")))
    return found


def a_trigger_that_ends_it_is_told(kft):
    p = kft.record("t", *EVENTS)
    calls(0, 100)
    trigger = kft.instance("t") / "events/syscalls/sys_enter_getpriority/trigger"
    if not trigger.exists():
        trigger = kft.instance("t") / "events/sched/sched_process_exit/trigger"
    trigger.write_text("traceoff")
    os.getpriority(os.PRIO_PROCESS, 0)
    if os.fork() == 0:
        os._exit(0)
    os.wait()
    check_equal(kft.instance_file("t", "tracing_on"), "0", "after the trigger")
    trigger.write_text("!traceoff")
    calls(100, 100)
    said = kft.end(p, status=1, sig=signal.SIGINT)
    check_equal(numbers(kft, "t.dat"), [*range(100)], "the calls")
    check("switched recording off" in said, said)


def a_command_gets_a_status_of_its_own(kft):
    """With a command, too: its status is not kft's when events are missing."""
    off = f"echo 0 >{kft.instance('t')}/tracing_on"
    kft.run("record", "-n", kft.session("t"), "-o", "t.dat", "-e", "sched", "--", "sh", "-c",
            off + "; exit 3", status=125)


def nothing_is_said_when_nothing_happened(kft):
    """Filters discard events in the buffer; reading the counters must not take them for theft."""
    p = kft.record("t", *EVENTS, "-e", "sched", "-b", "64k", "-e",
                   "irq:*/common_pid == 1/")
    calls(0, 300000)
    said = kft.end(p, sig=signal.SIGINT)
    check("NOT RECORDED" not in said, said)


live.main([another_reader_is_counted, an_emptied_buffer_is_told,
           times_without_recording_are_told, a_trigger_that_ends_it_is_told,
           a_command_gets_a_status_of_its_own, nothing_is_said_when_nothing_happened])
