#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# What sets record on this machine, measured.
# usage: sets.py KFT [TEST]...
import json
import subprocess

import live
from live import check, check_equal

SETS = """\
set often what comes all the time
	event raw_syscalls:sys_exit
set never what does not
	event sched:sched_process_exit/pid == 1/
set nothing what no kernel has
	event no_such:event
"""


def rates_are_measured(kft):
    (kft.dir / "my.conf").write_text(SETS)
    busy = subprocess.Popen(["sh", "-c", "while :; do umask; done"], stdout=subprocess.DEVNULL)
    try:
        rows = json.loads(kft.run("sets", "--measure", "--format", "json", "my.conf:").stdout)
    finally:
        busy.kill()
        busy.wait()
    rows = {row["set"]: row for row in rows["sets"]}
    often, never = rows["often"], rows["never"]
    # The loop writes, which is a system call, once for each turn.
    check(often["rate"] > 0 and often["cost"] > 0, f"often: {often}")
    # Programs that mark all sessions may add a few events to a set that has no event.
    check(never["rate"] < often["rate"] / 100, f"never: {never}, often: {often}")
    check_equal((rows["nothing"]["rate"], rows["nothing"]["cost"]), (None, None), "nothing")


if __name__ == "__main__":
    live.main([rates_are_measured])
