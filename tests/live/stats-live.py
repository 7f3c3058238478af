#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# kft stats --live: the kernel's counts against what programs do, against a recording of the same
# time and against the kernel's own counters; and that nothing is left behind.
# usage: stats-live.py KFT [TEST]...
import collections
import ctypes
import json
import os
import pathlib
import platform
import signal
import struct
import subprocess
import sys

import live
from live import check, check_equal, wait_for

LOOKS = 2000
SLEEPS = 10
SLEEP_NS = 20_000_000
PROGRAM = (f"import os, time\n"
           f"for _ in range({LOOKS}): os.getppid()\n"
           f"for _ in range({SLEEPS}): time.sleep({SLEEP_NS / 1e9})\n"
           f"if os.fork() == 0: os.getppid(); os._exit(0)\n"
           f"os.wait()\n")
COMMAND = ["--", sys.executable, "-S", "-c", PROGRAM]

BPF_SYSCALLS = {"x86_64": 321, "aarch64": 280, "armv7l": 386}
PROG_NEXT_ID, MAP_NEXT_ID, PROG_FD, MAP_FD, INFO = 11, 12, 13, 14, 15


def bpf(command, *words):
    """bpf(2) with 32-bit arguments: (result or -1, the argument block afterwards)."""
    attr = ctypes.create_string_buffer(struct.pack(f"<{len(words)}I", *words), 128)
    libc = ctypes.CDLL(None, use_errno=True)
    r = libc.syscall(BPF_SYSCALLS[platform.machine()], command, attr, len(attr))
    return r, attr.raw


def name_of(get_fd, ident):
    """The name of a program or a map; "" when it is gone."""
    fd, _ = bpf(get_fd, ident)
    if fd < 0:
        return ""
    info = ctypes.create_string_buffer(256)
    pointer = ctypes.addressof(info)
    r, _ = bpf(INFO, fd, len(info), pointer & 0xffffffff, pointer >> 32)
    os.close(fd)
    at = 64 if get_fd == PROG_FD else 24
    return info.raw[at:at + 16].split(b"\0")[0].decode() if r == 0 else ""


def left_in_kernel():
    """The names of kft's programs and maps in the kernel."""
    found = []
    for next_id, get_fd in (PROG_NEXT_ID, PROG_FD), (MAP_NEXT_ID, MAP_FD):
        ident = 0
        while True:
            r, attr = bpf(next_id, ident)
            if r < 0:
                break
            ident = struct.unpack_from("<I", attr, 4)[0]
            found.append(name_of(get_fd, ident))
    return [name for name in found if name.startswith("kft_")]


def answer(text):
    """{(kind, key): row}"""
    result = json.loads(text)
    return {(r["kind"], r.get("key")): r for r in result["intervals"]}, result


