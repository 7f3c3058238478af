#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Recordings that go on in the kernel when kft has ended.
# usage: record-detached.py KFT [TEST]...; KFT_TEST_SEED repeats a run.
import json
import os
import pathlib
import random
import signal
import subprocess
import time

import live
from live import check, check_equal


def step(kft, verb, name, *args, **more):
    return kft.run(verb, "-n", kft.session(name), *args, **more)


def status(kft, name):
    sessions = json.loads(step(kft, "status", name, "--format", "json").stdout)["sessions"]
    check_equal(len(sessions), 1, "sessions of the name")
    return sessions[0]


def run_something():
    p = subprocess.Popen(["true"])
    p.wait()
    return p.pid


def detach(kft, name, *args):
    step(kft, "record", name, "--detach", "-q", *args)


def a_pause_is_a_gap(kft):
    detach(kft, "a", "-e", "sched")
    check_equal(status(kft, "a")["state"], "triggered", "it records")
    first = run_something()
    step(kft, "pause", "a")
    paused = run_something()
    check_equal(status(kft, "a")["state"], "paused", "it pauses")
    step(kft, "pause", "a")
    step(kft, "resume", "a")
    last = run_something()
    step(kft, "stop", "a")
    step(kft, "save", "a", "-o", "a.dat")
    # Once more: the session keeps what it has.
    step(kft, "save", "a", "-o", "b.dat")
    counts = kft.counts("a.dat")
    check_equal(live.trace_cmd_counts(kft.dir / "a.dat"), counts, "a.dat, by trace-cmd")
    check_equal(kft.counts("b.dat"), counts, "saved again")
    # Whoever of kft took it out of the kernel.
    stats = json.loads(kft.run("stats", "events", "--format", "json", "a.dat").stdout)
    check("record" in stats["command"].split(), f"the trace is of '{stats['command']}'")
    check_equal(sum(counts.values()), status(kft, "a")["records"], "the records it tells")
    ended = [e["fields"]["pid"] for e in kft.events("a.dat", "-e", "sched_process_exit")]
    check(first in ended, "what ran before the pause is missing")
    check(paused not in ended, "what ran in the pause was recorded")
    check(last in ended, "what ran after the pause is missing")
    lines = kft.run("report", "a.dat").stdout.splitlines()
    words = [line.split("kft: ")[1].split()[:2] for line in lines if "kft: " in line]
    check_equal(words, [["start", "user"], ["pause", "user"], ["resume", "user"],
                        ["stop", "user"]], "the marks")
    step(kft, "reset", "a")


def between_marks(kft, file):
    """kft's marks of a trace, and which events there are behind each of them."""
    marks, behind = [], []
    for e in kft.events(file):
        text = str(e["fields"])
        if e["event"] == "print" and "kft: " in text:
            marks.append(" ".join(text.replace("\\n", " ").split("kft: ")[1].split()[:2]))
            behind.append(set())
        elif behind:
            behind[-1].add(e["event"])
    return marks, behind


def sets_are_switched_while_it_records(kft):
    detach(kft, "w", "-s", "syscalls", "-P", os.getpid())
    session = kft.session("w")
    run_something()
    kft.run("set", session, "+sched", "-syscalls")
    run_something()
    check("switched: +sched, -syscalls" in kft.run("status", "-n", session).stdout, "status")
    told = json.loads(kft.run("status", "-n", session, "--format", "json").stdout)
    check_equal(told["switched"], [{"session": session, "set": "sched", "on": True},
                                   {"session": session, "set": "syscalls", "on": False}], "status for programs")
    # What is noted while nothing is recorded is in the trace when it records again.
    step(kft, "pause", "w")
    kft.run("set", session, "-sched", "+syscalls")
    step(kft, "resume", "w")
    run_something()
    step(kft, "stop", "w")
    step(kft, "save", "w", "-o", "w.dat")
    marks, behind = between_marks(kft, "w.dat")
    again = ["set -sched", "set +syscalls"]
    check_equal(marks, ["start user", "set +sched", "set -syscalls", "pause user", "resume user", *again, *again,
                        "stop user"], "the marks")
    check("sys_enter" in behind[0], f"at first: {behind[0]}")
    check("sched_switch" in behind[2] and "sys_enter" not in behind[2], f"switched: {behind[2]}")
    check("sys_enter" in behind[6] and "sched_switch" not in behind[6], f"switched back: {behind[6]}")
    said = kft.run("set", session, "+sched", status=1).stderr
    check("is saved" in said, said)
    step(kft, "reset", "w")


