#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
# What kft says about calls against what is true: the module truth.ko logs entries and exits
# of its own functions, and from this log follows what each clause of KFT keeps and what each
# analysis has to say. One boot records all cases; this machine's kft reads them.
# usage: truth.py LAB KERNEL KFT SOURCE_ROOT [FOLDER]: FOLDER keeps the recordings, or has them
import collections
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

NEVER, MAY, MUST = range(3)
INFINITE = 1 << 63
failures = 0


def bad(case, text):
    global failures
    failures += 1
    if failures <= 40:
        print(f"FAILED: {case}: {text}", file=sys.stderr)


# Another session traces functions in between, which take places on the same return stacks.
# Linux 6.12 tells exits of these to the first of all tracers, whichever functions it asked for.
OTHERS = ("truth_middle", "truth_even")
FOREIGN = """other=$tracefs/instances/other
mkdir $other && echo 'truth_middle truth_even' >$other/set_ftrace_filter &&
	echo function_graph >$other/current_tracer || exit 1"""
FOREIGN_END = """
r=$?
echo nop >$other/current_tracer
rmdir $other
return $r"""
RUN = 'kft run -n truth -o t.dat conf -- sh -c "$script"'
# Another task does the same as the command, and is the one that the filter is about.
ANOTHER = """rm -f go gone
sh -c "while [ ! -e go ]; do sleep 0.1; done; $script; >gone" &
echo $! >pid
sed -i "s/%PID%/$!/" conf
script="$script; touch go; while [ ! -e gone ]; do sleep 0.1; done; $script\""""
# A moment that is still to come; what goes on in the meantime and then is recorded is not said.
LATER = """read up rest </proc/uptime
echo $((${up%.*} + 5)) >moment
sed -i "s/%MOMENT%/$(cat moment)s/" conf"""
WAIT_STARTED = "until kft status -n truth | grep -q primed,.triggered; do sleep 0.1; done"
# A small buffer in which new records take the place of old ones.
OVERWRITTEN = """trace-cmd start -p function_graph -l 'truth_*' -C mono -b 8 >/dev/null
sh -c "$script"
trace-cmd stop && trace-cmd extract -o t.dat >/dev/null && trace-cmd reset"""


class Call:
    """One call as the module logged it. It was entered between before and entered, and
    left between leaving and after."""

    def __init__(self, number, name):
        self.number = number
        self.name = name
        self.parent = None
        self.children = []
        self.before = 0
        self.after = INFINITE
        self.entered = self.leaving = None
        self.row = None  # what kft says

    def last_ns(self):
        """A jump into another function leaves only when that does."""
        return max([self.leaving] + [c.last_ns() for c in self.children])

    def shortest(self):
        return self.last_ns() - self.entered

    def longest(self):
        return self.after - self.before

    def ancestors(self):
        call = self.parent
        while call:
            yield call
            call = call.parent


def read_truth(path):
    calls = {}
    for line in open(path):
        ns, kind, name, number, parent, pid, cpu, context, comm = line.split(None, 8)
        call = calls.setdefault(int(number), Call(int(number), name))
        if kind == "c":
            call.before = int(ns)
            call.parent = calls.get(int(parent))
            if call.parent:
                call.parent.children.append(call)
        elif kind == "e":
            call.entered = int(ns)
            call.pid, call.cpu, call.context = int(pid), int(cpu), context
            call.comm = comm.strip()
        elif kind == "x":
            call.leaving = int(ns)
        elif kind == "r":
            call.after = int(ns)
    return sorted(calls.values(), key=lambda c: c.entered)


