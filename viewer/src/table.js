// Tables at the cursor: contacts, other constraints, bodies, loops, events, and what the run was.
import { CONTACT_STATES, KINDS } from './recording.js';
import { el, fixed, num, plural } from './util.js';

const MOST_ROWS = 150;
const swatch = (state) => el('span', { class: 'state' }, el('i', { class: `dot ${state}` }), state);

/** A table whose columns sort: columns are {title, value, show, number, key}. */
export class SortedTable {
  constructor(columns, sort, descending = true) {
    this.columns = columns;
    this.sort = sort;
    this.descending = descending;
    this.body = el('tbody');
    this.heads = columns.map((c, i) => el('th', { scope: 'col', class: c.number ? 'number' : '' },
      el('button', { class: 'plain', onclick: () => { this.descending = this.sort === i ? !this.descending : !!c.number; this.sort = i; this.fill(this.rows, this.onrow, this.chosen); } }, c.title)));
    this.root = el('table', {}, el('thead', {}, el('tr', {}, ...this.heads)), this.body);
  }

  fill(rows, onrow, chosen = -1) {
    this.rows = rows;
    this.onrow = onrow;
    this.chosen = chosen;
    const { value } = this.columns[this.sort], sign = this.descending ? -1 : 1;
    const sorted = rows.slice().sort((x, y) => { const a = value(x), b = value(y); return (a < b ? -1 : a > b ? 1 : 0) * sign; }).slice(0, MOST_ROWS);
    this.heads.forEach((h, i) => h.setAttribute('aria-sort', i === this.sort ? (this.descending ? 'descending' : 'ascending') : 'none'));
    // one row takes part in the walk with Tab, arrows lead to the others; filling again keeps the place
    const held = this.body.contains(document.activeElement) ? [...this.body.children].indexOf(document.activeElement) : -1;
    const isChosen = (row) => row.id !== undefined && row.id === chosen, stop = Math.min(sorted.length - 1, held >= 0 ? held : Math.max(0, sorted.findIndex(isChosen)));
    this.body.replaceChildren(...sorted.map((row, i) => {
      const tr = el('tr', { class: isChosen(row) ? 'chosen' : '', tabindex: onrow ? (i === stop ? '0' : '-1') : undefined },
        ...this.columns.map((c) => el('td', { class: c.number ? 'number' : '' }, c.show ? c.show(row) : c.value(row))));
      if (onrow) {
        tr.addEventListener('click', () => onrow(row));
        tr.addEventListener('keydown', (e) => this.rowKey(e, () => onrow(row)));
      }
      return tr;
    }));
    if (held >= 0) this.body.children[stop]?.focus({ preventScroll: true });
  }

  rowKey(e, act) {
    const to = e.key === 'ArrowDown' ? e.currentTarget.nextElementSibling : e.key === 'ArrowUp' ? e.currentTarget.previousElementSibling : null;
    if (to) { e.currentTarget.tabIndex = -1; to.tabIndex = 0; to.focus(); }
    if (e.key === 'Enter') act();
    if (/^(ArrowDown|ArrowUp|Enter)$/.test(e.key)) { e.preventDefault(); e.stopPropagation(); }
  }
}

const vector = (v, digits = 3) => v.map((x) => fixed(x, digits)).join('  ');

