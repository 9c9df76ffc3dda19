// Two runs of one scene: bodies matched by name, times by time.

/** Pairs of moving bodies of the same name, and the names without a partner. */
export function matchBodies(a, b) {
  const pairs = [], alone = [];
  const theirs = new Map(b.bodies.slice(1, b.moving + 1).map((body, i) => [body.name, i + 1]));
  a.bodies.slice(1, a.moving + 1).forEach((body, i) => {
    if (theirs.has(body.name)) { pairs.push([i + 1, theirs.get(body.name)]); theirs.delete(body.name); } else alone.push(`A ${body.name}`);
  });
  for (const name of theirs.keys()) alone.push(`B ${name}`);
  return { pairs, alone };
}

/** Largest distance between a body of A and its partner in B, at each frame of A. */
export function distances(a, b, pairs) {
  const out = new Float64Array(a.frameCount).fill(NaN), which = new Int32Array(a.frameCount).fill(-1), p = new Float64Array(7), q = new Float64Array(7);
  for (let f = 0; f < a.frameCount; ++f) {
    if (a.times[f] > b.t1 + 1e-9 || !b.frameCount) continue;
    const g = b.frameAt(a.times[f]);
    let most = 0;
    for (const [i, j] of pairs) {
      if (!a.pose(f, i, p) || !b.pose(g, j, q)) continue;
      const d = Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
      if (d > most) { most = d; which[f] = i; }
    }
    out[f] = most;
  }
  return { distance: out, which };
}

/** The plots that only two runs have. */
export function differenceSpecs(a, b) {
  const { pairs, alone } = matchBodies(a, b), { distance } = distances(a, b, pairs);
  const specs = [{ title: 'Largest distance A to B', unit: 'm', log: true, note: alone.length ? `${alone.length} bodies have no partner` : '', x: a.times, series: [{ name: 'distance', y: distance, color: '--c4' }] }];
  const energy = (r) => {
    const rows = r.head.series.filter((s) => s.group === 'Energy').map((s) => r.series(s));
    return rows.length ? Array.from(rows[0], (_, i) => rows.reduce((sum, y) => sum + y[i], 0)) : [];
  };
  const ea = energy(a), eb = energy(b), difference = new Float64Array(a.stepTimes.length).fill(NaN);
  for (let i = 0, j = 0; i < difference.length && eb.length; ++i) {
    while (j + 1 < b.stepTimes.length && b.stepTimes[j + 1] <= a.stepTimes[i] + 1e-9) ++j;
    if (Math.abs(b.stepTimes[j] - a.stepTimes[i]) <= Math.max(1e-9, a.run.dt ?? 0)) difference[i] = ea[i] - eb[j];
  }
  specs.push({ title: 'Energy A minus B', unit: 'J', zero: false, x: a.stepTimes, series: [{ name: 'difference', y: difference, color: '--c4' }] });
  return { specs, alone };
}
