// A decoded recording: what is where at a frame, what touched, what the verdict is.
import { fromOctahedral } from './decode.js';

export const KINDS = ['contact', 'closure', 'coupling', 'limit', 'friction', 'actuator', 'spring', 'other'];
export const MODES = ['open', 'stick', 'slip', 'active', 'free'];
export const CONTACT_STATES = ['open', 'stick', 'slip'];
const BAD_WORDS = ['certified', 'not certified', 'iteration limit', 'rejected'];
const NONE = -2147483648;
const SAME = 1 + 1e-6;  // residuals are single precision here

function prefix(counts) {
  const out = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; ++i) out[i + 1] = out[i] + counts[i];
  return out;
}

export class Recording {
  constructor(head, arrays) {
    if (head.format !== 'condyle-replay') throw new Error('this page holds no recording of Condyle');
    if (head.version !== 1) throw new Error(`the recording is of version ${head.version}, this page reads version 1`);
    this.head = head;
    this.arrays = arrays;
    this.run = head.run;
    this.bodies = head.bodies;
    const get = (name) => arrays[name]?.values;
    this.frameCount = head.frames.count;
    this.times = get('frame.time') ?? new Float64Array(0);
    this.frameSteps = get('frame.step') ?? new Uint32Array(0);
    this.moving = (arrays['pose.position']?.shape[1] ?? 0) / 3;
    this.pos = arrays['pose.position'];
    this.rot = arrays['pose.rotation'];
    this.twists = arrays['twist'];
    this.stepTimes = this.readStepTimes();
    this.contactAt = prefix(get('contact.count') ?? []);
    this.contactTotal = get('contact.total') ?? new Uint32Array(0);
    this.contactSum = get('contact.sum') ?? new Float32Array(0);
    this.otherAt = prefix(get('other.count') ?? []);
    this.bad = this.readBad();
    this.verdict = this.judge();
    this.index = new Map(this.bodies.map((b, i) => [b.name, i]));
  }

  get t0() { return this.times[0] ?? 0; }
  get t1() { return this.times[this.frameCount - 1] ?? 0; }
  get dynamicBodies() { return this.run.movingBodies ?? Math.max(0, this.moving); }

  readStepTimes() {
    const s = this.head.steps;
    if (s.times) return this.arrays[s.times].values;
    const out = new Float64Array(s.count);
    for (let i = 0; i < out.length; ++i) out[i] = s.t0 + i * s.dt;
    return out;
  }

