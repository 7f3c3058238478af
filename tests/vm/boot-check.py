#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# The report of a boot against the same numbers, got out of trace-cmd's text of the trace
# another way; and the trace against what the configuration asked for.
# usage: boot-check.py REPORT_JSON TRACE_CMD_RAW_TEXT FLAGS_OF_CALLS CONFIGURATION
import collections
import fnmatch
import json
import re
import sys

LINE = re.compile(r"^\s*.+-(\d+)\s+\[(\d+)\].*?\s(\d+)\.(\d+): (\w+):\s+(.*)$")
TRACER = re.compile("(__)?ftrace_|arch_ftrace_|register_ftrace|(smp_|__)?text_poke|tracer_|"
                    "tracing_|trace_event_|event_trace_|init_graph_trace|init_kprobe_trace|"
                    "init_function_trace|trace_eval_|register_tracer|aarch64_insn_patch|"
                    "create_trace_|init_trace_|ring_buffer_resize")
LEVELS = ["core", "postcore", "arch", "subsys", "fs", "device", "late"]
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


class Config:
    """What a sample configuration says, as far as samples go."""

    def __init__(self, path):
        self.text = re.sub("#.*", "", open(path).read())
        self.mintime_ns = self.time("mintime")
        self.maxtime_ns = self.time("maxtime")
        self.only = self.names("funclist")
        self.but = self.names("nofunclist")
        self.noints = "noints" in self.text
        start = re.search(r"trigger start entry (\w+)", self.text)
        self.start = start[1] if start and start[1] != "start_kernel" else None

    def time(self, filter_):
        m = re.search(filter_ + r" (\d+)(us|ms)", self.text)
        return int(m[1]) * {"us": 1000, "ms": 1000000}[m[2]] if m else None

    def names(self, filter_):
        m = re.search(rf"filter {filter_} (.*?) fend", self.text)
        return m[1].split() if m else None

    def check(self, func, ns):
        if ns < (self.mintime_ns or 0) or ns > (self.maxtime_ns or ns):
            bad(f"{func} took {ns} ns")
        if self.only and not any(fnmatch.fnmatchcase(func, p) for p in self.only):
            bad(f"{func} is not in funclist")
        if self.but and any(fnmatch.fnmatchcase(func, p) for p in self.but):
            bad(f"{func} is in nofunclist")


def check_calls(report, calls, late, config):
    """The last `late` calls were under way at the stop: they count, but have no duration."""
    by_func, ended = collections.defaultdict(list), collections.defaultdict(list)
    for i, (pid, cpu, func, entry, leave) in enumerate(calls):
        by_func[func].append((pid, cpu, entry, leave))
        if i < len(calls) - late:
            ended[func].append(leave - entry)
            config.check(func, leave - entry)
    got = {f["function"]: f for f in report["function"]}
    if got.keys() != by_func.keys():
        bad(f"functions: {got.keys() ^ by_func.keys()}")
    if report["calls"] != len(calls) or report["functions"] != len(by_func):
        bad(f"{report['calls']} calls of {report['functions']} functions")
    alone = 0
    for func, list_ in by_func.items():
        durations = ended[func]
        longest = max(durations, default=0)
        row = got.get(func, {})
        if (row.get("calls"), row.get("max") or 0) != (len(list_), longest):
            bad(f"{func}: {row}, not {len(list_)} calls of at most {longest}")
        # A call in a call of the same function counts once in the total.
        list_.sort(key=lambda c: (c[0], c[1] if c[0] == 0 else 0, c[2]))
        if all(a[0] != b[0] or a[3] <= b[2] for a, b in zip(list_, list_[1:])):
            alone += 1
            if (row.get("total") or 0) != sum(durations):
                bad(f"{func}: total {row.get('total')}, not {sum(durations)}")
        elif (row.get("total") or 0) > sum(durations):
            bad(f"{func}: total {row.get('total')} is above {sum(durations)}")
    if alone < len(by_func) // 2:
        bad("few functions have no calls within each other")
    totals = [f["total"] or 0 for f in report["function"]]
    if totals != sorted(totals, reverse=True):
        bad("functions are not in the order of their totals")


