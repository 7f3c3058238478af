#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# The flight recorder: the last moments of a session, while it goes on.
# usage: flight.py KFT [TEST]...; KFT_TEST_SEED repeats a run.
import fcntl
import functools
import json
import os
import pathlib
import pty
import queue
import random
import re
import signal
import subprocess
import threading

import live
from live import check, check_equal

SNAPSHOTS = 10
# More than the buffers hold in the test that wants the oldest to be overwritten.
MANY = 60000


def step(kft, verb, *args, **more):
    return kft.run(verb, "-n", kft.session("f"), *args, **more)


def start(kft, keep):
    # An event that nothing causes: others' would push the marks out of small buffers.
    kft.run("flight", "start", "-q", "-n", kft.session("f"),
            "-e", "sched:sched_process_exit/pid == 1/", "--keep", keep)


def resets(test):
    """Whatever becomes of the test, its session does not stay."""
    @functools.wraps(test)
    def run(kft):
        try:
            test(kft)
        finally:
            step(kft, "reset", status=None)
    return run


class Marks:
    """Writes numbers into the session as fast as it can, until it is told to end."""

    def __init__(self, kft):
        self.file = open(live.TRACEFS / "instances" / f"kft+{kft.session('f')}" /
                         "trace_marker", "w", buffering=1)
        self.last = 0

    def write(self, count):
        """False when recording is off, as it is while buffers grow."""
        for _ in range(count):
            self.last += 1
            try:
                os.write(self.file.fileno(), b"number %d" % self.last)
            except OSError:
                return False
        return True

    def close(self):
        self.file.close()


def numbers(kft, file):
    """The marks of a trace, in its order."""
    lines = kft.run("report", file).stdout
    return [int(n) for n in re.findall(r": number (\d+)$", lines, re.M)]


def is_one_piece(got, what):
    holes = [(a, b) for a, b in zip(got, got[1:]) if b != a + 1]
    check(not holes, f"{what} has holes: {holes[:5]}")


def ten_in_a_row_lose_nothing(kft):
    start(kft, "64M")
    marks = Marks(kft)
    # So many more for each snapshot, which are written while it is taken.
    portions = queue.Queue()

    def write():
        while portions.get():
            marks.write(1000)
    thread = threading.Thread(target=write)
    portions.put(True)
    thread.start()
    try:
        for i in range(SNAPSHOTS):
            before = marks.last
            portions.put(True)
            step(kft, "snapshot", "-o", f"{i}.dat", "--why", f"snapshot {i}")
            got = numbers(kft, f"{i}.dat")
            is_one_piece(got, f"snapshot {i}")
            if not got:
                continue
            # All of it, every time: nothing was overwritten yet.
            check_equal(got[0], 1, f"the first mark of snapshot {i}")
            check(not got or got[-1] >= before, f"snapshot {i} ends at {got[-1]}, not {before}")
    finally:
        portions.put(False)
        thread.join()
        marks.close()
    text = kft.run("report", f"{SNAPSHOTS - 1}.dat").stdout
    check_equal(re.findall(r"kft: snapshot (.*)$", text, re.M),
                [f"snapshot {i}" for i in range(SNAPSHOTS)], "the reasons")
    last = f"{SNAPSHOTS - 1}.dat"
    check_equal(live.trace_cmd_counts(kft.dir / last), kft.counts(last), "by trace-cmd")
    step(kft, "stop")
    step(kft, "save", "-o", "all.dat")
    got = numbers(kft, "all.dat")
    is_one_piece(got, "what is saved at the end")
    check_equal((got[0], got[-1]), (1, marks.last), "all marks")
    step(kft, "reset")


def a_snapshot_causes_few_events_before_it_reads(kft):
    """Else its own work pushes out of small buffers what it is about."""
    kft.run("flight", "start", "-q", "-n", kft.session("f"), "-s", "syscalls", "--keep", "64M")
    step(kft, "snapshot", "-q", "-o", "m.dat", "--why", "now")
    events = kft.events("m.dat")
    mark = next(e for e in events if "kft: snapshot now" in str(e["fields"]))
    own = [e for e in events if e["pid"] == mark["pid"] and e["ts"] > mark["ts"]]
    # Names of tasks are read, which are thousands; formats and symbols were 26,000.
    check(len(own) < 10000, f"{len(own)} events of its own")
    step(kft, "reset")