export class Tables {
  constructor(host, recording, other, alone, events, actions) {
    this.recording = recording;
    this.events = events;
    this.actions = actions;
    this.frame = 0;
    this.chosen = -1;
    // the links of a single robot need not say whose they are
    const trees = new Set(recording.bodies.filter((b) => b.kind === 'link').map((b) => b.tree)), own = trees.size === 1 ? `${[...trees][0]}/` : null;
    const name = (b) => { const full = recording.bodies[b]?.name ?? '?'; return own && full.startsWith(own) ? full.slice(own.length) : full; };
    const number = (title, value, show) => ({ title, value, show: show ?? ((r) => num(value(r))), number: true });
    const text = (title, value, show) => ({ title, value, show });
    const contacts = new SortedTable([
      text('A', (c) => name(c.a)), text('B', (c) => name(c.b)), text('state', (c) => CONTACT_STATES[c.state], (c) => swatch(CONTACT_STATES[c.state])),
      number('|f| N', (c) => c.size), number('normal N', (c) => c.normalForce), number('tangent N', (c) => c.tangential),
      number('cone use', (c) => c.use, (c) => (c.size > 0 ? `${Math.min(999, Math.round(100 * c.use))} %` : '–')), number('μ', (c) => c.mu),
      number('gap mm', (c) => c.gap, (c) => num(1e3 * c.gap)), number('point m', (c) => c.point[0], (c) => vector(c.point)),
    ], 3);
    const others = new SortedTable([
      text('constraint', (c) => c.name), text('kind', (c) => KINDS[c.kind]), text('state', (c) => c.state, (c) => swatch(c.state)),
      number('force N, N m', (c) => Math.abs(c.force), (c) => num(c.force)), number('gap m, rad', (c) => c.gap), number('residual m/s', (c) => c.residual),
    ], 3);
    const bodies = new SortedTable([
      text('body', (b) => b.name), number('mass kg', (b) => b.mass), number('place m', (b) => b.pose[2], (b) => (b.ok ? vector(b.pose.slice(0, 3)) : 'not a number')),
      number('speed m/s', (b) => b.speed), number('turning rad/s', (b) => b.turning), number('contacts', (b) => b.contacts), number('Σ force N', (b) => b.force),
    ], 0, false);
    const loops = new SortedTable([
      text('loop', (l) => l.name), text('kind', (l) => l.kind), text('between', (l) => l.between), number('error m, rad', (l) => l.gap), number('force N', (l) => l.force), number('residual m/s', (l) => l.residual),
    ], 3);
    const list = new SortedTable([number('time s', (e) => e.t, (e) => fixed(e.t, 4)), text('kind', (e) => e.kind), text('what', (e) => e.text)], 0, false);
    this.tabs = [
      { name: 'Contacts', table: contacts, rows: () => recording.contacts(this.frame).map((c, i) => ({ ...c, id: i })), onrow: (c) => actions.contact(c) },
      ...(recording.arrays['other.kind']?.values.length ? [{ name: 'Joints', table: others, rows: () => recording.others(this.frame), onrow: (c) => actions.bodies([c.a, c.b].filter((x) => x > 0)) }] : []),
      { name: 'Bodies', table: bodies, rows: () => this.bodyRows(), onrow: (b) => actions.body(b.body) },
      ...(recording.head.closures?.length ? [{ name: 'Loops', table: loops, rows: () => this.loopRows(), onrow: (l) => actions.bodies([l.a, l.b].filter((x) => x > 0)) }] : []),
      { name: 'Events', table: list, rows: () => this.events, onrow: (e) => actions.seek(e.t) },
      { name: 'Run', run: true },
    ];
    contacts.root.classList.add('contacts');
    this.tabBar = el('div', { role: 'tablist', class: 'tabs' });
    this.info = el('span', { class: 'unit', 'aria-live': 'off' });
    this.area = el('div', { class: 'table-area', role: 'tabpanel', tabindex: '0' });
    host.append(el('div', { class: 'tab-row' }, this.tabBar, this.info), this.area);
    this.runPage = this.makeRun(other, alone);
    this.tabs.forEach((tab, i) => {
      tab.button = el('button', { role: 'tab', onclick: () => this.choose(i) }, tab.name);
      this.tabBar.append(tab.button);
    });
    // a run without contacts opens with what it has
    const first = ['Loops', 'Bodies'].map((n) => this.tabs.findIndex((t) => t.name === n)).find((i) => i >= 0);
    this.choose(recording.contactTotal.some((n) => n > 0) || !recording.frameCount ? 0 : first);
  }

  choose(i) {
    this.current = i;
    this.tabs.forEach((t, k) => t.button.setAttribute('aria-selected', k === i));
    this.area.replaceChildren(this.tabs[i].run ? this.runPage : this.tabs[i].table.root);
    this.refresh(this.frame);
  }

