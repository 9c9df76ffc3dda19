"""Reads stored problems by its own code and judges impulses with numpy: judge_with_numpy.py PROGRAM FOLDER

PROGRAM prints impulses (rows tangents, normal) and Condyle's residuals; every residual must agree to 1e-12 of the size of the
terms it is made of."""
import json
import pathlib
import subprocess
import sys

try:
    import h5py
    import numpy as np
except ImportError as missing:
    print(f"skipped: {missing}; scripts/setup --test installs what this test needs")
    sys.exit(77)


class Text:
    def __init__(self, path):
        self.text = path.read_text(errors="replace")
        self.at = 0

    def word(self):
        while self.text[self.at].isspace():
            self.at += 1
        end = self.at
        while end < len(self.text) and not self.text[end].isspace():
            end += 1
        out, self.at = self.text[self.at:end], end
        return out

    def line(self):
        end = self.text.index("\n", self.at)
        out, self.at = self.text[self.at:end], end + 1
        return out

    def int(self):
        return int(self.word())

    def numbers(self, n):
        return np.array([float(self.word()) for _ in range(n)])

    def matrix(self):
        storage, m, n = self.int(), self.int(), self.int()
        if storage == 0:
            self.int(), self.int()
            return self.numbers(m * n).reshape(n, m).T.copy()
        A = np.zeros((m, n))
        if storage == 1:
            count, R, C = self.int(), self.int(), self.int()
            rows = [0] + [self.int() for _ in range(R)]
            columns = [0] + [self.int() for _ in range(C)]
            F1, F2 = self.int(), self.int()
            pointer = [self.int() for _ in range(F1)]
            column = [self.int() for _ in range(F2)]
            self.ends = rows[1:]
            for r in range(R):
                for b in range(pointer[r], pointer[r + 1]):
                    assert self.int() == b
                    h, c = rows[r + 1] - rows[r], column[b]
                    w = columns[c + 1] - columns[c]
                    A[rows[r]:rows[r + 1], columns[c]:columns[c + 1]] = self.numbers(h * w).reshape(w, h).T
            return A
        self.int()
        self.line()
        assert "CSparse" in self.line()
        header = self.line()
        count = int(header.split("nnz:")[1].split(",")[0].split()[0])
        if "triplet" in header:
            for _ in range(count):
                place, value = self.line().split(":")
                i, j = map(int, place.split())
                A[i, j] += float(value)
        else:
            for j in range(n):
                words = self.line().split()
                for _ in range(int(words[4]), int(words[6]) + 1):
                    i, value = self.line().split(":")
                    A[int(i), j] += float(value)
        return A


class Dual:
    """u = G r + g, in Condyle's order; blocks (kind, rows, data)."""


def inverse_times(M, X):
    """M^-1 X, block by block, refined with long double residuals."""
    n = len(M)
    off = M.copy()
    np.fill_diagonal(off, 0)
    if not off.any():
        return X / (M.diagonal()[:, None] if X.ndim == 2 else M.diagonal())
    label = np.arange(n)
    rows, columns = np.nonzero(off)
    changed = True
    while changed:
        before = label.copy()
        np.minimum.at(label, rows, before[columns])
        np.minimum.at(label, columns, before[rows])
        changed = (before != label).any()
    out = np.zeros_like(X)
    for first in np.unique(label):
        k = np.flatnonzero(label == first)
        B = M[np.ix_(k, k)]
        x = np.linalg.solve(B, X[k])
        for _ in range(2):
            residual = X[k].astype(np.longdouble) - B.astype(np.longdouble) @ x.astype(np.longdouble)
            x = x + np.linalg.solve(B, residual.astype(float))
        out[k] = x
    return out


def contact_order(nc, d, keep):
    """Places in the file of Condyle's rows: tangents first; of d rows a contact the first `keep` are taken."""
    return np.array([c * d + k for c in range(nc) for k in list(range(1, keep)) + [0]], dtype=int)


def from_friction(d, W, q, mu):
    out = Dual()
    keep = 3 if d == 5 else d
    rows = contact_order(len(mu), d, keep)
    out.G, out.g = W[np.ix_(rows, rows)], q[rows]
    out.blocks = [("cone", keep, m) for m in mu]
    return out


def from_global(d, M, H, f, w, mu):
    S = inverse_times(M, np.column_stack([H, f])) if len(f) else np.zeros((0, H.shape[1] + 1))
    rows = np.abs(H).sum(axis=1) > 0
    return from_friction(d, H[rows].T @ S[rows][:, :-1], H[rows].T @ S[rows][:, -1] + w, mu)


def from_rows(G, g, blocks):
    out = Dual()
    out.G, out.g, out.blocks = G, g, blocks
    return out


