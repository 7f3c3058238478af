#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# kft's filter while reading is the kernel's while recording: the same events, recorded at
# the same time by two sessions, one with the filter and one without.
# usage: filter-as-kernel.py KFT [TEST]...
import live
from live import check, check_equal

# What the program does: signals, forks, programs and numbered system calls.
WORK = """
import os, signal, subprocess
print(os.getpid(), flush=True)
for s in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGRTMIN + 3):
    signal.signal(s, lambda *a: None)
    for _ in range(7):
        os.kill(os.getpid(), s)
for name in ("true", "false", "echo"):
    subprocess.call([name])
for _ in range(50):
    os.getuid(); os.getppid(); os.getpgid(0)
"""
FILTERS = [
    "signal_generate/sig == 10 || sig>12 && sig != 14/",
    "signal_generate/!(sig <= 12) && comm ~ \"py*\" && code < 0x1/",
    "signal_generate/sig & 3 && !(sig == 14 || result != 0)/",
    "signal_generate/comm != \"sh\" && errno >= -3 && errno <= 000 && sig != 012/",
    "sched_process_exec/filename ~ \"*/t?ue\" || filename ~ \"*e[a-d]ho\"/",
    "sched_process_exec/filename ~ \"/*bin*\" && !(filename ~ \"*fals?\")/",
    "sched_process_fork/parent_comm == 'python3' && child_pid > 1/",
    "raw_syscalls:sys_enter/id == 102 || id == 110/",
    "raw_syscalls:sys_enter/id >= 102 && id < 0x6f && !(id & 8)/",
    "raw_syscalls:sys_exit/id == 121 && ret > -1/",
]


def rows(events, pids):
    """What a recording says of these tasks, without the times: sessions differ in them."""
    return [(e["cpu"], e["pid"], e["event"], str(e["fields"])) for e in events
            if e["pid"] in pids]


def the_same_events_pass(kft):
    (kft.dir / "work.py").write_text(WORK)
    for flt in FILTERS:
        event = flt.split("/", maxsplit=1)[0]
        out = kft.run("record", "-q", "-o", "all.dat", "-e", event, "-e", "sched_process_fork",
                      "--", str(kft.program), "record", "-q", "-o", "some.dat", "-e", flt, "--",
                      "python3", "work.py").stdout
        every = list(kft.events("all.dat"))
        pids = {int(out.split()[0])}
        for e in every:
            if e["event"] == "sched_process_fork" and e["fields"]["parent_pid"] in pids:
                pids.add(e["fields"]["child_pid"])
        want = rows(kft.events("some.dat"), pids)
        got = rows(kft.events("all.dat", "-e", flt), pids)
        total = rows([e for e in every if e["event"] == event.split(":")[-1]], pids)
        check(want, f"{flt}: the kernel recorded nothing")
        # All forks are of the one program.
        check(len(want) < len(total) or event == "sched_process_fork",
              f"{flt}: all {len(total)} events pass")
        check_equal(got, want, flt)


live.main([the_same_events_pass])