class Case:
    def __init__(self, name, scenarios, only=("truth_*",), but=(), mintime_us=0,
                 maxtime_us=0, context=None, comm=None, pid=False, start=None, stop=None,
                 repeats=False, foreign=(), entries=None, deepest=None, overwrite=False,
                 overwritten=False, untimed=False, prepare="", also=(), record=RUN, kernels=None):
        self.name = name
        self.scenarios = scenarios
        self.only, self.but, self.also = only, but, also
        self.mintime_us, self.maxtime_us = mintime_us, maxtime_us
        self.context, self.comm, self.pid = context, comm, pid
        self.start, self.stop, self.repeats = start, stop, repeats
        self.entries = entries
        self.foreign = foreign
        self.deepest = deepest
        self.overwrite, self.overwritten = overwrite, overwritten
        self.untimed = untimed
        self.prepare = prepare
        self.record = record
        self.kernels = kernels

    def conf(self):
        lines = ["begin"]
        if self.start:
            lines.append("trigger start " + " ".join(self.start))
        if self.stop:
            lines.append("trigger stop " + " ".join(self.stop))
        if self.mintime_us:
            lines.append(f"filter mintime {self.mintime_us}")
        if self.maxtime_us:
            lines.append(f"filter maxtime {self.maxtime_us}")
        if self.context:
            lines.append("filter " + self.context)
        if self.only != ("*",):
            lines.append("filter funclist " + " ".join(self.only + self.also) + " fend")
        if self.but:
            lines.append("filter nofunclist " + " ".join(self.but) + " fend")
        if self.comm:
            lines.append(f"filter comm {self.comm} fend")
        if self.pid:
            lines.append("filter pid %PID% fend")
        for clause, given in (("untimed", self.untimed), ("overwrite", self.overwrite),
                              ("autorepeat", self.repeats)):
            if given:
                lines.append(clause)
        if self.entries:
            lines.append(f"logentries {self.entries}")
        return "\n".join(lines + ["end"]) + "\n"

    def script(self):
        run = " && ".join(s if " " in s else f"echo {s} >$truth/run" for s in self.scenarios)
        return f"export truth\nscript='{run}'\n{self.prepare}\n{self.record}\n"

    def write(self, folder):
        os.mkdir(folder)
        open(folder + "/conf", "w").write(self.conf())
        open(folder + "/record", "w").write(self.script())

    def is_traced(self, call):
        def listed(globs):
            return any(fnmatch.fnmatchcase(call.name, g) for g in globs)
        return listed(self.only) and not listed(self.but)

    def set_windows(self, calls):
        """When the run is on, each from and to a span of time; the calls that are to blame."""
        self.windows = []
        while True:
            window = Window(self, calls, self.windows[-1].end[1] if self.windows else 0)
            if window.begin[0] == INFINITE:
                break
            self.windows.append(window)
            if not self.repeats:
                break

    def judge(self, call):
        """Whether the clauses keep a call."""
        verdict = MUST
        if call.name in self.foreign:
            verdict = MAY
        elif not self.is_traced(call):
            return NEVER
        if self.context == "noints" and call.context != "t":
            return NEVER
        if self.context == "onlyints" and call.context == "t":
            return NEVER
        if self.comm and not fnmatch.fnmatchcase(call.comm, self.comm):
            return NEVER
        if self.pid and (call.pid != self.only_pid or call.context != "t"):
            return NEVER
        verdict = min(verdict, max(w.judge(call) for w in self.windows))
        if verdict == NEVER:
            return NEVER
        for limit, short in ((self.mintime_us * 1000, True), (self.maxtime_us * 1000, False)):
            if not limit:
                continue
            if (call.longest() < limit) if short else (call.shortest() > limit):
                return NEVER
            if not ((call.shortest() >= limit) if short else (call.longest() <= limit)):
                verdict = MAY
        return verdict


    def may_lack(self, call):
        """Whether a call that passes all filters may be missing for another reason: beyond
        the end of the log, overwritten, too deep for the kernel."""
        return (self.entries is not None and not (self.overwrite and call in self.last) or
                self.overwritten and call.name != "truth_flood" or
                self.deepest is not None and len(list(call.ancestors())) >= self.deepest)

    def read(self, folder, calls):
        """What the guest alone knew, and which calls are the last ones."""
        if self.pid:
            self.only_pid = int(open(folder + "/pid").read())
        if self.start == ("time", "%MOMENT%"):
            self.moment = int(open(folder + "/moment").read()) * 1000000000
        if self.entries:
            self.last = set(calls[-self.entries:])

    def has_entry(self, call):
        """Whether its time is that of its own record, and not deduced from its exit. Of
        what was overwritten calls under way are left, and perhaps the exit of one more."""
        return not self.mintime_us and not (self.overwritten and (
            call.name == "truth_flood" or call.row and call.row["ts"] == self.first_ns))

    def is_behind(self, row, call):
        """Whether a row is about a later call. Where its time is deduced from the exit, only
        what follows the call is later: the first row of what was overwritten may be such."""
        is_deduced = not self.has_entry(call) or self.overwritten and row["ts"] == self.first_ns
        end = call.after if is_deduced else call.entered
        return row["ts"] > end + clock_error(0)


