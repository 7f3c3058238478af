#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# kft record -o -: a recording as a stream, and who reads it.
# usage: record-stream.py KFT [TEST]...
import collections
import datetime
import os
import pty
import re
import shutil
import signal
import stat
import struct
import subprocess
import time

import live
from live import check, check_equal

EVENTS = ["-e", "sched", "-e", "raw_syscalls"]
MAGIC = b"\x17kft-stream 1\n"
META, PAGE, PASS, END = 1, 2, 6, 7


def blocks(data):
    """(kind, cpu, bytes) of each whole block."""
    check(data.startswith(MAGIC), f"it begins with {data[:16]}")
    at = len(MAGIC)
    while at + 16 <= len(data):
        kind, cpu, size = struct.unpack_from("<IIQ", data, at)
        at += 16
        if at + size > len(data):
            return
        yield kind, cpu, data[at:at + size]
        at += size


def page_counts(data):
    """{event: how many} of the stream's pages, walked here."""
    ids = collections.Counter()
    for kind, _, page in blocks(data):
        if kind == PAGE:
            ids.update(live.page_events(page))
    names = {int((d / "id").read_text()): d.name
             for d in live.TRACEFS.glob("events/*/*") if (d / "id").exists()}
    counts = collections.Counter()
    for event_id, n in ids.items():
        counts[names[event_id]] += n
    return dict(counts)


def stream(kft, name, *args, status=0):
    """Records into the file NAME by way of standard output; what was said."""
    with open(kft.dir / name, "wb") as f:
        p = subprocess.run([kft.program, "record", "-o", "-", *args], stdout=f,
                           stderr=subprocess.PIPE, text=True, timeout=live.LIMIT, cwd=kft.dir,
                           check=False)
    check_equal(p.returncode, status, f"status of a stream: {p.stderr}")
    return p.stderr


def a_pipe_is_read(kft):
    p = kft.start("record", "-o", "-", *EVENTS, "--", "sh", "-c", "echo hello; exit 7")
    out = subprocess.run([kft.program, "report", "-"], stdin=p.stdout, capture_output=True,
                         text=True, timeout=live.LIMIT, check=False)
    p.stdout.close()
    said = p.stderr.read()
    check_equal(p.wait(), 7, "the command's status")
    check_equal(out.returncode, 0, f"status of report: {out.stderr}")
    check("execve" in out.stdout and "sh-" in out.stdout, f"it shows: {out.stdout[:500]}")
    check("hello\n" in said and "nothing lost" in said, f"it said: {said}")
    check_equal(list(kft.dir.iterdir()), [], "files that it made")


def report(kft, recording):
    """kft report -, which reads what a recording writes."""
    p = subprocess.Popen([kft.program, "report", "-"], stdin=recording.stdout,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                         start_new_session=True)
    kft.started.append(p)
    recording.stdout.close()
    return p


def first_line(shown, text):
    """All lines up to the first one with the text."""
    lines = []
    for line in shown:
        lines.append(line)
        if text in line:
            return lines
    raise AssertionError(f"never '{text}': {lines}")


def it_is_shown_while_it_grows(kft):
    """The recorded command goes on only when its first event was seen."""
    p = kft.start("record", "-n", kft.session("s"), "-o", "-", *EVENTS, "--", "sh", "-c",
                  "/bin/true; read x; exit 7", stdin=subprocess.PIPE)
    shown = report(kft, p)
    lines = first_line(shown.stdout, "/bin/true")
    check_equal(p.poll(), None, "its status before it is to end")
    with p.stdin as go:
        go.write("go\n")
    p.stdin = None
    rest, said = shown.communicate(timeout=live.LIMIT)
    check_equal((p.wait(), shown.returncode, said), (7, 0, ""), "how it ended")
    lines += rest.splitlines(True)
    check("nothing lost" in p.stderr.read(), "it lost something")
    times = [float(m[1]) for m in map(re.compile(r"\] +(\d+\.\d+): ").search, lines) if m]
    check(len(times) > 10, f"only {lines}")
    check_equal(times, sorted(times), "the order")


