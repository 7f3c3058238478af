#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Whom kft record records, and how it ends.
# usage: record-command.py KFT [TEST]...
import csv
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys

import live
from live import check, check_equal

EVENTS = ["-e", "sched", "-e", "irq", "-e", "raw_syscalls", "-e", "signal"]
CAP_SYS_NICE = 1 << 23
CAP_SYS_RESOURCE = 1 << 24
# About a task, but recorded while another one runs: as kft-record(1) says.
ABOUT_ANOTHER = {"sched_switch": "next_pid", "sched_waking": "pid", "sched_wakeup": "pid",
                 "sched_wakeup_new": "pid"}


def only_of(events, pids):
    """Every event is of one of these tasks, or tells of one being woken or switched to."""
    for e in events:
        other = ABOUT_ANOTHER.get(e["event"])
        check(e["pid"] in pids or (other and e["fields"][other] in pids),
              f"of nobody who was to be recorded: {e}")


def family(events, pids):
    """These tasks and all that they have started."""
    pids = set(pids)
    for e in events:
        if e["event"] == "sched_process_fork" and e["fields"]["parent_pid"] in pids:
            pids.add(e["fields"]["child_pid"])
    return pids


def numbers(file):
    return {int(word) for word in file.read_text().split()}


def a_limit_ends_it(kft):
    """Without a command, a time or a signal: only the limit does."""
    for limit, least in (("2000ev", 2000), ("64k", 500)):
        kft.run("record", "-q", "-o", "t.dat", "-a", "-e", "raw_syscalls", "-e", "sched",
                "--limit", limit)
        check(sum(kft.counts("t.dat").values()) >= least, f"too few for {limit}")
    kft.run("record", "-q", "-o", "t.dat", "--limit", "12x", status=2)
    # The program goes on, as after -d.
    kft.run("record", "-q", "-o", "t.dat", "-a", "-e", "raw_syscalls", "--limit", "1ev", "--",
            "sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; exit 9",
            status=9)


def status_is_passed_on(kft):
    for command, status in ((["true"], 0), (["false"], 1), (["sh", "-c", "exit 37"], 37),
                            (["sh", "-c", "kill -9 $$"], 137),
                            (["sh", "-c", "kill -TERM $$"], 143)):
        kft.run("record", "-q", "-o", "t.dat", "--", *command, status=status)
        check(sum(kft.counts("t.dat").values()) > 0, f"no events of {command}")
    # A recording as before is not touched by a command that is not there.
    before = (kft.dir / "t.dat").read_bytes()
    said = kft.run("record", "-o", "t.dat", "--", "no-such-program", status=127).stderr
    check("cannot run 'no-such-program'" in said, f"it said: {said}")
    kft.run("record", "-o", "t.dat", "--", "/etc/passwd", status=126)
    (kft.dir / "script").write_text("#!/no/such/interpreter\n")
    (kft.dir / "script").chmod(0o755)
    kft.run("record", "-o", "u.dat", "--", "./script", status=127)
    check_equal((kft.dir / "t.dat").read_bytes(), before, "the older trace")


def the_answer_comes_behind_the_command(kft):
    out = kft.run("record", "--format", "json", "-o", "a,b.dat", "--", "echo", "hello").stdout
    first, last = out.splitlines()
    check_equal(first, "hello", "what the command wrote")
    answer = json.loads(last)
    check_equal(answer["file"], "a,b.dat", "file")
    check_equal(answer["bytes"], (kft.dir / "a,b.dat").stat().st_size, "bytes")
    check_equal(answer["events"], sum(kft.counts("a,b.dat").values()), "events")
    check(answer["elapsed"] > 0, answer)
    check_equal(answer["lost"], sum(c[k] for c in answer["counters"] for k in
                                    ("overrun", "dropped", "commit_overrun", "unread")), "lost")
    out = kft.run("record", "--format", "csv", "-o", "a,b.dat", "--", "true").stdout
    rows = list(csv.reader(out.splitlines()))
    check_equal(rows[0], ["table", "key", "value"], "the first row")
    check_equal(rows[1], ["result", "file", "a,b.dat"], "the name of the file")