def what_cannot_be_switched_is_refused(kft):
    session = kft.session("v")
    check("no run is loaded" in kft.run("set", session, "+sched", status=1).stderr, "without a session")
    detach(kft, "v", "-s", "sched")
    events = live.TRACEFS / "instances" / ("kft+" + session) / "set_event"
    before = events.read_text()
    check("no such set: 'no_such'" in kft.run("set", session, "+no_such", status=1).stderr, "another set")
    (kft.dir / "a\n").write_text("own sched:sched_switch\n")
    check("no line end" in kft.run("set", session, "+a\n:own", status=1).stderr, "a line end")
    for words in ([], ["sched"], ["+"], ["-"]):
        check("expected" in kft.run("set", session, *words, status=2).stderr, f"{words}")
    check_equal(events.read_text(), before, "the events")
    step(kft, "reset", "v")


def a_time_ends_it(kft):
    detach(kft, "d", "-e", "sched:sched_switch", "-d", "200ms")
    live.wait_for(lambda: status(kft, "d")["state"] == "complete", "it ends by itself")
    check_equal(status(kft, "d")["stopped_by"], "time", "why it ended")
    step(kft, "save", "d", "-o", "d.dat")
    check(kft.counts("d.dat").get("sched_switch", 0) > 0, "it recorded nothing")
    step(kft, "reset", "d")


def only_what_was_asked_for(kft):
    shell = subprocess.Popen(["sh", "-c", "read x; true | true; read x"],
                             stdin=subprocess.PIPE)
    detach(kft, "p", "-e", "sched:sched_process_exit", "-P", shell.pid, "-b", "64k")
    run_something()
    shell.stdin.write(b"\n\n")
    shell.stdin.close()
    shell.wait()
    step(kft, "stop", "p")
    step(kft, "save", "p", "-o", "p.dat")
    ended = [e["fields"]["pid"] for e in kft.events("p.dat", "-e", "sched_process_exit")]
    check(shell.pid in ended and len(ended) == 3, f"{ended}, the shell is {shell.pid}")
    step(kft, "reset", "p")


def a_limit_ends_it(kft):
    """No command looks: the process in the background ends it, and nothing is left."""
    for limit, file in (("2000ev", None), ("256k", None), ("2000ev", "e.dat"), ("256k", "b.dat")):
        detach(kft, "l", "-e", "raw_syscalls:sys_enter", "-P", os.getpid(), "--limit", limit,
               *(["-o", file] if file else []))
        instance = live.TRACEFS / "instances" / ("kft+" + kft.session("l"))
        check(instance.exists(), f"{instance} is not there while it records")

        def ended():
            for _ in range(1000):
                os.getppid()
            return not instance.exists()

        live.wait_for(ended, f"{limit} ends it")
        told = status(kft, "l")
        check_equal(told["stopped_by"], "limit", "why it ended")
        check("stopped by its limit" in step(kft, "status", "l").stdout, "status does not say so")
        if not file:
            step(kft, "save", "l", "-o", "l.dat")
        count = sum(kft.counts(file or "l.dat").values())
        check(count >= 2000, f"{count} events for {limit}")
        check_equal(count, told["records"], "the records it tells")
        step(kft, "reset", "l")


