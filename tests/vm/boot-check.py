#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# The report of a boot against the same numbers, got out of trace-cmd's text of the trace
# another way; and the trace against what the configuration asked for.
# usage: boot-check.py REPORT_JSON TRACE_CMD_RAW_TEXT CONFIGURATION
import collections
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


def check_calls(report, calls, mintime_ns):
    by_func = collections.defaultdict(list)
    for pid, cpu, func, entry, leave in calls:
        by_func[func].append((pid, cpu, entry, leave))
        if leave - entry < mintime_ns:
            bad(f"{func} took {leave - entry} ns")
    got = {f["function"]: f for f in report["function"]}
    if got.keys() != by_func.keys():
        bad(f"functions: {got.keys() ^ by_func.keys()}")
    if report["calls"] != len(calls) or report["functions"] != len(by_func):
        bad(f"{report['calls']} calls of {report['functions']} functions")
    alone = 0
    for func, list_ in by_func.items():
        durations = [leave - entry for _, _, entry, leave in list_]
        row = got.get(func, {})
        if (row.get("calls"), row.get("max")) != (len(list_), max(durations)):
            bad(f"{func}: {row}, not {len(list_)} calls of at most {max(durations)}")
        # A call in a call of the same function counts once in the total.
        list_.sort(key=lambda c: (c[0], c[1] if c[0] == 0 else 0, c[2]))
        if all(a[0] != b[0] or a[3] <= b[2] for a, b in zip(list_, list_[1:])):
            alone += 1
            if row.get("total") != sum(durations):
                bad(f"{func}: total {row.get('total')}, not {sum(durations)}")
        elif row.get("total", 0) > sum(durations):
            bad(f"{func}: total {row.get('total')} is above {sum(durations)}")
    if alone < len(by_func) // 2:
        bad("few functions have no calls within each other")
    totals = [f["total"] for f in report["function"]]
    if totals != sorted(totals, reverse=True):
        bad("functions are not in the order of their totals")


def check_leaps(report, calls):
    entries = sorted(entry for _, _, _, entry, _ in calls)
    leaps = sorted((b - a for a, b in zip(entries, entries[1:])), reverse=True)
    if [l["duration"] for l in report["leap"]] != leaps[:10]:
        bad(f"leaps: {[l['duration'] for l in report['leap']]}, not {leaps[:10]}")
    at = collections.defaultdict(set)
    for pid, cpu, func, entry, _ in calls:
        at[func, cpu].add(entry)
    for l in report["leap"]:
        for func, cpu, ts in ((l["function"], l["cpu"], l["start"]),
                              (l["next_function"], l["next_cpu"], l["end"])):
            # The report's times are on the buffer's clock, read a little later.
            if not any(abs(ts - entry) < 10_000_000 for entry in at[func, cpu]):
                bad(f"leap at {ts}: {func} was not entered on CPU {cpu} then")


def check_initcalls(report, events):
    open_, took = {}, {}
    for pid, _, ts, name, fields in events:
        if name == "initcall_start":
            open_[pid] = ts, fields["func"]
        elif name == "initcall_finish" and pid in open_:
            start, func = open_.pop(pid)
            took[start] = ts - start, int(fields["ret"], 0)
    got = {c["start"]: (c["duration"], c["return"] & 0xffffffff)
           for c in report["initcall"] if c["duration"] is not None}
    want = {start: (dur, ret & 0xffffffff) for start, (dur, ret) in took.items()}
    if got != want or len(got) < 300:
        bad(f"initcalls: {len(got)} of {len(want)}, different: "
            f"{list(set(got.items()) ^ set(want.items()))[:5]}")
    names = {c["function"] for c in report["initcall"]}
    for name in "acpi_init", "pl011_init", "inet_init", "deferred_probe_initcall":
        if name not in names and name in ("inet_init", "deferred_probe_initcall"):
            bad(f"no initcall {name}")
    if [c["duration"] for c in report["initcall"] if c["duration"]] != \
            sorted((d for d, _ in got.values() if d), reverse=True):
        bad("initcalls are not in the order of their durations")


def main(report_path, raw_path, config_path):
    report = json.load(open(report_path))
    config = re.sub("#.*", "", open(config_path).read())
    mintime = re.search(r"mintime (\d+)us", config)
    events = list(read(raw_path))
    calls = [(pid, cpu, f["func"], int(f["calltime"], 16), int(f["rettime"], 16))
             for pid, cpu, _, name, f in events if name == "funcgraph_exit"]
    if len(calls) < 1000:
        bad(f"{len(calls)} calls")
    check_calls(report, calls, int(mintime[1]) * 1000 if mintime else 0)
    check_leaps(report, calls)
    check_initcalls(report, events)
    stops = [ts for _, _, ts, name, _ in events if name == "stop"]
    if len(stops) != 1 or max(ts for _, _, ts, _, _ in events) > stops[0]:
        bad(f"the trace does not end with its stop trigger: {stops}")


main(*sys.argv[1:])
sys.exit(failed)