class Window:
    """One time that a case's run is on, the first one that begins after a time."""

    def __init__(self, case, calls, after):
        self.case = case
        self.begin, self.end = (0, 0), (INFINITE, INFINITE)
        self.starter = self.stopper = None
        if case.start and case.start[0] == "time":
            # Nobody sees the moment, but what waited for it comes later.
            self.begin = (case.moment, first(calls, ("entry", "truth_begin"), 0)[1][1])
        elif case.start:
            self.starter, self.begin = first(calls, case.start, after)
        if case.stop and case.stop[0] == "time":
            self.end = tuple(ns + int(case.stop[1]) * 1000 for ns in self.begin)
        elif case.stop:
            self.stopper, self.end = first(calls, case.stop, self.begin[0])

    def judge(self, call):
        verdict = MUST
        if call is self.starter and self.case.start[0] == "entry":
            pass  # what starts the run is in it
        elif call.entered < self.begin[0]:
            return NEVER
        elif call.before < self.begin[1]:
            verdict = MAY
        if call is self.stopper and self.case.stop[0] == "exit":
            pass  # so is what ends it
        elif call.before > self.end[1]:
            return NEVER
        elif call.entered > self.end[0]:
            verdict = MAY
        return verdict


def first(calls, trigger, after):
    """The first call, and its span of time, that does what a trigger waits for."""
    what, name = trigger
    edges = [(c, edge(c, what)) for c in calls if c.name == name]
    return min((e for e in edges if e[1][1] > after), key=lambda e: e[1],
               default=(None, (INFINITE, INFINITE)))


def edge(call, what):
    if what == "entry":
        return call.before, call.entered
    return call.last_ns(), call.after


def kft(case, *args):
    r = subprocess.run([KFT, *args], capture_output=True, text=True)
    if r.returncode:
        bad(case, f"kft {' '.join(args)}: {r.returncode}: {r.stderr.strip()}")
    return r.stdout, r.stderr


# The kernel takes times of calls with another clock than the one of the notes: both count
# the same cycles, but need not agree on how many make a second.
def clock_error(ns):
    return ns // 1000 + 1000


def fits(call, row):
    if row["duration"] is None:
        return True
    slack = clock_error(row["duration"])
    return call.shortest() - slack <= row["duration"] <= call.longest() + slack


def match(case, calls, rows):
    """Finds the call that each row is about; both are in the order of entering."""
    by_name = collections.defaultdict(list)
    case.set_windows(calls)
    verdicts = {}
    for call in calls:
        verdicts[call] = case.judge(call)
        by_name[call.name].append(call)
    position = collections.Counter()
    for row in rows:
        candidates = by_name[row["function"]]
        at = position[row["function"]]
        while at < len(candidates):
            call = candidates[at]
            at += 1
            if verdicts[call] != NEVER and not case.is_behind(row, call) and fits(call, row):
                call.row = row
                row["call"] = call
                break
            if verdicts[call] == MUST and not case.may_lack(call):
                bad(case.name, f"{describe(call)} is not kept, or not as it was")
        else:
            bad(case.name, f"a row is no call: {row}")
        position[row["function"]] = at
    for name, candidates in by_name.items():
        for call in candidates[position[name]:]:
            if verdicts[call] == MUST and not case.may_lack(call):
                bad(case.name, f"{describe(call)} is not kept")


def describe(call):
    return (f"{call.name} #{call.number} in context {call.context} of {call.comm}-{call.pid}, "
            f"{call.shortest()} to {call.longest()} ns")


def check_rows(case, calls):
    for call in calls:
        row = call.row
        if not row:
            continue
        caller = next((a for a in call.ancestors() if a.row), None)
        expected = caller.name if caller else None
        others = row["caller"] is not None and not row["caller"].startswith("truth_")
        if row["caller"] != expected and not (others and not caller):
            bad(case.name, f"{describe(call)}: caller {row['caller']}, is {expected}")
        pid = call.pid if call.context == "t" else None
        if row["pid"] != pid:
            bad(case.name, f"{describe(call)}: pid {row['pid']}, is {pid}")
        if pid is not None and row["comm"] != call.comm:
            bad(case.name, f"{describe(call)}: comm {row['comm']}")
        if case.has_entry(call) and not call.before <= row["ts"] <= call.entered:
            bad(case.name, f"{describe(call)}: entered at {row['ts']}, "
                f"not within {call.before} to {call.entered}")