def the_oldest_go(kft):
    """On one CPU, whose buffer is smaller than what comes."""
    start(kft, "128k")
    marks = Marks(kft)
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    try:
        for i in range(3):
            marks.write(MANY)
            step(kft, "snapshot", "-o", "o.dat", "-q")
            got = numbers(kft, "o.dat")
            is_one_piece(got, f"snapshot {i}")
            check(got, "it has no marks")
            check_equal(got[-1], marks.last, f"the last mark of snapshot {i}")
            check(got[0] > 1, "nothing was overwritten")
            # What the first one has read is no more than what the buffers hold.
            check(len(got) * 16 < 1 << 20, f"{len(got)} marks in small buffers")
            short = marks.last
            marks.write(10)
            step(kft, "snapshot", "-o", "p.dat", "-q")
            got = numbers(kft, "p.dat")
            is_one_piece(got, f"snapshot {i}, a moment later")
            check(got[0] < short - 100, "the next one has only what came since")
    finally:
        os.sched_setaffinity(0, allowed)
        marks.close()
    for name in ("one", "and another one"):
        step(kft, "mark", name)
    session = json.loads(step(kft, "status", "--format", "json").stdout)["sessions"][0]
    check_equal(session["lost"], 0, "what is overwritten is not lost")
    said = step(kft, "status").stdout
    check("keeps the newest" in said and "older ones overwritten" in said, said)
    check(re.search(r"the buffers hold the last [\d.]+ s: .* events/s", said), said)
    step(kft, "stop")
    said = step(kft, "save", "-o", "s.dat").stdout
    count = sum(kft.counts("s.dat").values())
    check(f"s.dat: {count:,} events, " in said, f"{count} events are in what was saved: {said}")
    step(kft, "reset")


def a_snapshot_says_from_when_on_it_is_whole(kft):
    """One CPU has its events since the start, the other one only the last of them."""
    allowed = os.sched_getaffinity(0)
    if len(allowed) < 2:
        print("not tested: there is one CPU", flush=True)
        return
    start(kft, "128k")
    marks = Marks(kft)
    few, many = sorted(allowed)[:2]
    try:
        os.sched_setaffinity(0, {few})
        marks.write(1)
        os.sched_setaffinity(0, {many})
        # After the last ones the kernel has overwritten nothing, but older pages are dropped.
        for count in (MANY, MANY, 10):
            marks.write(count)
            step(kft, "snapshot", "-o", "w.dat", "-q")
            stats = kft.stats("w.dat")
            first = next(e["ts"] for e in kft.events("w.dat") if e["cpu"] == many and "event" in e)
            check_equal(stats["whole_from"], first, f"whole, {count} marks later")
            check_equal((stats["gaps"], stats["lost"]), (0, 0), f"losses, {count} marks later")
    finally:
        os.sched_setaffinity(0, allowed)
        marks.close()
    step(kft, "reset")


def buffers_grow_with_the_time(kft):
    start(kft, "1h")
    instance = live.TRACEFS / "instances" / f"kft+{kft.session('f')}"
    first = int((instance / "buffer_size_kb").read_text())
    marks = Marks(kft)
    try:
        def has_grown():
            marks.write(2000)
            return int((instance / "buffer_size_kb").read_text()) > first
        live.wait_for(has_grown, "the buffers grow")
        # The file says so before it records again.
        live.wait_for(lambda: marks.write(1), "it records again")
    finally:
        marks.close()
    check("is to hold the last 3600.0 s" in step(kft, "status").stdout, "status")
    step(kft, "snapshot", "-q", "-o", "g.dat")
    got = numbers(kft, "g.dat")
    check_equal(got[-1], marks.last, "the last mark")
    text = kft.run("report", "g.dat").stdout
    check(re.search(r"kft: pause full \d+\n(.*\n)*?.*kft: resume full \d+", text),
          "the gap is not marked")
    step(kft, "reset")


