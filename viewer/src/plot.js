// The column of plots: one time cursor, one zoom for all, values at the cursor in each title.
import uPlot from 'uplot';
import { clamp, css, el, icon, median, num } from './util.js';

export const RUN_COLORS = ['--run-a', '--run-b'];
const LINES = ['--c1', '--c2', '--c3', '--c4', '--c5', '--c6', '--c7', '--c8'];
const MOST_LINES = 8;

/** Stage times jump about: medians of bins show what they cost. */
export function binned(x, y, bins = 240) {
  if (x.length <= 2 * bins) return [Array.from(x), Array.from(y)];
  const outX = [], outY = [], width = x.length / bins;
  for (let b = 0; b < bins; ++b) {
    const from = Math.floor(b * width), to = Math.max(from + 1, Math.floor((b + 1) * width));
    outX.push(x[(from + to) >> 1]);
    outY.push(median(Array.from(y.subarray(from, to)).filter((v) => !Number.isNaN(v))));
  }
  return [outX, outY];
}

/** A colour of two, opaque: layers that shine through each other would be a third one. */
function mixed(a, b, share) {
  const rgb = (c) => (c.length < 7 ? [...c.slice(1)].map((x) => parseInt(x + x, 16)) : [1, 3, 5].map((k) => parseInt(c.slice(k, k + 2), 16)));
  const [x, y] = [rgb(a), rgb(b)];
  return `rgb(${x.map((v, k) => Math.round(share * v + (1 - share) * y[k])).join()})`;
}

/** Range of a logarithmic axis: whole decades around what is there. */
export function decades(min, max) {
  if (!(min > 0) || !(max > 0)) return [1e-12, 1];
  const lo = Math.floor(Math.log10(min) + 1e-9), hi = Math.ceil(Math.log10(max) - 1e-9);
  return [10 ** lo, 10 ** Math.max(hi, lo + 1)];
}

export class Plot {
  /** @param {{title: string, unit?: string, note?: string, log?: boolean, stack?: boolean, stepped?: boolean, line?: number, lineLabel?: string, marks?: {t: number, y: number}[], x: ArrayLike<number>, series: {name: string, y: ArrayLike<number>, color: string, width?: number, dash?: number[]}[], timeless?: boolean, xLog?: boolean, xLabel?: string}} spec */
  constructor(host, spec, actions = {}) {
    this.spec = spec;
    this.actions = actions;
    this.values = el('span', { class: 'values' });
    this.body = el('div', { class: 'plot-body' });
    this.root = el('section', { class: 'plot', 'aria-label': spec.title },
      el('header', {}, el('b', {}, spec.title), el('span', { class: 'unit' }, [spec.unit ? `[${spec.unit}]` : '', spec.note ?? ''].join(' ').trim()), this.values,
        actions.remove && el('button', { class: 'plain', 'aria-label': `remove the plot ${spec.title}`, title: 'remove', onclick: () => actions.remove(this) }, icon('close'))),
      this.body);
    host.append(this.root);
    this.cursor = el('div', { class: 'time-cursor' });
    this.make();
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(this.body);
  }

  data() {
    const { spec } = this, n = spec.x.length;
    const rows = spec.series.map((s) => {
      const out = new Array(n);
      for (let i = 0; i < n; ++i) {
        const v = s.y[i];
        out[i] = Number.isFinite(v) && (!spec.log || v > 0) ? v : null;
      }
      return out;
    });
    if (spec.stack)
      for (let k = 1; k < rows.length; ++k) for (let i = 0; i < n; ++i) rows[k][i] = (rows[k][i] ?? 0) + (rows[k - 1][i] ?? 0);
    this.shown = rows;
    return [Array.from(spec.x), ...rows];
  }

