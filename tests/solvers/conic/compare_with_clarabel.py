"""Solves the convex model of recorded contact problems with Clarabel, an interior-point solver for cones that knows nothing of
Condyle: compare_with_clarabel.py PROGRAM

    min ½ pᵀ A p + ½ λᵀ R λ + gᵀ λ   over p, λ with A p = Jᵀ λ, λ in the friction cones;   v = v* + p

The velocities must be SAP's; the ratio of the solvers' own times is printed."""
import json
import subprocess
import sys

try:
    import clarabel
    import numpy as np
    from scipy import sparse
except ImportError as missing:
    print(f"skipped: {missing}; scripts/setup --test installs what this test needs")
    sys.exit(77)


def solve(problem):
    m, n = problem["rows"], problem["velocities"]
    A = np.array(problem["A"]).reshape(n, n).T
    J = np.array(problem["J"]).reshape(n, m).T
    R, v_free = np.array(problem["compliance"]), np.array(problem["v_free"])
    g = J @ v_free + np.array(problem["bias"])
    P = sparse.triu(sparse.block_diag([sparse.csc_matrix(A), sparse.diags(R)]), format="csc")
    size = np.linalg.norm(g)  # Clarabel's tolerances are absolute below 1: p and λ in units of g
    q = np.concatenate([np.zeros(n), g / size])
    contacts = len(problem["friction"])
    cone = sparse.lil_matrix((m, n + m))  # s = -cone x must lie in the second-order cones: (μ λ_n, λ_t)
    for i, mu in enumerate(problem["friction"]):
        cone[3 * i, n + 3 * i + 2] = -mu
        cone[3 * i + 1, n + 3 * i] = cone[3 * i + 2, n + 3 * i + 1] = -1
    constraints = sparse.vstack([sparse.hstack([sparse.csc_matrix(A), sparse.csc_matrix(-J.T)]), cone], format="csc")
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-12
    cones = [clarabel.ZeroConeT(n)] + [clarabel.SecondOrderConeT(3)] * contacts
    solution = clarabel.DefaultSolver(P, q, constraints, np.zeros(n + m), cones, settings).solve()
    return v_free + size * np.array(solution.x[:n]), 1e3 * solution.solve_time, solution.iterations, str(solution.status)


def main():
    lines = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines()
    problems = [json.loads(line) for line in lines]
    worst, by_size, bad = 0, {}, []
    for k, problem in enumerate(problems):
        v, ms, iterations, status = solve(problem)
        velocity = np.array(problem["velocity"])
        apart = np.abs(v - velocity).max() / max(1e-2, np.abs(velocity).max())
        worst = max(worst, apart)
        if not apart < 1e-5:  # the cost is known to 1e-12 and quadratic in the velocities, which are then known to 1e-6
            bad.append(f"problem {k}: velocities differ by {apart:.1e} of the largest ({status})")
        by_size.setdefault(problem["bodies"], []).append((ms, problem["ms"], iterations, problem["iterations"]))
    for bodies, rows in by_size.items():
        clarabel_ms, sap_ms, clarabel_it, sap_it = (np.array(column) for column in zip(*rows))
        print(f"{bodies} bodies: {len(rows)} problems, Clarabel {np.median(clarabel_ms):.3f} ms in {np.mean(clarabel_it):.1f} "
              f"iterations, SAP {np.median(sap_ms):.3f} ms in {np.mean(sap_it):.1f}, from zero; "
              f"time ratio {np.median(clarabel_ms / sap_ms):.1f}")
    print(f"{len(problems)} problems, velocities agree to {worst:.1e} of the largest")
    for line in bad:
        print(line)
    return 1 if bad or len(problems) != 100 else 0


sys.exit(main())