  bodyRows() {
    const { recording, frame } = this, out = [], touching = new Map();
    for (let k = 0, n = recording.contactCount(frame); k < n; ++k) {
      const c = recording.contact(frame, k);
      for (const [b, s] of [[c.a, -1], [c.b, 1]]) {
        const t = touching.get(b) ?? { n: 0, f: [0, 0, 0] };
        ++t.n;
        for (let i = 0; i < 3; ++i) t.f[i] += s * c.force[i];
        touching.set(b, t);
      }
    }
    for (let b = 1; b <= recording.moving; ++b) {
      const body = recording.bodies[b];
      if (body.moves === false) continue;
      const pose = new Array(7), ok = recording.pose(frame, b, pose), v = recording.twist(frame, b), t = touching.get(b);
      out.push({ id: b, body: b, name: body.name, mass: body.mass ?? 0, pose, ok, speed: Math.hypot(v[0], v[1], v[2]), turning: Math.hypot(v[3], v[4], v[5]), contacts: t?.n ?? 0, force: t ? Math.hypot(...t.f) : 0 });
    }
    return out;
  }

  loopRows() {
    const { recording, frame } = this, rows = recording.others(frame).filter((c) => c.kind === 1);
    return recording.head.closures.map((c, i) => {
      const row = rows.find((r) => r.index === i);
      return { name: c.name, kind: c.kind, a: c.a, b: c.b, between: `${recording.bodies[c.a]?.name} – ${recording.bodies[c.b]?.name}`, gap: row?.gap ?? NaN, force: row?.force ?? NaN, residual: row?.residual ?? NaN };
    });
  }

  refresh(frame) {
    this.frame = frame;
    const tab = this.tabs[this.current], { recording } = this;
    if (tab.run) { this.info.textContent = ''; return; }
    const rows = recording.frameCount ? tab.rows() : [];
    tab.table.fill(rows, tab.onrow, tab.name === 'Contacts' ? this.chosen : tab.name === 'Bodies' ? this.chosenBody ?? -1 : -1);
    const listed = rows.length > MOST_ROWS ? `, ${MOST_ROWS} listed` : '';
    if (tab.name === 'Contacts') {
      const total = recording.contactTotal[frame] ?? 0, slipping = rows.filter((c) => c.state === 2).length;
      this.info.textContent = `${plural(total, 'contact')}${rows.length < total ? `, ${rows.length} in the page` : ''}${listed} · ${slipping} slipping`;
    } else this.info.textContent = `${plural(rows.length, 'row')}${listed}`;
  }

  makeRun(other, alone) {
    const tables = (other ? [['Run A', this.recording], ['Run B', other]] : [['', this.recording]]).map(([title, r]) => runFacts(title, r));
    if (alone.length) tables.push(el('p', {}, `Without a partner in the other run: ${alone.slice(0, 40).join(', ')}${alone.length > 40 ? `, and ${alone.length - 40} more` : ''}`));
    const licences = document.getElementById('condyle-licences')?.textContent ?? '';
    return el('div', { class: 'run' }, ...tables, el('details', {}, el('summary', {}, 'Licences of what this page is made of'), el('pre', {}, licences)));
  }
}

/** What made a recording, and what of it is not in the page. */
function runFacts(title, recording) {
  const { head, run } = recording, rows = [];
  const put = (label, value) => { if (value !== undefined && value !== null && value !== '') rows.push(el('tr', {}, el('th', { scope: 'row' }, label), el('td', {}, String(value)))); };
  put('command', run.command);
  put('scene', `${run.scene} (identity ${run.sceneIdentity ?? '?'})`);
  put('solver', run.solver);
  put('integrator', run.integrator);
  put('backend', run.backend);
  put('step', run.dt === undefined ? undefined : `${num(run.dt * 1e3, 4)} ms`);
  put('tolerance', run.tolerance === undefined ? undefined : `${run.tolerance} m/s`);
  put('bodies', `${recording.dynamicBodies} moving, ${run.dofs ?? '?'} degrees of freedom, ${num(run.totalMass, 5)} kg`);
  put('frames', head.frames.note ?? `${head.frames.count}`);
  put('last state', run.stateHash);
  put('made by', `Condyle ${run.version}`);
  for (const d of head.dropped ?? []) put('left out', d);
  put('rounding', 'what is drawn and listed here is rounded; the recording has every bit');
  const meshes = (head.meshes ?? []).filter((m) => m.trianglesBefore);
  if (meshes.length) put('meshes', meshes.map((m) => `${m.name}: ${recording.arrays[m.triangles].shape[0] / 3} of ${m.trianglesBefore} triangles`).join('; '));
  return el('table', {}, title ? el('caption', {}, title) : '', el('tbody', {}, ...rows));
}