def an_interrupt_ends_both(kft):
    """Of a terminal it goes to all of a pipe: what is recorded until then is shown."""
    name = kft.session("s")
    with open(kft.dir / "said", "w", encoding="utf-8") as said:
        p = subprocess.Popen(
            ["sh", "-c", '"$0" record -n "$1" -o - -e sched_process_exec -- '
             'sh -c "/bin/true; read x" | "$0" report -',
             kft.program, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said,
            text=True, cwd=kft.dir, start_new_session=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    kft.started.append(p)
    first_line(p.stdout, "/bin/true")
    os.killpg(p.pid, signal.SIGINT)
    p.communicate(timeout=live.LIMIT)
    said = (kft.dir / "said").read_text()
    check("nothing lost" in said and "before its end" not in said, f"it said: {said}")
    check(not kft.instance("s").exists(), "it left its instance")


def a_report_that_nobody_reads_ends_it(kft):
    """Also when there is nothing to show."""
    p = kft.start("record", "-n", kft.session("s"), "-o", "-", "-a", "-e",
                  "sched_process_hang")
    shown = report(kft, p)
    shown.stdout.close()
    check_equal(shown.wait(live.LIMIT), -signal.SIGPIPE, "how the report ended")
    check_equal(p.wait(live.LIMIT), -signal.SIGPIPE, "how the recording ended")
    check(not kft.instance("s").exists(), "it left its instance")


def the_time_of_day_is_known(kft):
    begin = time.time()
    stream(kft, "s", *EVENTS, "--", "true")
    end = time.time()
    p = kft.run("report", "-F", "wall", "s", env=dict(os.environ, TZ="UTC"))
    for line in p.stdout.splitlines():
        when = datetime.datetime.fromisoformat(line + "+00:00").timestamp()
        check(begin - 0.01 < when < end + 0.01, f"{line} is not from {begin} to {end}")
    check(p.stdout, "it has no event")


def nothing_is_missing(kft):
    stream(kft, "s", *EVENTS, "--", "dd", "if=/dev/zero", "of=/dev/null", "bs=1",
           "count=20000", "status=none")
    data = (kft.dir / "s").read_bytes()
    kinds = [kind for kind, _, _ in blocks(data)]
    check_equal((kinds[0], kinds[-1], kinds.count(END)), (META, END, 1), "first and last")
    check(PASS in kinds, "it does not say how far it is")
    counts = page_counts(data)
    check(sum(counts.values()) > 100, f"too few: {counts}")
    check_equal(kft.counts("s"), counts, "events of the stream")
    # As an ordinary trace, for those who know no streams.
    kft.run("export", "--to", "trace.dat", "-o", "t.dat", "s")
    check_equal(kft.counts("t.dat"), counts, "events of the trace.dat")
    if shutil.which("trace-cmd"):
        check_equal(live.trace_cmd_counts(kft.dir / "t.dat"), counts, "trace-cmd's events")


def a_reader_that_goes_ends_it(kft):
    for args in (["-a", *EVENTS], ["-a", "-e", "sched_process_hang"]):
        p = kft.start("record", "-n", kft.session("s"), "-o", "-", *args)
        p.stdout.buffer.read(1000)
        p.stdout.close()
        # Nothing is said, as of any program whose output nobody reads.
        check_equal(p.stderr.read(), "", "what it said")
        check_equal(p.wait(), -signal.SIGPIPE, "how it ended")
        check(not kft.instance("s").exists(), "it left its instance")


def a_terminal_is_refused(kft):
    master, slave = pty.openpty()
    p = subprocess.run([kft.program, "record", "-o", "-", "--", "touch", "ran"], stdout=slave,
                       stderr=subprocess.PIPE, text=True, timeout=live.LIMIT, cwd=kft.dir,
                       check=False)
    os.close(slave)
    os.close(master)
    check("terminal" in p.stderr and "hint:" in p.stderr, f"it said: {p.stderr}")
    check_equal(p.returncode, 125, "its status")
    check_equal(list(kft.dir.iterdir()), [], "files that it made")


def a_recording_can_be_discarded(kft):
    p = kft.run("record", "-o", "/dev/null", "-e", "sched", "--", "true")
    check("nothing lost" in p.stderr, f"it said: {p.stderr}")
    check(stat.S_ISCHR(os.stat("/dev/null").st_mode), "/dev/null is a device no more")
    check_equal(list(kft.dir.iterdir()), [], "files that it made")


def what_a_slow_reader_costs_is_told(kft):
    """Nobody reads while the command runs: its events do not fit the buffers."""
    p = kft.start("record", "-n", kft.session("s"), "-b", "64k", "-o", "-", *EVENTS, "--",
                  "sh", "-c", "dd if=/dev/zero of=/dev/null bs=1 count=200000 status=none; "
                  "touch done")
    live.wait_for((kft.dir / "done").exists, "the command ends")
    data = p.stdout.buffer.read()
    said = p.stderr.read()
    check_equal(p.wait(), 0, said)
    check("LOST" in said, f"it said: {said}")
    (kft.dir / "s").write_bytes(data)
    stats = kft.stats("s")
    check(stats["lost"] > 0, f"the stream has no loss: {stats['lost']}")
    check_equal(stats["events"], sum(page_counts(data).values()), "its events")


def a_killed_recorder_is_noticed(kft):
    p = kft.start("record", "-n", kft.session("s"), "-o", "-", *EVENTS, "--", "sh", "-c",
                  "touch done; exec sleep 1000")
    out = p.stdout.buffer
    data = bytearray(out.read(len(MAGIC)))
    kind = META
    while kind != PASS or not (kft.dir / "done").exists():
        header = out.read(16)
        kind, _, size = struct.unpack("<IIQ", header)
        data += header + out.read(size)
    p.kill()
    data += out.read()
    (kft.dir / "s").write_bytes(data)
    out = kft.run("report", "--style", "json", "s", status=3)
    check_equal(out.stdout.count('"event":'), sum(page_counts(data).values()), "its events")
    check("before its end" in out.stderr, f"it said: {out.stderr}")
    kft.run("reset")


live.main([
    a_pipe_is_read,
    it_is_shown_while_it_grows,
    an_interrupt_ends_both,
    a_report_that_nobody_reads_ends_it,
    the_time_of_day_is_known,
    nothing_is_missing,
    a_reader_that_goes_ends_it,
    a_terminal_is_refused,
    a_recording_can_be_discarded,
    what_a_slow_reader_costs_is_told,
    a_killed_recorder_is_noticed,
])
