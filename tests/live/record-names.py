#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Names of tasks are those that the tasks had at the time of the event, whatever became of
# the names and of their pids since: compared with sched_process_exec and with what the
# programs were.
# usage: record-names.py KFT [TEST]...
import collections
import json
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
        for again in range(int(os.environ.get("RENAMES", 1))):
            libc.prctl(PR_SET_NAME, b"name-%%d" %% n)
        libc.syscall(GETPPID, 1000000 + n, 0x5eed)
        os._exit(0)
    os.waitpid(pid, 0)
"""
LAST_PID = pathlib.Path("/proc/sys/kernel/ns_last_pid")
GETPPID = 110 if os.uname().machine == "x86_64" else 173
EVENTS = ["-e", f"raw_syscalls:sys_enter/id == {GETPPID}/"]


def storm(kft, count):
    (kft.dir / "storm.py").write_text(STORM % GETPPID)
    return ["python3", "storm.py", count]


def names_by_call(kft, file):
    """{the number of the call: (comm, pid)}"""
    return {int(e["fields"]["args"][0]): (e["comm"], e["pid"])
            for e in kft.events(file, "-e", "sys_enter") if int(e["fields"]["args"][1]) == 0x5eed}


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


def births():
    """Of tasks, since this machine's boot."""
    return int(re.search(r"^processes (\d+)", pathlib.Path("/proc/stat").read_text(), re.M)[1])


def thousands_of_processes_have_their_names(kft):
    before = births()
    kft.run("record", "-q", "-o", "t.dat", *EVENTS, "--", *storm(kft, 2000))
    check_storm(kft, "t.dat", 2000)
    # trace-cmd reads the file, and sees nothing of it but what each task was called last.
    counts = live.trace_cmd_counts(kft.dir / "t.dat")
    # "kft mark" and unit tests of others write to all sessions.
    check_equal([e for e in counts if e != "print"], ["sys_enter"], "trace-cmd's events")
    pid_max = int(pathlib.Path("/proc/sys/kernel/pid_max").read_text())
    if births() - before < pid_max // 2:  # else pids of the storm have come back since
        check_equal(last_names_by_trace_cmd(kft.dir / "t.dat"), 2 * 2000, "calls of name-N")
    # In any style, and written anew.
    kft.run("recover", "t.dat", "-o", "again.dat")
    check_storm(kft, "again.dat", 2000)
    lines = kft.run("report", "again.dat").stdout.splitlines()
    check_equal(sum(line.lstrip().startswith("name-") for line in lines), 2000, "new names")


def pids_that_come_back(kft):
    """Thousands of processes with a few pids."""
    if not LAST_PID.exists():
        return
    here = LAST_PID.read_text().strip()
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


