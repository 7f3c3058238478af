#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Compares the statistics that the kernel counted for the task "work" with those of a recording of
# the same time. Counting began earlier, when the task had another name. usage:
# live-check.py LIVE.JSON RECORDED.JSON NOTES
import json
import pathlib
import re
import sys

LOOKS, SLEEPS, SLEEP_NS = 100, 10, 10_000_000


def rows(path):
    result = json.loads(pathlib.Path(path).read_text())
    found = {(r["kind"], r["key"]): r for r in result["intervals"] if r["comm"] == "work"}
    return found, result.get("missed_events") or 0


def main():
    live, missed = rows(sys.argv[1])
    recorded, _ = rows(sys.argv[2])
    notes = pathlib.Path(sys.argv[3]).read_text()
    unended = re.search(r"note: (\d+) intervals ended unseen", notes)
    uncounted = missed + (int(unended[1]) if unended else 0)
    # execve() begins under another name, and the recording may stop before the task's last switch.
    names = {n for n, r in recorded.items() if r["count"] and n[1] not in ("execve", "running")}
    differ = {n: (live[n]["count"] if n in live else 0, recorded[n]["count"]) for n in names}
    differ = {n: pair for n, pair in differ.items() if pair[0] != pair[1]}
    print(f"{len(names)} rows, {uncounted} events not counted, different: {differ}")
    ok = len(names) > 5 and sum(abs(a - b) for a, b in differ.values()) <= uncounted
    # Both recorders take the time at each event, one after the other: sums agree roughly.
    sums = {n: (live[n]["total"], recorded[n]["total"]) for n in names if n in live and
            min(live[n]["total"], recorded[n]["total"]) >= SLEEPS * SLEEP_NS}
    print(f"sums: {sums}")
    ok &= ("task", "sleeping") in sums and all(a < 2 * b and b < 2 * a for a, b in sums.values())
    sys.exit(0 if ok else "the kernel counted something else")


main()
