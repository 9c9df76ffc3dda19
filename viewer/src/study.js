// The smaller page: solvers on many problems. Profiles, residuals against iterations, cost against size.
import { Plot } from './plot.js';
import { SortedTable } from './table.js';
import { currentTheme, initTheme, setTheme } from './theme.js';
import { el, icon, num, plural } from './util.js';

const COLORS = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6', '--c7', '--c8'];
const api = { ready: false, errors: [] };
window.condyle = api;
addEventListener('error', (e) => api.errors.push(String(e.message)));

/** Whatever was given, in one shape: {title, command, rows, curves, sizes}. */
export function normalize(sources) {
  const out = { title: '', command: '', tolerance: null, rows: [], curves: [], sizes: [] };
  for (const { file, data } of sources) {
    if (Array.isArray(data)) out.rows.push(...data);
    else if (data.benchmarks) out.sizes.push(...fromBenchmark(data));
    else {
      out.title = out.title || data.title || '';
      out.command = out.command || data.command || '';
      out.tolerance = out.tolerance ?? data.tolerance ?? null;
      for (const key of ['rows', 'curves', 'sizes']) out[key].push(...(data[key] ?? []));
    }
    out.title = out.title || file;
  }
  return out;
}

/** Google Benchmark: "name/what/64" is a point at 64 of the series "name/what". */
export function fromBenchmark(data) {
  const scale = { ns: 1e-6, us: 1e-3, ms: 1, s: 1e3 }, series = new Map();
  for (const b of data.benchmarks) {
    if (b.run_type === 'aggregate' && b.aggregate_name !== 'median') continue;
    const parts = b.name.replace(/_median$/, '').split('/').filter((p) => !/^(real_time|iterations:.*|repeats:.*|threads:.*)$/.test(p));
    const at = parts.map((p) => /^([a-z_]+:)?\d+(\.\d+)?$/i.test(p)).lastIndexOf(true);
    if (at < 0) continue;
    const x = Number(parts[at].replace(/^.*:/, '')), name = parts.filter((_, i) => i !== at).join('/');
    if (!series.has(name)) series.set(name, { name, quantity: 'time_ms', x_name: 'size', x: [], y: [] });
    series.get(name).x.push(x);
    series.get(name).y.push(b.real_time * (scale[b.time_unit ?? 'ns'] ?? 1));
  }
  return [...series.values()];
}

/** Share of problems that a solver does within a factor of the best one (Dolan and Moré). */
export function profile(rows, cost) {
  const problems = new Map(), solvers = new Set();
  for (const r of rows) {
    solvers.add(r.solver);
    if (!problems.has(r.file)) problems.set(r.file, new Map());
    const c = r.status === 'solved' ? Number(cost(r)) : Infinity;
    problems.get(r.file).set(r.solver, c > 0 ? c : c === 0 ? 1e-9 : Infinity);
  }
  const ratios = new Map([...solvers].map((s) => [s, []]));
  for (const costs of problems.values()) {
    const best = Math.min(...costs.values());
    if (!Number.isFinite(best)) continue;  // nobody did it: it counts against all
    for (const [s, c] of costs) if (Number.isFinite(c)) ratios.get(s).push(c / best);
  }
  return [...ratios].map(([name, list]) => {
    list.sort((a, b) => a - b);
    const x = [1], y = [list.filter((r) => r <= 1).length / problems.size];
    list.forEach((r, i) => { if (r > 1) { x.push(r); y.push((i + 1) / problems.size); } });
    return { name, x, y };
  }).map((c, _, all) => {
    const far = Math.max(2, 1.1 * Math.max(...all.flatMap((o) => o.x)));  // what is reached stays reached
    return { name: c.name, x: [...c.x, far], y: [...c.y, c.y[c.y.length - 1]] };
  });
}

/** Several curves with x of their own on one axis of all x. */
export function aligned(curves, hold = false) {
  const x = [...new Set(curves.flatMap((c) => Array.from(c.x)))].filter((v) => Number.isFinite(v)).sort((a, b) => a - b);
  const series = curves.map((c) => {
    const at = new Map();
    c.x.forEach((v, i) => { if (!at.has(v)) at.set(v, []); at.get(v).push(c.y[i]); });
    let last = NaN;
    return { name: c.name, y: x.map((v) => { const here = at.get(v); if (here) last = here[here.length - 1]; return here ? here[here.length - 1] : hold ? last : NaN; }), color: c.color };
  });
  return { x, series };
}

/** A scatter: x may repeat, so each point has a place of its own. */
export function scattered(groups) {
  const all = groups.flatMap((g, k) => g.points.map(([x, y]) => [x, y, k])).filter(([x, y]) => x > 0 && Number.isFinite(y)).sort((a, b) => a[0] - b[0]);
  return { x: all.map((p) => p[0]), series: groups.map((g, k) => ({ name: g.name, color: g.color, y: all.map((p) => (p[2] === k ? p[1] : NaN)) })) };
}