def calls_are_as_planted(kft):
    rows, result = answer(kft.run("stats", "--live", "syscall", "--json", *COMMAND).stdout)
    check_equal(result.get("missed_events") or 0, 0, "missed events")
    check_equal(rows["syscall", "getppid"]["count"], LOOKS + 1, "calls of getppid")
    sleeps = rows["syscall", "clock_nanosleep"]
    check_equal(sleeps["count"], SLEEPS, "sleeps")
    check(sleeps["min"] >= SLEEP_NS and sleeps["total"] >= SLEEPS * SLEEP_NS, f"{sleeps}")
    check(sleeps["max"] <= sleeps["max_end"] - sleeps["max_start"], f"{sleeps}")
    check(sleeps["p50"] >= SLEEP_NS * 15 // 16, f"the median is within a sixteenth: {sleeps}")
    check(sleeps["avg"] == sleeps["total"] // SLEEPS, f"{sleeps}")
    check(("syscall", "exit_group") not in rows or
          rows["syscall", "exit_group"]["count"] == 0, "exit_group() does not return")


def counts_are_those_of_a_recording(kft):
    """A recording of a program, counted while the kernel counts the same program's calls."""
    text = kft.run("stats", "--live", "syscall", "--by", "key,comm", "--json", "--",
                   kft.program, "record", "-q", "-e", "raw_syscalls", "-o", "r.dat",
                   *COMMAND).stdout
    comm = os.path.basename(os.path.realpath(sys.executable))[:15]
    counted = {}
    for row in json.loads(text)["intervals"]:
        if row["comm"] in (comm, os.path.basename(sys.executable)[:15]):
            counted[row["key"]] = row
    recorded = {row["key"]: row for row in
                json.loads(kft.run("stats", "syscall", "--json", "r.dat").stdout)["intervals"]}
    # The program's name is another one when execve() begins.
    names = {n for n, row in recorded.items() if row["count"]} - {"execve"}
    check(len(names) > 10, f"{recorded}")
    check_equal({n: counted[n]["count"] if n in counted else 0 for n in names},
                {n: recorded[n]["count"] for n in names}, "calls")


def softirq_counts():
    counts = {}
    for line in pathlib.Path("/proc/softirqs").read_text().splitlines()[1:]:
        name, numbers = line.split(":")
        counts[name.strip()] = sum(map(int, numbers.split()))
    return counts


def softirqs_lie_between_a_recording_and_the_kernels_counters(kft):
    before = softirq_counts()
    rows, _ = answer(kft.run("stats", "--live", "softirq", "-a", "--json", "--", kft.program,
                             "record", "-q", "-a", "-e", "irq:softirq_*", "-d", "1s", "-o",
                             "r.dat").stdout)
    after = softirq_counts()
    recorded, _ = answer(kft.run("stats", "softirq", "--json", "r.dat").stdout)
    check(recorded, "no softirq in a second")
    for kind, vector in (row for row in recorded if row[0] == "softirq"):
        few = recorded[kind, vector]["count"]
        many = after[vector] - before[vector]
        count = rows.get((kind, vector), {"count": 0})["count"]
        check(few <= count <= many, f"{vector}: {few} recorded, {count} counted, {many}")


def states_of_a_task_add_up(kft):
    text = kft.run("stats", "--live", "task", "--by", "key,task", "--json", *COMMAND).stdout
    states = collections.defaultdict(dict)
    for row in json.loads(text)["intervals"]:
        states[row["pid"]][row["key"]] = row
    ours = max(states.values(), key=lambda s: s.get("sleeping", {}).get("count", 0))
    sleeping = ours["sleeping"]
    check(sleeping["count"] >= SLEEPS and sleeping["total"] >= SLEEPS * SLEEP_NS, f"{ours}")
    # A task that sleeps is woken and waits, and one that waits runs.
    waits = ours["waiting"]["count"]
    check(waits >= sleeping["count"], f"{ours}")
    check(ours["running"]["count"] in (waits, waits + 1) or "preempted" in ours, f"{ours}")


def ends_without_a_beginning_are_counted(kft):
    """The command's read() before its execve(), and the child's return from a call of its parent."""
    p = kft.run("stats", "--live", "syscall", "--json", *COMMAND)
    check("note: 2 ends are not counted, as the beginning was before the start" in p.stderr,
          p.stderr)


def rows_by_cpu_have_all_cpus_counts(kft):
    rows = json.loads(kft.run("stats", "--live", "syscall", "--by", "cpu,key", "--json",
                              *COMMAND).stdout)["intervals"]
    counts = collections.Counter()
    for row in rows:
        check(row["cpu"] is not None, f"{row}")
        counts[row["key"]] += row["count"]
    check_equal(counts["getppid"], LOOKS + 1, "calls of getppid")


def several_kinds_at_once(kft):
    p = kft.run("stats", "--live", "sched,irq,softirq,syscall", "-a", "--json", *COMMAND)
    rows, _ = answer(p.stdout)
    check({"task", "softirq", "syscall"} <= {kind for kind, _ in rows}, f"{rows.keys()}")
    check("not counted in the kernel" in p.stderr and "migration" in p.stderr, p.stderr)


def answers_to(kft, where):
    """{name: count} of the program's calls, counted by the kernel and in a recording of them."""
    comm = os.path.basename(sys.executable)[:15]
    text = kft.run("stats", "--live", "syscall", "--by", "key,comm", "--json", "--where", where, "--",
                   kft.program, "record", "-q", "-e", "raw_syscalls", "-o", "r.dat", *COMMAND).stdout
    counted = {r["key"]: r["count"] for r in json.loads(text)["intervals"] if r["comm"] == comm}
    recorded = {r["key"]: r["count"] for r in json.loads(
        kft.run("stats", "syscall", "--json", "--where", where, "r.dat").stdout)["intervals"]}
    # execve() begins under another name.
    return [{n: c for n, c in answer.items() if c and n != "execve"} for answer in (counted, recorded)]


def conditions_choose_what_they_choose_in_a_recording(kft):
    several = 'key ~ "*stat*" || key ~ "re*" && !(number == 0)'
    for where in several, "number <= 3 || key == getppid", "kind == syscall && !(key == close)":
        counted, recorded = answers_to(kft, where)
        check(recorded, f"{where}: nothing")
        check_equal(counted, recorded, where)
    rows, _ = answer(kft.run("stats", "--live", "syscall", "--json", "--where",
                             f"duration >= {SLEEP_NS}ns && key == clock_nanosleep && pid > 1 && cpu < 4096",
                             *COMMAND).stdout)
    check_equal({n: r["count"] for n, r in rows.items()}, {("syscall", "clock_nanosleep"): SLEEPS}, "sleeps")
    for where in "duration > 1000s", "comm == no-such-task", "kind == irq":
        rows, _ = answer(kft.run("stats", "--live", "syscall", "--json", "--where", where, *COMMAND).stdout)
        check_equal(rows, {}, where)


def functions_are_chosen_by_name(kft):
    for where, is_chosen in (("key == hrtimer_wakeup", lambda name: name == "hrtimer_wakeup"),
                             ('key ~ "hrtimer_wake*"', lambda name: name.startswith("hrtimer_wake")),
                             ("key != hrtimer_wakeup", lambda name: name != "hrtimer_wakeup")):
        rows, _ = answer(kft.run("stats", "--live", "hrtimer", "-a", "--json", "--where", where,
                                 *COMMAND).stdout)
        check(all(is_chosen(name) for _, name in rows), f"{where}: {rows.keys()}")
        count = rows.get(("hrtimer", "hrtimer_wakeup"), {"count": 0})["count"]
        check((count >= SLEEPS) == is_chosen("hrtimer_wakeup"), f"{where}: {count}")


def filters_of_events_choose_intervals(kft):
    rows, _ = answer(kft.run("stats", "--live", "syscall", "--json", *COMMAND).stdout)
    number = rows["syscall", "getppid"]["number"]
    rows, _ = answer(kft.run("stats", "--live", "syscall", "--json", "-e",
                             f"raw_syscalls:sys_enter/id == {number}/", "-e", "raw_syscalls:sys_exit", *COMMAND).stdout)
    check_equal({n: r["count"] for n, r in rows.items()}, {("syscall", "getppid"): LOOKS + 1}, "calls")


def intervals_of_users_are_counted(kft):
    rows, _ = answer(kft.run("stats", "--live", "syscall", "--json", *COMMAND).stdout)
    number = rows["syscall", "getppid"]["number"]
    for pair, key, count in (
            ("call: raw_syscalls:sys_enter -> raw_syscalls:sys_exit by id,task", str(number), LOOKS + 1),
            (f"one: sys_enter/id == {number}/ -> sys_exit/id == {number}/ by task", "all", LOOKS + 1),
            ("gap: sys_enter/id == 230/ -> sys_enter/id == 230/ by task" if platform.machine() == "x86_64"
             else f"gap: sys_enter/id == {number}/ -> sys_enter/id == {number}/ by task", "all", None)):
        rows, _ = answer(kft.run("stats", "--live", "--interval", pair, "--json", *COMMAND).stdout)
        got = rows[pair.split(":")[0], key]["count"]
        check_equal(got, SLEEPS - 1 if count is None and platform.machine() == "x86_64" else count or LOOKS - 1,
                    pair)


def periods_have_all_intervals(kft):
    """Each call is in one of the periods, however short these are."""
    work = "import os, time\nfor _ in range(40): [os.getppid() for _ in range(100)]; time.sleep(0.005)\n"
    lines = kft.run("stats", "--live", "syscall", "--every", "20ms", "--json", "--",
                    sys.executable, "-S", "-c", work).stdout.splitlines()
    counts = collections.Counter()
    end = 0
    for line in lines:
        rows, result = answer(line)
        check(result["start"] >= end, f"periods overlap: {line}")
        end = result["start"] + result["duration"]
        for (_, name), row in rows.items():
            counts[name] += row["count"]
            check(row["count"] == 0 or row["min"] <= row["max"] <= row["total"], f"{row}")
    check(len(lines) > 3, f"{len(lines)} periods")
    check_equal(counts["getppid"], 4000, "calls of getppid")
    check_equal(counts["clock_nanosleep"], 40, "sleeps")
    text = kft.run("stats", "--live", "syscall", "--every", "20ms", "-d", "70ms").stdout
    check(text.count("\n\nCounted from ") > 0, text)
    check("needs --live" in kft.run("stats", "syscall", "--every", "1s", status=2).stderr, "without --live")


def a_signal_ends_it_with_the_answer(kft):
    wait_for(lambda: not left_in_kernel(), "nothing is left by other tests")
    p = kft.start("stats", "--live", "syscall", "--json")
    wait_for(lambda: "kft_live" in left_in_kernel(), "the programs are loaded")
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=live.LIMIT)
    check_equal(p.returncode, 0, f"status; {err}")
    check("duration" in json.loads(out), out)


def nothing_is_left_after_any_end(kft):
    # The kernel frees them a moment after their process has ended.
    wait_for(lambda: not left_in_kernel(), "nothing is left by other tests")
    for sig in signal.SIGKILL, signal.SIGTERM:
        p = kft.start("stats", "--live")
        wait_for(lambda: "kft_live" in left_in_kernel(), "the programs are loaded")
        p.send_signal(sig)
        p.communicate(timeout=live.LIMIT)
        wait_for(lambda: not left_in_kernel(), f"nothing is left after {sig}")


def what_it_cannot_do_is_refused(kft):
    (kft.dir / "some.dat").touch()
    for args, words in ((["irq-gap"], "more than pairs of events"),
                        (["nonsense"], "not a list of kinds of intervals: 'nonsense'"),
                        (["nonsense"], "can count: task, "),
                        (["syscall,wrong"], "not a list of kinds"),
                        (["syscall", "some.dat"], "combined with a file"),
                        (["some.dat", "syscall"], "combined with a file"),
                        (["some.dat"], "combined with a file"),
                        (["wall"], "combined with the time of threads"),
                        (["syscall", "--exact"], "--exact"),
                        (["syscall", "--since", "+1"], "--since"),
                        (["syscall", "--where", "wrong > 1"], "has no field 'wrong'"),
                        (["block", "--where", "key == sda"], "it knows the number, and not the name"),
                        (["hrtimer", "--where", "key ~ *f*"], "addresses without a name may match"),
                        (["block", "--where", "value > 1"], "does not know the values"),
                        (["syscall", "--where", "key ~ *[0-9]"], "numbers without a name may match"),
                        (["syscall", "-e", "no:such"], "no:such"),
                        (["syscall", "-e", "raw_syscalls:sys_enter/args == 1/"], "args"),
                        (["--interval", "x: no:such -> sched:sched_switch"], "no event 'such'"),
                        (["--interval", "x: sched:sched_switch -> sched:sched_switch by prev_comm"],
                         "no number"),
                        (["events"], "counts of events"),
                        (["--"], "no COMMAND after '--'")):
        p = kft.run("stats", "--live", "-d", "1ms", *args, status=None)
        check(p.returncode in (1, 2) and words in p.stderr, f"{args}: {p.stderr}")


def a_command_that_cannot_run_gives_the_status_of_a_recording(kft):
    script = kft.dir / "script"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o755)
    for command, status in (("/no/such/program", 127), ("no-such-program", 127), ("/etc/passwd", 126),
                            ("/tmp", 126), (script, 127)):
        error = kft.run("stats", "--live", "syscall", "--", command, status=status).stderr
        check("cannot run" in error, error)
        kft.run("record", "-o", "r.dat", "--", command, status=status)
    kft.run("stats", "--live", "syscall", "--", "false")


