#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""`kft why -- COMMAND` explains the run of everyday commands: the answer is about the command, adds up
to its whole time, and its largest cause is one that the command can have. Waiting for a CPU is
left out of that, as this machine may be busy."""
import json
import os
import shutil

import live
from live import check

# A cache of compilations would answer without the compiler.
os.environ["CCACHE_DISABLE"] = "1"
# A version manager's stand-in for python3 is a shell script that runs longer than python3 does.
os.environ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"

CPU = {"cpu", "held", "throttled", "wake-up", "idle-exit", "irq", "softirq", "machine"}
RUN = {"run", "run-other", "unknown", "timer-callback"}
IO = {"io-device", "io-queue", "io", "blocked", "lock", "work"}
SLEEP = {"sleep", "slack"}
SOURCE = "int main(void) { return 0; }"

# A command, the causes that its largest row may have, and a word that is in its reasons.
COMMANDS = [
    ("ls -R /usr/include", RUN | IO, ""),
    ("find /usr/include -name none", RUN | IO, ""),
    ("grep -r no_such_word /usr/include/linux", RUN | IO, ""),
    ("tar cf t.tar /usr/include/linux", RUN | IO, ""),
    ("gzip -kf words", RUN | IO, "user mode"),
    ("xz -kf words", RUN | IO, "user mode"),
    ("sort -R words", RUN | IO, "user mode"),
    ("sha256sum words", RUN | IO, "running"),
    ("cp words words.copy", RUN | IO, ""),
    ("cat words", RUN | IO, ""),
    ("gcc -c x.c", RUN | IO, "cc1"),
    ("git init -q repository", RUN | IO, ""),
    ("python3 -c sum(range(1000000))", RUN | IO, "user mode"),
    ("perl -e for(1..1000000){$s+=$_}", RUN | IO, "user mode"),
    ("dd if=/dev/zero of=z bs=1M count=8 conv=fsync", RUN | IO, ""),
    ("sync words", RUN | IO, ""),
    ("curl -s -m 5 http://127.0.0.1:9/", RUN | IO, ""),
    ("sleep 0.2", SLEEP, "asleep"),
    ("timeout 5 sleep 0.2", SLEEP, "sleep-"),
    ("make -s -f Makefile", SLEEP, "sleep-"),
    ("sh wait", SLEEP, "sleep-"),
]


def prepare(kft):
    (kft.dir / "x.c").write_text(SOURCE)
    (kft.dir / "Makefile").write_text("all:\n\t@sleep 0.2\n")
    (kft.dir / "wait").write_text("sleep 0.2 &\nwait\n")
    (kft.dir / "words").write_text("\n".join(str(n * 7919 % 100003) for n in range(100000)))


def ask(kft, argv):
    p = kft.run("why", "--format", "json", "--", *argv, status=None)
    check(p.returncode == 0, p.stderr)
    # The output of the command comes first.
    return json.loads(p.stdout[p.stdout.rindex('{"sentence"'):])


def wrong(answer, argv, causes, word):
    """What is wrong with the answer; None: nothing."""
    rows = answer["rows"]
    if answer["interval"] != "the command" or not answer["task"].startswith(argv[0][:15]):
        return "it is not about the command"
    if sum(row["time"] for row in rows) != answer["time"]:
        return "its rows do not add up"
    if not any(word in row["what"] for row in rows):
        return f"nothing about {word}"
    largest = next((row for row in rows if row["cause"] not in CPU), None)
    return None if largest and largest["cause"] in causes else f"the cause is {largest}"


def the_run_of_each_is_explained(kft):
    prepare(kft)
    split = []
    for line, causes, word in COMMANDS:
        argv = line.split()
        if not shutil.which(argv[0]):
            print(f"  {argv[0]} is not installed")
            continue
        # On a busy machine events can be lost, and what follows from them.
        for _ in range(3):
            answer = ask(kft, argv)
            bad = wrong(answer, argv, causes, word)
            if not bad:
                break
        check(not bad, f"{line}: {bad}: {answer['sentence']}")
        print(f"  {answer['sentence'][:160]}")
        split += [line] if "functions" in answer else []
    taken = "are taken" in kft.run("record", "--for", "why", "--dry-run").stderr
    check(split or not taken, "no command runs long enough to be split by functions")


live.main([the_run_of_each_is_explained])
