# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of `kft export` share: the traces of tests/data, and what kft reports."""
import glob
import json
import lzma
import os
import subprocess
import sys
import tarfile
import tempfile

# Of every reader and of both byte orders, with losses and without; "all" takes the rest, too.
SOME = {"6.12-all.dat", "6.1-s390x-all.dat", "6.1-lost.dat", "6.1-graph.dat",
        "6.1-buffers.dat", "6.12-stack.dat", "6.1-tsc2nsec.dat", "plain.data", "mixed.data", "lttng"}


class Kft:
    def __init__(self, program):
        self.program = os.path.realpath(program)

    def done(self, *args, status=0):
        done = subprocess.run([self.program, *args], capture_output=True, check=False)
        if done.returncode != status:
            raise AssertionError(f"kft {' '.join(args)}: status {done.returncode}, "
                                 f"{done.stderr.decode()}")
        return done

    def run(self, *args, status=0):
        return self.done(*args, status=status).stdout

    def events(self, path, *args):
        """Events, and losses, as `kft report` has them as JSON."""
        text = self.run("report", "--style", "json", *args, path)
        return [json.loads(line) for line in text.splitlines()]

    def has_event(self, path, name):
        return any(e.get("event") == name for e in self.events(path))

    def is_timed(self, path):
        """Its clock tells nanoseconds, and no ticks of a length that the file does not know."""
        return json.loads(self.run("stats", "--json", path))["start"] is not None

    def export(self, to, path, out, *args):
        self.run("export", "--to", to, "-o", out, *args, path)


def is_dat(path):
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as f:
        return f.read(10) == b"\x17\x08\x44tracing"


def name_of(packed):
    return os.path.basename(packed).removesuffix(".xz").removesuffix(".tar")


def unpack(packed, path):
    if packed.endswith(".tar.xz"):
        with tarfile.open(packed) as t:
            t.extractall(path)
    else:
        with lzma.open(packed) as f, open(path, "wb") as out:
            out.write(f.read())


def traces(data, which):
    """Yields name and path of each trace, unpacked: "some", "all", or those of a set."""
    wanted = SOME if which == "some" else which
    found = sorted(glob.glob(f"{data}/*.dat.xz") + glob.glob(f"{data}/perf/*.data.xz") +
                   glob.glob(f"{data}/ctf/*.tar.xz"))
    with tempfile.TemporaryDirectory() as tmp:
        for packed in found:
            name = name_of(packed)
            path = f"{tmp}/{name}"
            if which == "all" or name in wanted:
                unpack(packed, path)
                yield name, path


def main(check):
    """Runs check(kft, name, path, tmp) on traces: usage NAME KFT DATA some|all."""
    kft = Kft(sys.argv[1])
    bad = 0
    with tempfile.TemporaryDirectory() as tmp:
        for name, path in traces(sys.argv[2], sys.argv[3]):
            try:
                print(f"{name}: {check(kft, name, path, tmp)}")
            except AssertionError as e:
                bad += 1
                print(f"FAILED: {name}: {e}", file=sys.stderr)
    sys.exit(bad > 0)