def h5_matrix(group):
    m, n, nz = (int(group[k][0]) for k in ("m", "n", "nz"))
    p, i, x = group["p"][:], group["i"][:], group["x"][:]
    A = np.zeros((m, n))
    if nz >= 0:
        np.add.at(A, (i[:nz], p[:nz]), x[:nz])
    else:
        lines = np.repeat(np.arange(n if nz == -1 else m), np.diff(p[:(n if nz == -1 else m) + 1]))
        np.add.at(A, (i[:len(lines)], lines) if nz == -1 else (lines, i[:len(lines)]), x[:len(lines)])
    return A


def read(path):
    name = path.name
    if name.endswith(".npz"):
        data = np.load(path)
        return from_rows(data["G"], data["g"].ravel(), [("cone", 3, m) for m in data["mus"].ravel()])
    if path.read_bytes()[:4] == b"\x89HDF":
        with h5py.File(path) as f:
            root = next(f[k] for k in f if k.startswith("fclib"))
            d, v = int(root["spacedim"][0]), {k: x[:] for k, x in root["vectors"].items()}
            if "W" in root:
                return from_friction(d, h5_matrix(root["W"]), v["q"], v["mu"])
            return from_global(d, h5_matrix(root["M"]), h5_matrix(root["H"]), v["f"], v["w"], v["mu"])
    if name.endswith(".txt"):
        words = path.read_text().split()
        n = int(words[0])
        x = np.array([float(w) for w in words[1:]])
        A, rest = x[:n * n].reshape(n, n), x[n * n:].reshape(4, n)
        lo, hi, findex = rest[1], rest[2], rest[3].astype(int)
        return from_rows(A, -rest[0], [("box", 1, (lo[i], hi[i], findex[i])) for i in range(n)])
    t = Text(path)
    if "mlcp" in name:
        t.int(), t.int()
        n, m = t.int(), t.int()
        ends = [t.int()]
        while ends[-1] < n + m:
            ends.append(t.int())
        for _ in range(len(ends) - 1):
            t.int()
        G = t.matrix()
        return from_rows(G, t.numbers(n + m), [("equal", 1, 0)] * n + [("positive", 1, 0)] * m)
    if name.startswith("lcp"):
        n = t.int()
        G = t.matrix()
        return from_rows(G, t.numbers(n), [("positive", 1, 0)] * n)
    if name.startswith("GMP"):
        G = t.matrix()
        g = t.numbers(len(G))
        order, blocks, begin = [], [], 0
        for end in t.ends:
            kind = t.int()
            if kind == 4:
                order += [begin + 1, begin + 2, begin]
                blocks.append(("cone", 3, float(t.word())))
            else:
                order += range(begin, end)
                blocks.append(("equal" if kind == 2 else "positive", end - begin, 0))
            begin = end
        return from_rows(G[np.ix_(order, order)], g[order], blocks)
    d, nc = t.int(), t.int()
    lower = name.lower()
    if lower.startswith(("gfc3d", "gfc2d", "grfc3d")) and "-condensed" not in lower:
        M, H = t.matrix(), t.matrix()
        f, w = t.numbers(len(M)), t.numbers(d * nc)
        return from_global(d, M, H, f, w, t.numbers(nc))
    W = t.matrix()
    q = t.numbers(d * nc)
    return from_friction(d, W, q, t.numbers(nc))


def cone(x, mu):
    s, n = np.linalg.norm(x[:-1]), x[-1]
    if s <= mu * n:
        return x.copy()
    if mu * s <= -n:
        return np.zeros_like(x)
    p = (mu * s + n) / (1 + mu * mu)
    return np.append(mu * p / s * x[:-1] if s > 0 else 0 * x[:-1], p)


def projection(kind, data, x, r):
    if kind == "cone":
        return cone(x, data)
    if kind == "positive":
        return np.maximum(x, 0)
    if kind == "equal":
        return x.copy()
    lo, hi, k = data
    reach = 1 if k < 0 else max(0, r[k])
    lo, hi = (lo, hi) if k < 0 else (lo * reach, hi * reach)
    return np.clip(x, lo, hi)


