#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# kft record -u PROGRAM:FUNCTION(NAME, ...): what is recorded is what the program says that it
# gave to its functions, built without and with optimization.
# usage: NAMED_O0=PROGRAM NAMED_O2=PROGRAM record-named.py KFT [TEST]...
import os

import live
from live import check, check_equal

PROBES = {
    "take_shape": "s->name,s->centre.x,s->centre.y,n,c,s->high,s->next->low,s->half,s->text",
    "take_many": "a,b,c,d,g,h,i",
}
OPTIMIZED = {"take_whole": "after", "take_unused": "used"}


def told(text):
    """(function, {name: value}) of each line that the program writes."""
    return [(words[0], dict(word.split("=", 1) for word in words[1:]))
            for words in (line.replace("some text", "some-text").split()
                          for line in text.splitlines())]


def recorded(kft, trace):
    for e in kft.events(trace):
        fields = {k: str(v).replace("some text", "some-text") for k, v in e["fields"].items()
                  if not k.startswith("__")}
        yield e["event"].split("_constprop")[0].split("_isra")[0], fields


def as_the_program_says(kft, program, probes):
    args = [arg for name, names in probes.items()
            for arg in ("-u", f"{program}:{name}*({names})")]
    # The program's lines are its standard output.
    p = kft.run("record", "-q", "-o", "n.dat", *args, "--", program)
    want = [line for line in told(p.stdout) if line[0] in probes]
    check(len(want) == 5 * len(probes), f"the program said {p.stdout}")
    check_equal(list(recorded(kft, "n.dat")), want, "arguments")


def not_optimized(kft):
    as_the_program_says(kft, os.environ["NAMED_O0"], PROBES)


def optimized(kft):
    as_the_program_says(kft, os.environ["NAMED_O2"], {**PROBES, **OPTIMIZED})


def what_cannot_be_is_said(kft):
    program = os.environ["NAMED_O2"]
    for probe, says in (("take_unused*(unused)", "optimized"),
                        ("take_shape(shape)", "it has s, n, c"),
                        ("take_shape%return(n)", "$retval")):
        p = kft.run("record", "-q", "-o", "x.dat", "-u", f"{program}:{probe}", "--", "true",
                    status=125)
        check(says in p.stderr, f"{probe}: it said {p.stderr}")


if __name__ == "__main__":
    live.main([not_optimized, optimized, what_cannot_be_is_said])
