#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Which capabilities let a user who is not root record, whether they are ambient (systemd's
# AmbientCapabilities=) or the program file's: as kft-record(1) says.
# usage: record-caps.py KFT [TEST]...
import ctypes
import os
import pathlib
import shutil
import struct

import live
from live import check, check_equal

DAC_OVERRIDE, SYSLOG = 1, 34
NOBODY = 65534
PR_SET_KEEPCAPS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE = 8, 47, 2
CAPABILITY_VERSION_3 = 0x20080522
libc = ctypes.CDLL(None, use_errno=True)


def must(r):
    if r:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def become_nobody(caps):
    """In the child, before exec: nobody, with these capabilities and no others."""
    mask = sum(1 << cap for cap in caps)
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    must(libc.prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0))
    os.setresuid(NOBODY, NOBODY, NOBODY)
    words = [mask & 0xffffffff] * 3 + [mask >> 32] * 3
    must(libc.capset(struct.pack("II", CAPABILITY_VERSION_3, 0), struct.pack("6I", *words)))
    for cap in caps:
        must(libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0))


def prepare(kft):
    """A copy of the program that nobody can reach, and a directory of nobody's own."""
    own = kft.dir / "own"
    own.mkdir()
    kft.program = shutil.copy(kft.program, own / "kft")
    for path in (kft.dir, own):
        path.chmod(0o755)
    os.chown(own, NOBODY, NOBODY)
    return own


def record(kft, caps, *args, status=0):
    own = prepare(kft) if not (kft.dir / "own").exists() else kft.dir / "own"
    said = kft.run("record", "-o", own / "t.dat", "-e", "sched", *args, status=status,
                   preexec_fn=lambda: become_nobody(caps)).stderr
    return own / "t.dat", said


def recorded(kft, file):
    check(sum(kft.counts(file).values()) > 0, "nothing was recorded")
    check_equal(file.stat().st_uid, NOBODY, "the trace's owner")


def dac_override_is_enough(kft):
    file, _ = record(kft, [DAC_OVERRIDE], "--", "ls", "/")
    recorded(kft, file)
    file, said = record(kft, [DAC_OVERRIDE], "-d", "100ms")
    recorded(kft, file)
    if pathlib.Path("/proc/sys/kernel/kptr_restrict").read_text().strip() != "2":
        check("hides its symbols" in said, f"it said: {said}")


def with_syslog_there_are_names(kft):
    file, said = record(kft, [DAC_OVERRIDE, SYSLOG], "--", "true")
    recorded(kft, file)
    if pathlib.Path("/proc/sys/kernel/kptr_restrict").read_text().strip() != "2":
        check("hides its symbols" not in said, f"it said: {said}")


def capabilities_of_the_file(kft):
    own = prepare(kft)
    # struct vfs_cap_data, version 2, with the effective bit.
    mask = 1 << DAC_OVERRIDE
    data = struct.pack("<5I", 0x02000001, mask, 0, 1 << (SYSLOG - 32), 0)
    try:
        os.setxattr(own / "kft", "security.capability", data)
    except OSError as e:
        live.skip(f"no capabilities of files here: {e}")
    file, _ = record(kft, [], "--", "true")
    recorded(kft, file)


def without_it_says_what_is_missing(kft):
    _, said = record(kft, [], "--", "true", status=125)
    check("Permission denied" in said and "CAP_DAC_OVERRIDE" in said, f"it said: {said}")


live.main([dac_override_is_enough, with_syslog_there_are_names, capabilities_of_the_file,
           without_it_says_what_is_missing])