  axis(extra) {
    const grid = css('--line'), text = css('--faint');
    return { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1, size: 4 }, font: '11px system-ui, sans-serif', ...extra };
  }

  make() {
    const { spec } = this, [w, h] = this.space();
    const one = (s, i) => ({
      label: s.name, stroke: css(s.color) || s.color, width: s.width ?? 1.25, dash: s.dash, spanGaps: !!spec.gaps, points: spec.points || spec.scatter ? { show: true, size: 6, width: 1, fill: css(s.color) || s.color } : { show: false },
      paths: spec.scatter ? () => null : spec.stepped ? uPlot.paths.stepped({ align: 1 }) : undefined, fill: spec.stack ? mixed(css(s.color), css('--panel'), 0.45) : undefined,
    });
    // as many digits as neighbours need to differ
    const tick = (u, all, axis, space, step) => all.map((v) => (v === null ? '' : step > 0 && Math.abs(v) > 500 * step && step < 1 ? v.toFixed(clamp(Math.ceil(-Math.log10(step)), 0, 6)) : num(v, Math.abs(v) > 500 * step ? 6 : 4)));
    const log10 = (u, all) => all.map((v) => (Math.abs(Math.log10(v) - Math.round(Math.log10(v))) < 1e-6 ? decade(Math.round(Math.log10(v))) : null));
    const decade = (k) => (k >= 0 && k <= 3 ? String(10 ** k) : `1e${k}`);
    const wholeLog = (u, axis, min, max) => {
      const lo = Math.round(Math.log10(min)), hi = Math.round(Math.log10(max)), every = Math.max(1, Math.ceil((hi - lo) / 5)), out = [];
      for (let k = lo; k <= hi; k += every) out.push(10 ** k);
      return out;
    };
    // a narrow axis has 1, 2 and 5 of each decade and ends where its data do
    const narrow = (a, b) => b / a < 100, room = spec.scatter || spec.points ? 1.12 : 1;
    const splitsX = (u, axis, min, max) => {
      if (!narrow(min, max)) return wholeLog(u, axis, min, max);
      const out = [];
      for (let k = Math.floor(Math.log10(min)); k <= Math.ceil(Math.log10(max)); ++k) for (const m of [1, 2, 5]) if (m * 10 ** k >= min * 0.999999 && m * 10 ** k <= max * 1.000001) out.push(m * 10 ** k);
      return out;
    };
    const valuesX = (u, all) => (narrow(u.scales.x.min, u.scales.x.max) ? all.map((v) => num(v)) : log10(u, all));
    const series = spec.series.map(one);
    if (spec.stack) series.reverse();  // the tallest first, so that each layer is seen
    this.options = {
      width: w, height: h, legend: { show: false }, padding: [6, 18, 0, 0],
      scales: {
        x: { time: false, distr: spec.xLog ? 3 : 1, range: spec.xLog ? (u, a, b) => (a > 0 && narrow(a, b) && b > a ? [a / room, b * room] : decades(a, b)) : undefined },
        y: spec.log ? { distr: 3, range: (u, a, b) => decades(Math.min(a ?? 1, spec.line || Infinity), Math.max(b ?? 1, spec.line || 0)) }
          : { range: (u, a, b) => this.span(a, b) },
      },
      axes: [
        this.axis({ size: 22, gap: 2, label: spec.xLabel, labelSize: 16, labelFont: '11px system-ui, sans-serif', labelGap: 0, space: 60, values: spec.xLog ? valuesX : tick, ...(spec.xLog ? { splits: splitsX, filter: (u, all) => all } : {}) }),
        this.axis({ size: 48, gap: 2, space: 20, values: spec.log ? log10 : tick, ...(spec.log ? { splits: wholeLog } : {}) }),
      ],
      series: [{}, ...series],
      cursor: { y: false, points: { show: false }, drag: { x: !spec.timeless, y: false, setScale: false } },
      hooks: {
        setSelect: [(u) => {
          if (u.select.width < 4) return;
          this.actions.zoom?.(u.posToVal(u.select.left, 'x'), u.posToVal(u.select.left + u.select.width, 'x'));
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        }],
        draw: [(u) => this.decorate(u)],
        ready: [(u) => this.listen(u)],
      },
    };
    const data = this.data();
    if (spec.stack) data.splice(1, data.length - 1, ...data.slice(1).reverse());
    this.u = new uPlot(this.options, data, this.body);
    for (const c of this.body.querySelectorAll('canvas')) { c.setAttribute('role', 'img'); c.setAttribute('aria-label', `plot of ${spec.title}`); }
    if (!spec.timeless) this.u.over.append(this.cursor);
    if (this.window) this.setWindow(...this.window);
    if (this.now !== undefined) this.setTime(this.now);
  }

  span(a, b) {
    if (this.spec.range) return this.spec.range;
    if (a === null || b === null || a === undefined) return [0, 1];
    if (this.spec.zero !== false && a >= 0 && a < 0.6 * b) a = 0;
    if (a === b) { const d = Math.abs(a) * 0.1 || 1; return [a - (a === 0 ? 0 : d), b + d]; }
    const pad = 0.06 * (b - a);
    return [a === 0 ? 0 : a - pad, b + pad];
  }

  listen(u) {
    let down = null;
    u.over.addEventListener('mousedown', (e) => { down = e.clientX; });
    u.over.addEventListener('mouseup', (e) => {
      if (down !== null && Math.abs(e.clientX - down) < 4) this.actions.seek?.(u.posToVal(e.offsetX, 'x'));
      down = null;
    });
    u.over.addEventListener('dblclick', () => this.actions.all?.());
  }

  /** The line of the tolerance and dots where it is broken. */
  decorate(u) {
    const { spec } = this, c = u.ctx, ratio = devicePixelRatio || 1, { left, top, width, height } = u.bbox;
    c.save();
    c.beginPath();
    c.rect(left, top, width, height);
    c.clip();
    if (spec.line > 0) {
      const y = u.valToPos(spec.line, 'y', true);
      c.strokeStyle = c.fillStyle = css('--bad');
      c.lineWidth = ratio;
      c.setLineDash([6 * ratio, 4 * ratio]);
      c.beginPath();
      c.moveTo(left, y);
      c.lineTo(left + width, y);
      c.stroke();
      c.setLineDash([]);
      c.font = `${11 * ratio}px system-ui, sans-serif`;
      c.textAlign = 'left';
      c.textBaseline = 'alphabetic';
      c.fillText(spec.lineLabel ?? '', left + 5 * ratio, y - 4 * ratio > top + 9 * ratio ? y - 4 * ratio : y + 12 * ratio);
    }
    c.fillStyle = css('--bad');
    for (const m of (spec.marks ?? []).slice(0, 3000)) {
      c.beginPath();
      c.arc(u.valToPos(m.t, 'x', true), Math.max(top + 3, u.valToPos(m.y > 0 || !spec.log ? m.y : 1e300, 'y', true)), 3 * ratio, 0, 7);
      c.fill();
    }
    c.restore();
  }

  space() { return [Math.max(60, this.body.clientWidth), Math.max(50, this.body.clientHeight)]; }
  resize() {
    const [w, h] = this.space();
    if (w !== this.u.width || h !== this.u.height) { this.u.setSize({ width: w, height: h }); if (this.now !== undefined) this.placeCursor(); }
  }
  repaint() { this.u.destroy(); this.make(); }
  setWindow(from, to) { this.window = [from, to]; this.u.setScale('x', { min: from, max: to }); this.placeCursor(); }

  placeCursor() {
    if (this.spec.timeless || this.now === undefined) return;
    const x = this.u.valToPos(this.now, 'x');
    this.cursor.style.display = x >= -1 && x <= this.u.over.clientWidth + 1 ? '' : 'none';
    this.cursor.style.transform = `translateX(${x}px)`;
  }

  /** Index of the last value at or before t. */
  at(t) {
    const { x } = this.spec;
    let lo = 0, hi = x.length - 1;
    while (lo < hi) { const mid = (lo + hi + 1) >> 1; if (x[mid] <= t + 1e-12) lo = mid; else hi = mid - 1; }
    return lo;
  }

  setTime(t) {
    this.now = t;
    this.placeCursor();
    const i = this.at(t), series = this.spec.titled ?? this.spec.series;
    const key = series.map((s) => num(s.y[i])).join();
    if (key === this.lastKey) return;
    this.lastKey = key;
    this.values.replaceChildren(...series.map((s) => el('span', { class: 'value', title: s.name },
      el('i', { style: `background:var(${s.color})` }), series.length > 1 ? `${s.short ?? s.name} ` : '', el('b', {}, num(s.y[i])))));
  }
  destroy() { this.watch.disconnect(); this.u.destroy(); this.root.remove(); }
}

