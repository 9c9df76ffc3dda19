"""Reads recordings with h5py alone and checks what a stranger would rely on: read_with_h5py.py PROGRAM"""
import json
import signal
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}; scripts/setup --test installs what this test needs")
    sys.exit(77)

MASK = (1 << 64) - 1


def mix(h, word):
    h ^= word
    h = ((h ^ (h >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    h = ((h ^ (h >> 27)) * 0x94D049BB133111EB) & MASK
    return h ^ (h >> 31)


def state_hash(q, v, t, step, warm):
    h = 0x9E3779B97F4A7C15
    for vector in (q, v):
        h = mix(h, len(vector))
        for word in np.asarray(vector).view("<u8"):
            h = mix(h, int(word))
    h = mix(h, int(np.float64(t).view("<u8")))
    h = mix(h, int(step))
    for number, impulse in warm:
        h = mix(h, int(number))
        for word in np.asarray(impulse).view("<u8"):
            h = mix(h, int(word))
    return h


def check(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def check_recording(file, room, complete):
    """101 frames of two free bodies, as some_recording.hpp makes them."""
    with h5py.File(file, "r") as f:
        n = int(f["frames_written"][()])
        check("frames_written", n, 101)
        attributes = {
            "format": "condyle-recording", "format_version": 3, "scene": "crates", "solver": "auto",
            "integrator": "symplectic", "dt": 1e-3, "tolerance": 1e-7, "complete": complete,
            "scene_identity": 0x0123456789ABCDEF, "command": f.attrs["command"],
            "condyle_version": f.attrs["condyle_version"],
        }
        check("root attributes", dict(f.attrs), attributes)
        shapes = {"time": (room,), "step": (room,), "q": (room, 14), "v": (room, 12), "control": (room, 12),
                  "state_hash": (room,), "report/residual": (room,), "report/stage_us": (room, 6),
                  "constraints/offset": (room + 1,), "warm/offset": (room + 1,)}
        rows = sum(2 * i % 5 for i in range(101))
        if complete:
            shapes |= {"constraints/id": (rows,), "constraints/point": (rows, 3), "warm/impulse": (sum(i % 4 for i in range(101)), 3)}
        for name, shape in shapes.items():
            check(f"shape of /{name}", f[name].shape, shape)
        for name, kind in {"time": "<f8", "q": "<f8", "step": "<u8", "state_hash": "<u8", "report/status": "<i4"}.items():
            check(f"type of /{name}", f[name].dtype, np.dtype(kind))

        time, step, q, v = (f[name][:n] for name in ("time", "step", "q", "v"))
        check("steps", step.tolist(), list(range(101)))
        if not np.all(np.diff(time) > 0):
            sys.exit(f"times do not increase: {time}")
        for i in range(n):
            a, b = (int(x) for x in f["warm/offset"][i:i + 2])
            warm = list(zip(f["warm/id"][a:b], f["warm/impulse"][a:b]))
            check(f"warm impulses of frame {i}", len(warm), i % 4)
            check(f"hash of frame {i}", int(f["state_hash"][i]), state_hash(q[i], v[i], time[i], step[i], warm))
            a, b = (int(x) for x in f["constraints/offset"][i:i + 2])
            check(f"constraints of frame {i}", f["constraints/id"][a:b].tolist(), [100 * i + k for k in range(2 * i % 5)])
            check(f"bodies of frame {i}", f["constraints/body_b"][a:b].tolist(), list(range(2 * i % 5)))
            if not np.allclose(f["constraints/force"][a:b] * 1e-3, f["constraints/impulse"][a:b], rtol=1e-12, atol=0):
                sys.exit(f"frame {i}: a force is not its impulse over dt")
        check("controls of frame 7", f["control"][7].tolist(), np.linspace(7, 8, 12).tolist())
        check("contacts", f["report/contacts"][:n].tolist(), list(range(101)))
        check("stages", f["report/stage_us"].attrs["columns"].split(),
              ["kinematics", "collision", "assembly", "solve", "integrate", "other"])
        if not np.isnan(f["report/energy_kinetic"][0]) or f["report/energy_kinetic"][4] != 4.25:
            sys.exit(f"kinetic energy: {f['report/energy_kinetic'][:5]}")

        scene = json.loads(f["scene/description"][()])
        check("number of names", (len(scene["q_names"]), len(scene["v_names"])), (14, 12))
        check("bodies", [(b["name"], b["mass"]) for b in scene["bodies"]], [("crate_0", 1.0), ("crate_1", 2.0)])
        check("joints", [(j["name"], j["kind"], j["q"], j["v"]) for j in scene["joints"]],
              [("crate_0", "floating", 0, 0), ("crate_1", "floating", 7, 6)])
        check("identity", int(scene["identity"], 16), int(f.attrs["scene_identity"]))
        check("gravity", scene["gravity"], [0.0, 0.0, -9.81])


with tempfile.TemporaryDirectory() as folder:
    program = subprocess.Popen([sys.argv[1], folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    check("first word of the program", program.stdout.readline(), "flushed\n")
    check_recording(f"{folder}/killed.h5", 1000, 0)  # still being written
    program.communicate("\n")
    check("end of the program", program.returncode, -signal.SIGKILL)
    check_recording(f"{folder}/killed.h5", 1000, 0)
    check_recording(f"{folder}/known.h5", 101, 1)
    check_recording(f"{folder}/grown.h5", 101, 1)
print("h5py", h5py.version.version, "with HDF5", h5py.version.hdf5_version, "reads all recordings")
