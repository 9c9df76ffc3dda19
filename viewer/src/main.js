// Puts the page together.
import { Card } from './card.js';
import { differenceSpecs } from './compare.js';
import { decodeAll } from './decode.js';
import { makeHeader } from './header.js';
import { bindKeys, helpDialog } from './keys.js';
import { PlotColumn } from './plot.js';
import { Recording } from './recording.js';
import { Tables } from './table.js';
import { currentTheme, initTheme, setTheme } from './theme.js';
import { Timeline } from './timeline.js';
import { clamp, el, icon, nice, num } from './util.js';
import { View3D } from './view3d.js';

const SPEEDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];
const TOGGLES = [['points', 'Contact points', 'P'], ['visual', 'Shapes', 'V'], ['collision', 'Collision shapes', 'C'], ['com', 'Centre of mass', 'M'], ['loops', 'Loop closures', 'L'], ['frames', 'Axes of bodies', 'R'], ['ghost', 'Ghost of run B', 'G']];
const $ = (id) => document.getElementById(id);

const api = { ready: false, errors: [], frameCount: 0, bodyCount: 0 };
window.condyle = api;
addEventListener('error', (e) => api.errors.push(String(e.message)));
addEventListener('unhandledrejection', (e) => api.errors.push(String(e.reason?.message ?? e.reason)));

function stop(text) {
  $('message').textContent = text;
  $('message').hidden = false;
  $('message').classList.add('stop');
  api.stopped = text;
  api.ready = true;
}

async function read(ending) {
  const json = $(`condyle-recording${ending}`), arrays = $(`condyle-arrays${ending}`);
  if (!json || !arrays) return null;
  const head = JSON.parse(json.textContent);
  if (head.format !== 'condyle-replay' || head.version !== 1) return new Recording(head, {});
  const data = await decodeAll(head, arrays.textContent, (part) => { if (arrays.textContent.length > 5e6) $('message').textContent = `Decoding… ${Math.round(100 * part)} %`; });
  arrays.remove();  // the text is as big as what it became
  return new Recording(head, data);
}

class App {
  constructor(recording, other) {
    this.recording = recording;
    this.other = other;
    this.frame = 0;
    this.playing = false;
    this.speed = 1;
    this.body = -1;
    this.contact = null;
    this.window = [recording.t0, Math.max(recording.t1, recording.t0 + 1e-9)];
    // with two runs, what is wrong in either is worth going to
    this.events = recording.events().concat((other?.bad ?? []).map((b) => ({ t: b.t, kind: 'uncertified', text: `run B: ${b.why}, residual ${b.residual.toExponential(2)} m/s` }))).sort((x, y) => x.t - y.t);
    this.hash = new URLSearchParams(location.hash.slice(1));
    this.dialog = helpDialog();
    const actions = this.actions();
    this.act = actions;
    makeHeader($('header'), recording, other, actions);
    this.tools(actions);
    this.startView();
    this.card = new Card($('view'), recording, actions);
    this.plots = new PlotColumn($('plots'), recording, other, actions);
    const difference = other ? differenceSpecs(recording, other) : { specs: [], alone: [] };
    for (const spec of difference.specs) this.plots.add(spec);
    this.plots.addUsual();
    this.plots.setWindow(...this.window);
    this.transport(actions);
    this.timeline = new Timeline($('timeline'), recording, other, this.events, actions);
    this.tables = new Tables($('tables'), recording, other, difference.alone, this.events, actions);
    this.splitter();
    bindKeys(actions);
    const t = Number(this.hash.get('t'));
    this.show(this.hash.has('t') && Number.isFinite(t) ? recording.frameAt(t) : 0);
    if (this.view) { this.view.fit('iso'); this.legend(); }
  }

  startView() {
    try {
      this.view = new View3D($('view'), this.recording, this.other);
      this.view.onpick = (body) => this.act.select(body);
      this.view.onrender = () => this.legend();
      this.view.colors();
      const trees = new Set(this.recording.bodies.filter((b) => b.kind === 'link' && b.moves !== false).map((b) => b.tree));
      const free = this.recording.bodies.filter((b) => b.kind === 'free').length;
      const root = this.recording.bodies.findIndex((b) => b.kind === 'link' && b.moves !== false);
      const floats = this.recording.head.joints?.some((j) => j.kind === 'floating' && trees.has(j.name));
      if (trees.size === 1 && free === 0 && floats && root > 0) this.act.follow(root);
    } catch (e) {
      this.view = null;
      for (const part of $('view').querySelectorAll('.toolbar, .legend')) part.hidden = true;
      $('view').append(el('p', { class: 'no-view' }, `There is no 3D here: ${e.message.replace(/\.+$/, '')}. Plots and tables work all the same.`));
    }
  }

