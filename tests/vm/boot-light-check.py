#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# What boot-light.sh has made, in the current directory: the steps, the modules' initcalls
# and the calls in the slow initcalls, against numbers got out of trace-cmd's text.
# usage: boot-light-check.py KERNEL
import json
import re
import sys

LINE = re.compile(r"^\s*.+-(\d+)\s+\[(\d+)\].*?\s(\d+)\.(\d+): (\w+):\s+(.*)$")
failed = False


def bad(text):
    global failed
    failed = True
    print("FAILED:", text, file=sys.stderr)


def read(path):
    for line in open(path, errors="replace"):
        m = LINE.match(line)
        if m:
            fields = dict(f.split("=", 1) for f in m[6].split() if "=" in f)
            yield int(m[1]), int(m[2]), int(m[3] + m[4].ljust(9, "0")), m[5], fields


def uptime(name):
    return float(open(name + ".uptime").read())


def report(name):
    return json.load(open(name + ".json"))


def check_steps(events):
    steps = [(ts, re.sub(r"\+.*", "", f["ip"])) for pid, cpu, ts, name, f in events
             if name == "function" and (pid == 1 or pid == 0 and cpu == 0)]
    ends = [ts for ts, _ in steps] + [e[2] for e in events if e[3] == "initcall_level"]
    want = {(name, ts): min(end for end in ends if end > ts) - ts
            for ts, name in steps if ts < max(ends)}
    got = {(s["function"], s["start"]): s["duration"] for s in report("light")["step"]
           if s["duration"] is not None}
    if got != want:
        bad(f"steps: {set(got.items()) ^ set(want.items())}")
    names = [name for _, name in steps]
    for name in "calibrate_delay", "smp_init", "free_initmem", "run_init_process":
        if name not in names:
            bad(f"no step {name} in {names}")


def check_modules(events):
    loaded, want = {}, {}
    for pid, _, ts, name, fields in events:
        if name == "module_load":
            loaded[pid] = fields["name"]
        elif name == "initcall_start" and pid in loaded:
            want[ts] = "init of module " + loaded.pop(pid)
    got = {c["start"]: c["function"] for c in report("light")["initcall"]
           if c["level"] == "module"}
    wrong = {ts: name for ts, name in got.items()
             if name != want[ts] and name.startswith("init of")}
    if wrong or got.keys() != want.keys():
        bad(f"modules: {got}, not {want}")
    if not any(name.startswith("init of module ") for name in got.values()):
        bad(f"no initcall of a module that is gone: {got}")


def check_early(events):
    levels = [f["level"] for _, _, _, name, f in events if name == "initcall_level"]
    if levels[:2] != ["console", "early"]:
        bad(f"levels: {levels}")


def check_focus(events):
    said = open("said").read()
    roots = said.split(":\n", 1)[1].split("\n")[0].split()
    calls = [(pid, f["func"], int(f["calltime"], 16), int(f["rettime"], 16))
             for pid, _, _, name, f in events if name == "funcgraph_exit"]
    inside = [(pid, entry, leave) for pid, func, entry, leave in calls if func in roots]
    if not roots or {func for _, func, _, _ in calls if func in roots} != set(roots):
        bad(f"not all of {roots} were recorded")
    for pid, func, entry, leave in calls:
        if not any(p == pid and a <= entry and leave <= b for p, a, b in inside):
            bad(f"{func} of {pid} is in none of {roots}")
            break
    if len(calls) < 10 * len(roots):
        bad(f"{len(calls)} calls in {roots}")


def main(kernel):
    light = list(read("light.raw"))
    check_steps(light)
    check_modules(light)
    check_early(light)
    check_focus(list(read("focus.raw")))
    times = {name: uptime(name) for name in ("plain", "light", "focus")}
    print(kernel, times)
    if times["light"] > 1.2 * times["plain"]:
        bad(f"a light look makes the boot too slow: {times}")
    for name in "light", "focus":
        cost = report(name).get("cost", "")
        if "times as slow" not in cost and "not measurably slower" not in cost:
            bad(f"{name}: the cost of tracing is not told")


main(*sys.argv[1:])
sys.exit(failed)