/** What can be plotted, as a list of specs made when asked for. */
export class PlotColumn {
  constructor(host, recording, other, actions) {
    this.recording = recording;
    this.other = other;
    this.actions = actions;
    this.plots = [];
    this.search = el('input', { type: 'search', 'aria-label': 'add a plot', autocomplete: 'off', spellcheck: 'false' });
    this.list = el('div', { class: 'choices', role: 'listbox' });
    this.list.hidden = true;
    this.allTime = el('button', { title: 'show all time (0)', onclick: () => actions.all() }, 'All time');
    this.area = el('div', { class: 'plot-area' });
    host.append(el('div', { class: 'plot-tools' }, el('div', { class: 'search' }, this.search, this.list), this.allTime), this.area);
    this.choices = this.everything();
    this.search.placeholder = `Add a plot: search ${this.choices.filter((c) => !c.group).length} series…`;
    this.search.addEventListener('input', () => this.offer());
    this.search.addEventListener('focus', () => this.offer());
    this.search.parentElement.addEventListener('focusout', (e) => { if (!e.currentTarget.contains(e.relatedTarget)) this.list.hidden = true; });
    this.list.addEventListener('keydown', (e) => this.listKey(e));
    this.search.addEventListener('keydown', (e) => {
      e.stopPropagation();
      if (e.key === 'Enter') this.list.querySelector('button')?.click();
      if (e.key === 'ArrowDown') { this.list.querySelector('button')?.focus(); e.preventDefault(); }
      if (e.key === 'Escape') this.search.blur();
    });
  }