def what_does_not_fit_is_refused(kft):
    detach(kft, "x", "-e", "sched")
    said = step(kft, "record", "x", "--detach", "-e", "irq", status=1).stderr
    check("is under way" in said, said)
    said = step(kft, "save", "x", status=1).stderr
    check("is not complete" in said, said)
    step(kft, "stop", "x")
    said = step(kft, "start", "x", status=1).stderr
    check("is complete already" in said, said)
    said = step(kft, "prime", "x", status=1).stderr
    check("nothing to record" in said, said)
    # What it has recorded is still there.
    step(kft, "save", "x", "-o", "x.dat")
    for options in (["--", "true"], ["--limit", "1M", "--overwrite"], ["--overwrite", "-o", "x.dat"]):
        said = step(kft, "record", "y", "--detach", *options, status=2).stderr
        check("cannot be combined with --detach" in said, said)
    step(kft, "record", "y", "--detach", "-e", "no_such_event", status=1)
    step(kft, "reset", "x")
    check_equal(step(kft, "status", "y", status=1).stdout, "", "a session that never was")


def to_a_file_for_hours(kft):
    """More than the buffers hold goes to the file; any moment leaves a trace."""
    detach(kft, "s", "-e", "raw_syscalls:sys_enter", "-b", "64k", "-P", os.getpid(),
           "-o", "s.dat")
    told = status(kft, "s")
    check_equal(told["output"], str(kft.dir / "s.dat"), "the file")
    check(told["keeper"] and told["keeper_pid"] > 1, f"nothing streams: {told}")
    parts = kft.dir / "s.dat.parts"
    size = 8 * 64 * 1024 * os.cpu_count()

    def written():
        for _ in range(20000):
            os.getppid()
        return sum(f.stat().st_size for f in parts.glob("cpu*")) > size

    live.wait_for(written, "more than the buffers hold is in the file")
    check(kft.counts("s.dat").get("sys_enter", 0) > 0, "it cannot be read while it grows")
    # Without its process: the kernel still has what comes.
    os.kill(told["keeper_pid"], signal.SIGKILL)
    live.wait_for(lambda: not status(kft, "s")["keeper"], "the keeper is gone")
    check("no process takes it" in step(kft, "status", "s").stdout, "status does not say so")
    killed = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    for _ in range(500):
        os.getppid()
    step(kft, "stop", "s")
    check(not parts.exists(), "the parts stay")
    counts = kft.counts("s.dat")
    check_equal(live.trace_cmd_counts(kft.dir / "s.dat"), counts, "s.dat, by trace-cmd")
    later = [e for e in kft.events("s.dat") if e["ts"] > killed]
    check(len(later) >= 500, f"{len(later)} events from after the kill")
    told = status(kft, "s")
    # What a process that is killed has in its hands is read and not written.
    check(told["state"] == "complete" and told["records"] >= sum(counts.values()),
          f"{counts} of {told}")
    step(kft, "save", "s", "-o", "copy.dat")
    check_equal(kft.counts("copy.dat"), counts, "a copy")
    step(kft, "reset", "s")
    check_equal(kft.counts("s.dat"), counts, "behind the reset")


def stop_reports_what_was_lost(kft):
    detach(kft, "l", "-e", "raw_syscalls", "-b", "8k", "-o", "l.dat")
    subprocess.run(["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=300000"],
                   stderr=subprocess.DEVNULL, check=True)
    said = step(kft, "stop", "l").stderr
    told = status(kft, "l")
    check(told["lost"] > 0, f"nothing was lost: {told}")
    check(f"LOST {told['lost']}\n" in said, f"'{said}', lost {told['lost']}")
    stats = json.loads(kft.run("stats", "events", "--format", "json", "l.dat").stdout)
    check(stats["gaps"] > 0, f"the losses have no place: {stats}")
    check_equal(stats["lost"], told["lost"], "the losses that have a place")
    step(kft, "reset", "l")


def flood(n):
    """Some 8 events for each byte, on two CPUs where there are two."""
    dd = ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", f"count={n}"]
    tasks = [subprocess.Popen(dd, stderr=subprocess.DEVNULL) for _ in range(2)]
    for task in tasks:
        check_equal(task.wait(), 0, "dd's status")


def lost_share(kft, file):
    stats = json.loads(kft.run("stats", "--format", "json", file).stdout)
    return stats["lost"] / (stats["events"] + stats["lost"])


