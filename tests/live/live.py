# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of the kft program share: running it, looking at tracefs, and counting
what a recording holds without kft's help.

A test program is `live.main([a_test, ...])`: each test is a function that gets a Kft, which
has an empty directory of its own, and fails by an exception. The kernel has to be as it was
after each. Others may record on this machine at the same time."""
import collections
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback

TRACEFS = pathlib.Path("/sys/kernel/tracing")
HERE = pathlib.Path(__file__).resolve().parent
# How long anything may take; only a hang is longer.
LIMIT = 100


def skip(why):
    print("skipped:", why, file=sys.stderr)
    sys.exit(77)


def need_tracefs():
    """Skips unless root; mounts tracefs for this test alone where nobody has mounted it."""
    if os.geteuid() != 0:
        skip("needs root")
    if (TRACEFS / "trace_clock").exists():
        return
    if os.environ.get("KFT_TEST_MOUNTED"):
        skip("tracefs cannot be mounted here")
    os.environ["KFT_TEST_MOUNTED"] = "1"
    mount = 'mount -t tracefs nodev "$0" 2>/dev/null; exec "$@"'
    os.execvp("unshare", ["unshare", "-m", "sh", "-c", mount, str(TRACEFS), *sys.orig_argv])


def need_program(name):
    if not shutil.which(name):
        skip(f"{name} is not installed")


def state():
    """How tracing is set up in this kernel, sessions of kft left out."""
    return subprocess.run([HERE / "tracefs-state", TRACEFS], capture_output=True,
                          text=True, timeout=LIMIT).stdout


def check(truth, why):
    if not truth:
        raise AssertionError(why)


def check_equal(a, b, what):
    if a == b:
        return
    if isinstance(a, dict) and isinstance(b, dict):
        differ = {k: (a.get(k), b.get(k)) for k in {*a, *b} if a.get(k) != b.get(k)}
        raise AssertionError(f"{what}: {differ}")
    raise AssertionError(f"{what}: {a!r} is not {b!r}")


def wait_for(condition, what):
    end = time.monotonic() + LIMIT
    while not condition():
        check(time.monotonic() < end, f"never: {what}")
        time.sleep(0.01)


class Kft:
    """kft, and a directory to work in."""

    def __init__(self, program, directory):
        self.program = program
        self.dir = pathlib.Path(directory)
        self.started = []

    def run(self, *args, status=0, **more):
        """Runs kft to its end; None as status: any."""
        p = subprocess.run([self.program, *map(str, args)], capture_output=True,
                           text=True, errors="replace", timeout=LIMIT, cwd=self.dir,
                           **more)
        check(status is None or p.returncode == status,
              f"kft {' '.join(map(str, args))}: status {p.returncode}\n{p.stdout[-2000:]}{p.stderr[-2000:]}")
        check(status != 0 or args[0] != "record" or "hint: " not in p.stderr,
              f"it succeeds and shows an error: {p.stderr}")
        return p

    def start(self, *args, **more):
        """Starts kft in the background; it is killed when the test is over."""
        more.setdefault("stderr", subprocess.PIPE)
        p = subprocess.Popen([self.program, *map(str, args)], text=True, cwd=self.dir,
                             stdout=subprocess.PIPE, start_new_session=True, **more)
        self.started.append(p)
        return p

    def record(self, name, *args, **more):
        """Starts a recording into NAME.dat and waits until the kernel records."""
        p = self.start("record", "-n", self.session(name), "-o", f"{name}.dat", *args,
                       **more)
        wait_for(lambda: p.poll() is not None or self.is_on(name), f"{name} records")
        check(p.poll() is None, f"{name} ended: {p.poll()}")
        return p

    def end(self, p, status=0, sig=None):
        """Waits for a started kft; what it said."""
        if sig:
            p.send_signal(sig)
        out, err = p.communicate(timeout=LIMIT)
        check(p.returncode == status, f"status {p.returncode}, not {status}: {out}{err}")
        return err

    def finish(self):
        for p in self.started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(p.pid, signal.SIGKILL)  # its command, too
            p.communicate()
        for d in pathlib.Path("/run/kft").glob(self.session("*")):
            self.run("reset", "-n", d.name, status=None)
        self.run("reset", status=None)

    def instances(self):
        """Instances of this test's sessions; those of other sessions are not its own."""
        return [d.name for d in (TRACEFS / "instances").iterdir() if self.session("") in d.name]

    @staticmethod
    def session(name):
        return f"test-{os.getpid()}-{name}"

    def instance(self, name):
        return TRACEFS / "instances" / f"kft-{self.session(name)}"

    def instance_file(self, name, file):
        """What a file of a session's instance says; "" when it is not there."""
        try:
            return (self.instance(name) / file).read_text().strip()
        except OSError:
            return ""

    def is_on(self, name):
        """A session records; a new instance is on, too, but without a file to write to."""
        return (self.instance_file(name, "tracing_on") == "1" and
                (self.dir / f"{name}.dat.parts/cpu0").exists())

    def events(self, file, *args):
        """The events of a trace, as dictionaries."""
        text = self.run("report", "--style", "json", file, *args).stdout
        return [e for e in map(json.loads, text.splitlines()) if "event" in e]

    def asked_counts(self, file):
        """{event: how many} without marks, as programs may mark all sessions at any time."""
        return {name: n for name, n in self.counts(file).items() if name != "print"}

    def report_counts(self, file):
        """{event: how many}, as kft report has it."""
        p = subprocess.run([self.program, "report", "--style", "json", file], cwd=self.dir,
                           capture_output=True, timeout=LIMIT, check=False)
        check(p.returncode == 0, f"kft report {file}: {p.returncode}: {p.stderr}")
        names = re.findall(rb'"event":"([^"]*)"', p.stdout)
        return {name.decode(): n for name, n in collections.Counter(names).items()}

    def stats(self, file):
        stats = json.loads(self.run("stats", "events", "--json", file).stdout)
        check(stats["damage"] is None, f"{file} is damaged: {stats['damage']}")
        return stats

    def counts(self, file):
        """{event: how many}, as kft stats has it."""
        stats = self.stats(file)
        counts = collections.Counter()
        for e in stats["by_event"]:
            counts[e["event"].split(":")[1]] += e["count"]
        check_equal(stats["events"], sum(counts.values()), "the sum of all events")
        return dict(counts)


