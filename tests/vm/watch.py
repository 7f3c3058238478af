#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# A flight recorder waits for `irq > 5ms`: each planted slow interrupt is followed by a snapshot
# in which it is the last one, kft why starts there and names it, and recording goes on.
# usage: watch.py LAB KERNEL KFT SOURCE_ROOT COUNT
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

lab, kernel, kft, source, count = sys.argv[1:6]
LIMIT_NS = 5000000
failures = 0


def check(ok, text):
    global failures
    if not ok:
        failures += 1
        print("FAILED:", text, file=sys.stderr)


def tool(*command):
    r = subprocess.run(command, capture_output=True, text=True)
    if r.returncode == 77:
        print(r.stdout + r.stderr)
        sys.exit(77)
    if r.returncode:
        sys.exit(f"{' '.join(command)}: {r.returncode}\n{r.stdout}{r.stderr}")
    return r.stdout


def record(tmp):
    headers = tool(lab + "/headers", kernel).strip()
    shutil.copytree(source + "/tests/module/faults", tmp + "/module")
    tool("make", "-C", headers, f"M={tmp}/module", "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules")
    os.mkdir(tmp + "/share")
    print(tool(lab + "/vm", "--kernel", kernel, "--timeout", "3000", "--exact",
               "--share", tmp + "/share", "--file", tmp + "/module/faults.ko:/faults.ko",
               source + "/tests/vm/watch-guest.sh", count))
    return tmp + "/share"


def slow_interrupts(path):
    """Those over 5 ms: when each ended, where, its number and how long it took, in ns; and
    where the trace of each CPU begins."""
    entered, slow, first = {}, [], {}
    for line in tool(kft, "report", "-F", "ts,cpu,event,irq", path).splitlines():
        words = line.split()
        if len(words) < 4 or not words[0].isdigit():
            continue
        end, cpu, event, irq = int(words[0]), words[1], words[2], words[3]
        first.setdefault(cpu, end)
        if event.endswith("irq_handler_entry"):
            entered[cpu, irq] = end
        elif event.endswith("irq_handler_exit") and (cpu, irq) in entered:
            ns = end - entered.pop((cpu, irq))
            if ns > LIMIT_NS:
                slow.append((end, cpu, irq, ns))
    return sorted(slow), first


def cause(path):
    """What the last mark says: when what the snapshot was taken for ended."""
    text = tool(kft, "report", "-e", "print", path).splitlines()[-1]
    found = re.search(r"kft: snapshot on irq > 5ms: [^:]* on CPU \d+, at (\d+)\.(\d{9})$", text)
    check(found, f"{path}: no reason in '{text}'")
    return int(found[1]) * 10**9 + int(found[2]) if found else 0


def judge_one(path):
    """Its slow interrupts, where it begins, and whether what it was taken for was planted."""
    slow, first = slow_interrupts(path)
    at = cause(path)
    check(slow, f"{path}: no slow interrupt")
    if not slow:
        return None
    end, _, _, ns = slow[-1]
    # The watcher's own record of the same event is some nanoseconds earlier or later.
    check(end - ns < at - LIMIT_NS // 2 < end, f"{path}: {slow[-1]} is not the one of {at}")
    why = json.loads(tool(kft, "why", "--format", "json", path))
    check(why["time"] == ns, f"{path}: kft why explains another one: {why['sentence']}")
    return slow, first, "faults-device" in why["sentence"]


def judge(share):
    shots = [judge_one(f"{share}/shots/{name}") for name in os.listdir(share + "/shots")]
    shots = sorted((shot for shot in shots if shot), key=lambda shot: shot[0][-1])
    # The emulated machine may have slow interrupts of its own.
    planted = sum(is_planted for _, _, is_planted in shots)
    check(planted == int(count), f"{planted} of {count} planted interrupts were named")
    for (earlier, _, _), (later, first, _) in zip(shots, shots[1:]):
        # All that was not overwritten, and more.
        kept = {i for i in earlier if i[0] - i[3] > first.get(i[1], 0)}
        check(kept <= set(later) and later[-1] > earlier[-1],
              f"recording did not go on: {earlier} {later}")
    with open(share + "/status", encoding="utf-8") as file:
        status = file.read()
    check(f"on irq > 5ms: came {len(shots)} times" in status, status)
    print(f"{planted} of {count}")


with tempfile.TemporaryDirectory() as folder:
    judge(record(folder))
sys.exit(failures > 0)