  actions() {
    return {
      seek: (t) => this.show(this.recording.frameAt(t)),
      toFrame: (f) => this.show(f), move: (n) => { this.pause(); this.show(this.frame + n); },
      play: () => (this.playing ? this.pause() : this.play()),
      speed: (n) => this.setSpeed(SPEEDS[clamp(SPEEDS.indexOf(this.speed) + n, 0, SPEEDS.length - 1)]),
      event: (n) => this.jump(n), fit: (view) => this.view?.fit(view),
      toggle: (name) => this.toggle(name), theme: () => this.theme(), help: () => (this.dialog.open ? this.dialog.close() : this.dialog.showModal()),
      all: () => this.zoom(this.recording.t0, this.recording.t1), zoom: (a, b) => this.zoom(a, b),
      select: (body) => this.select(body), body: (body) => this.select(body), bodies: (list) => this.highlight(list),
      contact: (c) => this.chooseContact(c), follow: (body) => this.followBody(body),
      plot: (body) => this.plots.add({ make: () => this.plots.bodySpec(body, false) }),
      showRun: () => this.tables.choose(this.tables.tabs.findIndex((t) => t.run)),
    };
  }

  tools(actions) {
    const button = (label, title, onclick, attributes = {}) => el('button', { title, onclick, ...attributes }, label);
    const views = el('div', { class: 'group' }, button(icon('home'), 'reset the view (H)', () => actions.fit('iso'), { 'aria-label': 'reset the view' }),
      button('Top', 'from above (7)', () => actions.fit('top')), button('Side', 'from the side (3)', () => actions.fit('side')), button('Front', 'from the front (1)', () => actions.fit('front')));
    this.followSelect = el('select', { 'aria-label': 'camera follows', onchange: (e) => this.followBody(Number(e.target.value)) }, el('option', { value: '0' }, 'camera free'),
      ...this.recording.bodies.slice(1, this.recording.moving + 1).map((b, i) => [b, i + 1]).filter(([b]) => b.moves !== false).slice(0, 500).map(([b, i]) => el('option', { value: i }, `follow ${b.name}`)));
    this.buttons = {};
    const toggle = (name, label, key) => (this.buttons[name] = button(label, `${label} (${key})`, () => actions.toggle(name), { 'aria-pressed': 'false' }));
    const menu = el('div', { class: 'menu' }, ...TOGGLES.filter(([n]) => (n !== 'ghost' || this.other) && (n !== 'loops' || this.recording.head.closures?.length)).map(([name, label, key]) => toggle(name, label, key)));
    menu.hidden = true;
    const show = el('button', { 'aria-haspopup': 'true', 'aria-expanded': 'false', onclick: () => { menu.hidden = !menu.hidden; show.setAttribute('aria-expanded', String(!menu.hidden)); } }, 'Show ▾');
    const close = () => { menu.hidden = true; show.setAttribute('aria-expanded', 'false'); };
    addEventListener('pointerdown', (e) => { if (!menu.contains(e.target) && e.target !== show) close(); });
    menu.addEventListener('keydown', (e) => { if (e.key === 'Escape') { close(); show.focus(); e.stopPropagation(); } });
    $('view').append(el('div', { class: 'toolbar' }, views, this.followSelect, el('div', { class: 'group' }, toggle('forces', 'Forces', 'F'), toggle('cones', 'Cones', 'K'), toggle('xray', 'X-ray', 'X')), el('div', { class: 'menu-holder' }, show, menu)));
    this.scaleBar = el('span', { class: 'bar' });
    this.scaleText = el('span', {});
    this.gridText = el('span', {});
    this.loopText = el('span', {});
    this.law = el('select', { 'aria-label': 'length of arrows', onchange: (e) => { this.view?.setLaw(e.target.value); } }, el('option', { value: 'root' }, 'length ∝ √force'), el('option', { value: 'linear' }, 'length ∝ force'));
    const forces = this.recording.contactTotal.some((n) => n > 0) ? [...['stick', 'slip', 'open'].map((s) => el('span', { class: 'state' }, el('i', { class: `dot ${s}` }), s)), this.scaleBar, this.scaleText, this.law] : [el('span', { class: 'unit' }, 'no contacts')];
    $('view').append(el('div', { class: 'legend' }, ...forces, this.gridText, this.loopText));
  }