def descendants_are_followed(kft):
    """Children, their children, and those who leave the session; and nobody else."""
    noise = subprocess.Popen(["sh", "-c", "while :; do /bin/true; done"])
    script = kft.dir / "script.sh"
    script.write_text("""
        echo $$ >>pids
        sh -c 'echo $$ >>pids; sh -c "echo \\$\\$ >>pids; exec ls /"' >/dev/null
        (sh -c 'echo $$ >>pids' | cat >/dev/null)
        # A daemon: its parent ends at once.
        sh -c 'setsid sh -c "echo \\$\\$ >>pids; sleep 0.1; sh -c \\"echo \\\\\\$\\\\\\$ >>pids\\"; touch done" &'
        until [ -e done ]; do sleep 0.02; done
    """)
    try:
        kft.run("record", "-q", "-o", "t.dat", *EVENTS, "--", "sh", script)
    finally:
        noise.kill()
        noise.wait()
    events = kft.events("t.dat")
    pids = numbers(kft.dir / "pids")
    check(len(pids) == 6, f"the script did not run as it should: {pids}")
    seen = {e["pid"] for e in events if e["event"] == "sys_enter"}
    check(pids <= seen, f"not recorded: {pids - seen}")
    everyone = family(events, pids)
    only_of(events, everyone)
    check(noise.pid not in everyone, "the other's children are taken for ours")
    # From its first instruction to its last.
    command = int((kft.dir / "pids").read_text().split()[0])
    for event in ("sched_process_exec", "sched_process_exit"):
        check(command in {e["pid"] for e in events if e["event"] == event},
              f"no {event} of the command")


def everything_with_a(kft):
    """-a: the whole system while the command runs."""
    other = subprocess.Popen(["sh", "-c", "while :; do /bin/true; done"])
    try:
        kft.run("record", "-q", "-a", "-o", "t.dat", "-e", "sched", "--", "sleep", "0.3")
        kft.run("record", "-q", "-d", "300ms", "-o", "u.dat", "-e", "sched")
    finally:
        other.kill()
        other.wait()
    for trace in ("t.dat", "u.dat"):
        parents = {e["fields"]["parent_pid"] for e in kft.events(trace, "-e", "sched_process_fork")}
        check(other.pid in parents, f"{trace}: the whole system is not recorded")


THREADS = """
import os, subprocess, sys, threading, time
tids = open("tids", "a")
stop = False

def work():
    tids.write(f"{threading.get_native_id()}\\n")
    tids.flush()
    while not stop:
        os.getppid()
        time.sleep(0.01)

early = [threading.Thread(target=work) for _ in range(3)]
for t in early: t.start()
open("ready", "w")
while not os.path.exists("go"): time.sleep(0.01)
late = [threading.Thread(target=work) for _ in range(3)]
for t in late: t.start()
child = subprocess.Popen(["sh", "-c", "echo $$ >>tids; sh -c 'echo $$ >>tids; :'"])
child.wait()
time.sleep(0.1)
stop = True
for t in early + late: t.join()
"""


def a_process_with_threads(kft):
    """-P: all threads, those to come, and what they start; and nobody else."""
    p = subprocess.Popen([sys.executable, "-c", THREADS], cwd=kft.dir)
    noise = subprocess.Popen(["sh", "-c", "while :; do /bin/true; done"])
    try:
        live.wait_for((kft.dir / "ready").exists, "the threads are there")
        recorder = kft.record("t", *EVENTS, "-P", p.pid)
        (kft.dir / "go").touch()
        p.wait(timeout=live.LIMIT)
        kft.end(recorder, sig=signal.SIGINT)
    finally:
        p.kill()
        noise.kill()
        noise.wait()
    tids = numbers(kft.dir / "tids") | {p.pid}
    check_equal(len(tids), 9, "threads and children")
    events = kft.events("t.dat")
    seen = {e["pid"] for e in events if e["event"] == "sys_enter"}
    check(tids <= seen, f"not recorded: {tids - seen}")
    # Programs may mark all sessions at any time.
    only_of([e for e in events if e["event"] != "print"], family(events, tids))


