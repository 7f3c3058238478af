#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# Faults that the module faults.ko plants in a kernel of the lab, whose time is that of its
# instructions: the sentence of kft why names the cause of each, by itself.
# usage: why.py LAB KERNEL KFT SOURCE_ROOT [FOLDER]: FOLDER keeps the recordings, or has them
import json
import os
import shutil
import subprocess
import sys
import tempfile

TIMES = 20  # of the 24 that the module plants, a few of which delay nobody
# A fault of 7 ms, up to 1.1 ms of which the timer and the victim do not notice.
LONG_NS = 5900000
# Kernels before 6.3 do not name the functions of tasklets.
TASKLET = {"6.1": "softirq TASKLET", "6.12": "faults_tasklet"}
failures = 0


def tool(*args, **more):
    r = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if r.returncode:
        print(r.stdout, file=sys.stderr)
        sys.exit(r.returncode)
    return r.stdout


def record(lab, kernel, source, tmp):
    for name in ("make", "gcc"):
        if not shutil.which(name):
            print(f"'{name}' is missing", file=sys.stderr)
            sys.exit(77)
    headers = tool(lab + "/headers", kernel).strip()
    shutil.copytree(source + "/tests/module/faults", tmp + "/module")
    tool("make", "-C", headers, f"M={tmp}/module", "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules")
    os.mkdir(tmp + "/share")
    text = tool(lab + "/vm", "--exact", "--kernel", kernel, "--timeout", "1500",
                "--share", tmp + "/share", "--file", tmp + "/module/faults.ko:/faults.ko",
                source + "/tests/vm/why-guest.sh")
    if "lab: guest kernel:" in text:
        print(text, file=sys.stderr)
        sys.exit(1)


def check(folder, fault, what, words, *args, share=0.9):
    """The intervals that took longest, each of which has the fault in it."""
    global failures
    named = 0
    for rank in range(1, TIMES + 1):
        a = json.loads(tool(KFT, "why", "--format", "json", f"{folder}/{fault}.dat", what,
                            f"--rank={rank}", *args))
        good = (a["time"] >= LONG_NS and a["cause_share"] >= share and
                all(word in a["sentence"] for word in words))
        named += good
        if not good:
            failures += 1
            print(f"FAILED: {fault} {what} {rank}: {a['sentence']}")
            for r in a["rows"][:6]:
                print(f"    {r['time']:>10} {r['cause']:10} {r['what']} {r['chain'] or ''}")
    print(f"{fault} {what}: {named} of {TIMES} named")


def check_all(folder, kernel):
    check(folder, "irqsoff", "timer:faults_tick",
          ["nothing was seen on CPU 0, where faults-irqsoff-", "interrupts off"])
    check(folder, "preemptoff", "sched:faults-victim",
          ["behind faults-preempt-", "although a reschedule was due"])
    check(folder, "softirq", "sched:faults-victim", [TASKLET[kernel]])
    check(folder, "irq", "timer:faults_tick", ["faults-device"])
    check(folder, "kworker", "sched:faults-victim", ["behind kworker/0:", "in the work faults_hog"])
    check(folder, "mutex", "task:blocked", ["sh-", "was waiting for faults-owner-"], "--task=sh")


def main(lab, kernel, source, folder):
    with tempfile.TemporaryDirectory() as tmp:
        tmp = folder or tmp
        if not os.path.exists(tmp + "/share"):
            record(lab, kernel, source, tmp)
        check_all(tmp + "/share", kernel)
    sys.exit(failures > 0)


KFT = os.path.realpath(sys.argv[3])
main(sys.argv[1], sys.argv[2], sys.argv[4], sys.argv[5] if len(sys.argv) > 5 else None)
