"""An example prints what the comment at its head says: example_test.py SOURCE PROGRAM FOLDER

The lines below "// Prints:" are compared with what PROGRAM writes to stdout, run in FOLDER; "..." stands for anything, as times
are. An example has fewer than 80 lines and ends with exit code 0."""
import os
import re
import subprocess
import sys

source, program, folder = map(os.path.abspath, sys.argv[1:4])
with open(source) as f:
    lines = f.read().splitlines()
if len(lines) >= 80:
    sys.exit(f"{source} has {len(lines)} lines, not below 80")
head = lines[:next(i for i, line in enumerate(lines) if not line.startswith("//"))]
if "// Prints:" not in head:
    sys.exit(f"{source}: its head does not say '// Prints:'")
said = [line[len("//   "):] for line in head[head.index("// Prints:") + 1:]]
if not said:
    sys.exit(f"{source}: its head says nothing below '// Prints:'")

os.makedirs(folder, exist_ok=True)
done = subprocess.run([program], cwd=folder, capture_output=True, text=True, timeout=110)
printed = done.stdout.splitlines()
failures = [f"line {i + 1}: said '{a}', printed '{b}'" for i, (a, b) in enumerate(zip(said, printed))
            if not re.fullmatch(".+?".join(map(re.escape, a.split("..."))), b)]
if len(said) != len(printed):
    failures.append(f"said {len(said)} lines, printed {len(printed)}")
if done.returncode != 0:
    failures.append(f"exit code {done.returncode}")
print(done.stdout + done.stderr, *failures, sep="\n")
sys.exit(1 if failures else 0)