  listKey(e) {
    const at = document.activeElement, to = e.key === 'ArrowDown' ? at.nextElementSibling : e.key === 'ArrowUp' ? at.previousElementSibling ?? this.search : null;
    if (to) { to.focus(); e.preventDefault(); }
    if (e.key === 'Escape') { this.search.focus(); this.list.hidden = true; }
    if (/^(ArrowDown|ArrowUp|Escape|Enter| )$/.test(e.key)) e.stopPropagation();
  }

  offer() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = this.choices.filter((c) => words.every((w) => c.label.toLowerCase().includes(w))).slice(0, 60);
    this.list.replaceChildren(...fits.map((c) => el('button', { role: 'option', tabindex: '-1', onmousedown: (e) => e.preventDefault(), onclick: () => { this.add(c); this.search.value = ''; this.list.hidden = true; } },
      c.label, el('span', { class: 'unit' }, c.unit ? ` [${c.unit}]` : ''))));
    if (!fits.length) this.list.append(el('span', { class: 'unit' }, 'nothing of that name'));
    this.list.hidden = false;
  }

  everything() {
    const { recording } = this, groups = new Map(), out = [];
    for (const s of recording.head.series) {
      if (!groups.has(s.group)) groups.set(s.group, []);
      groups.get(s.group).push(s);
    }
    this.groups = groups;
    for (const [group, rows] of groups) if (rows.length > 1) out.push({ label: `${group} (${rows.length})`, unit: rows[0].unit, group: true, make: () => this.groupSpec(group) });
    for (const s of recording.head.series) out.push({ label: `${s.group}: ${s.name}`, unit: s.unit, make: () => this.seriesSpec([s], `${s.group}: ${s.name}`) });
    for (const [label, key] of [['Contact force, sum of sizes', 'contactSum'], ['Contacts', 'contactTotal']])
      out.push({ label, unit: key === 'contactSum' ? 'N' : '', make: () => ({ title: label, unit: key === 'contactSum' ? 'N' : '', x: recording.times, series: [{ name: label, y: recording[key], color: '--c1' }] }) });
    recording.bodies.slice(1, recording.moving + 1).forEach((b, i) => {
      if (b.moves === false) return;
      out.push({ label: `Place of ${b.name}`, unit: 'm', make: () => this.bodySpec(i + 1, false) }, { label: `Velocity of ${b.name}`, unit: 'm/s', make: () => this.bodySpec(i + 1, true) });
    });
    return out;
  }

  bodySpec(body, velocity) {
    const { recording } = this, n = recording.frameCount, rows = [0, 1, 2].map(() => new Float64Array(n)), pose = new Float64Array(7);
    for (let f = 0; f < n; ++f) {
      const v = velocity ? recording.twist(f, body) : recording.pose(f, body, pose) ? pose : [NaN, NaN, NaN];
      for (let k = 0; k < 3; ++k) rows[k][f] = v[k];
    }
    return { title: `${velocity ? 'Velocity' : 'Place'} of ${recording.bodies[body].name}`, unit: velocity ? 'm/s' : 'm', x: recording.times, zero: false,
      series: ['x', 'y', 'z'].map((name, k) => ({ name, y: rows[k], color: LINES[k] })) };
  }

  groupSpec(group) {
    const rows = this.groups.get(group) ?? [];
    return this.seriesSpec(rows.slice(0, MOST_LINES), group, rows.length > MOST_LINES ? `${MOST_LINES} of ${rows.length}` : '');
  }

  seriesSpec(rows, title, note = '') {
    const { recording, other } = this, first = rows[0], two = !!other;
    const clean = (name) => name.replace(/^closure_/, '').replace(/^.*\//, '');
    const spec = { title, unit: first.unit, note, log: first.log, stepped: first.stepped, line: first.line, lineLabel: first.lineLabel?.replace(/e([+-])0+(?=\d)/, 'e$1'), x: recording.stepTimes, series: [] };
    const lines = rows.map((s, k) => ({ name: s.name, short: clean(s.name), y: recording.series(s), color: two ? RUN_COLORS[0] : LINES[k % LINES.length] }));
    if (first.total && rows.length > 1) {
      const sum = new Float32Array(recording.stepTimes.length);
      for (const l of lines) for (let i = 0; i < sum.length; ++i) sum[i] += l.y[i];
      lines.unshift({ name: 'total', short: 'total', y: sum, color: two ? RUN_COLORS[0] : LINES[0] });
      if (!two) lines.forEach((l, k) => { l.color = LINES[k % LINES.length]; });
    }
    const zero = (l) => l.y.every((v) => !(Math.abs(v) > 0));
    spec.series = lines.length > 1 ? lines.filter((l, k) => k === 0 || !zero(l)) : lines;
    if (title === 'Residual') spec.marks = recording.bad.map((b) => ({ t: b.t, y: b.residual }));
    if (first.stack && !two) {
      spec.stack = true;
      spec.note = [note, recording.stepTimes.length > 480 ? 'median' : ''].join(' ').trim();
      let x = spec.x;
      spec.series.forEach((s) => { const [bx, by] = binned(spec.x, s.y); x = bx; s.y = by; });
      spec.x = x;
      // what costs most is named first: there may be room for it alone
      const sum = (s) => s.y.reduce((a, b) => a + (b || 0), 0);
      spec.titled = spec.series.map((s) => [s, sum(s)]).sort((a, b) => b[1] - a[1]).map(([s]) => s);
    }
    if (two) this.addOther(spec, rows, first);
    return spec;
  }

  /** The second run in the same plot: coloured by run, the first on top. */
  addOther(spec, rows, first) {
    const { other } = this, wanted = first.stack || first.total ? null : rows[0], group = other.head.series.filter((s) => s.group === first.group);
    const sum = (recording, list) => {
      const out = new Float32Array(recording.stepTimes.length);
      for (const s of list) { const y = recording.series(s); for (let i = 0; i < out.length; ++i) out[i] += y[i]; }
      return out;
    };
    const mine = wanted ? this.recording.series(wanted) : sum(this.recording, this.recording.head.series.filter((s) => s.group === first.group));
    const match = wanted ? other.head.series.find((s) => s.group === wanted.group && s.name === wanted.name) : null;
    const theirs = wanted ? (match ? other.series(match) : new Float32Array(0)) : sum(other, group);
    const x = spec.x, y = new Float64Array(x.length).fill(NaN), tx = other.stepTimes;
    for (let i = 0, j = 0; i < x.length && theirs.length; ++i) {  // by time, not by number
      while (j + 1 < tx.length && tx[j + 1] <= x[i] + 1e-9) ++j;
      if (tx[j] <= x[i] + 1e-9 && x[i] <= tx[tx.length - 1] + 1e-9) y[i] = theirs[j];
    }
    const name = wanted ? wanted.name : 'total';
    spec.series = [{ name: `B ${name}`, short: 'B', y, color: RUN_COLORS[1], width: 2.4 }, { name: `A ${name}`, short: 'A', y: mine, color: RUN_COLORS[0], width: 1.1 }];
    spec.titled = [spec.series[1], spec.series[0]];
    if (rows.length > 1 && wanted) spec.note = name;
  }

  add(choice, atTop = true) {
    const spec = choice.make ? choice.make() : choice;
    if (!spec.series.length) return null;
    const plot = new Plot(this.area, spec, { ...this.actions, remove: (p) => this.remove(p) });
    if (choice.make && atTop) this.area.prepend(plot.root);
    if (this.window) plot.setWindow(...this.window);
    if (this.now !== undefined) plot.setTime(this.now);
    this.plots.push(plot);
    return plot;
  }

  /** What a run is looked at for first. */
  addUsual() {
    const has = (group) => (this.groups.get(group) ?? []).some((s) => this.recording.series(s).some((v) => Math.abs(v) > 0));
    for (const group of ['Residual', 'Energy', 'Iterations', 'Step time']) if (this.groups.has(group)) this.add(this.groupSpec(group));
    for (const group of ['Penetration', 'Closure error', 'Joint position', 'Joint velocity', 'Joint torque']) if (has(group)) this.add(this.groupSpec(group));
  }

  remove(plot) { this.plots = this.plots.filter((p) => p !== plot); plot.destroy(); }
  setTime(t) { this.now = t; for (const p of this.plots) p.setTime(t); }
  setWindow(from, to) { this.window = [from, to]; for (const p of this.plots) p.setWindow(from, to); }
  repaint() { for (const p of this.plots) p.repaint(); }
}
