#!/usr/bin/env python3
"""Runs a build command; passes its output on, and ends with its time and the memory of its largest process."""
import resource
import subprocess
import sys
import time

start = time.time()
worked = False
with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True, errors="replace") as build:
    for line in build.stdout:
        if line.startswith("ninja: no work to do"):
            continue
        worked = worked or "Building" in line
        print(line, end="", flush=True)
if worked:
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(f"build: {time.time() - start:.0f} s, largest compiler process {peak:.2f} GB")
sys.exit(build.returncode)
