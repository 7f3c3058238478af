#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# A disk that fills up is told at once, and what fitted is there.
# usage: record-full-disk.py KFT [TEST]...
import os
import subprocess

import live
from live import check, check_equal

# Writes more pages than any of the disks here can hold.
NEVER_ENDS = "while :; do dd if=/dev/zero of=/dev/null bs=1 count=100000 2>/dev/null; done"


class Disk:
    """A small file system of its own, at DIR/disk."""

    def __init__(self, kft, mb):
        self.dir = kft.dir / "disk"
        self.dir.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={mb}m", "nodev", self.dir],
                       check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.dir], check=True)

    def resize(self, mb):
        subprocess.run(["mount", "-o", f"remount,size={mb}m", self.dir], check=True)

    def free(self):
        return os.statvfs(self.dir).f_bfree * os.statvfs(self.dir).f_bsize


def metadata_mb(kft):
    """Most of a trace of nothing is the table of symbols; it is plain while kft records."""
    kft.run("record", "-q", "--no-compress", "-o", "nothing.dat", "--", "true")
    return ((kft.dir / "nothing.dat").stat().st_size >> 20) + 1


def holds(kft, file, counts):
    """A finished trace with these events, for kft and for others."""
    check_equal(kft.counts(file), counts, f"kft stats {file}")
    check_equal(live.trace_cmd_counts(kft.dir / file), counts, f"trace-cmd report {file}")


def is_saved_elsewhere(kft):
    """All that fitted the disk: read as it is, and recovered to where there is room."""
    counts = kft.counts("disk/full.dat")
    check(sum(counts.values()) > 1000, f"few events: {counts}")
    check_equal(counts, live.parts_counts(kft.dir / "disk/full.dat.parts"), "its pages")
    check_equal(kft.report_counts("disk/full.dat"), counts, "kft report")
    kft.run("recover", "-o", "saved.dat", "disk/full.dat")
    holds(kft, "saved.dat", counts)
    kft.run("recover", "--compress", "-o", "saved-z.dat", "disk/full.dat")
    holds(kft, "saved-z.dat", counts)
    return counts


def no_room_while_recording(kft):
    with Disk(kft, metadata_mb(kft) + 8) as disk:
        busy = kft.record("busy", "-e", "sched")
        # Without an end of its own: it ends because the disk is full.
        p = kft.start("record", "-a", "-b", "1M", "-o", "disk/full.dat", "-e", "raw_syscalls")
        load = subprocess.Popen(["sh", "-c", NEVER_ENDS])
        try:
            said = kft.end(p, status=1)
        finally:
            load.kill()
            load.wait()
        check("No space left on device" in said, f"it said: {said}")
        check("can be read" in said, f"no remedy: {said}")
        check(disk.free() < 1 << 20, "the disk is not full")
        counts = is_saved_elsewhere(kft)
        # In place there is no room, and nothing is lost by trying.
        said = kft.run("recover", "disk/full.dat", status=1).stderr
        check("No space left on device" in said, f"recover said: {said}")
        check_equal(kft.counts("disk/full.dat"), counts, "after a recover that failed")
        # Nor is a new recording started over it.
        said = kft.run("record", "-o", "disk/full.dat", "--", "true", status=125).stderr
        check("kft recover" in said, f"record over it said: {said}")
        disk.resize(100)
        kft.run("recover", "disk/full.dat")
        holds(kft, "disk/full.dat", counts)
        check(not (disk.dir / "full.dat.parts").exists(), "parts of a recovered trace")
        kft.end(busy, sig=2)


def the_command_goes_on(kft):
    """A full disk is said at once and costs the recorded program nothing."""
    go = kft.dir / "go"
    with Disk(kft, metadata_mb(kft) + 4):
        p = kft.start("record", "-b", "1M", "-o", "disk/full.dat", "-n", kft.session("full"),
                      "-e", "raw_syscalls", "--", "sh", "-c",
                      "dd if=/dev/zero of=/dev/null bs=1 count=200000 2>/dev/null;"
                      f"until [ -e {go} ]; do sleep 0.02; done; echo finished; exit 4")
        line = p.stderr.readline()
        check("No space left on device" in line, f"it said: {line}")
        check(p.poll() is None, "kft ended before its command")
        live.wait_for(lambda: not kft.instance("full").exists(), "the instance is removed")
        go.touch()
        out, _ = p.communicate(timeout=live.LIMIT)
        check_equal(out, "finished\n", "what the command printed")
        check_equal(p.returncode, 125, "exit status")
        is_saved_elsewhere(kft)


def no_room_to_finish(kft):
    """Enough for the pages, but not for making one file of them."""
    with Disk(kft, 2 * metadata_mb(kft) + 24) as disk:
        dd = ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=100000", "status=none"]
        said = kft.run("record", "-o", "disk/full.dat", "-e", "raw_syscalls", "-b", "8M",
                       "--", *dd, status=125).stderr
        check("No space left on device" in said, f"it said: {said}")
        check("kft recover -o" in said, f"no remedy: {said}")
        counts = is_saved_elsewhere(kft)
        # dd reads and writes each byte: all that is there or counted as lost.
        lost = kft.stats("disk/full.dat")["lost"]
        check(sum(counts.values()) + lost >= 400000, f"missing: {counts}, lost {lost}")
        # Somewhat more is enough when it is compressed.
        disk.resize(2 * metadata_mb(kft) + 32)
        kft.run("recover", "--compress", "disk/full.dat")
        holds(kft, "disk/full.dat", counts)


def no_room_to_begin(kft):
    """Not even the metadata fit: nothing is recorded and nothing is left."""
    with Disk(kft, 1) as disk:
        ran = kft.dir / "ran"
        said = kft.run("record", "-o", "disk/full.dat", "--", "touch", ran, status=125).stderr
        check("No space left on device" in said, f"it said: {said}")
        check(not ran.exists(), "the command was run")
        check_equal(list(disk.dir.iterdir()), [], "files that are left")


if __name__ == "__main__":
    live.need_program("trace-cmd")
    live.main([no_room_while_recording, the_command_goes_on, no_room_to_finish,
               no_room_to_begin])
