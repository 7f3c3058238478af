#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Names of tasks are those that the tasks had at the time of the event, whatever became of
# the names and of their pids since: compared with sched_process_exec and with what the
# programs were.
# usage: record-names.py KFT [TEST]...
import collections
import os
import pathlib
import re
import signal
import struct
import subprocess

import live
from live import check, check_equal

# Forks; each child takes a name of its own, makes one call that can be told, and ends.
STORM = """
import ctypes, os, sys
libc = ctypes.CDLL(None)
GETPPID, PR_SET_NAME = %d, 15
for n in range(int(sys.argv[1])):
    # The next process gets the pid of the one before, unless somebody else is quicker.
    if len(sys.argv) > 2:
        open("/proc/sys/kernel/ns_last_pid", "w").write(sys.argv[2])
    pid = os.fork()
    if pid == 0:
        libc.syscall(GETPPID, n, 0x5eed)
        libc.prctl(PR_SET_NAME, b"name-%%d" %% n)
        libc.syscall(GETPPID, 1000000 + n, 0x5eed)
        os._exit(0)
    os.waitpid(pid, 0)
"""
GETPPID = 110 if os.uname().machine == "x86_64" else 173
EVENTS = ["-e", f"raw_syscalls:sys_enter/id == {GETPPID}/"]


def storm(kft, count):
    (kft.dir / "storm.py").write_text(STORM % GETPPID)
    return ["python3", "storm.py", count]


def names_by_call(kft, file):
    """{the number of the call: (comm, pid)}"""
    return {int(e["fields"]["args"][0]): (e["comm"], e["pid"]) for e in kft.events(file)
            if int(e["fields"]["args"][1]) == 0x5eed}


def last_names_by_trace_cmd(file):
    """How many events are of tasks that it calls name-N: it knows one name for each pid."""
    text = subprocess.run(["trace-cmd", "report", "-N", file], check=True, capture_output=True,
                          text=True, errors="replace").stdout
    return len(re.findall(r"^ *name-\d+-\d+ ", text, re.M))


def no_name_hides_the_others(kft):
    """Of trace-cmd, which stops at a name that is empty or blank."""
    (kft.dir / "blank.py").write_text(STORM % GETPPID + """
for name in b"", b"  ", b"last":
    if os.fork() == 0:
        libc.prctl(PR_SET_NAME, name)
        for i in range(20):
            libc.syscall(GETPPID, 0, 0)
        os._exit(0)
    os.wait()
""")
    kft.run("record", "-q", "-o", "b.dat", *EVENTS, "--", "python3", "blank.py", 50)
    check(last_names_by_trace_cmd(kft.dir / "b.dat") >= 2 * 50, "names are hidden")


def check_storm(kft, file, count):
    calls = names_by_call(kft, file)
    wrong = collections.Counter()
    for n in range(count):
        wrong[calls[n][0] != "python3"] += 1
        wrong[calls[1000000 + n][0] != f"name-{n}"] += 1
    check_equal(wrong[True], 0, f"wrong names of {2 * count}")


def thousands_of_processes_have_their_names(kft):
    kft.run("record", "-q", "-o", "t.dat", *EVENTS, "--", *storm(kft, 2000))
    check_storm(kft, "t.dat", 2000)
    # trace-cmd reads the file, and sees nothing of it but what each task was called last.
    counts = live.trace_cmd_counts(kft.dir / "t.dat")
    check_equal(list(counts), ["sys_enter"], "trace-cmd's events")
    check_equal(last_names_by_trace_cmd(kft.dir / "t.dat"), 2 * 2000, "calls of name-N")
    # In any style, and written anew.
    kft.run("recover", "t.dat", "-o", "again.dat")
    check_storm(kft, "again.dat", 2000)
    lines = kft.run("report", "again.dat").stdout.splitlines()
    check_equal(sum(line.lstrip().startswith("name-") for line in lines), 2000, "new names")


def pids_that_come_back(kft):
    """Thousands of processes with a few pids."""
    file = pathlib.Path("/proc/sys/kernel/ns_last_pid")
    if not file.exists():
        return
    here = file.read_text().strip()
    # The whole system: the kernel takes a process off the list of those to be recorded so
    # long after its end that it hits the next one of that pid.
    kft.run("record", "-q", "-a", "-o", "t.dat", *EVENTS, "--", *storm(kft, 2000), here)
    calls = names_by_call(kft, "t.dat")
    pids = {pid for _, pid in calls.values()}
    check(len(pids) < 1000, f"{len(pids)} pids of 2000 processes: none came back")
    check_storm(kft, "t.dat", 2000)


def before_and_after_an_exec(kft):
    kft.run("record", "-q", "-o", "t.dat", "-e", "sched:sched_process_exec", *EVENTS, "-e",
            "sched:sched_process_fork", "--", "sh", "-c",
            "for i in 1 2 3 4 5 6 7 8 9 10; do ls / >/dev/null; true | cat; done")
    execs = [e for e in kft.events("t.dat") if e["event"] == "sched_process_exec"]
    check(len(execs) >= 20, f"{len(execs)} execs")
    for e in execs:
        check_equal(e["comm"], os.path.basename(e["fields"]["filename"])[:15], "the new name")
    for e in kft.events("t.dat"):
        if e["event"] == "sched_process_fork":
            check_equal(e["comm"], e["fields"]["parent_comm"], "the parent's name")


def given_since(parts):
    """How many of the storm's names a recording has that were given while it ran."""
    file = parts / "names"
    whole = file.read_bytes() if file.exists() else b""
    records = struct.iter_unpack("<QII16s", whole[:len(whole) // 32 * 32])
    # Those that the kernel knew before, from storms of other tests, are from time 0 on.
    return sum(ts > 0 and comm.startswith(b"name-") for ts, _, _, comm in records)


def a_killed_recorder_leaves_them(kft):
    p = kft.record("t", *EVENTS)
    subprocess.run(["python3", "-c", STORM % GETPPID, "500"], check=True, cwd=kft.dir)
    # CPUs are read one after the other: the last name can be there before others are.
    live.wait_for(lambda: given_since(kft.dir / "t.dat.parts") == 500, "the names are there")
    p.send_signal(signal.SIGKILL)
    p.wait()
    calls = names_by_call(kft, "t.dat")
    for n, (comm, _) in calls.items():
        if n >= 1000000:
            check_equal(comm, f"name-{n - 1000000}", "the name")
    # What it left in the kernel is one session's, and goes.
    said = kft.run("reset").stdout
    check_equal(said.count(kft.session("t")), 1, f"sessions: {said}")
    check(not list(live.TRACEFS.glob(f"instances/kft-{kft.session('t')}*")), "it is left")


live.need_program("trace-cmd")
live.main([thousands_of_processes_have_their_names, no_name_hides_the_others, pids_that_come_back,
           before_and_after_an_exec, a_killed_recorder_leaves_them])