function show(study, host) {
  const names = [...new Set([...study.rows.map((r) => r.solver), ...study.curves.map((c) => c.solver ?? c.name), ...study.sizes.map((s) => s.name)])];
  const color = (name) => COLORS[Math.max(0, names.indexOf(name)) % COLORS.length];
  const grid = el('div', { class: 'study-grid' }), plots = [];
  host.append(grid);
  const put = (title, unit, spec) => {
    if (!spec.x.length) return;
    const plot = new Plot(grid, { title, unit, timeless: true, ...spec, series: spec.series.map((s) => ({ ...s, color: s.color ?? color(s.name), width: 2 })) });
    plot.root.append(el('div', { class: 'keys' }, ...plot.spec.series.map((s) => el('span', {}, el('i', { style: `background:var(${s.color})` }), s.name))));
    plots.push(plot);
  };
  const by = (f) => names.map((name) => ({ name, color: color(name), points: study.rows.filter((r) => r.solver === name).map(f) })).filter((g) => g.points.length);
  if (study.rows.length) {
    for (const [title, cost] of [['Performance profile, time', (r) => r.time_ms], ['Performance profile, iterations', (r) => r.iterations]])
      put(title, 'share of problems', { ...aligned(profile(study.rows, cost), true), stepped: true, xLog: true, xLabel: 'factor of the best solver', range: [0, 1.02] });
    put('Residual reached against iterations', '', { ...scattered(by((r) => [Math.max(1, r.iterations), r.residual?.natural ?? NaN])), log: true, xLog: true, scatter: true, xLabel: 'iterations', line: study.tolerance, lineLabel: study.tolerance ? `tolerance ${num(study.tolerance)}` : '' });
    put('Cost against size', 'ms', { ...scattered(by((r) => [r.rows ?? r.contacts, r.time_ms])), log: true, xLog: true, scatter: true, xLabel: 'rows' });
  }
  const problems = [...new Set(study.curves.map((c) => c.problem ?? ''))];
  for (const problem of problems.slice(0, 12)) {
    const curves = study.curves.filter((c) => (c.problem ?? '') === problem).map((c) => ({ name: c.solver ?? c.name, x: c.iterations ?? c.x, y: c.residual ?? c.y, color: color(c.solver ?? c.name) }));
    put(`Residual against iterations${problem ? `: ${problem}` : ''}`, '', { ...aligned(curves), log: true, gaps: true, xLabel: 'iterations' });
  }
  for (const quantity of [...new Set(study.sizes.map((s) => s.quantity ?? 'time_ms'))]) {
    const curves = study.sizes.filter((s) => (s.quantity ?? 'time_ms') === quantity);
    put(quantity === 'time_ms' ? 'Cost against size' : quantity.replace(/_/g, ' '), quantity === 'time_ms' ? 'ms' : '', { ...aligned(curves.map((c) => ({ ...c, color: color(c.name) }))), log: true, xLog: true, gaps: true, points: true, xLabel: curves[0].x_name ?? 'size' });
  }
  if (study.rows.length) {
    const number = (title, value) => ({ title, value, show: (r) => num(value(r)), number: true });
    const table = new SortedTable([{ title: 'problem', value: (r) => String(r.file).replace(/^.*\//, '') }, { title: 'solver', value: (r) => r.solver }, { title: 'status', value: (r) => r.status },
      number('rows', (r) => r.rows), number('iterations', (r) => r.iterations), number('time ms', (r) => r.time_ms), number('natural', (r) => r.residual?.natural), number('scaled', (r) => r.residual?.scaled)], 5);
    table.fill(study.rows, null);
    host.append(el('p', { class: 'unit' }, `${plural(study.rows.length, 'row')}${study.rows.length > 150 ? ', 150 listed' : ''}; columns sort`), el('div', { class: 'table-area', tabindex: '0' }, table.root));
  }
  host.append(el('details', { class: 'run' }, el('summary', {}, 'Licences of what this page is made of'), el('pre', {}, document.getElementById('condyle-licences')?.textContent ?? '')));
  return plots;
}

function start() {
  const message = document.getElementById('message');
  initTheme(new URLSearchParams(location.hash.slice(1)).get('theme'));
  try {
    if (!document.getElementById('condyle-end')) throw new Error('it is incomplete: it was cut off on its way here');
    const source = document.getElementById('condyle-study');
    if (!source) throw new Error('it holds no study; fill it with condyle replay study.json -o page.html');
    const study = normalize(JSON.parse(source.textContent));
    const solved = study.rows.filter((r) => r.status === 'solved').length;
    const plots = show(study, document.getElementById('study'));
    document.getElementById('header').replaceChildren(el('h1', {}, study.title),
      study.rows.length ? el('span', { class: `verdict ${solved === study.rows.length ? 'good' : 'none'}`, style: 'display:inline-flex;align-items:center;border:1px solid' }, `${solved} of ${study.rows.length} solved`) : '',
      el('div', { class: 'facts' }, el('span', { class: 'fact' }, study.command)),
      el('div', { class: 'header-buttons' }, el('button', { 'aria-label': 'light or dark', onclick: () => { setTheme(currentTheme() === 'dark' ? 'light' : 'dark'); plots.forEach((p) => p.repaint()); } }, icon('theme'))));
    document.title = `${study.title} – Condyle study`;
    message.hidden = true;
    Object.assign(api, { plots: () => plots.map((p) => ({ title: p.spec.title, series: p.spec.series.map((s) => s.name), x: Array.from(p.spec.x), y: p.spec.series.map((s) => Array.from(s.y)) })), rows: study.rows.length });
  } catch (e) {
    message.textContent = `This page cannot be shown: ${e.message}.`;
    message.classList.add('stop');
    api.stopped = e.message;
  }
  api.ready = true;
}

if (typeof document !== 'undefined') {
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
  else start();
}