  /** Index of the frame that is shown at time t: the nearest. */
  frameAt(t) {
    let lo = 0, hi = this.frameCount - 1;
    if (hi <= 0 || !(t > this.times[0])) return 0;
    if (t >= this.times[hi]) return hi;
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1;
      if (this.times[mid] <= t) lo = mid; else hi = mid;
    }
    return t - this.times[lo] <= this.times[hi] - t ? lo : hi;
  }

  /** Pose of a body, [x y z, qx qy qz qw] into out; false: it is not a place in space. */
  pose(frame, body, out) {
    if (body > 0 && body <= this.moving && frame < this.frameCount) {
      const p = this.pos.values, q = this.rot.values, ip = 3 * (frame * this.moving + body - 1), iq = 4 * (frame * this.moving + body - 1);
      for (let k = 0; k < 3; ++k) {
        if (p[ip + k] === NONE) return false;
        out[k] = p[ip + k] * this.pos.step;
      }
      let n = 0;
      for (let k = 0; k < 4; ++k) {
        if (q[iq + k] === NONE) return false;
        out[3 + k] = q[iq + k] * this.rot.step;
        n += out[3 + k] * out[3 + k];
      }
      if (!(n > 0)) return false;
      n = Math.sqrt(n);
      for (let k = 3; k < 7; ++k) out[k] /= n;
      return true;
    }
    const fixed = this.bodies[body]?.pose ?? [0, 0, 0, 0, 0, 0, 1];
    for (let k = 0; k < 7; ++k) out[k] = fixed[k];
    return true;
  }

  /** Velocity of the origin and angular velocity; from differences if the page has no twists. */
  twist(frame, body) {
    if (body < 1 || body > this.moving || this.frameCount < 1) return [0, 0, 0, 0, 0, 0];
    if (this.twists) {
      const at = 6 * (frame * this.moving + body - 1);
      return Array.from({ length: 6 }, (_, k) => (this.twists.values[at + k] === NONE ? NaN : this.twists.values[at + k] * this.twists.step));
    }
    const a = Math.max(0, frame - 1), b = Math.min(this.frameCount - 1, a + 1), A = [], B = [];
    if (a === b || !this.pose(a, body, A) || !this.pose(b, body, B)) return [NaN, NaN, NaN, NaN, NaN, NaN];
    const dt = this.times[b] - this.times[a];
    // q_b q_a^-1, twice its vector part for a small turn
    const [ax, ay, az, aw] = [-A[3], -A[4], -A[5], A[6]], [bx, by, bz, bw] = [B[3], B[4], B[5], B[6]];
    const w = [bw * ax + bx * aw + by * az - bz * ay, bw * ay - bx * az + by * aw + bz * ax, bw * az + bx * ay - by * ax + bz * aw];
    return [0, 1, 2].map((k) => (B[k] - A[k]) / dt).concat(w.map((x) => (2 * x) / dt));
  }

  contactCount(frame) { return frame < this.frameCount ? this.contactAt[frame + 1] - this.contactAt[frame] : 0; }

  contact(frame, k, out = {}) {
    const i = this.contactAt[frame] + k, n = this.contactAt[this.contactAt.length - 1], A = this.arrays;
    const f = A['contact.force'].values, p = A['contact.point'], m = A['contact.normal'].values;
    out.a = A['contact.a'].values[i];
    out.b = A['contact.b'].values[i];
    out.state = A['contact.state'].values[i];
    out.gap = A['contact.gap'].values[i];
    out.mu = A['contact.mu'].values[i] * 1e-3;
    out.force = [f[i], f[n + i], f[2 * n + i]];
    out.point = [p.values[i] * p.step, p.values[n + i] * p.step, p.values[2 * n + i] * p.step];
    out.normal = fromOctahedral(m[i], m[n + i]);
    out.size = Math.hypot(out.force[0], out.force[1], out.force[2]);
    out.normalForce = out.force[0] * out.normal[0] + out.force[1] * out.normal[1] + out.force[2] * out.normal[2];
    out.tangential = Math.sqrt(Math.max(0, out.size * out.size - out.normalForce * out.normalForce));
    out.use = out.mu > 0 && out.normalForce > 0 ? out.tangential / (out.mu * out.normalForce) : out.size > 0 ? 1 : 0;
    return out;
  }

  contacts(frame) { return Array.from({ length: this.contactCount(frame) }, (_, k) => this.contact(frame, k)); }

  /** Everything but contacts: loops, limits, friction, motors, springs. */
  others(frame) {
    if (frame >= this.frameCount || !this.arrays['other.kind']) return [];
    const A = this.arrays, v = this.head.velocityNames ?? [], closures = this.head.closures ?? [], out = [];
    for (let i = this.otherAt[frame]; i < this.otherAt[frame + 1]; ++i) {
      const kind = A['other.kind'].values[i], index = A['other.index'].values[i], a = A['other.a'].values[i], b = A['other.b'].values[i];
      const between = `${this.bodies[a]?.name ?? '?'} – ${this.bodies[b]?.name ?? '?'}`;
      out.push({
        kind, a, b, index,
        name: kind === 1 ? (closures[index]?.name ?? between) : (v[index] ?? between),
        state: MODES[A['other.state'].values[i]] ?? '?',
        force: A['other.force'].values[i], gap: A['other.gap'].values[i], residual: A['other.residual'].values[i],
      });
    }
    return out;
  }

  readBad() {
    const A = this.arrays;
    if (!A['bad.step']) return [];
    return Array.from(A['bad.step'].values, (step, i) => ({
      step, t: A['bad.time'].values[i], residual: A['bad.residual'].values[i], why: BAD_WORDS[A['bad.status'].values[i]] ?? 'not certified',
    }));
  }

  series(entry) {
    const array = this.arrays[entry.array];
    if (!array) return new Float32Array(0);
    const n = array.shape[1];
    return array.values.subarray(entry.row * n, entry.row * n + n);
  }

  /** From residuals and tolerance, not from the word of the program that stored one. */
  judge() {
    const stored = this.head.verdict ?? {}, tolerance = this.run.tolerance;
    const entry = this.head.series.find((s) => s.array === 'series.residual');
    const residual = entry ? this.series(entry) : new Float32Array(0);
    const first = this.head.steps.startsBeforeAnyStep ? 1 : 0;
    const whole = this.head.steps.count === this.head.steps.recorded;
    let above = 0, worst = { residual: -1, t: 0 };
    for (let i = first; i < residual.length; ++i) {
      const r = residual[i];
      if (Number.isNaN(r) && !whole) continue;  // a bin without a number
      if (!(r <= tolerance * SAME)) ++above;
      if (!(r <= worst.residual) && !Number.isNaN(worst.residual)) worst = { residual: r, t: this.stepTimes[i] };
    }
    for (const bad of this.bad)
      if (!(bad.residual <= worst.residual) && !Number.isNaN(worst.residual)) worst = { residual: bad.residual, t: bad.t };
    const recorded = Math.max(0, this.head.steps.recorded - first), steps = stored.steps ?? recorded;
    const uncertified = Math.max(stored.uncertified ?? 0, this.bad.length, whole ? above : 0);
    const contradiction = (stored.certified === true && (this.bad.length > 0 || above > 0))
      ? `the program stored “all certified”, but ${Math.max(this.bad.length, above)} recorded steps are not` : '';
    return { steps, uncertified, rejected: stored.rejected ?? 0, tolerance, contradiction,
      certified: uncertified === 0, residual: worst.residual, t: worst.t,
      storedWorst: stored.worstResidual, storedStep: stored.worstStep, recorded };
  }

  /** Jumps for the keys N and B: steps not certified, else first touches and releases. */
  events() {
    const out = this.bad.map((b) => ({ t: b.t, kind: 'uncertified', text: `${b.why}, residual ${b.residual.toExponential(2)} m/s` }));
    for (const e of this.head.events ?? []) out.push(e);
    if (this.contactAt[this.frameCount] < 300000) this.touches(out);
    return out.sort((x, y) => x.t - y.t);
  }

  touches(out) {
    const A = this.arrays;
    if (!A['contact.a']) return;
    const a = A['contact.a'].values, b = A['contact.b'].values, s = A['contact.state'].values;
    let last = new Set();
    for (let f = 0; f < this.frameCount; ++f) {
      const now = new Set();
      for (let i = this.contactAt[f]; i < this.contactAt[f + 1]; ++i) if (s[i] > 0) now.add(a[i] * 4294967296 + b[i]);
      if (f > 0 && this.contactCount(f) >= this.contactTotal[f]) {
        const name = (key) => `${this.bodies[Math.floor(key / 4294967296)]?.name} and ${this.bodies[key % 4294967296]?.name}`;
        for (const key of now) if (!last.has(key)) out.push({ t: this.times[f], kind: 'touch', text: `${name(key)} touch` });
        for (const key of last) if (!now.has(key)) out.push({ t: this.times[f], kind: 'release', text: `${name(key)} part` });
      }
      last = now;
      if (out.length > 5000) return;
    }
  }
}