def signals_end_it(kft):
    for sig in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        name = sig.name.lower()
        p = kft.record(name, "-e", "sched")
        said = kft.end(p, sig=sig)
        check("events in" in said, f"{name}: it said: {said}")
        check(not kft.instance(name).exists(), f"{name}: an instance is left")
        check_equal(kft.counts(f"{name}.dat"), live.trace_cmd_counts(kft.dir / f"{name}.dat"),
                    name)
    # Its program is ended with it, and says how.
    p = kft.record("command", "--", "sh", "-c", "echo $$ >pid; exec sleep 100")
    live.wait_for(lambda: (kft.dir / "pid").exists() and numbers(kft.dir / "pid"), "it runs")
    kft.end(p, sig=signal.SIGTERM, status=128 + signal.SIGTERM)
    pid = numbers(kft.dir / "pid").pop()
    check(not pathlib.Path(f"/proc/{pid}").exists(), "the command is left")


def the_time_ends_it(kft):
    """-d ends the recording, not the program, whose status is passed on."""
    p = kft.record("t", "-d", "200ms", "--", "sh", "-c",
                   "until [ -e go ]; do sleep 0.02; done; exit 9")
    check("events in" in p.stderr.readline(), "the summary does not come at once")
    check("kft waits until the command ends" in p.stderr.readline(), "why it waits is not said")
    check(not kft.instance("t").exists(), "an instance is left while the program goes on")
    check(p.poll() is None, "kft does not wait for its program")
    (kft.dir / "go").touch()
    kft.end(p, status=9)
    check(kft.stats("t.dat")["span"] > 0, "nothing was recorded")


def status_fields(text):
    return dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)