def it_loses_as_little_as_in_the_foreground(kft):
    """The buffers are full after some milliseconds: draining now and then loses nearly all."""
    args = ["-a", "-b", "512k", "-e", "raw_syscalls"]
    script = "dd if=/dev/zero of=/dev/null bs=1 count=400000 2>/dev/null & " * 2 + "wait"
    kft.run("record", "-q", *args, "-o", "fore.dat", "--", "sh", "-c", script, status=None)
    detach(kft, "l", *args, "-o", kft.dir / "back.dat")
    flood(400000)
    step(kft, "stop", "l")
    fore, back = lost_share(kft, kft.dir / "fore.dat"), lost_share(kft, kft.dir / "back.dat")
    check(back < max(0.5, 2 * fore), f"lost {back:.3f}, {fore:.3f} in the foreground")


def its_keeper_gives_up_capabilities(kft):
    """And still saves what was recorded, with the names of functions."""
    detach(kft, "c", "-e", "sched", "-o", kft.dir / "caps.dat", "-d", "300ms")
    pid = status(kft, "c")["keeper_pid"]
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    caps = [int(line.split()[1], 16) for line in text.splitlines()
            if line.startswith(("CapPrm", "CapEff"))]
    wanted = 1 << 34 | 1 << 24 | 1 << 23  # CAP_SYSLOG, CAP_SYS_RESOURCE, CAP_SYS_NICE
    check_equal([c & ~wanted for c in caps], [0, 0], "capabilities that it does not need")
    live.wait_for(lambda: status(kft, "c")["state"] == "complete", "the recording's end")
    check(sum(kft.counts(kft.dir / "caps.dat").values()) > 0, "nothing was recorded")
    step(kft, "reset", "c")


def kernel_counts(kft, name):
    """Events that were read from the kernel's buffers, and that are still in them."""
    counts = {"read events": 0, "entries": 0}
    instance = live.TRACEFS / "instances" / ("kft+" + kft.session(name))
    for stats in instance.glob("per_cpu/cpu*/stats"):
        for line in stats.read_text().splitlines():
            word, _, number = line.partition(": ")
            if word in counts:
                counts[word] += int(number)
    return counts["read events"], counts["entries"]


def a_full_disk_stops_it_and_is_counted(kft):
    disk = kft.dir / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "none", disk], check=True)
    try:
        # Without other programs' events, which would fill the disk first.
        detach(kft, "f", "-e", "raw_syscalls", "-P", os.getpid(), "-b", "1M", "-o", "disk/f.dat")
        keeper = status(kft, "f")["keeper_pid"]
        (disk / "filler").write_bytes(bytes(os.statvfs(disk).f_bavail * 4096 - (256 << 10)))

        def keeper_ended():
            for _ in range(20000):
                os.getppid()
            return not os.path.exists(f"/proc/{keeper}")

        live.wait_for(keeper_ended, "the keeper ends")
        p = step(kft, "status", "f", "--format", "json", status=1)
        check("no space to complete" in p.stderr, p.stderr)
        told = json.loads(p.stdout)["sessions"][0]
        check_equal(told["stopped_by"], "disk", "why it ended")
        check("stopped by a full disk" in step(kft, "status", "f", status=1).stdout, "status")
        read, left = kernel_counts(kft, "f")
        written = sum(kft.counts("disk/f.dat").values())
        check(read > written, "nothing was read in vain: the disk was not full")
        check_equal(told["records"], written + left, "what is in the file or comes to it")
        check(told["lost"] >= read - written, f"{read} read, {written} written: {told}")
        check("no space" in step(kft, "stop", "f", status=1).stderr, "stop")
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        step(kft, "stop", "f")
        check_equal(sum(kft.counts("disk/f.dat").values()), told["records"], "the whole file")
    finally:
        step(kft, "reset", "f", status=None)
        subprocess.run(["umount", disk], check=True)


def a_file_that_streams_outlives_everything(kft):
    said = step(kft, "record", "t", "--detach", "-o", "no/such/t.dat", status=1).stderr
    check("no/such" in said, said)
    detach(kft, "t", "-e", "sched", "-o", "t.dat")
    pid = status(kft, "t")["keeper_pid"]
    live.wait_for(lambda: kft.counts("t.dat").get("sched_switch", 0) > 0, "it is written")
    os.kill(pid, signal.SIGKILL)
    step(kft, "reset", "t")
    kft.run("recover", "t.dat")
    check(kft.counts("t.dat").get("sched_switch", 0) > 0, "nothing was recovered")


