"""The committed templates belong to the committed sources: template_test.py VIEWER_FOLDER

Compares hashes, which needs no Node; where Node and viewer/node_modules are present, builds again and compares bytes."""
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile

viewer = os.path.abspath(sys.argv[1])
cure = "rebuild it: cd viewer && npm ci && node build.mjs"


def read(*path):
    with open(os.path.join(viewer, *path), "rb") as f:
        return f.read()


names = [f"src/{n}" for n in os.listdir(os.path.join(viewer, "src")) if n.endswith((".js", ".css", ".html"))]
digest = hashlib.sha256()
for name in sorted(names + ["build.mjs", "package-lock.json"]):
    digest.update(name.encode() + b"\n" + read(name) + b"\n")
if digest.hexdigest() != read("dist", "SOURCE.sha256").decode().strip():
    sys.exit(f"viewer/src changed and viewer/dist did not; {cure}")

for page, most in (("replay.html", 800_000), ("study.html", 150_000)):
    text = read("dist", page)
    if not text.isascii():
        sys.exit(f"dist/{page} is not pure ASCII")
    if len(text) > most:
        sys.exit(f"dist/{page} has {len(text)} bytes, more than {most}")
    for part in (b"<!--condyle:recording-->", b'id="condyle-end"', b"Permission is hereby granted"):
        if text.count(part) < 1:
            sys.exit(f"dist/{page} lacks {part.decode()}")
    if b"http://" in text.replace(b"http://www.w3.org/", b"") and b"src=\"http" in text:
        sys.exit(f"dist/{page} fetches something")
    print(f"dist/{page}: {len(text) / 1000:.0f} kB")

if shutil.which("node") and os.path.isdir(os.path.join(viewer, "node_modules", "esbuild")):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "viewer")
        shutil.copytree(viewer, copy, ignore=shutil.ignore_patterns("node_modules", "dist"))
        os.symlink(os.path.join(viewer, "node_modules"), os.path.join(copy, "node_modules"))
        subprocess.run(["node", "build.mjs"], cwd=copy, check=True)
        for name in ("replay.html", "study.html", "SOURCE.sha256"):
            with open(os.path.join(copy, "dist", name), "rb") as f:
                if f.read() != read("dist", name):
                    sys.exit(f"dist/{name} is not what the sources give; {cure}")
        print("built again: the same bytes")
