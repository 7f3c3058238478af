#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Tests that become another user pass with a build in a directory that others cannot enter,
# as one below /root is.
# usage: private-build.py KFT
import pathlib
import shutil
import subprocess
import sys
import tempfile

import live

BECOME_OTHERS = {"record-sessions.py": ["without_root"], "record-caps.py": []}


def main():
    live.need_tracefs()
    with tempfile.TemporaryDirectory() as directory:
        private = pathlib.Path(directory)
        private.chmod(0o700)
        shutil.copytree(live.HERE, private / "live")
        kft = shutil.copy(sys.argv[1], private / "kft")
        for script, tests in BECOME_OTHERS.items():
            subprocess.run([private / "live" / script, kft, *tests], check=True)


main()