def privileges_are_given_up(kft):
    """kft keeps none while it records; the program has all that kft was started with."""
    # A program tells of itself: a shell blocks signals while it starts another.
    p = kft.record("t", "--", "sh", "-c", "cat /proc/self/status >new; mv new status; "
                   "until [ -e go ]; do sleep 0.02; done")
    live.wait_for((kft.dir / "status").exists, "it runs")
    own = subprocess.run(["cat", "/proc/self/status"], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
    own = status_fields(own)
    program = status_fields((kft.dir / "status").read_text())
    # Its threads may hurry: by a limit where that can be raised.
    rest = 0 if int(own["CapEff"], 16) & CAP_SYS_RESOURCE else CAP_SYS_NICE
    for task in pathlib.Path(f"/proc/{p.pid}/task").iterdir():
        status = status_fields((task / "status").read_text())
        for field in ("CapEff", "CapPrm", "CapInh", "CapAmb"):
            check_equal(int(status[field], 16) & ~rest, 0, f"{field} of kft's {task.name}")
        check_equal(status["NoNewPrivs"], "1", f"NoNewPrivs of kft's {task.name}")
    for field in ("CapEff", "CapPrm", "CapBnd", "NoNewPrivs", "SigBlk", "SigIgn", "Uid"):
        check_equal(program[field], own[field], f"{field} of the program")
    (kft.dir / "go").touch()
    kft.end(p)
    check(sum(kft.counts("t.dat").values()) > 0, "nothing was recorded")


def the_program_has_what_kft_got(kft):
    """Descriptors, environment, directory, standard input, and SIGPIPE."""
    said = kft.run("record", "-q", "-o", "t.dat", "--", "sh", "-c",
                   "cat; echo $WORD; pwd; ls /proc/self/fd; seq 100000 | head -n 1",
                   input="in\n", env={**os.environ, "WORD": "yes"})
    lines = said.stdout.split()
    check_equal(lines[:3], ["in", "yes", str(kft.dir)], "what the program sees")
    check_equal(lines[3:7] + lines[-1:], ["0", "1", "2", "3", "1"], "descriptors, a pipe's end")
    check_equal(len(lines), 8, f"descriptors: {lines}")
    check_equal(said.stderr, "", "what was said with -q")


def a_command_that_does_not_heed_is_killed_by_the_second_signal(kft):
    p = kft.record("t", "--", "sh", "-c",
                   "trap '' TERM; echo $$ >pid; while :; do sleep 0.1; done")
    live.wait_for(lambda: (kft.dir / "pid").exists() and numbers(kft.dir / "pid"), "it runs")
    p.send_signal(signal.SIGTERM)
    said = ""
    while "ignores SIGTERM" not in said:
        line = p.stderr.readline()
        check(line, f"it ended: {said}")
        said += line
    check("events in" in said, f"the recording is not told of first: {said}")
    kft.end(p, status=137, sig=signal.SIGTERM)
    check(not pathlib.Path(f"/proc/{numbers(kft.dir / 'pid').pop()}").exists(), "it is left")


def formats_are_compressed_by_default(kft):
    """Events are not: trace-cmd reads all kinds alike."""
    head = {}
    for name, options in (("plain", ["--no-compress"]), ("default", []), ("all", ["--compress"])):
        kft.run("record", "-q", *options, "-o", f"{name}.dat", *EVENTS, "--", "true")
        counts = kft.counts(f"{name}.dat")
        check(counts, "nothing was recorded")
        check_equal(live.trace_cmd_counts(kft.dir / f"{name}.dat"), counts, name)
        head[name] = (kft.dir / f"{name}.dat").read_bytes()
    check(b"none\0" in head["plain"][:40] and b"zstd\0" in head["default"][:40], "the codec")
    check(len(head["default"]) * 2 < len(head["plain"]), "its size")
    # A page of events stands where a page of the file begins.
    pages = [head["default"][at:at + 4096] for at in range(0, len(head["default"]), 4096)]
    check(any(len(list(live.page_events(page))) > 10 for page in pages), "pages are not plain")


def with_umask():
    os.umask(0o777)


def verbs_record_a_command_first(kft):
    p = kft.run("why", "syscall", "--", "sh", "-c", "read x </proc/self/stat; exit 3")
    check("nothing lost" in p.stderr and "syscall" in p.stdout.splitlines()[0], p)
    comms = {row["comm"] for row in json.loads(kft.run("stats", "syscall", "--by", "comm", "--json",
                                                      "--", "sleep", "0.01").stdout)["intervals"]}
    check("sleep" in comms and "exe" not in comms, f"the trace is of {comms}")
    kft.run("view", "-o", "page.html", "--", "true")
    check((kft.dir / "page.html").stat().st_size > 10000, "the page is empty")
    check("cannot run" in kft.run("why", "--", "/no/such", status=127).stderr, "no such command")
    check("is a file" in kft.run("stats", "trace.dat", "--", "true", status=2).stderr, "a FILE")
    check("no COMMAND" in kft.run("why", "--", status=2).stderr, "no command")


def why_of_a_command_explains_its_run(kft):
    """On a machine with other work: the answer is not about the longest wait of anybody."""
    busy = subprocess.Popen(["sh", "-c", "while :; do cat /proc/stat >/dev/null; done"])
    try:
        answer = kft.run("why", "--", "sh", "-c", "sleep 0.2; exit 3").stdout
    finally:
        busy.kill()
        busy.wait()
    check(re.match(r"sh-\d+: the command took ", answer), answer)
    check(kft.run("why", "command").stdout == answer, "the trace has the same answer")
    whole = kft.run("why", "-a", "--", "true").stdout
    check("the command" not in whole.splitlines()[0], f"-a: {whole}")
    kft.run("record", "-q", "--for", "why", "-d", "50ms", "-o", "none.dat")
    said = kft.run("why", "none.dat", "command", status=1).stderr
    check("does not show a command" in said, said)


def why_knows_a_recorder_of_any_name(kft):
    tool = kft.dir / "a tool"
    tool.symlink_to(kft.program)
    other = live.Kft(tool, kft.dir)
    answer = other.run("why", "--", "sleep", "0.01").stdout
    check(re.match(r"sleep-\d+: the command took ", answer), answer)


def the_time_limit_of_why_ends_the_recording(kft):
    """The answer follows when the command has ended, but is about the recorded part of it."""
    p = kft.run("why", "-d", "10ms", "--format", "json", "--", "sleep", "2")
    answer = json.loads(p.stdout)
    check(answer["interval"] == "the command" and answer["task"] == "sleep", answer)
    ends = kft.run("report", "-e", "sched_process_exit").stdout
    check(f"sleep-{answer['pid']} " not in ends, f"its end was recorded: {ends}")


def verbs_record_the_system_for_a_time_first(kft):
    # On a machine that only computes nothing may begin and end in so short a time.
    sleeper = subprocess.Popen(["sh", "-c", "while :; do sleep 0.01; done"])
    try:
        for options in ("-d200ms",), ("-a", "--duration", "0.2"):
            p = kft.run("why", *options)
            check("nothing lost" in p.stderr and " took " in p.stdout.splitlines()[0], p)
            stats = json.loads(kft.run("stats", "events", "--json", *options).stdout)
            check(stats["span"] > 150e6, stats["span"])
    finally:
        sleeper.kill()
        sleeper.wait()
    kft.run("view", "-a", "-d", "100ms", "-o", "page.html")
    check((kft.dir / "page.html").stat().st_size > 10000, "the page is empty")
    p = kft.run("why", "-d", "10ms", "--", "sleep", "0.2")
    check(p.stdout.startswith("sleep-"), f"-d with a command: {p}")
    check("needs -d" in kft.run("view", "-a", status=2).stderr, "-a alone")
    check("is a file" in kft.run("stats", "trace.dat", "-d", "1s", status=2).stderr, "a FILE")
    check("is not a time" in kft.run("why", "-d", "soon", status=2).stderr, "no time")


def any_umask_will_do(kft):
    kft.run("record", "-q", "-o", "t.dat", "--", "true", preexec_fn=with_umask)
    check(sum(kft.counts("t.dat").values()) > 0, "nothing was recorded")
    check_equal((kft.dir / "t.dat").stat().st_mode & 0o777, 0o600, "the trace's mode")


def any_umask_will_do_for_a_detached_one(kft):
    name = kft.session("u")
    kft.run("record", "--detach", "-n", name, "-o", "t.dat", "-e", "sched", preexec_fn=with_umask)
    session = pathlib.Path("/run/kft") / name
    check_equal(session.stat().st_mode & 0o777, 0o700, "the mode of its directory")
    for file in session.iterdir():
        check_equal(file.stat().st_mode & 0o777, 0o600, f"the mode of {file.name}")
    kft.run("stop", name, preexec_fn=with_umask)
    kft.run("reset", name)
    check(sum(kft.counts("t.dat").values()) > 0, "nothing was recorded")


def a_limit_of_files_is_like_a_full_disk(kft):
    """ulimit -f: also where FILE itself is written, at the beginning and at the end."""
    big = "dd if=/dev/zero of=/dev/null bs=1 count=20000 status=none"
    for kb in 16, 12000:
        limit = kb * 1024
        said = kft.run("record", "-o", "t.dat", "-e", "raw_syscalls", "--", "sh", "-c",
                       f"{big}; {big}; {big}; {big}", status=125, preexec_fn=lambda:
                       resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))).stderr
        check("File too large" in said, f"it said: {said}")
    # The parts are there, and can be read.
    check(sum(kft.report_counts("t.dat").values()) > 0, "nothing can be read")


def the_null_device_takes_all(kft):
    said = kft.run("record", "-e", "sched", "-o", "/dev/null", "--", "true").stderr
    check(re.search(r"\d events", said), f"it said: {said}")
    check(pathlib.Path("/dev/null").is_char_device(), "/dev/null was replaced")
    check(not pathlib.Path("/dev/null.parts").exists(), "something is left beside it")


if __name__ == "__main__":
    live.need_program("trace-cmd")
    live.main([status_is_passed_on, a_limit_ends_it,
               the_answer_comes_behind_the_command, descendants_are_followed, everything_with_a,
               a_process_with_threads, signals_end_it, the_time_ends_it,
               privileges_are_given_up, any_umask_will_do,
               any_umask_will_do_for_a_detached_one, formats_are_compressed_by_default,
               a_command_that_does_not_heed_is_killed_by_the_second_signal,
               a_limit_of_files_is_like_a_full_disk, the_program_has_what_kft_got,
               verbs_record_a_command_first, why_of_a_command_explains_its_run,
               why_knows_a_recorder_of_any_name, the_time_limit_of_why_ends_the_recording,
               verbs_record_the_system_for_a_time_first,
               the_null_device_takes_all])