  legend() {
    const { view } = this;
    if (!view?.size) return;
    const wanted = 60 / view.pixelsPerMetre(), u = view.arrows.uniforms, ratio = wanted / u.reference.value;
    const force = nice(u.unit.value * (view.law === 'root' ? ratio * ratio : ratio));
    this.scaleBar.style.width = `${clamp(view.arrowLength(force) * view.pixelsPerMetre(), 4, 120)}px`;
    this.scaleText.textContent = `${num(force)} N on B from A`;
    this.gridText.textContent = `grid ${num(view.cell)} m`;
    this.loopText.textContent = view.loopFactor > 1 && view.shown.loops ? `loop gaps × ${view.loopFactor}` : '';
    for (const [name, button] of Object.entries(this.buttons)) button.setAttribute('aria-pressed', String(view.shown[name]));
  }

  transport(actions) {
    const button = (name, label, onclick) => el('button', { 'aria-label': label, title: label, onclick }, icon(name));
    this.playButton = button('play', 'play or pause (Space)', () => actions.play());
    this.speedSelect = el('select', { 'aria-label': 'speed', onchange: (e) => this.setSpeed(Number(e.target.value)) }, ...SPEEDS.map((s) => el('option', { value: s, selected: s === 1 }, `${s}×`)));
    this.clock = el('output', { class: 'clock' });
    $('transport').append(button('first', 'first frame (Home)', () => actions.toFrame(0)), button('back', 'a frame back (←)', () => actions.move(-1)), this.playButton, button('forward', 'a frame on (→)', () => actions.move(1)), this.speedSelect, this.clock);
    $('jumps').append(button('previous', 'previous event (B)', () => actions.event(-1)), button('next', 'next event (N)', () => actions.event(1)));
  }

  show(frame, quick = false) {
    const { recording } = this;
    this.frame = clamp(Math.round(Math.min(frame, 1e9)), 0, Math.max(0, recording.frameCount - 1));
    const t = recording.times[this.frame] ?? 0;
    if (this.contact && this.contact.frame !== this.frame) { this.contact = null; if (this.view) this.view.chosenContact = -1; this.tables && (this.tables.chosen = -1); }
    this.view?.setFrame(this.frame, this.other ? this.other.frameAt(t) : 0);
    this.plots.setTime(t);
    this.timeline?.setTime(t, this.frame);
    this.clock.replaceChildren(el('b', {}, t.toFixed(3)), ` s · frame ${this.frame}`);
    const now = performance.now();
    if (!quick || now - (this.refreshed ?? 0) > 200) {
      this.refreshed = now;
      this.tables?.refresh(this.frame);
      this.card?.show(this.body, this.frame);
    }
  }