def the_command_ignores_the_signals_of_its_caller_only(kft):
    for verb in (["stats", "--live", "syscall"], ["record", "-q", "-e", "raw_syscalls", "-o", "r.dat"]):
        kft.run(*verb, "--", "sh", "-c", "grep SigIgn /proc/self/status >ignored")
        got = (kft.dir / "ignored").read_text()
        ours = next(line for line in open("/proc/self/status") if line.startswith("SigIgn"))
        # Python ignores SIGPIPE and SIGXFSZ, and gives its children the defaults.
        ignored = int(ours.split()[1], 16) & ~(1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1)
        check_equal(int(got.split()[1], 16), ignored, f"ignored signals of {verb}")


def failures_at_the_end_are_explained(kft):
    """A call of bpf(2) fails: the one that stops the programs, or that reads their first row."""
    live.need_program("strace")

    def stats(*inject):
        p = subprocess.run(["strace", "-qq", "-o", "calls", "-e", "trace=bpf", *inject, kft.program,
                            "stats", "--live", "syscall", "-d", "1ms"], capture_output=True, text=True,
                           cwd=kft.dir, timeout=live.LIMIT)
        return p.returncode, p.stderr, (kft.dir / "calls").read_text().splitlines()
    _, _, calls = stats()
    stop = max(i for i, call in enumerate(calls, 1) if "BPF_MAP_UPDATE_ELEM" in call)
    for number, words in ((stop, "cannot stop the programs"), (stop + 1, "cannot read the kernel's counts")):
        status, error, _ = stats("-e", f"inject=bpf:error=EIO:when={number}")
        check(status == 1 and words in error, f"{number}: {error}")