def check_leaps(report, calls):
    # Not while the tracer was at work, on whatever CPU, and not after an idle task's call: an
    # interrupt's on an idle CPU (whose pid is 0 in the raw text as well) may be.
    wanted, possible, tracer_until = [], [], 0
    ordered = sorted(calls, key=lambda c: c[3])
    for (pid, _, func, entry, leave), after in zip(ordered, ordered[1:]):
        if TRACER.match(func):
            tracer_until = max(tracer_until, leave)
        if entry >= tracer_until and after[3] > entry:
            (wanted if pid != 0 else possible).append(after[3] - entry)
    got = [l["duration"] for l in report["leap"]]
    rest = collections.Counter(got) - collections.Counter(sorted(wanted, reverse=True)[:10])
    wanted = [l for l in wanted if l > min(got)]
    if len(got) != 10 or got != sorted(got, reverse=True) or \
            collections.Counter(wanted) - collections.Counter(got) or \
            rest - collections.Counter(possible):
        bad(f"leaps: {got}, wanted {sorted(wanted, reverse=True)[:10]}, besides {rest}")
    if any(l["pid"] == 0 for l in report["leap"]):
        bad("a leap of an idle task")
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
    open_, took, loaded, modules = {}, {}, {}, {}
    for pid, _, ts, name, fields in events:
        if name == "module_load":
            loaded[pid] = fields["name"]
        elif name == "initcall_start":
            open_[pid] = ts, fields["func"]
            if pid in loaded:
                modules[ts] = "init of module " + loaded.pop(pid)
        elif name == "initcall_finish" and pid in open_:
            start, func = open_.pop(pid)
            took[start] = ts - start, int(fields["ret"], 0)
    got = {c["start"]: (c["duration"], c["return"] & 0xffffffff)
           for c in report["initcall"] if c["duration"] is not None}
    want = {start: (dur, ret & 0xffffffff) for start, (dur, ret) in took.items()}
    if got != want or len(got) < 250:
        bad(f"initcalls: {len(got)} of {len(want)}, different: "
            f"{list(set(got.items()) ^ set(want.items()))[:5]}")
    for c in report["initcall"]:
        if c["start"] in modules and c["function"] != modules[c["start"]]:
            bad(f"{c['function']} is {modules[c['start']]}")
    names = {c["function"] for c in report["initcall"]}
    for name in "inet_init", "deferred_probe_initcall":
        if name not in names:
            bad(f"no initcall {name}")
    levels = [f["level"] for _, _, _, name, f in events if name == "initcall_level"]
    if [l["level"] for l in report["by_level"]] != [LEVELS[LEVELS.index(levels[0]) - 1],
                                                    *levels]:
        bad(f"levels: {report['by_level']}, not {levels}")
    if [c["duration"] for c in report["initcall"] if c["duration"]] != \
            sorted((d for d, _ in got.values() if d), reverse=True):
        bad("initcalls are not in the order of their durations")


def check_window(events, config):
    stops = [ts for _, _, ts, name, _ in events if name == "stop"]
    if len(stops) != 1:
        bad(f"not one stop trigger: {stops}")
    for _, _, ts, name, fields in events:
        # Behind it are the returns of what was under way.
        if stops and ts > stops[0] and (name != "funcgraph_exit" or
                                        int(fields["calltime"], 16) > stops[0]):
            bad(f"{name} {fields} is behind the stop trigger at {stops[0]}")
    if not config.start:
        return
    if events[0][3] != "initcall_start" or events[0][4]["func"] != config.start + "+0x0":
        bad(f"the trace does not begin with its start trigger: {events[0]}")
    if not any(name == "start" for _, _, _, name, _ in events[:20]):
        bad("no record of the start trigger's probe")


def main(report_path, raw_path, flags_path, config_path):
    report = json.load(open(report_path))
    config = Config(config_path)
    events = list(read(raw_path))
    calls = [(pid, cpu, f["func"], int(f["calltime"], 16), int(f["rettime"], 16))
             for pid, cpu, _, name, f in events if name == "funcgraph_exit"]
    # Configurations have a least duration, so that a faster machine records fewer calls: 993 and
    # 1,300 of one configuration. boot.sh has checked that no event was lost.
    if len(calls) < 300 or len({func for _, _, func, _, _ in calls}) < 10:
        bad(f"{len(calls)} calls of {len({func for _, _, func, _, _ in calls})} functions")
    stop = min((ts for _, _, ts, name, _ in events if name == "stop"), default=None)
    late = sum(name == "funcgraph_exit" and stop is not None and ts > stop
               for _, _, ts, name, _ in events)
    check_calls(report, calls, late, config)
    check_leaps(report, calls)
    check_initcalls(report, events)
    check_window(events, config)
    flags = [int(line, 0) for line in open(flags_path)]
    interrupts = sum(f & (0x08 | 0x10 | 0x40) != 0 for f in flags)
    if len(flags) != len(calls) or config.noints != (interrupts == 0):
        bad(f"{interrupts} calls of {len(flags)} were made in interrupts")


main(*sys.argv[1:])
sys.exit(failed)