  play() {
    const { recording } = this;
    if (recording.frameCount < 2) return;
    if (this.frame >= recording.frameCount - 1) this.show(0);
    this.playing = true;
    this.playButton.replaceChildren(icon('pause'));
    let last = performance.now(), t = recording.times[this.frame];
    const tick = (now) => {
      if (!this.playing) return;
      t += ((now - last) / 1000) * this.speed;
      last = now;
      if (t >= recording.t1) { this.show(recording.frameCount - 1); this.pause(); return; }
      const f = recording.frameAt(t);
      if (f !== this.frame) this.show(f, true);
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }
  pause() { if (!this.playing) return; this.playing = false; this.playButton.replaceChildren(icon('play')); this.show(this.frame); }
  setSpeed(s) { this.speed = s; this.speedSelect.value = String(s); }

  jump(n) {
    const bad = this.events.filter((e) => e.kind === 'uncertified' || e.kind === 'failed'), list = bad.length ? bad : this.events;
    const t = this.recording.times[this.frame] ?? 0, eps = 1e-9;
    const elsewhere = (e) => this.recording.frameAt(e.t) !== this.frame;  // an event of run B need not have a frame of its own
    const next = n > 0 ? list.find((e) => e.t > t + eps && elsewhere(e)) : list.filter((e) => e.t < t - eps && elsewhere(e)).pop();
    if (next) { this.pause(); this.act.seek(next.t); }
  }

  zoom(a, b) {
    if (!(b > a)) b = a + 1e-9;
    this.window = [a, b];
    this.plots.setWindow(a, b);
    this.timeline.setWindow(a, b);
  }
  toggle(name) { const on = this.view?.toggle(name); this.legend(); return on; }
  theme() { setTheme(currentTheme() === 'dark' ? 'light' : 'dark'); this.view?.colors(); this.plots.repaint(); this.timeline.draw(); }

  select(body) {
    this.body = body > 0 ? body : -1;
    this.contact = null;
    this.tables.chosen = -1;
    this.tables.chosenBody = this.body;
    this.view?.select(this.body > 0 ? [this.body] : []);
    this.card.show(this.body, this.frame);
    this.tables.refresh(this.frame);
  }
  highlight(list) { this.view?.select(list); }
  chooseContact(c) {
    this.contact = { frame: this.frame, id: c.id };
    this.tables.chosen = c.id;
    this.view?.select([c.a, c.b].filter((b) => b > 0), c.id);
    this.tables.refresh(this.frame);
  }
  followBody(body) {
    if (this.view) this.view.follow = body;
    if (this.followSelect) this.followSelect.value = String(body);
  }

  /** The height of the tables can be dragged. */
  splitter() {
    const bar = $('splitter');
    const set = (y) => { const box = $('left').getBoundingClientRect(); $('left').style.setProperty('--tables', `${clamp(box.bottom - y, 60, box.height - 120)}px`); };
    bar.addEventListener('pointerdown', (e) => { bar.setPointerCapture(e.pointerId); bar.onpointermove = (m) => set(m.clientY); });
    bar.addEventListener('pointerup', () => { bar.onpointermove = null; });
    bar.addEventListener('keydown', (e) => {
      const d = e.key === 'ArrowUp' ? -20 : e.key === 'ArrowDown' ? 20 : 0;
      if (d) { set(bar.getBoundingClientRect().top + d); e.preventDefault(); e.stopPropagation(); }
    });
  }
}

function publish(app) {
  const { recording: r } = app;
  Object.assign(api, {
    frameCount: r.frameCount, bodyCount: r.dynamicBodies, app,
    seek: (t) => { app.show(r.frameAt(t)); app.view?.render(); return app.frame; },
    time: () => r.times[app.frame] ?? 0, frame: () => app.frame,
    pose: (name) => { const out = new Array(7), b = r.index.get(name); return b !== undefined && r.frameCount && r.pose(app.frame, b, out) ? out : null; },
    quantum: () => r.pos?.step ?? 0,
    contacts: () => r.contacts(app.frame), visibleArrows: () => app.view?.visibleArrows() ?? 0, toggle: (name) => app.toggle(name),
    select: (name) => app.select(r.index.get(name) ?? -1), selected: () => r.bodies[app.body]?.name ?? null,
    plots: () => app.plots.plots.map((p) => ({ title: p.spec.title, time: p.now, cursor: p.cursor.style.transform, values: p.values.textContent, window: p.window })),
    notCertified: () => r.verdict.uncertified, draws: () => app.view?.renderer.info.render.calls ?? 0, triangles: () => app.view?.renderer.info.render.triangles ?? 0, drawn: () => app.view?.drawn ?? 0,
    instances: () => (app.view?.look.instances ?? 0) + (app.view?.around.instances ?? 0), hidden: () => (app.view ? app.view.look.valid.filter((v) => !v).length : 0),
    project: (name) => app.view?.project(r.index.get(name)), fit: (view) => { app.view?.fit(view); app.view?.render(); }, other: app.other,
    colors: () => {  // read back right after a drawing: the canvas keeps nothing
      if (!app.view) return 0;
      app.view.render();
      const gl = app.view.renderer.getContext(), w = gl.drawingBufferWidth, h = gl.drawingBufferHeight, data = new Uint8Array(4 * w * h), seen = new Set();
      gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data);
      for (let i = 0; i < data.length; i += 4) seen.add(((data[i] >> 4) << 8) | ((data[i + 1] >> 4) << 4) | (data[i + 2] >> 4));
      return seen.size;
    },
  });
}

async function start() {
  initTheme(new URLSearchParams(location.hash.slice(1)).get('theme'));
  if (!$('condyle-end')) return stop('This file is incomplete: it was cut off on its way here. Make it again with condyle replay, or fetch it again.');
  try {
    const began = performance.now(), a = await read(''), b = await read('-b');
    if (!a) return stop('This page holds no recording. Fill it with condyle replay RECORDING -o page.html.');
    const app = new App(a, b);
    publish(app);
    document.title = `${a.run.scene} – Condyle`;
    $('message').hidden = true;
    app.view?.render();
    api.loadMs = performance.now() - began;
    api.ready = true;
  } catch (e) {
    console.warn(e.stack);
    stop(`This recording cannot be shown: ${e.message}.`);
  }
}

if (document.readyState === 'loading') addEventListener('DOMContentLoaded', start);
else start();
