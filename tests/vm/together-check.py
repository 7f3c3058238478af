#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Judges what together-guest.sh recorded: every round of the program is there, whole and in
# the order of the program's text, with the values that are known; trace-cmd's recording of
# the same plan says the same, and so does its report of kft's.
# usage: together-check.py KFT KERNEL KD_TIMES, in the folder with the traces
import json
import pathlib
import re
import subprocess
import sys

ROUNDS = 40
TEXTS = ["alpha", "beta", "gamma", "delta", "e"]
STEPS = {"sys_enter_pread64", "vfs_read", "vfs_read_return", "planted_add", "planted_add_return",
         "print", "funcgraph_exit"}
failed = False


def check(is_so, text):
    global failed
    if not is_so:
        failed = True
        print("FAILED:", text)


def events(kft, trace):
    """The program's own events of its rounds, in kft's order."""
    out = subprocess.run([kft, "report", "--style", "json", trace], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    found = []
    for line in out.splitlines():
        event = json.loads(line)
        if event.get("event") in STEPS and event.get("comm") == "probed":
            found.append(event)
    first = next((i for i, e in enumerate(found) if e["event"] == "sys_enter_pread64"), 0)
    return found[first:]


def value(event):
    """What is known beforehand of an event's values, and of a call that it was slow."""
    f = event["fields"]
    name = event["event"]
    if name == "funcgraph_exit":
        duration = f["rettime"] - f["calltime"]
        return duration >= 1000000
    if name == "print":
        return f["buf"].strip()
    if name == "planted_add":
        return (f["arg1"], f["text"])
    return {"sys_enter_pread64": f.get("count"), "vfs_read": f.get("count"),
            "vfs_read_return": f.get("retval", f.get("arg1")),
            "planted_add_return": f.get("retval", f.get("arg1"))}[name]


def expected(i):
    n = 100 + i
    return [("sys_enter_pread64", n), ("vfs_read", n), ("vfs_read_return", n),
            ("planted_add", (n, TEXTS[i % 5])), ("planted_add_return", n + ord(TEXTS[i % 5][0]) - ord("a")),
            ("print", f"round {i}"), ("funcgraph_exit", True)]


def as_reported(path, pid):
    """
    From trace-cmd's own text: the program's events with their values, without addresses. By its
    pid: where the first line is of <idle>, trace-cmd knows two names of a task that this line
    switches to, the line's own and the table's, and shows either.
    """
    found = []
    for line in pathlib.Path(path).read_text(errors="replace").splitlines():
        m = re.match(rf".*-{pid} +\[\d+\].*?\d: ([a-z_0-9]+): +(.*)", line)
        if m and m[1] in STEPS:
            text = re.sub(r"\(?(0x)?[0-9a-f]{6,}[^)]*\)?|[0-9.]+ us|\bi_ino=\d+", "", m[2])
            found.append((m[1], re.sub(r"\b(arg1|retval)=", "=", " ".join(text.split()))))
    first = next((i for i, e in enumerate(found) if e[0] == "sys_enter_pread64"), 0)
    return found[first:]


def main():
    kft, kernel, kd_times = sys.argv[1:]
    wanted = [step for i in range(ROUNDS) for step in expected(i)]
    reported = []
    for recorder in ("kft", "trace-cmd"):
        found = events(kft, recorder + ".dat")
        got = [(e["event"], value(e)) for e in found][:len(wanted)]
        wrong = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b), len(got))
        check(got == wanted, f"{recorder}: {len(got)} events, number {wrong} is "
              f"{got[wrong:wrong + 3]}, not {wanted[wrong:wrong + 3]}")
        reported.append(as_reported(recorder + ".report", found[0]["pid"]) if found else [])
        times = [e["ts"] for e in found]
        check(times == sorted(times), f"{recorder}: not in order of time")
        if recorder == "kft":
            inode = int(pathlib.Path("inode").read_text())
            got = {e["fields"]["i_ino"] for e in found if e["event"] == "vfs_read"}
            check(got == {inode}, f"inodes {got}, not {inode}")
    ours, theirs = reported
    differ = next((i for i, (a, b) in enumerate(zip(ours, theirs)) if a != b), min(len(ours), len(theirs)))
    check(ours == theirs and len(ours) >= len(wanted),
          f"trace-cmd reports {len(ours)} events of kft's trace and {len(theirs)} of its own: "
          f"{ours[differ:differ + 2]}, {theirs[differ:differ + 2]}")
    check(subprocess.run([kd_times, kft, "times.dat"]).returncode == 0, "kft kd -f TL of a run")
    if pathlib.Path("full.dat").exists():
        check(subprocess.run([kd_times, kft, "full.dat"]).returncode == 0,
              "kft kd -f TL of a run with preemption")
    killed = pathlib.Path("killed").read_text().splitlines()
    all_places = ("kprobe_events", "uprobe_events", "tracing_thresh", "tracing_on", "current_tracer")
    for place in all_places if pathlib.Path("stride").read_text() == "1\n" else ():
        check(any(k.endswith("/" + place) for k in killed), f"never killed before {place} was changed")
    check(len(killed) >= 3, f"killed {len(killed)} times only")
    print(f"{kernel}: {len(wanted)} events as they have to be, killed before {len(killed)} changes")
    sys.exit(failed)


main()
