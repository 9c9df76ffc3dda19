// The strip below everything: where in time we are, how much touches, what went wrong where.
import { clamp, css, el, nice } from './util.js';

export class Timeline {
  constructor(host, recording, other, events, actions) {
    this.recording = recording;
    this.other = other;
    this.actions = actions;
    this.events = events;
    this.canvas = el('canvas', { 'aria-hidden': 'true' });
    this.knob = el('div', { class: 'knob' });
    this.root = el('div', { class: 'timeline', role: 'slider', tabindex: '0', 'aria-label': 'time', 'aria-valuemin': recording.t0, 'aria-valuemax': recording.t1 }, this.canvas, this.knob);
    host.append(this.root);
    const seek = (e) => { const box = this.root.getBoundingClientRect(); this.actions.seek(this.toTime(e.clientX - box.left)); };
    this.root.addEventListener('pointerdown', (e) => { this.root.setPointerCapture(e.pointerId); this.dragging = true; seek(e); });
    this.root.addEventListener('pointermove', (e) => { if (this.dragging) seek(e); });
    for (const name of ['pointerup', 'pointercancel']) this.root.addEventListener(name, () => { this.dragging = false; });
    new ResizeObserver(() => this.draw()).observe(this.root);
  }

  get length() { return Math.max(this.recording.t1 - this.recording.t0, 1e-12); }
  toTime(x) { return this.recording.t0 + clamp((x - 8) / Math.max(1, this.root.clientWidth - 16), 0, 1) * this.length; }
  toX(t) { return 8 + ((t - this.recording.t0) / this.length) * (this.root.clientWidth - 16); }

  setTime(t, frame) {
    this.now = t;
    this.knob.style.transform = `translateX(${this.toX(t)}px)`;
    this.root.setAttribute('aria-valuenow', t.toFixed(4));
    this.root.setAttribute('aria-valuetext', `${t.toFixed(3)} seconds, frame ${frame}`);
  }
  setWindow(from, to) { this.window = [from, to]; this.draw(); }

  draw() {
    const { recording } = this, ratio = devicePixelRatio || 1, w = this.root.clientWidth, h = this.root.clientHeight;
    this.canvas.width = w * ratio;
    this.canvas.height = h * ratio;
    const c = this.canvas.getContext('2d');
    c.scale(ratio, ratio);
    c.clearRect(0, 0, w, h);
    const top = 17, bottom = h - 10, n = recording.frameCount;
    let most = 1;
    for (let f = 0; f < n; ++f) most = Math.max(most, recording.contactTotal[f] ?? 0);
    c.fillStyle = css('--area');
    c.beginPath();
    c.moveTo(8, bottom);
    for (let f = 0; f < n; ++f) {
      const x = this.toX(recording.times[f]), y = bottom - ((recording.contactTotal[f] ?? 0) / most) * (bottom - top);
      c.lineTo(x, y);
      if (f + 1 < n) c.lineTo(this.toX(recording.times[f + 1]), y);
    }
    c.lineTo(n ? this.toX(recording.times[n - 1]) : 8, bottom);
    c.fill();
    this.drawTicks(c, w, top, bottom, h);
    if (this.window && (this.window[0] > recording.t0 + 1e-9 || this.window[1] < recording.t1 - 1e-9)) {
      c.fillStyle = css('--window');
      const a = this.toX(Math.max(this.window[0], recording.t0)), b = this.toX(Math.min(this.window[1], recording.t1));
      c.fillRect(a, top - 2, Math.max(2, b - a), bottom - top + 12);
    }
    if (this.now !== undefined) this.setTime(this.now, recording.frameAt(this.now));
  }

  drawTicks(c, w, top, bottom, h) {
    const { recording } = this;
    // touch and release: denser where more happens
    const density = new Float32Array(Math.max(1, w));
    for (const e of this.events) if (e.kind === 'touch' || e.kind === 'release') density[clamp(Math.round(this.toX(e.t)), 0, density.length - 1)] += 1;
    c.fillStyle = css('--accent');
    for (let x = 0; x < density.length; ++x)
      if (density[x]) { c.globalAlpha = Math.min(1, 0.35 + 0.15 * density[x]); c.fillRect(x, bottom + 2, 1.5, 6); }
    c.globalAlpha = 1;
    c.fillStyle = css('--slip');
    for (const e of this.events) if (e.kind === 'substep') c.fillRect(this.toX(e.t) - 0.75, top, 1.5, bottom - top);
    // of a second run in its colour and over half the height, so that both can be told apart
    for (const [bad, color, from] of [[this.other?.bad ?? [], '--run-b', (top + bottom) / 2], [recording.bad, '--bad', top - 2]]) {
      c.fillStyle = css(color);
      for (const b of bad) {
        const x = this.toX(b.t);
        c.fillRect(x - 0.75, from, 1.5, bottom + 8 - from);
        c.beginPath();
        c.moveTo(x - 4, from - 2);
        c.lineTo(x + 4, from - 2);
        c.lineTo(x, from + 4);
        c.fill();
      }
    }
    c.fillStyle = css('--faint');
    c.font = '11px system-ui, sans-serif';
    // as near to each other as their width allows; the outermost are moved inwards
    let step = nice(this.length / Math.max(1, w / 40)), digits = 0, width = 0;
    for (let k = 0; k < 12; ++k) {
      digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
      width = c.measureText(`${recording.t1.toFixed(digits)} s`).width;
      if ((step / this.length) * (w - 16) >= width + 18) break;
      step = nice(2.6 * step);
    }
    for (let k = Math.ceil(recording.t0 / step - 1e-6); k * step <= recording.t1 + 1e-9 && k < 1e6; ++k) {
      const x = this.toX(k * step);
      c.fillText(`${(k * step).toFixed(digits)} s`, clamp(x - width / 2, 0, w - width), 10);
      c.fillRect(x - 0.5, 12, 1, 4);
    }
  }
}