def killed_at_random_moments(kft):
    seed = int(os.environ.get("KFT_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"KFT_TEST_SEED={seed}", flush=True)
    rng = random.Random(seed)
    start(kft, "64M")
    marks = Marks(kft)
    half_way = 0
    for i in range(200):
        # On a fast machine eight snapshots may all end before they are to be killed.
        if i >= 8 and half_way:
            break
        marks.write(2000)
        p = kft.start("snapshot", "-n", kft.session("f"), "-o", f"k{i}.dat")
        try:
            p.wait(timeout=rng.uniform(0, 0.2))
        except subprocess.TimeoutExpired:
            p.kill()
            half_way += 1
        p.wait()
    marks.close()
    step(kft, "snapshot", "-o", "k.dat")
    got = numbers(kft, "k.dat")
    # A process that is killed between reading and writing pages loses them, and they are counted.
    lost = kft.stats("k.dat")["lost"]
    check(marks.last - len(got) <= lost, f"{marks.last - len(got)} marks are missing, {lost} lost")
    if not lost:
        is_one_piece(got, "what is left after kills")
    check_equal(got[-1], marks.last, "the last mark")
    check(half_way > 0, "none was killed half way")
    step(kft, "reset")


def sets_are_switched_while_it_goes_on(kft):
    """Each snapshot says what was switched before, also where the mark itself is gone."""
    kft.run("flight", "start", "-q", "-n", kft.session("f"), "-s", "syscalls", "--keep", "4M")
    kft.run("set", kft.session("f"), "+irq", "-syscalls")
    for i in range(2):
        step(kft, "snapshot", "-q", "-o", f"{i}.dat")
        said = re.findall(r"kft: set (\S+)$", kft.run("report", f"{i}.dat").stdout, re.M)
        # Those of the change itself may be overwritten by the system calls that came meanwhile.
        check_equal(said[-2:], ["+irq", "-syscalls"], f"the marks of snapshot {i}")
    enabled = (live.TRACEFS / "instances" / ("kft+" + kft.session("f")) / "set_event").read_text()
    check("irq:" in enabled and "sys_enter" not in enabled, enabled)
    step(kft, "reset")


def stop_process(kft, pid):
    """At a moment at which it does not hold the session's lock."""
    lock = os.open(f"/run/kft/{kft.session('f')}", os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    os.kill(pid, signal.SIGSTOP)
    stat = pathlib.Path(f"/proc/{pid}/stat")
    live.wait_for(lambda: stat.read_text().rsplit(")", 1)[1].split()[0] == "T", f"{pid} to stop")
    os.close(lock)


def a_later_session_is_not_the_keepers(kft):
    """The process of a session that was reset ends, and leaves the next one of its name alone."""
    def start_it():
        kft.run("flight", "start", "-q", "-n", kft.session("f"), "--keep", "1M", "--to", ".",
                "-e", "sched:sched_process_exit")
        return usr1(kft)

    first = start_it()
    stop_process(kft, first)
    try:
        step(kft, "reset")
        second = start_it()
        os.kill(first, signal.SIGUSR1)
    finally:
        os.kill(first, signal.SIGCONT)
    live.wait_for(lambda: not os.path.exists(f"/proc/{first}"), "the end of the first keeper")
    check(f"kill -USR1 {second}" in step(kft, "status").stdout, "the second keeper")
    check_equal(list(kft.dir.glob("*.dat")), [], "snapshots")
    step(kft, "reset")


def it_survives_the_logout(kft):
    """Started on a terminal that goes away, with the processes that were on it; where its
    snapshots go is made when there is one."""
    command = (f"{kft.program} flight start -q -n {kft.session('f')} --keep 4M "
               "--to made/deep -e sched:sched_process_exit && echo started; cat")
    shell, terminal = pty.fork()
    if shell == 0:
        os.chdir(kft.dir)
        os.execvp("sh", ["sh", "-c", command])
    said = b""
    while b"\n" not in said:
        said += os.read(terminal, 4096)
    check_equal(said, b"started\r\n", "what is on the terminal")
    os.close(terminal)
    os.waitpid(shell, 0)
    marks = Marks(kft)
    marks.write(100)
    keeper = usr1(kft)
    marks.write(100)
    os.kill(keeper, signal.SIGUSR1)
    files = lambda: sorted(kft.dir.glob(f"made/deep/{kft.session('f')}-*.dat"))
    live.wait_for(lambda: len(files()) == 1, "a snapshot by a signal")
    os.kill(keeper, signal.SIGUSR1)
    live.wait_for(lambda: len(files()) == 2, "another one")
    for file in files():
        check_equal(numbers(kft, file), list(range(1, 201)), f"the marks of {file}")
        check("kft: snapshot SIGUSR1" in kft.run("report", file).stdout, "the reason")
    marks.close()
    step(kft, "reset")


def it_holds_nothing_of_its_starter(kft):
    """A lock or a pipe that kft inherited is free when the command has ended."""
    reading, writing = os.pipe()
    kft.run("flight", "start", "-q", "-n", kft.session("f"), "-e",
            "sched:sched_process_exit", pass_fds=[writing])
    usr1(kft)
    os.close(writing)
    check_equal(os.read(reading, 1), b"", "the end of the pipe")
    os.close(reading)
    step(kft, "reset")


def what_costs_too_much_is_left_out(kft):
    """System calls as fast as they go, and an event that never comes."""
    busy = subprocess.Popen(["sh", "-c", "while :; do :; umask; done"], stdout=subprocess.DEVNULL)
    try:
        kft.run("flight", "start", "-q", "-n", kft.session("f"), "--keep", "4M",
                "--max-cost", "0.01%", "-e", "raw_syscalls:sys_exit",
                "-e", "sched:sched_process_exit/pid == 1/")
        events = live.TRACEFS / "instances" / f"kft+{kft.session('f')}" / "set_event"
        # At the start, or later if the shell did not get to run then.
        live.wait_for(lambda: events.read_text() == "sched:sched_process_exit\n",
                      "system calls are left out")
    finally:
        busy.kill()
        busy.wait()
    said = step(kft, "status").stdout
    check(re.search(r"left out for their cost: raw_syscalls:sys_exit \(\d+/s\)$", said,
                    re.M), said)
    told = json.loads(step(kft, "status", "--format", "json").stdout)
    check_equal([(row["event"], row["rate"] > 0) for row in told["left_out"]],
                [("raw_syscalls:sys_exit", True)], "what is left out, for programs")
    check_equal(told["sessions"][0]["max_cost"], 0.0001, "its budget")
    for verb in (("snapshot", "-o", "l.dat"), ("stop",), ("save", "-o", "m.dat")):
        step(kft, *verb)
    for file, least in (("l.dat", 2), ("m.dat", 3)):
        marks = re.findall(r"kft: left out raw_syscalls:sys_exit, \d+/s$",
                           kft.run("report", file).stdout, re.M)
        check(len(marks) >= least, f"{file} has {len(marks)} marks")
    check("left out for their cost" in step(kft, "status").stdout, "at the end")
    step(kft, "reset")


def what_it_costs_is_told(kft):
    """To programs too, of one that has a budget."""
    def cost():
        return json.loads(step(kft, "status", "--format", "json").stdout)["sessions"][0]["cost"]

    busy = subprocess.Popen(["sh", "-c", "while :; do umask; done"], stdout=subprocess.DEVNULL)
    try:
        for budget in ([], ["--max-cost", "99%"]):
            kft.run("flight", "start", "-q", "-n", kft.session("f"), "--keep", "4M", *budget,
                    "-e", "raw_syscalls:sys_exit")
            if budget:
                live.wait_for(lambda: cost() is not None, "a cost")
                check(0 < cost() < os.cpu_count(), f"a cost of {cost()}")
            else:
                check_equal(cost(), None, "the cost of one that has no budget")
            step(kft, "reset")
    finally:
        busy.kill()
        busy.wait()


def usr1(kft):
    """The process that status tells to signal, once it waits."""
    found = None

    def is_there():
        nonlocal found
        found = re.search(r"'kill -USR1 (\d+)' takes a snapshot", step(kft, "status").stdout)
        return found
    live.wait_for(is_there, "a process that waits for signals")
    return int(found[1])


def one_of_another_version_is_told_and_removed(kft):
    """The state that another kft keeps has other lines."""
    start(kft, "1M")
    name = kft.session("f")
    state = pathlib.Path("/run/kft", name, "state")
    # The keeper writes the file, too, under this lock.
    folder = os.open(state.parent, os.O_RDONLY | os.O_DIRECTORY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    state.write_text(state.read_text().replace("\nlost ", "\nother "))
    os.close(folder)
    # Others are shown all the same.
    other = kft.session("g")
    kft.run("flight", "start", "-q", "-n", other, "-e", "sched:sched_process_exit")
    try:
        got = kft.run("status", "--format", "json", status=1)
        check(name in got.stderr and "cannot understand" in got.stderr, got.stderr)
        check(any(s["session"] == other for s in json.loads(got.stdout)["sessions"]), got.stdout)
    finally:
        kft.run("reset", "-n", other)
    step(kft, "reset")
    check(not state.exists(), "its state stays")
    instance = pathlib.Path("/sys/kernel/tracing/instances", "kft+" + name)
    check(not instance.exists(), "its instance stays")


def what_does_not_fit_is_refused(kft):
    said = step(kft, "snapshot", status=1).stderr
    check("no run is loaded" in said and "kft flight start" in said, said)
    step(kft, "record", "--detach", "-q", "-e", "sched")
    said = step(kft, "snapshot", status=1).stderr
    check("does not keep the newest" in said, said)
    step(kft, "reset")
    kft.run("flight", status=2)
    kft.run("flight", "begin", status=2)
    for wrong in ("2", "0%", "101%", "x%", "2%%"):
        said = kft.run("flight", "start", "--max-cost", wrong, status=2).stderr
        check("not a part of a CPU" in said, said)
    start(kft, "1M")
    step(kft, "stop")
    said = step(kft, "snapshot", status=1).stderr
    check("is saved" in said, said)
    step(kft, "reset")


if __name__ == "__main__":
    live.need_program("trace-cmd")
    live.main([resets(test) for test in (ten_in_a_row_lose_nothing,
                                         a_snapshot_causes_few_events_before_it_reads, the_oldest_go,
                                         a_snapshot_says_from_when_on_it_is_whole,
                                         buffers_grow_with_the_time,
                                         killed_at_random_moments,
                                         sets_are_switched_while_it_goes_on,
                                         a_later_session_is_not_the_keepers,
                                         it_survives_the_logout,
                                         it_holds_nothing_of_its_starter,
                                         what_costs_too_much_is_left_out,
                                         what_it_costs_is_told,
                                         one_of_another_version_is_told_and_removed,
                                         what_does_not_fit_is_refused)])
