#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Sessions side by side, what they refuse, and the files they make.
# usage: record-sessions.py KFT [TEST]...
import fcntl
import json
import os
import shutil
import signal
import stat
import subprocess
import time

import live
from live import check, check_equal


def refused(kft, *args, status=1, says, hint=""):
    """kft says why and what to do, and leaves nothing: neither files nor instances."""
    files = sorted(kft.dir.rglob("*"))
    p = kft.run("record", "-n", kft.session("refused"), *args, status=status)
    check(says in p.stderr, f"{args}: it said: {p.stderr}")
    check(hint in p.stderr, f"{args}: no hint: {p.stderr}")
    check(not kft.instance("refused").exists(), f"{args}: an instance is left")
    check_equal(sorted(kft.dir.rglob("*")), files, f"{args}: files")
    return p.stderr


def sessions_do_not_see_each_other(kft):
    """Other events, filters, clocks and sizes at once: each as if it were alone."""
    busy = subprocess.Popen(["sh", "-c", "while :; do /bin/true; done"])
    try:
        a = kft.record("a", "-C", "boot", "-b", "256k",
                       "-e", f"sched:sched_process_fork/parent_pid == {busy.pid}/")
        b = kft.record("b", "-C", "global", "-b", "1M", "-e", "sched:sched_process_e*")
        c = kft.record("c", "-e", "raw_syscalls:sys_enter/id == 4294967295/")
        # Rounded up to whole pages of data.
        size = [int(kft.instance_file(s, "buffer_size_kb")) // 32 for s in ("a", "b")]
        check_equal(size, [256 // 32, 1024 // 32], "size of the buffers, in 32 KB")
        check("[boot]" in kft.instance_file("a", "trace_clock"), "a's clock")
        time.sleep(0.3)
        kft.end(b, sig=signal.SIGINT)
        check(kft.is_on("a"), "the end of one has stopped another")
        kft.end(a, sig=signal.SIGINT)
        kft.end(c, sig=signal.SIGINT)
    finally:
        busy.kill()
        busy.wait()
    a = [e for e in kft.events("a.dat") if e["event"] != "print"]
    check(a, "a has recorded nothing")
    for e in a:
        check_equal(e["event"], "sched_process_fork", "a's events")
        check_equal(e["fields"]["parent_pid"], busy.pid, "a's filter")
    b = kft.asked_counts("b.dat")
    check(b.get("sched_process_exec", 0) > 0 and b.get("sched_process_exit", 0) > 0,
          f"b has recorded {b}")
    check(set(b) <= {"sched_process_exec", "sched_process_exit"}, f"b has recorded {b}")
    check_equal(kft.asked_counts("c.dat"), {}, "c, whose filter nothing passes")
    check_equal(kft.stats("a.dat")["clock"], "boot", "a's clock")
    check_equal(kft.stats("b.dat")["clock"], "global", "b's clock")


def a_name_is_used_once(kft):
    a = kft.record("a", "-e", "sched")
    said = kft.run("record", "-n", kft.session("a"), "-o", "b.dat", "-d", "1", status=1).stderr
    check("already recording" in said and "hint: " in said, f"it said: {said}")
    check(not (kft.dir / "b.dat").exists(), "a file is left")
    # Nor is a file recorded twice, whatever the session's name.
    said = kft.run("record", "-o", "a.dat", "-d", "1", status=1).stderr
    check("being recorded" in said, f"it said: {said}")
    check(kft.is_on("a"), "the session was disturbed")
    kft.end(a, sig=signal.SIGINT)
    check(sum(kft.counts("a.dat").values()) > 0, "the session was disturbed")


def a_foreground_recording_is_paused_from_outside(kft):
    """Both verbs find it by its name, and say why they cannot; status lists it."""
    a = kft.record("a", "-e", "sched:sched_process_exec")
    name = kft.session("a")
    check(f"session {name}\n" in kft.run("status").stdout, "status does not list it")
    sessions = json.loads(kft.run("status", "--format", "json").stdout)["sessions"]
    check([name, "foreground"] in [[s["session"], s["state"]] for s in sessions], f"{sessions}")
    programs = [shutil.which(p) for p in ("true", "false", "echo")]
    subprocess.run([programs[0]], check=True)
    kft.run("pause", name)
    check(not kft.is_on("a"), "it still records")
    kft.run("pause", name)
    subprocess.run([programs[1]], check=False)
    kft.run("resume", "-n", name)
    subprocess.run([programs[2]], check=True, stdout=subprocess.DEVNULL)
    said = kft.end(a, sig=signal.SIGINT)
    check_equal([said.count("paused by"), said.count("resumed by")], [1, 1], said)
    check("another program" not in said, said)
    seen = [e["fields"].get("filename") for e in kft.events("a.dat")]
    check(programs[0] in seen and programs[2] in seen, f"before and after: {seen}")
    check(programs[1] not in seen, "what ran in the pause was recorded")
    said = kft.run("pause", name, status=1).stderr
    check("no run is loaded" in said, said)


def a_recording_that_waits_for_its_start_is_not_paused(kft):
    a = kft.start("record", "-n", kft.session("a"), "-o", "a.dat", "-e", "sched:sched_process_exec",
                  "--start", "1h")
    live.wait_for(lambda: kft.session("a") in kft.run("status").stdout, "it waits")
    said = kft.run("pause", kft.session("a"), status=1).stderr
    check("waits for its start" in said, said)
    kft.end(a, sig=signal.SIGINT, status=1)


def a_stopped_process_does_not_answer(kft):
    """The one that asks gives up, and the request is gone with it."""
    a = kft.record("a", "-e", "sched:sched_process_exec")
    a.send_signal(signal.SIGSTOP)
    said = kft.run("pause", kft.session("a"), status=1).stderr
    check("does not answer" in said, said)
    a.send_signal(signal.SIGCONT)
    time.sleep(0.5)
    check(kft.is_on("a"), "it was paused for a process that is gone")
    said = kft.end(a, sig=signal.SIGINT)
    check("paused by" not in said, said)


def many_start_at_once_on_a_busy_machine(kft):
    """Each waits for its turn where the kernel has a file for all; none gives up."""
    busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"])
            for _ in range(2 * os.cpu_count())]
    try:
        names = [f"at-once-{i}" for i in range(8)]
        started = [kft.start("record", "-q", "-n", kft.session(n), "-o", f"{n}.dat", "-e",
                             "sched:sched_process_exec", "--", "true") for n in names]
        for p in started:
            kft.end(p)
    finally:
        for p in busy:
            p.kill()
            p.wait()
    for n in names:
        check_equal(kft.asked_counts(f"{n}.dat"), {"sched_process_exec": 1}, n)
        check(not kft.instance(n).exists(), f"{n}: an instance is left")


def a_start_waits_for_its_turn(kft):
    """Somebody has the lock of all instances for longer than a start used to wait."""
    fd = os.open(live.TRACEFS / "instances", os.O_RDONLY)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        p = kft.start("record", "-q", "-n", kft.session("t"), "-o", "t.dat", "-e",
                      "sched:sched_process_exec", "--", "true")
        time.sleep(6)
        check(p.poll() is None, "it gave up, or did not wait")
    finally:
        os.close(fd)
    kft.end(p)
    check_equal(kft.asked_counts("t.dat"), {"sched_process_exec": 1}, "events")


def what_cannot_be_is_refused(kft):
    refused(kft, "-e", "sched:sched_swich", says="no event 'sched:sched_swich'",
            hint="did you mean 'sched:sched_switch'?")
    refused(kft, "-e", "shced", says="no event 'shced'", hint="sched")
    refused(kft, "-e", "ftrace:function", says="ftrace:function", hint="tracers")
    said = refused(kft, "-e", "sched:sched_switch/prev_pid == 1 && prev_pd == 3/",
                   says="bad filter for sched:sched_switch: Field not found")
    text, caret = said.splitlines()[-2:]
    check("prev_pid == 1 && prev_pd == 3" in text and caret.strip() == "^", said)
    check(text[:caret.index("^")].rstrip().endswith(("prev_pd", "prev_pid == 1 &&")),
          f"the caret is at the wrong place:\n{said}")
    refused(kft, "-e", "sched:sched_switch//", status=2, says="is empty")
    refused(kft, "-e", "sched:sched_switch/prev_pid", status=2, says="no closing '/'")
    refused(kft, "-C", "sundial", says="no trace clock 'sundial'", hint="mono")
    refused(kft, "-P", "4194305", says="4194305")
    refused(kft, "-P", "x", status=2, says="'x'")
    refused(kft, "-a", "-P", "1", status=2, says="-a records the whole system")
    refused(kft, "-n", "a/b", status=2, says="a/b")
    refused(kft, "-b", "1Q", status=2, says="1Q")
    refused(kft, "-d", "soon", status=2, says="soon")
    refused(kft, "-b", "1000G", says="no memory for a buffer", hint="ask for less")


def where_it_must_not_write(kft):
    (kft.dir / "target").write_text("precious\n")
    (kft.dir / "link").symlink_to("target")
    (kft.dir / "dir").mkdir()
    (kft.dir / "text").write_text("no trace\n")
    os.mkfifo(kft.dir / "pipe")
    refused(kft, "-o", "link", says="symbolic link", hint="another name")
    refused(kft, "-o", "dir", says="no regular file")
    refused(kft, "-o", "pipe", says="no regular file")
    refused(kft, "-o", "text", says="no trace")
    refused(kft, "-o", "no/such/dir/t.dat", says="No such file or directory")
    refused(kft, "-o", "/proc/t.dat", says="'/proc/t.dat'")
    # Somebody else prepared the place.
    (kft.dir / "t.dat.parts").symlink_to("dir")
    refused(kft, "-o", "t.dat", says="t.dat.parts")
    (kft.dir / "t.dat.parts").unlink()
    (kft.dir / "t.dat.parts").mkdir(mode=0o777)
    (kft.dir / "t.dat.parts").chmod(0o777)
    refused(kft, "-o", "t.dat", says="t.dat.parts")
    check_equal((kft.dir / "target").read_text(), "precious\n", "what a link leads to")
    check_equal((kft.dir / "text").read_text(), "no trace\n", "a text")


def files_are_the_owners_alone(kft):
    old = os.umask(0)
    try:
        p = kft.record("t", "-e", "sched")
        modes = {f.name: stat.S_IMODE(f.lstat().st_mode) for f in kft.dir.rglob("*")}
        kft.end(p, sig=signal.SIGINT)
    finally:
        os.umask(old)
    check_equal(modes.pop("t.dat.parts"), 0o700, "mode of the directory of parts")
    check_equal(set(modes.values()), {0o600}, f"modes {modes}")
    check_equal([f.name for f in kft.dir.iterdir()], ["t.dat"], "files when it has ended")
    check_equal(stat.S_IMODE((kft.dir / "t.dat").stat().st_mode), 0o600, "mode of the trace")


def a_failure_leaves_the_older_trace(kft):
    kft.run("record", "-q", "-o", "t.dat", "-e", "sched", "--", "true")
    before = (kft.dir / "t.dat").read_bytes()
    for wrong in (["-e", "sched:no_such"], ["-e", "sched:sched_switch/x == 1/"], ["-C", "none"],
                  ["-P", "4194305"]):
        kft.run("record", "-o", "t.dat", *wrong, "--", "touch", "ran", status=125)
        check_equal((kft.dir / "t.dat").read_bytes(), before, f"the older trace, after {wrong}")
    check_equal([f.name for f in kft.dir.iterdir()], ["t.dat"], "what is there")
    kft.run("record", "-q", "-o", "t.dat", "-e", "sched", "--", "true")
    check((kft.dir / "t.dat").read_bytes() != before, "a finished trace is not replaced")


def without_root(kft):
    """What may not be recorded is said with what to do; what was recorded can be read."""
    kft.run("record", "-q", "-o", "t.dat", "-e", "sched", "--", "true")
    kft.dir.chmod(0o777)
    # The build directory may be in one that others cannot enter.
    kft.program = shutil.copy(kft.program, kft.dir / "kft")
    nobody = {"user": 65534, "group": 65534, "extra_groups": []}
    p = kft.run("record", "-o", "n.dat", "--", "true", status=125, **nobody)
    check("Permission denied" in p.stderr and "run kft as root" in p.stderr,
          f"it said: {p.stderr}")
    check(not (kft.dir / "n.dat").exists(), "a file is left")
    p = kft.run("stats", "t.dat", status=1, **nobody)
    check("Permission denied" in p.stderr, f"it said: {p.stderr}")
    (kft.dir / "t.dat").chmod(0o644)
    for verb in (["stats"], ["report"], ["recover", "-o", "r.dat"]):
        kft.run(*verb, "t.dat", **nobody)
    check_equal((kft.dir / "r.dat").stat().st_uid, 65534, "owner of the recovered trace")


UNMOUNT = """
    # Wherever it is mounted, and debugfs, which would mount it again.
    for type in tracefs debugfs; do
        while dir=$(awk -v type=$type '$3 == type { print $2; exit }' /proc/self/mounts) &&
              [ -n "$dir" ] && umount -l "$dir" 2>/dev/null; do :; done
    done
    ! grep -q tracefs /proc/self/mounts || exit 99
    "$@"
    r=$?
    ! grep tracefs /proc/self/mounts || exit 98
    exit $r
"""


def tracefs_need_not_be_mounted(kft):
    """kft mounts one that nobody else sees; where it may not, it says so."""
    def without(*command):
        return subprocess.run(["unshare", "-m", "sh", "-c", UNMOUNT, live.TRACEFS, *command],
                              cwd=kft.dir, capture_output=True, text=True, check=False)

    p = without(kft.program, "record", "-q", "-o", "t.dat", "-e", "sched", "--", "true")
    check_equal((p.returncode, p.stdout, p.stderr), (0, "", ""), "kft without tracefs")
    check(sum(kft.counts("t.dat").values()) > 0, "nothing was recorded")
    p = without("setpriv", "--bounding-set=-sys_admin", "--inh-caps=-sys_admin",
                kft.program, "record", "-o", "u.dat", "-e", "sched", "--", "touch", "ran")
    check_equal(p.returncode, 125, "exit status")
    check("tracefs is not mounted" in p.stderr and "hint: " in p.stderr, p.stderr)
    check_equal([f.name for f in kft.dir.iterdir()], ["t.dat"], "what is there")


def trace_cmd_reads_all_kinds(kft):
    """Versions and compressions hold the same events, for kft and for trace-cmd."""
    work = ["--", "sh", "-c", "ls / >/dev/null; seq 2000 | sort -r | tail -n 1 >/dev/null"]
    for name, how in (("v7", []), ("v6", ["--file-version", "6"]), ("zstd", ["--compress"]),
                      ("overwrite", ["--overwrite", "-b", "512k"])):
        kft.run("record", "-q", "-o", f"{name}.dat", *how, "-e", "sched", "-e", "irq",
                "-e", "raw_syscalls", "-e", "timer", *work)
        counts = kft.counts(f"{name}.dat")
        check(sum(counts.values()) > 100, f"{name}: few events: {counts}")
        check_equal(live.trace_cmd_counts(kft.dir / f"{name}.dat"), counts, name)
        check_equal(kft.report_counts(f"{name}.dat"), counts, f"{name}, reported")
    said = kft.run("record", "-o", "t.dat", "--compress", "--file-version", "6", "--", "true",
                   status=None)
    check(said.returncode in (2, 125) and "6" in said.stderr, f"it said: {said.stderr}")


if __name__ == "__main__":
    live.need_program("trace-cmd")
    live.main([a_foreground_recording_is_paused_from_outside,
               a_recording_that_waits_for_its_start_is_not_paused,
               a_stopped_process_does_not_answer, sessions_do_not_see_each_other, a_name_is_used_once,
               many_start_at_once_on_a_busy_machine, a_start_waits_for_its_turn,
               what_cannot_be_is_refused, where_it_must_not_write, files_are_the_owners_alone,
               a_failure_leaves_the_older_trace, without_root,
               tracefs_need_not_be_mounted, trace_cmd_reads_all_kinds])