def durations(calls):
    """Of each function: calls, time in all (inner calls of itself once), local time."""
    count, total, local = (collections.Counter() for _ in range(3))
    for call in calls:
        if not call.row:
            continue
        count[call.name] += 1
        if call.row["duration"] is None:
            continue
        caller = next((a for a in call.ancestors() if a.row), None)
        local[call.name] += call.row["duration"]
        if caller and caller.row["duration"] is not None:
            local[caller.name] -= call.row["duration"]
        if not any(a.row and a.name == call.name for a in call.ancestors()):
            total[call.name] += call.row["duration"]
    return count, total, local


def check_kd(case, calls, path):
    count, total, local = durations(calls)
    seen = set()
    for line in kft(case.name, "kd", "-f", "Fctl", path)[0].splitlines():
        fields = line.split()
        if not fields or not fields[0].startswith("truth_"):
            continue
        name = fields[0]
        seen.add(name)
        said = [int(f) for f in fields[1:4]]
        true = [count[name], total[name] // 1000, local[name] // 1000]
        if name not in total:
            true[1:] = [-1, -1]
        if said != true:
            bad(case.name, f"kd: {name} has count, total, local {said}, are {true}")
    if seen != set(count):
        bad(case.name, f"kd lacks or invents {seen ^ set(count)}")


def check_stats(case, rows, path):
    """stats function counts the calls that report --flat shows, and those without a duration."""
    shown = collections.defaultdict(lambda: [0, 0, 0])
    for row in rows:
        of = shown[row["function"]]
        if row["duration"] is None:
            of[2] += 1
        else:
            of[0] += 1
            of[1] += row["duration"]
    said = json.loads(kft(case.name, "stats", "function", "--format", "json", "--all", path)[0])
    counted = {r["key"]: [r["count"], r["total"], r["cut"] + r["lossy"]]
               for r in said["intervals"]}
    for name in sorted(set(shown) | set(counted)):
        if shown.get(name, [0, 0, 0]) != counted.get(name):
            bad(case.name, f"stats: {name} has count, total, cut {counted.get(name)}, "
                f"report shows {shown.get(name)}")


def check_tree(case, calls, path):
    """kd -c has each call below its caller, in the order of entering."""
    said = []
    for line in kft(case.name, "kd", "-c", "-d", "1000", path)[0].splitlines():
        m = re.match(r"((?:\|  )*)(truth_\w+)", line)
        if m:
            said.append((len(m[1]) // 3, m[2]))
    # Each task and each CPU's interrupts have trees of their own.
    shown, true = trees(said), trees_of(calls)
    if shown != true:
        bad(case.name, f"kd -c shows {list(shown - true)[:2]}, not {list(true - shown)[:2]}")


def trees(rows):
    """How many trees there are of each shape, from rows of a depth and a name."""
    count, tree = collections.Counter(), []
    for depth, name in rows:
        if depth == 0 and tree:
            count[tuple(tree)] += 1
            tree = []
        tree.append((depth, name))
    if tree:
        count[tuple(tree)] += 1
    return count


def trees_of(calls):
    rows = collections.defaultdict(list)
    for call in calls:
        if call.row:
            above = [a for a in call.ancestors() if a.row]
            rows[above[-1] if above else call].append((len(above), call.name))
    return collections.Counter(tuple(tree) for tree in rows.values())


def check_log(case, rows, path):
    """The log has the same calls, in microseconds."""
    said = []
    for line in kft(case.name, "log", path)[0].splitlines():
        m = re.match(r"\s*\d+\s+(-?\d+)\s+(-?\d+)(?:\.\d+)?\s+(\S+)\s+(\S+)$", line)
        if m:
            said.append((int(m[1]), int(m[2]), m[3], m[4]))
    true = [(-1 if r["duration"] is None else r["duration"] // 1000,
             -1 if r["pid"] is None else r["pid"], r["function"], r["caller"] or "?")
            for r in rows]
    if said != true:
        at = next((i for i, (a, b) in enumerate(zip(said, true)) if a != b), len(true))
        bad(case.name, f"kft log has {len(said)} rows, of {len(true)}; row {at} differs: "
            f"{said[at:at + 1]} for {true[at:at + 1]}")


def check_report(case, rows, path):
    """Each call is a line of the report, or two, where entries are recorded."""
    said = collections.Counter()
    for line in kft(case.name, "report", path)[0].splitlines():
        m = re.search(r"\| +(truth_\w+)\(\)(?: {|;)$", line)
        if m:
            said[m[1]] += 1
    true = collections.Counter(r["function"] for r in rows)
    if said != true:
        bad(case.name, f"kft report shows {dict(said)}, not {dict(true)}")


def check_under_way(case, calls):
    """What returns behind the stop has no duration: it is not of the run."""
    if case.repeats:
        return  # it is on again when these return
    window = case.windows[0]
    for call in calls:
        if call.row and call is not window.stopper and call.last_ns() > window.end[1] and \
                call.row["duration"] is not None:
            bad(case.name, f"{describe(call)} has a duration, but the run ended before")


def check_innocent(case, calls, every):
    """No call of the module makes softirqs run: interrupts do."""
    for row in every:
        if row["function"] == "handle_softirqs" and (row["caller"] or "").startswith("truth_"):
            bad(case.name, f"{row['caller']} called handle_softirqs: {row}")
        if row["function"] == "handle_softirqs" and case.context == "noints":
            bad(case.name, f"handle_softirqs is kept: {row}")


def check_deep(case, calls, notes, said):
    """Who records and who reads says how many there was no room for."""
    lacking = sum(c.row is None for c in calls)
    for text, pattern in ((notes, r"(\d+) calls were deeper"), (said, r"(\d+) lost: deeper")):
        m = re.search(pattern, text)
        if (int(m[1]) if m else 0) != lacking:
            bad(case.name, f"{lacking} calls are missing, kft says: {text.strip() or 'nothing'}")


def check(case, folder):
    if open(folder + "/status").read().strip() != "0":
        bad(case.name, "recording failed: " + open(folder + "/out").read())
        return
    calls = read_truth(folder + "/truth")
    case.read(folder, calls)
    path = folder + "/t.dat"
    text, notes = kft(case.name, "report", "--flat", "--style", "json", path)
    every = [json.loads(line) for line in text.splitlines()]
    rows = [r for r in every if r["function"].startswith("truth_")]
    case.first_ns = min((r["ts"] for r in rows if r["function"] != "truth_flood"), default=0)
    match(case, calls, rows)
    check_rows(case, calls)
    if case.only != ("*",):  # else their local time is not what the module knows
        check_kd(case, calls, path)
        check_tree(case, calls, path)
    check_stats(case, every, path)
    check_log(case, every, path)
    if not case.mintime_us and not case.overwritten and not case.foreign:
        check_report(case, rows, path)
    check_under_way(case, calls)
    check_innocent(case, calls, every)
    if case.deepest:
        check_deep(case, calls, notes, open(folder + "/out").read())
    if case.entries and len(rows) != case.entries:
        bad(case.name, f"{len(rows)} calls, not {case.entries}")
    print(f"{case.name}: {len(rows)} rows of {len(calls)} calls")

CASES = [
    Case("plain", ["nest", "recurse", "tail", "sleep", "tasks"]),
    Case("interrupts", ["irq", "softirq"]),
    Case("noints", ["irq", "softirq", "nest"], context="noints", also=("handle_softirqs",)),
    Case("onlyints", ["irq", "softirq", "nest"], context="onlyints"),
    Case("mintime", ["times", "sleep", "nest"], mintime_us=1000),
    Case("mintime-noints", ["times", "irq", "softirq"], mintime_us=50, context="noints",
         also=("handle_softirqs",)),
    Case("maxtime", ["times", "nest"], maxtime_us=1000),
    Case("lists", ["nest", "recurse"], only=("truth_[imor]*", "truth_leaf"),
         but=("truth_middle",)),
    Case("entry-exit", ["nest", "begin", "nest", "end", "recurse"],
         start=("entry", "truth_begin"), stop=("exit", "truth_end")),
    Case("exit-entry", ["nest", "begin", "nest", "end", "recurse"],
         start=("exit", "truth_begin"), stop=("entry", "truth_end")),
    Case("within", ["nest", "flood"], start=("entry", "truth_inner"), stop=("exit", "truth_middle"),
         but=("truth_flood",)),
    Case("logentries", ["many"], entries=100),
    Case("comm", ["nest", "tasks"], comm="truth-red"),
    Case("time", ["begin", "times", "times", "nest"], start=("entry", "truth_begin"),
         stop=("time", "20000")),
    Case("untimed", ["nest", "recurse", "irq"], untimed=True),
    Case("onlyints-mintime", ["irq", "softirq", "times"], context="onlyints", mintime_us=50),
    Case("all", ["nest", "recurse", "irq"], only=("*",), start=("entry", "truth_outer"),
         stop=("exit", "truth_irq_within")),
    Case("pid", ["nest", "recurse"], pid=True, prepare=ANOTHER),
    Case("start-time", ["nest", WAIT_STARTED, "begin", "recurse", "nest"],
         start=("time", "%MOMENT%"), prepare=LATER),
    Case("autorepeat", ["nest", "begin", "nest", "end", "recurse", "begin", "tail", "end", "nest"],
         start=("entry", "truth_begin"), stop=("exit", "truth_end"), repeats=True),
    Case("deep", ["nest", "deep", "nest"], deepest=40),
    Case("foreign", ["nest", "recurse"], but=OTHERS, foreign=OTHERS,
         prepare=FOREIGN, record=RUN + FOREIGN_END, kernels=["6.12"]),
    Case("foreign-mintime", ["times", "nest"], but=OTHERS, foreign=OTHERS, mintime_us=10,
         prepare=FOREIGN, record=RUN + FOREIGN_END, kernels=["6.12"]),
    Case("overwrite", ["nest", "flood"], record=RUN.replace("conf", "-b 8k conf", 1),
         overwrite=True, overwritten=True),
    Case("logentries-overwrite", ["many"], entries=100, overwrite=True),
    Case("overwritten", ["nest", "flood"], record=OVERWRITTEN, overwritten=True),
]


def build_module(lab, kernel, source, to):
    prefix = "aarch64-linux-gnu-" if kernel.endswith("arm64") else ""
    for tool in ("make", prefix + "gcc"):
        if not shutil.which(tool):
            print(f"'{tool}' is missing", file=sys.stderr)
            sys.exit(77)
    r = subprocess.run([lab + "/headers", kernel], stdout=subprocess.PIPE, text=True)
    if r.returncode:
        sys.exit(r.returncode)
    shutil.copytree(source + "/tests/module/truth", to)
    make = ["make", "-C", r.stdout.strip(), "M=" + to, f"CC={prefix}gcc",
            f"CROSS_COMPILE={prefix}", "CONFIG_DEBUG_INFO_BTF_MODULES="]
    r = subprocess.run(make + ["modules"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if r.returncode:
        print(r.stdout, file=sys.stderr)
        sys.exit(1)
    return to + "/truth.ko"


def record(lab, kernel, source, cases, tmp):
    module = build_module(lab, kernel, source, tmp + "/module")
    os.mkdir(tmp + "/share")
    for case in cases:
        case.write(f"{tmp}/share/{case.folder}")
    # Patching each function of a kernel is slow here; on a busy machine its watchdog complains.
    r = subprocess.run([lab + "/vm", "--kernel", kernel, "--timeout", "1500", "--append",
                        "nosoftlockup", "--share", tmp + "/share", "--file", module + ":/truth.ko",
                        source + "/tests/vm/truth-guest.sh"],
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(r.stdout, end="", file=sys.stderr)
    if r.returncode:
        sys.exit(r.returncode)
    if "lab: guest kernel:" in r.stdout:
        bad("boot", "the kernel complained")


def main(lab, kernel, source, folder):
    cases = [c for c in CASES if not c.kernels or kernel in c.kernels]
    for i, case in enumerate(cases):
        case.folder = f"{i:02}-{case.name}"
    with tempfile.TemporaryDirectory() as tmp:
        tmp = folder or tmp
        if not os.path.exists(tmp + "/share"):
            record(lab, kernel, source, cases, tmp)
        for case in cases:
            check(case, f"{tmp}/share/{case.folder}")
    sys.exit(failures > 0)


KFT = os.path.realpath(sys.argv[3])
main(sys.argv[1], sys.argv[2], sys.argv[4], sys.argv[5] if len(sys.argv) > 5 else None)