def root_is_not_needed_with_the_capabilities_of_the_hint(kft):
    def as_nobody(caps):
        p = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                            f"--inh-caps=-all{caps}", f"--ambient-caps=-all{caps}", kft.program,
                            "stats", "--live", "syscall,softirq", "-d", "10ms", "--json"],
                           capture_output=True, text=True, timeout=live.LIMIT)
        return p.returncode, p.stderr
    live.need_program("setpriv")
    wanted = ["bpf", "perfmon", "dac_read_search"]
    status, error = as_nobody("")
    hint = "hint: run kft as root, for example with sudo, or with CAP_BPF, CAP_PERFMON and CAP_DAC_READ_SEARCH"
    check(status == 1 and hint in error, error)
    for lacking in wanted:
        status, error = as_nobody("".join(f",+{cap}" for cap in wanted if cap != lacking))
        check(status == 1 and hint in error, f"without {lacking}: {error}")
    status, error = as_nobody("".join(f",+{cap}" for cap in wanted))
    check(status == 0, error)


def main():
    live.need_tracefs()
    if platform.machine() not in BPF_SYSCALLS:
        live.skip(f"the number of bpf(2) on {platform.machine()} is not known here")
    live.main([
        calls_are_as_planted,
        counts_are_those_of_a_recording,
        softirqs_lie_between_a_recording_and_the_kernels_counters,
        states_of_a_task_add_up,
        ends_without_a_beginning_are_counted,
        rows_by_cpu_have_all_cpus_counts,
        several_kinds_at_once,
        conditions_choose_what_they_choose_in_a_recording,
        functions_are_chosen_by_name,
        filters_of_events_choose_intervals,
        intervals_of_users_are_counted,
        periods_have_all_intervals,
        a_signal_ends_it_with_the_answer,
        nothing_is_left_after_any_end,
        what_it_cannot_do_is_refused,
        a_command_that_cannot_run_gives_the_status_of_a_recording,
        the_command_ignores_the_signals_of_its_caller_only,
        failures_at_the_end_are_explained,
        root_is_not_needed_with_the_capabilities_of_the_hint,
    ])


main()