def no_output_replaces_its_own_file(kft):
    detach(kft, "s", "-e", "sched")
    step(kft, "stop", "s")
    step(kft, "save", "s", "-o", "whole.dat")
    raw = pathlib.Path("/run/kft", kft.session("s"), "raw.dat")
    (kft.dir / "link").symlink_to(raw)
    for output in (raw, "link"):
        said = step(kft, "save", "s", "-o", output, status=1).stderr
        check("is a file of the trace that is read" in said, said)
    with open(raw, "ab") as stdout:
        p = subprocess.run([kft.program, "save", "-n", kft.session("s"), "-o", "x.dat"],
                           stdout=stdout, stderr=subprocess.PIPE, text=True, cwd=kft.dir,
                           timeout=live.LIMIT, check=False)
    check(p.returncode == 1 and "standard output is a file of" in p.stderr, p.stderr)
    step(kft, "save", "s", "-o", "again.dat")
    check_equal(kft.counts("again.dat"), kft.counts("whole.dat"), "saved again")
    step(kft, "reset", "s")
    detach(kft, "f", "-e", "sched", "--overwrite")
    raw = pathlib.Path("/run/kft", kft.session("f"), "raw.dat")
    said = step(kft, "snapshot", "f", "-o", raw, status=1).stderr
    check("is a file of the trace that is read" in said, said)
    step(kft, "snapshot", "f", "-o", "snap.dat")
    check(kft.counts("snap.dat").get("sched_switch", 0) > 0, "nothing is in the snapshot")
    step(kft, "reset", "f")


# Every step of every command, as far as chance reaches it.
def killed_at_random_moments(kft):
    seed = int(os.environ.get("KFT_TEST_SEED", random.SystemRandom().randrange(1 << 32)))
    print(f"KFT_TEST_SEED={seed}", flush=True)
    rng = random.Random(seed)
    half_way = 0
    for number in range(16):
        name = f"k{number}"
        verb = ["record", "pause", "stop", "save"][number % 4]
        args = {"record": ["--detach", "-e", "sched"], "save": ["-o", "k.dat"]}.get(verb, [])
        if verb != "record":
            detach(kft, name, "-e", "sched")
        if verb == "save":
            step(kft, "stop", name)
        p = kft.start(verb, "-n", kft.session(name), *args)
        try:
            p.wait(timeout=rng.uniform(0, 0.15))
        except subprocess.TimeoutExpired:
            p.kill()
            half_way += 1
        p.wait()
        if verb != "record":
            step(kft, "stop", name, status=None)
            step(kft, "save", name, "-o", f"{name}.dat")
            counts = kft.counts(f"{name}.dat")
            check(counts.get("sched_switch", 0) > 0, f"{verb} was killed: nothing is left")
            # What reads the kernel's buffer reads each event once.
            check_equal(sum(counts.values()), status(kft, name)["records"],
                        f"{verb} was killed: the records")
        step(kft, "reset", name)
        left = [d.name for d in (live.TRACEFS / "instances").iterdir()
                if kft.session(name) in d.name]
        check_equal(left, [], "instances that are left")
    check(half_way > 2, "too few were killed half way")


if __name__ == "__main__":
    live.need_program("trace-cmd")
    live.main([a_pause_is_a_gap, sets_are_switched_while_it_records,
               what_cannot_be_switched_is_refused, a_time_ends_it, a_limit_ends_it,
               only_what_was_asked_for,
               to_a_file_for_hours, it_loses_as_little_as_in_the_foreground,
               its_keeper_gives_up_capabilities, stop_reports_what_was_lost,
               a_full_disk_stops_it_and_is_counted, a_file_that_streams_outlives_everything,
               no_output_replaces_its_own_file, what_does_not_fit_is_refused, killed_at_random_moments])