# `comm-PID [CPU] [flags] TIME: EVENT: ...`; a comm can be nearly anything.
TRACE_CMD_LINE = re.compile(rb"^.*-\d+\s+\[\d{3,}\]\s+(?:\S+\s+)?\d+\.?\d*:\s+([\w-]+):")


def trace_cmd_counts(file):
    """{event: how many}, as trace-cmd report has it."""
    p = subprocess.run(["trace-cmd", "report", "-N", file], capture_output=True,
                       timeout=LIMIT, check=False)
    check(p.returncode == 0, f"trace-cmd report {file}: {p.returncode}: {p.stderr}")
    counts = collections.Counter()
    for line in p.stdout.splitlines():
        m = TRACE_CMD_LINE.match(line)
        if m:
            counts[m[1].decode()] += 1
        else:
            check(line.startswith((b"cpus=", b"CPU:", b"CPU ")) or not line.strip(),
                  f"trace-cmd report: {line}")
    return dict(counts)


def page_events(page):
    """The ids of a ring buffer page's events: include/linux/ring_buffer.h of Linux, for
    64 bits and little endian. Records that do not end within the page are left out."""
    if len(page) < 16:
        return
    at = 16
    end = min(16 + (struct.unpack_from("<Q", page, 8)[0] & 0x7ffffff), len(page))
    while at + 4 <= end:
        kind = struct.unpack_from("<I", page, at)[0] & 31
        if kind in (30, 31):  # more of the time
            at += 8
            continue
        data = at + 4
        if 1 <= kind <= 28:
            size = 4 + 4 * kind
        elif at + 8 > end:
            return
        elif kind == 0:
            size = 4 + (struct.unpack_from("<I", page, at + 4)[0] + 3) // 4 * 4
            data = at + 8
        elif struct.unpack_from("<I", page, at)[0] >> 5 == 0:  # nothing but padding left
            return
        else:
            size = 4 + struct.unpack_from("<I", page, at + 4)[0]
        if at + size > end:
            return
        if kind != 29:
            yield struct.unpack_from("<H", page, data)[0]
        at += size


def parts_counts(parts):
    """{event: how many} of a FILE.parts directory, walked here."""
    ids = collections.Counter()
    for file in parts.glob("cpu*"):
        data = file.read_bytes()
        for at in range(0, len(data), 4096):
            ids.update(page_events(data[at:at + 4096]))
    names = {int((d / "id").read_text()): d.name
             for d in TRACEFS.glob("events/*/*") if (d / "id").exists()}
    counts = collections.Counter()
    for event_id, n in ids.items():
        counts[names[event_id]] += n
    return dict(counts)


def run_test(test, program, before):
    with tempfile.TemporaryDirectory(prefix="kft-live-") as directory:
        kft = Kft(program, directory)
        try:
            test(kft)
        finally:
            kft.finish()
        wait_for(lambda: not kft.instances(), "the kernel is rid of its sessions")
    # Somebody else may have had a moment's business there.
    for _ in range(5):
        after = state()
        if after == before:
            return
        time.sleep(1)
    raise AssertionError("the kernel is not as it was:\n" +
                         "\n".join(sorted({*before.splitlines()} ^ {*after.splitlines()})))


def main(tests):
    need_tracefs()
    program = os.path.realpath(sys.argv[1])
    wanted = sys.argv[2:]
    before = state()
    failed = 0
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # nohup ignores it, and so would every kft that is started here.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    for test in tests:
        if wanted and test.__name__ not in wanted:
            continue
        start = time.monotonic()
        try:
            run_test(test, program, before)
            said = "ok    "
        except Exception:  # pylint: disable=broad-except
            traceback.print_exc()
            said = "FAILED"
            failed += 1
        print(f"{said} {test.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
    sys.exit(1 if failed else 0)