def pids_given_since(file):
    """Of each of the storm's names that a recording has and that was given while it ran."""
    whole = file.read_bytes() if file.exists() else b""
    records = struct.iter_unpack("<QII16s", whole[:len(whole) // 32 * 32])
    # Those that the kernel knew before, from storms of other tests, are from time 0 on.
    return [pid for ts, pid, _, comm in records if ts > 0 and comm.startswith(b"name-")]


def given_since(file):
    return len(pids_given_since(file))


def a_killed_recorder_leaves_them(kft):
    p = kft.record("t", *EVENTS)
    subprocess.run(["python3", "-c", STORM % GETPPID, "500"], check=True, cwd=kft.dir)
    # CPUs are read one after the other: the last name can be there before others are.
    live.wait_for(lambda: given_since(kft.dir / "t.dat.parts/names") == 500, "the names are there")
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


def session(kft, verb, *args):
    return kft.run(verb, "-n", kft.session("t"), *args)


def run_storm(kft, count, *last_pid, renames=1):
    command = [*map(str, storm(kft, count)), *last_pid]
    subprocess.run(["taskset", "-c", "0", *command], check=True, cwd=kft.dir,
                   env={**os.environ, "RENAMES": str(renames)})


def session_dir(kft):
    return pathlib.Path("/run/kft") / kft.session("t")


def a_detached_recording(kft):
    session(kft, "record", "--detach", "-q", *EVENTS)
    run_storm(kft, 1000)
    session(kft, "stop")
    session(kft, "save", "-q", "-o", "t.dat")
    check_storm(kft, "t.dat", 1000)
    counts = live.trace_cmd_counts(kft.dir / "t.dat")
    check_equal(sorted(counts), ["print", "sys_enter"], "trace-cmd's events")
    session(kft, "reset")
    check(not list(live.TRACEFS.glob(f"instances/kft+{kft.session('t')}*")), "it is left")


def a_session_that_streams(kft):
    session(kft, "record", "--detach", "-q", "-o", "t.dat", *EVENTS)
    names = kft.dir / "t.dat.parts/names"
    run_storm(kft, 500)
    live.wait_for(lambda: given_since(names) == 500, "the names are there")
    run_storm(kft, 500)
    session(kft, "stop")
    session(kft, "save", "-q")
    calls = names_by_call(kft, "t.dat")
    # Two storms with the same numbers; what is under a name is of that process.
    wrong = [comm for n, (comm, _) in calls.items()
             if comm != (f"name-{n - 1000000}" if n >= 1000000 else "python3")]
    check_equal(wrong, [], "wrong names")
    session(kft, "reset")


def a_flight_recorder(kft):
    """Each snapshot has all names that it needs, the one before as well."""
    kft.run("flight", "start", "-n", kft.session("t"), "-q", "--keep", "64M", *EVENTS)
    for n in range(3):
        run_storm(kft, 300)
        session(kft, "snapshot", "-q", "-o", f"{n}.dat")
        check_storm(kft, f"{n}.dat", 300)
    session(kft, "reset")


def a_session_that_goes_on(kft):
    """Its keeper reads them from the kernel, which has room for 20,000 on each CPU."""
    session(kft, "record", "--detach", "-q", "-b", "1M", *EVENTS)
    names = session_dir(kft) / "names"
    for n in range(1, 6):
        run_storm(kft, 200, renames=30)
        live.wait_for(lambda n=n: given_since(names) == n * 200 * 30, "the names are there")
    session(kft, "stop")
    session(kft, "save", "-q", "-o", "t.dat")
    check_storm(kft, "t.dat", 200)
    session(kft, "reset")


def more_names_than_there_is_room_for(kft):
    """Nobody reads them in time: a name that is not known is none, and no other's."""
    if not LAST_PID.exists():
        return
    here = LAST_PID.read_text().strip()
    session(kft, "record", "--detach", "-q", "-b", "8M", *EVENTS)
    status = json.loads(session(kft, "status", "--format", "json").stdout)
    keeper = status["sessions"][0]["keeper_pid"]
    names = session_dir(kft) / "names"
    run_storm(kft, 300, here)
    live.wait_for(lambda: given_since(names) == 300, "the names are there")
    pids = set(pids_given_since(names))
    os.kill(keeper, signal.SIGSTOP)
    try:
        run_storm(kft, 1500, here, renames=20)
    finally:
        os.kill(keeper, signal.SIGCONT)
    said = session(kft, "stop").stderr
    check("names of tasks are missing" in said, f"nothing is said: {said}")
    session(kft, "save", "-q", "-o", "t.dat")
    # Other pids have the names of the kernel's table.
    calls = {n: comm for n, (comm, pid) in names_by_call(kft, "t.dat").items() if pid in pids}
    wrong = [(n, comm) for n, comm in calls.items()
             if comm not in ("<...>", f"name-{n - 1000000}" if n >= 1000000 else "python3")]
    check_equal(wrong[:5], [], f"{len(wrong)} names of others")
    check(any(comm != "<...>" for comm in calls.values()), "no names")
    session(kft, "reset")


live.need_program("trace-cmd")
live.main([thousands_of_processes_have_their_names, no_name_hides_the_others, pids_that_come_back,
           before_and_after_an_exec, a_killed_recorder_leaves_them,
           a_detached_recording, a_session_that_streams, a_flight_recorder, a_session_that_goes_on,
           more_names_than_there_is_room_for])