def residuals(p, r):
    """The definitions of the certificate, in plain words of numpy. Second: how large the terms of each are."""
    G, g = p.G, p.g
    u = G @ r + g
    size = max([np.linalg.norm(x) for x in (g, r, u)] + [0]) or 1
    begin, rows = [], 0
    for _, n, _ in p.blocks:
        begin.append(rows)
        rows += n
    diagonal = G.diagonal()
    floor = 1e-12 * max(diagonal, default=0)
    floor = floor if floor > 0 else 1
    weights = [np.linalg.norm(G[b:b + n, b:b + n]) / n for b, (_, n, _) in zip(begin, p.blocks)]
    w_floor = 1e-12 * max(weights, default=0)
    w_floor = w_floor if w_floor > 0 else 1
    natural2 = scaled2 = gs2 = us2 = rs2 = 0.0
    certificate = dual = complementarity = primal = 0.0
    cancel = np.abs(G) @ np.abs(r) + np.abs(g)  # what u is the sum of
    terms = {"certificate": 0.0, "dual": 0.0, "complementarity": 0.0, "scaled": 0.0, "natural": 0.0, "primal": 0.0}
    for b, (kind, n, data), weight in zip(begin, p.blocks, weights):
        k = slice(b, b + n)
        ri, v, c = r[k], u[k].copy(), np.linalg.norm(cancel[k])
        if kind == "cone":
            v[-1] += data * np.linalg.norm(u[k][:-1])
        if kind == "box" and data[2] < 0 and data[0] == -np.inf and data[1] == np.inf:
            kind = "equal"
        if kind == "box" and data[2] < 0 and data[0] == 0 and data[1] == np.inf:
            kind = "positive"
        w = max(weight, w_floor)
        mean = np.full(n, np.trace(G[k, k]) / n) if kind == "cone" else diagonal[k]
        d2 = 1 / np.maximum(mean, floor)
        gs2 += (d2 * g[k] ** 2).sum()
        us2 += (d2 * u[k] ** 2).sum()
        rs2 += (ri ** 2 / d2).sum()
        terms["scaled"] += (d2 * cancel[k] ** 2).sum()
        outside = np.linalg.norm(ri - projection(kind, data, ri, r))
        primal = max(primal, outside)
        if kind == "equal":
            e = np.abs(u[k]).max()
            natural2 += (u[k] ** 2).sum()
            scaled2 += (d2 * u[k] ** 2).sum()
            dual_i = np.linalg.norm(u[k])
        else:
            e = w * np.linalg.norm(ri - projection(kind, data, ri - v / w, r))
            natural2 += ((ri - projection(kind, data, ri - v, r)) ** 2).sum()
            scaled2 += ((ri - projection(kind, data, ri - d2 * v, r)) ** 2 / d2).sum()
            dual_i = {"cone": lambda: np.linalg.norm(cone(-v, data)), "positive": lambda: np.linalg.norm(np.minimum(v, 0)),
                      "box": lambda: e}[kind]()
        certificate = max(certificate, e)
        dual = max(dual, dual_i)
        if kind == "box":
            lo, hi, f = data
            reach = 1 if f < 0 else max(0, r[f])
            bound = (lo if v[0] > 0 else hi) * reach
            complementarity = max(complementarity, abs((ri[0] - (bound if np.isfinite(bound) else 0)) * v[0]))
        else:
            complementarity = max(complementarity, abs(ri @ v))
        terms["certificate"] = max(terms["certificate"], (1 + (data if kind == "cone" else 0)) * c + w * np.linalg.norm(ri))
        terms["dual"] = terms["certificate"]
        terms["complementarity"] = max(terms["complementarity"], np.linalg.norm(ri) * 3 * c)
    scale = np.sqrt(max(gs2, us2)) or 1
    terms["natural"] = max(1, np.linalg.norm(cancel) / size)
    terms["scaled"] = max(1, np.sqrt(terms["scaled"] + rs2) / scale)
    terms["primal"] = size
    return {"natural": np.sqrt(natural2) / size, "scaled": np.sqrt(scaled2) / scale, "certificate": certificate, "dual": dual,
            "complementarity": complementarity, "primal": primal}, terms


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    if not folder.is_dir():
        print(f"skipped: no stored problems in {folder}")
        sys.exit(77)
    # by name: those whose dense matrices fit into a test
    files = sorted(f for f in folder.glob("*/*") if "07002" not in f.name and "00230_00206" not in f.name
                   and not f.name.startswith("Spheres-"))
    if len(sys.argv) > 3:
        files = [f for f in files if sys.argv[3] in f.name]
    lines = subprocess.run([program] + [str(f) for f in files], check=True, capture_output=True, text=True).stdout.splitlines()
    worst, problems, seen = {}, {}, 0
    for line in lines:
        said = json.loads(line)
        file = said["file"]
        if file not in problems:
            problems = {file: read(pathlib.Path(file))}
        mine, terms = residuals(problems[file], np.array(said["impulse"], dtype=float))
        seen += 1
        for key, value in mine.items():
            error = abs(value - said[key]) / (terms[key] or 1)
            if error > worst.get(key, (0,))[0]:
                worst[key] = (error, value, said[key], said["kind"], file)
    for key, found in worst.items():
        print(f"{key}: {found[0]:.1e} of its terms ({found[1]:.17g} here, {found[2]:.17g} by Condyle, {found[3]} impulse, {found[4]})")
    print(f"{seen} impulses on {len(files)} problems")
    if seen != 8 * len(files) or not files:
        sys.exit("not all impulses were judged")
    if any(found[0] > 1e-12 for found in worst.values()):
        sys.exit("the judges disagree")


main()
