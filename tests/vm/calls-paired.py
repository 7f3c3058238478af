#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Of a trace that is said to have lost nothing every call's exit follows its entry, task by
# task, but for those under way when it began. Losses are said, or the trace fails this.
# usage: calls-paired.py KFT TRACE
import json
import subprocess
import sys


def main():
    kft, trace = sys.argv[1:]
    stats = json.loads(subprocess.run([kft, "stats", "events", "--json", trace], check=True,
                                      stdout=subprocess.PIPE, text=True).stdout)
    p = subprocess.Popen([kft, "report", "--style", "json", trace], stdout=subprocess.PIPE, text=True)
    stacks, unpaired, calls = {}, 0, 0
    for line in p.stdout:
        e = json.loads(line)
        if e.get("event") not in ("funcgraph_entry", "funcgraph_exit"):
            continue
        # Each CPU has an idle task of the same number.
        stack = stacks.setdefault((e["pid"], e["pid"] or e["cpu"]), [])
        f = e["fields"]
        func = f["func"]
        if e["event"] == "funcgraph_entry":
            stack.append(func)
        elif stack and stack[-1] == func:
            stack.pop()
            calls += 1
        elif stack or e["ts"] - (f["rettime"] - f["calltime"]) > stats["start"]:
            unpaired += 1
    print(f"{trace}: {calls} calls, {unpaired} exits without an entry, {stats['lost']} events lost")
    open_calls = sum(len(s) for s in stacks.values())
    sys.exit(p.wait() != 0 or not calls or (stats["lost"] == 0 and (unpaired or open_calls > 100)))


main()
