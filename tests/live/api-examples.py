#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# The examples of the documentation that record, built against what is installed, as a
# program of somebody else is.
# usage: api-examples.py KFT [TEST]...
import os
import pathlib
import re
import signal
import subprocess

import live
from live import check, check_equal

TOP = pathlib.Path(__file__).resolve().parents[2]


def build(kft, name):
    """Installs kft into a directory and compiles the example with its pkg-config file."""
    dest = kft.dir / "dest"
    if not dest.exists():
        subprocess.run(["meson", "install", "-C", pathlib.Path(kft.program).parent,
                        "--no-rebuild", "--quiet", "--destdir", dest], check=True,
                       stdout=subprocess.DEVNULL, timeout=live.LIMIT)
    pc = next(dest.rglob("kft.pc")).parent
    env = {**os.environ, "PKG_CONFIG_PATH": pc, "PKG_CONFIG_SYSROOT_DIR": dest}
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "kft"], env=env, text=True,
                           capture_output=True, check=True).stdout.split()
    source = TOP / "docs/examples" / f"{name}.c"
    check(len(source.read_text().splitlines()) < 60, f"{source} has grown long")
    subprocess.run(["cc", "-Wall", "-Werror", "-o", kft.dir / name, source, *flags,
                    f"-Wl,-rpath,{next(dest.rglob('libkft.so')).parent}"], check=True,
                   timeout=live.LIMIT)
    return kft.dir / name


def run(kft, *args):
    return subprocess.run(args, cwd=kft.dir, capture_output=True, text=True,
                          timeout=live.LIMIT, check=False)


def record_makes_a_trace_of_a_command(kft):
    record = build(kft, "record")
    p = run(kft, record, "t.dat", "sh", "-c", "exec -a kft-example true || exec true")
    check_equal(p.returncode, 0, f"record: {p.stderr}")
    said = re.fullmatch(r"(\d+) events, 0 lost\n", p.stdout)
    check(said, f"it said: {p.stdout}")
    counts = kft.counts("t.dat")
    check_equal(sum(counts.values()), int(said[1]), "events said and in the file")
    check(counts.get("sched_process_exec", 0) >= 1, f"the command is not there: {counts}")
    check_equal(live.trace_cmd_counts(kft.dir / "t.dat"), counts, "as trace-cmd has it")


def record_says_why_it_cannot(kft):
    record = build(kft, "record")
    p = run(kft, record, "no/such/directory/t.dat", "true")
    check_equal(p.returncode, 1, "status")
    check("no/such/directory" in p.stderr, f"it said: {p.stderr}")


def watch_shows_events_as_they_happen(kft):
    watch = build(kft, "watch")
    args = [watch, "sched:sched_process_exec", "sched:sched_process_exit"]
    with subprocess.Popen(args, cwd=kft.dir, stdout=subprocess.PIPE) as p:
        try:
            # The program is run until it is seen: tracing may not have begun the first time.
            own = kft.dir / "seen"
            os.symlink("/bin/true", own)
            os.set_blocking(p.stdout.fileno(), False)
            text = b""

            def shown():
                nonlocal text
                subprocess.run([own], check=True)
                text += p.stdout.read() or b""
                return bytes(own) in text

            live.wait_for(shown, "the exec is shown while it is recorded")
            os.set_blocking(p.stdout.fileno(), True)
            p.send_signal(signal.SIGINT)
            text += p.communicate(timeout=live.LIMIT)[0]
        finally:
            p.kill()
    check_equal(p.returncode, 0, "status")
    times = [int(line.split()[0]) for line in text.splitlines()]
    check_equal(times, sorted(times), "the order of time")


def watch_says_why_it_cannot(kft):
    watch = build(kft, "watch")
    p = run(kft, watch, "no_such:event")
    check_equal(p.returncode, 1, "status")
    check("no_such:event" in p.stderr, f"it said: {p.stderr}")
    p = run(kft, watch)
    check_equal(p.returncode, 1, "status without events")
    check("nothing to record" in p.stderr, f"it said: {p.stderr}")


def snapshot_of_a_flight_recorder(kft):
    snapshot = build(kft, "snapshot")
    name = kft.session("s")
    kft.run("flight", "start", "-q", "-n", name, "-e", "sched:sched_process_exit")
    try:
        p = run(kft, snapshot, name, "s.dat", "the queue was empty")
        check_equal(p.returncode, 0, f"snapshot: {p.stderr}")
        check("kft: snapshot the queue was empty" in kft.run("report", "s.dat").stdout,
              "the reason is not there")
    finally:
        kft.run("reset", "-n", name)
    p = run(kft, snapshot, name, "n.dat", "nothing")
    check_equal(p.returncode, 1, "status without a session")
    check("no run is loaded" in p.stderr, f"it said: {p.stderr}")


def a_program_of_kptrace(kft):
    program = build(kft, "kptrace")
    name = kft.session("k")
    kft.run("flight", "start", "-q", "-n", name, "-e", "sched:sched_process_exit/pid == 1/")
    try:
        p = subprocess.run([program], env={**os.environ, "KFT_SESSION": name}, check=False,
                           timeout=live.LIMIT)
        check_equal(p.returncode, 0, "status")
        kft.run("snapshot", "-q", "-n", name, "-o", "k.dat")
        text = kft.run("report", "k.dat").stdout
    finally:
        kft.run("reset", "-n", name)
    own = re.compile(r"kft: |frame 1 of video|KM|the end")  # other programs mark all sessions, too
    marks = re.findall(r"tracing_mark_write: (?:I\|\d+\|)?(.*)$", text, re.M)
    check_equal([re.sub(r" \d+$", "", m) for m in marks if own.match(m)],
                ["kft: start user", "frame 1 of video", "KM", "kft: pause user",
                 "kft: resume user", "the end", "kft: snapshot "], "the marks")


if __name__ == "__main__":
    live.need_program("trace-cmd")
    live.need_program("pkg-config")
    live.main([record_makes_a_trace_of_a_command, record_says_why_it_cannot,
               watch_shows_events_as_they_happen, watch_says_why_it_cannot,
               snapshot_of_a_flight_recorder, a_program_of_kptrace])
