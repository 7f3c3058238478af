#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Marks of programs and scripts in what is being recorded.
# usage: marks.py KFT [TEST]...; MARKS is the program that marks
import os
import re
import subprocess

import live
from live import check, check_equal

MARKS = os.environ["MARKS"]


def marks(kft, file):
    text = kft.run("report", file).stdout
    return re.findall(r"tracing_mark_write: ([ICBE]\|.*)$", text, re.M)


def detach(kft, name):
    kft.run("record", "--detach", "-q", "-n", kft.session(name), "-e",
            "sched:sched_process_exit")


def finish(kft, name):
    kft.run("stop", "-n", kft.session(name))
    kft.run("save", "-n", kft.session(name), "-o", f"{name}.dat")
    kft.run("reset", "-n", kft.session(name))
    return marks(kft, f"{name}.dat")


def a_program_marks(kft):
    detach(kft, "a")
    env = dict(os.environ, KFT_SESSION=kft.session("a"))
    p = subprocess.Popen([MARKS], env=env, stdout=subprocess.PIPE, text=True)
    check_equal(p.communicate()[0], "5\n", "marks that were written")
    check_equal(finish(kft, "a"),
                [f"B|{p.pid}|outer", f"I|{p.pid}|a_b_c", f"C|{p.pid}|depth|-7",
                 f"I|{p.pid}|3 of four", f"E|{p.pid}"], "the marks")


def every_session_gets_them(kft):
    """Others may record at the same time: at least these two."""
    for name in "bc":
        detach(kft, name)
    kft.run("mark", "all of them")
    kft.run("mark", "-n", kft.session("b"), "one", "42")
    # Other programs may mark all sessions at the same time, too.
    of_b, of_c = ([m for m in finish(kft, name) if m.split("|")[2] in ("all of them", "one")] for name in "bc")
    check_equal([m.split("|")[2:] for m in of_b], [["all of them"], ["one", "42"]], "b")
    check_equal([m.split("|")[2:] for m in of_c], [["all of them"]], "c")
    check_equal(of_b[0], of_c[0], "the same mark")


def others_marks_go_where_they_went(kft):
    """A write to the top level fails, and nobody has the mark, where one of the instances that
    copy marks is off (Linux 6.16 and later)."""
    on = (live.TRACEFS / "tracing_on").read_text()
    (live.TRACEFS / "tracing_on").write_text("1")
    detach(kft, "t")
    kft.run("pause", "-n", kft.session("t"))
    (live.TRACEFS / "trace_marker").write_text("of another program")
    check("of another program" in (live.TRACEFS / "trace").read_text(), "the mark")
    check_equal(finish(kft, "t"), [], "marks of others")
    (live.TRACEFS / "trace").write_text("")
    (live.TRACEFS / "tracing_on").write_text(on)


def nobody_records(kft):
    said = kft.run("mark", "-n", kft.session("none"), "x", status=1).stderr
    check("no session records" in said, said)
    kft.run("mark", status=2)
    kft.run("mark", "x", "y", status=2)
    env = dict(os.environ, KFT_SESSION=kft.session("none"))
    p = subprocess.run([MARKS, "100000"], env=env, capture_output=True, text=True,
                       timeout=live.LIMIT, check=True)
    check_equal(p.stdout, "0\n", "marks that were written")


def a_session_is_not_held(kft):
    """A program that has marked lives on; the session can be removed."""
    detach(kft, "h")
    p = subprocess.Popen(["sh", "-c", '"$0"; read -r x', MARKS], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE,
                         env=dict(os.environ, KFT_SESSION=kft.session("h")))
    check_equal(p.stdout.readline(), b"5\n", "marks that were written")
    check_equal(len(finish(kft, "h")), 5, "the marks")
    p.communicate(b"\n")


if __name__ == "__main__":
    live.main([a_program_marks, every_session_gets_them, others_marks_go_where_they_went,
               nobody_records, a_session_is_not_held])
