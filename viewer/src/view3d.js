// The 3D view: bodies, floor, forces, camera. Draws when something changed, never by itself.
import { AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, Group, HemisphereLight, LineBasicMaterial, LineSegments, Matrix4, Mesh, PerspectiveCamera, PlaneGeometry, Points, PointsMaterial, Quaternion, Raycaster, Scene, ShaderMaterial, Vector2, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Arrows } from './arrows.js';
import { Bodies, GHOST } from './shapes.js';
import { clamp, css, median } from './util.js';

const GRID_VERTEX = `varying vec2 at; varying vec3 world; void main() { at = position.xy; vec4 w = modelMatrix * vec4(position, 1.0); world = w.xyz; gl_Position = projectionMatrix * viewMatrix * w; }`;
const GRID_FRAGMENT = `
varying vec2 at; varying vec3 world; uniform float cell, reach; uniform vec3 line, floorColor, target; uniform float opacity;
float grid(vec2 p, float size, float width) {
  vec2 g = abs(fract(p / size - 0.5) - 0.5) * size, d = fwidth(p);
  vec2 a = 1.0 - smoothstep(d * width * 0.5, d * (width * 0.5 + 1.0), g);
  vec2 calm = clamp(size / (d * 6.0) - 0.4, 0.0, 1.0);  // lines that would run together fade out
  return max(a.x * calm.x, a.y * calm.y);
}
void main() {
  float fade = 1.0 - smoothstep(0.25 * reach, reach, distance(world, target));
  float fine = 0.4 * grid(at, cell, 1.0), bold = 0.85 * grid(at, cell * 10.0, 1.2);
  float a = max(fine, bold) * fade;
  gl_FragColor = vec4(mix(floorColor, line, a), max(a, opacity * fade));
  #include <colorspace_fragment>
}`;

const DIRECTIONS = { iso: [1.05, -1.5, 0.72], top: [0, -0.001, 1], side: [1, 0, 0.12], front: [0, -1, 0.12] };

export class View3D {
  constructor(host, recording, other) {
    this.host = host;
    this.recording = recording;
    this.other = other;
    this.frame = 0;
    this.shown = { forces: true, cones: false, points: false, visual: true, collision: false, xray: false, com: false, loops: true, frames: false, ghost: true };
    this.law = 'root';
    this.selected = -1;
    this.chosenContact = -1;
    this.follow = 0;
    this.drawn = 0;
    this.pending = false;
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: false });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    this.canvas = this.renderer.domElement;
    this.canvas.setAttribute('role', 'img');
    this.canvas.setAttribute('aria-label', '3D view of the motion. Drag to turn, wheel to zoom, right button to shift, click to select a body.');
    host.prepend(this.canvas);
    this.scene = new Scene();
    this.camera = new PerspectiveCamera(38, 1, 0.001, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener('change', () => this.dirty());
    this.light();
    this.build();
    this.setFrame(0);
    this.measure();
    this.fit('iso');
    new ResizeObserver(() => { this.resize(); this.dirty(); }).observe(host);
    this.resize();
    this.pickByClick();
  }

  light() {
    this.scene.add(new HemisphereLight(0xffffff, 0x8890a0, 1.55), new AmbientLight(0xffffff, 0.35));
    this.sun = new DirectionalLight(0xffffff, 1.7);
    this.scene.add(this.sun, this.sun.target);
  }

  build() {
    const { recording } = this, seen = new Set(recording.head.shapes.filter((s) => s.role === 'visual').map((s) => s.body));
    const flat = (s) => s.kind === 'plane' || s.kind === 'halfspace';
    const walls = this.walls(flat);
    this.look = new Bodies(recording, (s) => !flat(s) && !walls.has(s) && (s.role === 'visual' || !seen.has(s.body)));
    // what stands around the bodies must not hide them
    this.around = new Bodies(recording, (s) => walls.has(s), { opacity: 0.22, color: new Color(0x8d929b) });
    this.scene.add(this.around.group);
    this.collision = new Bodies(recording, (s) => !flat(s) && s.role === 'collision' && seen.has(s.body), { opacity: 0.35, color: new Color(0xe08a3c) });
    this.collision.group.visible = false;
    this.scene.add(this.look.group, this.collision.group);
    if (this.other) {
      const seenB = new Set(this.other.head.shapes.filter((s) => s.role === 'visual').map((s) => s.body));
      const moves = (s) => s.body > 0 && s.body <= this.other.moving;
      this.ghost = new Bodies(this.other, (s) => !flat(s) && moves(s) && (s.role === 'visual' || !seenB.has(s.body)), { opacity: 0.42, color: GHOST });
      this.scene.add(this.ghost.group);
    }
    let most = 0;
    for (let f = 0; f < recording.frameCount; ++f) most = Math.max(most, recording.contactCount(f));
    this.arrows = new Arrows(most);
    this.scene.add(...this.arrows.meshes, this.arrows.cones);
    this.points = new Points(new BufferGeometry(), new PointsMaterial({ size: 6, sizeAttenuation: false, depthTest: false }));
    this.points.geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * Math.max(1, most)), 3));
    this.points.frustumCulled = false;
    this.points.visible = false;
    this.loopDots = new Points(new BufferGeometry(), new PointsMaterial({ size: 8, sizeAttenuation: false, depthTest: false, color: 0xc03fd0 }));
    this.loopLines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: 0xc03fd0, depthTest: false }));
    const closures = recording.head.closures?.length ?? 0;
    this.loopDots.geometry.setAttribute('position', new BufferAttribute(new Float32Array(6 * Math.max(1, closures)), 3));
    this.loopLines.geometry.setAttribute('position', new BufferAttribute(new Float32Array(6 * Math.max(1, closures)), 3));
    this.com = new Points(new BufferGeometry(), new PointsMaterial({ size: 11, sizeAttenuation: false, depthTest: false, color: 0xf5a300 }));
    this.com.geometry.setAttribute('position', new BufferAttribute(new Float32Array(3), 3));
    this.com.visible = false;
    this.axes = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, depthTest: false }));
    this.axes.geometry.setAttribute('position', new BufferAttribute(new Float32Array(18 * Math.max(1, recording.moving)), 3));
    const rgb = new Float32Array(18 * Math.max(1, recording.moving));
    for (let i = 0; i < rgb.length / 3; ++i) rgb[3 * i + ((i >> 1) % 3)] = 0.9;
    this.axes.geometry.setAttribute('color', new BufferAttribute(rgb, 3));
    this.axes.visible = false;
    for (const o of [this.points, this.loopDots, this.loopLines, this.com, this.axes]) { o.renderOrder = 6; o.material.transparent = true;  // after the floor
      o.frustumCulled = false; this.scene.add(o); }
    this.floors(flat);
  }

  /** Shapes that do not move and reach above what does: the sides of a bin. */
  walls(flat) {
    const { recording } = this, middle = Math.floor(recording.frameCount / 2), pose = new Float64Array(7), z = [];
    for (let b = 1; b <= recording.moving; ++b) if (this.moves(b) && recording.frameCount && recording.pose(middle, b, pose)) z.push(pose[2]);
    const low = z.sort((a, b) => a - b)[Math.floor(0.1 * z.length)] ?? Infinity, out = new Set();
    for (const s of recording.head.shapes) {
      if (flat(s) || s.kind !== 'box' || s.role !== 'collision' || this.moves(s.body)) continue;
      recording.pose(0, s.body, pose);
      const m = new Matrix4().compose(new Vector3(pose[0], pose[1], pose[2]), new Quaternion(pose[3], pose[4], pose[5], pose[6]), new Vector3(1, 1, 1))
        .multiply(new Matrix4().compose(new Vector3(...s.pose.slice(0, 3)), new Quaternion(...s.pose.slice(3)), new Vector3(...s.size))), e = m.elements;
      if (e[14] + (Math.abs(e[2]) + Math.abs(e[6]) + Math.abs(e[10])) / 2 > low) out.add(s);
    }
    return out;
  }

  floors(flat) {
    this.gridUniforms = { cell: { value: 1 }, reach: { value: 10 }, line: { value: new Color() }, floorColor: { value: new Color() }, target: { value: new Vector3() }, opacity: { value: 0.5 } };
    const material = new ShaderMaterial({ vertexShader: GRID_VERTEX, fragmentShader: GRID_FRAGMENT, uniforms: this.gridUniforms, transparent: true, side: DoubleSide, depthWrite: false });
    this.floorGroup = new Group();
    const pose = new Float64Array(7);
    let planes = this.recording.head.shapes.filter((s) => flat(s) && s.role === 'collision');
    this.hasFloor = planes.length > 0;
    if (!planes.length) planes = [{ body: 0, pose: [0, 0, 0, 0, 0, 0, 1] }];
    for (const shape of planes) {
      this.recording.pose(0, shape.body, pose);
      const mesh = new Mesh(new PlaneGeometry(2, 2), material);
      const outer = new Matrix4().compose(new Vector3(pose[0], pose[1], pose[2]), new Quaternion(pose[3], pose[4], pose[5], pose[6]), new Vector3(1, 1, 1));
      const inner = new Matrix4().compose(new Vector3(...shape.pose.slice(0, 3)), new Quaternion(...shape.pose.slice(3)), new Vector3(1, 1, 1));
      mesh.userData.pose = outer.multiply(inner);
      mesh.matrixAutoUpdate = false;
      mesh.renderOrder = -1;
      this.floorGroup.add(mesh);
    }
    this.scene.add(this.floorGroup);
  }

  moves(body) { return body > 0 && body <= this.recording.moving && this.recording.bodies[body].moves !== false; }

  /** Size of what moves, the usual force; the lengths of arrows follow from them. */
  measure() {
    const sizes = [], n = this.recording.frameCount;
    for (let k = 0; k < Math.min(7, n); ++k) {  // what stands in a column at first may lie in a heap later
      this.look.update(Math.floor((k * (n - 1)) / Math.max(1, Math.min(7, n) - 1)));
      const all = this.look.corners((b) => this.moves(b));
      sizes.push(Math.max(...[0, 1, 2].map((axis) => {
        const x = all.flatMap((c) => c.points.map((p) => p.getComponent(axis))).sort((a, b) => a - b);
        return x.length ? x[Math.floor(0.95 * (x.length - 1))] - x[Math.ceil(0.05 * (x.length - 1))] : 0;
      })));
    }
    this.look.update(this.frame);
    this.size = clamp(median(sizes) || 1, 0.02, 1e4);
    const forces = [], r = this.recording, stride = Math.max(1, Math.floor(r.frameCount / 40));
    for (let f = 0; f < r.frameCount; f += stride)
      for (let k = 0, n = r.contactCount(f), s = Math.max(1, Math.floor(n / 200)); k < n; k += s) {
        const c = r.contact(f, k);
        if (c.size > 0) forces.push(c.size);
      }
    this.usualForce = median(forces) || 1;
    const u = this.arrows.uniforms;
    u.unit.value = this.usualForce;
    // few arrows may be long; many have to leave the bodies to be seen
    const usual = median(Array.from({ length: r.frameCount }, (_, f) => r.contactCount(f))) || 1, crowd = clamp(Math.sqrt(8 / Math.max(8, usual)), 0.24, 1);
    const extents = this.look.corners((b) => this.moves(b)).map((c) => c.points[0].distanceTo(c.points[7]));
    // the usual one reaches out of the body that it begins in
    u.reference.value = Math.max(0.15 * crowd * this.size, Math.min(0.15 * this.size, 0.42 * (median(extents) || 0)));
    u.cap.value = Math.max(0.2, 0.45 * crowd) * this.size;
    u.thick.value = Math.max(0.0085 * this.size * Math.max(0.42, crowd), 0.045 * u.reference.value);
    if (this.arrows.meshes[1]) this.arrows.meshes[1].material.uniforms.alpha.value = clamp(8 / usual, 0.1, 0.22);
    this.arrows.coneUniforms.height.value = 0.10 * this.size;
  }

  resize() {
    const w = Math.max(1, this.host.clientWidth), h = Math.max(1, this.host.clientHeight);
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
  }

  /** The camera stands in a direction and as near as what moves allows, the outermost 4 % left out. */
  fit(view) {
    const direction = new Vector3(...(DIRECTIONS[view] ?? DIRECTIONS.iso)).normalize();
    let boxes = this.look.corners((b) => this.moves(b));
    if (!(this.follow > 0)) {  // what will have left by the end should be seen leaving
      this.look.update(Math.max(0, this.recording.frameCount - 1));
      boxes = boxes.concat(this.look.corners((b) => this.moves(b)));
      this.look.update(this.frame);
    }
    if (this.ghost) boxes = boxes.concat(this.ghost.corners(() => true));
    if (!boxes.length) boxes = this.look.corners(() => true);
    let points = boxes.flatMap((b) => b.points);
    if (!points.length) points = [new Vector3(-1, -1, 0), new Vector3(1, 1, 1)];
    const range = (axis) => {
      const x = points.map((p) => p.dot(axis)).sort((a, b) => a - b), cut = boxes.length > 25 ? 0.02 : 0;
      return [x[Math.floor(cut * (x.length - 1))], x[Math.ceil((1 - cut) * (x.length - 1))]];
    };
    const X = new Vector3(1, 0, 0), Y = new Vector3(0, 1, 0), Z = new Vector3(0, 0, 1);
    const [rx, ry, rz] = [range(X), range(Y), range(Z)];
    const target = new Vector3((rx[0] + rx[1]) / 2, (ry[0] + ry[1]) / 2, (rz[0] + rz[1]) / 2);
    this.camera.position.copy(target).add(direction);
    this.camera.lookAt(target);
    this.camera.updateMatrixWorld();
    const e = this.camera.matrixWorld.elements, right = new Vector3(e[0], e[1], e[2]), up = new Vector3(e[4], e[5], e[6]);
    const tan = Math.tan((this.camera.fov * Math.PI) / 360) * 0.65, wide = tan * this.camera.aspect;
    const needed = points.map((p) => {
      const d = p.clone().sub(target);
      return Math.max(Math.abs(d.dot(up)) / tan, Math.abs(d.dot(right)) / wide) + d.dot(direction);
    }).sort((a, b) => a - b);
    const cut = boxes.length > 25 ? 0.985 : 1;
    const distance = Math.max(needed[Math.ceil(cut * (needed.length - 1))], 0.05 * this.size, 1e-3);
    // what is near looks larger: the middle of the picture is not the middle of the box
    for (const axis of [right, up]) {
      const seen = points.map((p) => { const d = p.clone().sub(target); return d.dot(axis) / Math.max(distance - d.dot(direction), 1e-9); }).sort((a, b) => a - b);
      const middle = (seen[Math.floor((1 - cut) * (seen.length - 1))] + seen[Math.ceil(cut * (seen.length - 1))]) / 2;
      target.addScaledVector(axis, middle * distance);
    }
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.target.copy(target);
    this.controls.update();
    this.dirty();
  }

  setFrame(frame, otherFrame = 0) {
    const before = this.follow > 0 ? this.bodyPlace(this.follow) : null;
    this.frame = frame;
    this.look.update(frame);
    this.around.update(frame);
    if (this.shown.collision) this.collision.update(frame);
    this.ghost?.update(otherFrame);
    if (before) this.keepWith(before);
    this.updateContacts();
    this.updateMarks();
    this.dirty();
  }

  bodyPlace(body) { return this.look.valid[body] ? new Vector3().setFromMatrixPosition(this.look.matrices[body]) : null; }

  keepWith(before) {
    const now = this.bodyPlace(this.follow);
    if (!now) return;
    const shift = now.sub(before);
    this.camera.position.add(shift);
    this.controls.target.add(shift);
    this.controls.update();
  }

  updateContacts() {
    const { recording, frame } = this;
    if (recording.frameCount === 0) return;
    this.arrows.update(recording, frame, this.chosenContact);
    if (this.shown.points) {
      const at = this.points.geometry.attributes.position, n = recording.contactCount(frame);
      for (let k = 0; k < n; ++k) at.array.set(recording.contact(frame, k).point, 3 * k);
      at.needsUpdate = true;
      this.points.geometry.setDrawRange(0, n);
    }
  }

  /** Loops, centre of mass, axes. */
  updateMarks() {
    const { recording } = this, closures = recording.head.closures ?? [];
    const dots = this.loopDots.geometry.attributes.position, lines = this.loopLines.geometry.attributes.position;
    const at = (body, pose) => new Vector3(...pose.slice(0, 3)).applyMatrix4(this.look.matrices[body] ?? new Matrix4());
    const ends = closures.map((c) => [at(c.a, c.pose_a), at(c.b, c.pose_b)]);
    const open = Math.max(0, ...ends.map(([a, b], i) => (closures[i].kind === 'distance' ? 0 : a.distanceTo(b))));
    // places here are rounded, so a gap below a few quanta is not to be seen, whatever the factor
    this.loopFactor = open > 5 * (recording.pos?.step ?? 1e-5) ? 10 ** clamp(Math.floor(Math.log10((0.1 * (this.size ?? 1)) / open)), 0, 6) : 1;
    ends.forEach(([a, b], i) => {
      const far = a.clone().addScaledVector(b.clone().sub(a), closures[i].kind === 'distance' ? 1 : this.loopFactor);
      for (const array of [dots.array, lines.array]) { array.set(a.toArray(), 6 * i); array.set(far.toArray(), 6 * i + 3); }
    });
    dots.needsUpdate = lines.needsUpdate = true;
    this.loopDots.geometry.setDrawRange(0, 2 * closures.length);
    this.loopLines.geometry.setDrawRange(0, 2 * closures.length);
    this.loopDots.visible = this.loopLines.visible = this.shown.loops && closures.length > 0;
    if (this.shown.com) {
      const sum = new Vector3();
      let mass = 0;
      recording.bodies.forEach((b, i) => {
        if (!b.mass || !this.look.valid[i] || i > recording.moving) return;
        sum.addScaledVector(new Vector3(...(b.com ?? [0, 0, 0])).applyMatrix4(this.look.matrices[i]), b.mass);
        mass += b.mass;
      });
      this.com.geometry.attributes.position.array.set(mass > 0 ? sum.divideScalar(mass).toArray() : [0, 0, 0]);
      this.com.geometry.attributes.position.needsUpdate = true;
    }
    if (this.shown.frames) {
      const array = this.axes.geometry.attributes.position, p = new Vector3(), q = new Vector3(), l = 0.06 * this.size;
      for (let b = 1; b <= recording.moving; ++b)
        for (let k = 0; k < 3; ++k) {
          const m = this.look.matrices[b], long = this.look.valid[b] ? l : 0;  // what is nowhere has no axes
          p.setFromMatrixPosition(m);
          q.set(k === 0 ? long : 0, k === 1 ? long : 0, k === 2 ? long : 0).applyMatrix4(m);
          array.array.set([p.x, p.y, p.z, q.x, q.y, q.z], 18 * (b - 1) + 6 * k);
        }
      array.needsUpdate = true;
    }
  }

  toggle(name) {
    if (!(name in this.shown)) return false;
    const on = (this.shown[name] = !this.shown[name]);
    for (const m of this.arrows.meshes) m.visible = this.shown.forces;
    this.arrows.cones.visible = this.shown.cones;
    this.points.visible = this.shown.points;
    this.look.group.visible = this.around.group.visible = this.shown.visual;
    this.collision.group.visible = this.shown.collision;
    this.com.visible = this.shown.com;
    this.axes.visible = this.shown.frames;
    if (this.ghost) this.ghost.group.visible = this.shown.ghost;
    if (name === 'xray') this.look.xray(on);
    if (name === 'collision') this.collision.update(this.frame);
    this.updateContacts();
    this.updateMarks();
    this.dirty();
    return on;
  }

  setLaw(law) { this.law = law; this.arrows.uniforms.root.value = law === 'root' ? 1 : 0; this.dirty(); }
  visibleArrows() { return this.shown.forces ? this.arrows.withForce ?? 0 : 0; }

  select(bodies, contact = -1) {
    this.chosenContact = contact;
    this.look.highlight(bodies);
    this.updateContacts();
    this.dirty();
  }

  colors() {
    this.renderer.setClearColor(new Color(css('--view')), 1);
    this.gridUniforms.line.value.set(css('--grid'));
    this.gridUniforms.floorColor.value.set(css('--floor'));
    this.gridUniforms.opacity.value = this.hasFloor ? 0.75 : 0;
    this.arrows.setColors(css('--open'), css('--stick'), css('--slip'), css('--amber'));
    this.points.material.color.set(css('--accent'));
    this.dirty();
  }

  dirty() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { if (this.pending) this.render(); });
  }

  render() {
    this.pending = false;
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = distance / 200;
    this.camera.far = Math.max(distance, this.size) * 60;
    this.camera.updateProjectionMatrix();
    this.cell = 10 ** Math.floor(Math.log10(distance / 2.5));
    const u = this.gridUniforms, reach = 9 * Math.max(distance, 0.6 * this.size);
    u.cell.value = this.cell;
    u.reach.value = reach;
    u.target.value.copy(this.controls.target);
    for (const mesh of this.floorGroup.children) {
      // the sheet goes with the eye, its lines stay: it moves by whole bold cells
      const pose = mesh.userData.pose, local = this.controls.target.clone().applyMatrix4(pose.clone().invert()), big = 10 * this.cell;
      const half = Math.ceil(reach / big) * big;
      mesh.matrix.copy(pose).multiply(new Matrix4().makeTranslation(Math.round(local.x / big) * big, Math.round(local.y / big) * big, 0));
      mesh.matrixWorldNeedsUpdate = true;
      if (mesh.userData.half !== half) {
        mesh.geometry.dispose();
        mesh.geometry = new PlaneGeometry(2 * half, 2 * half);
        mesh.userData.half = half;
      }
    }
    this.sun.position.copy(this.controls.target).add(new Vector3(0.6, -0.35, 1).multiplyScalar(this.size));
    this.sun.target.position.copy(this.controls.target);
    this.renderer.render(this.scene, this.camera);
    ++this.drawn;
    this.onrender?.();
  }

  /** Pixels of a metre at the point that is looked at. */
  pixelsPerMetre() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    return this.host.clientHeight / (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360));
  }
  arrowLength(force) {
    const u = this.arrows.uniforms, x = force / u.unit.value;
    return Math.min(u.cap.value, u.reference.value * (u.root.value > 0.5 ? Math.sqrt(x) : x));
  }

  /** Where a body is on the screen, in pixels of the view. */
  project(body) {
    const p = this.bodyPlace(body);
    if (!p) return null;
    this.camera.updateMatrixWorld();
    p.project(this.camera);
    return [((p.x + 1) / 2) * this.host.clientWidth, ((1 - p.y) / 2) * this.host.clientHeight];
  }

  bodyAt(x, y) {
    const ray = new Raycaster(), w = this.host.clientWidth, h = this.host.clientHeight;
    ray.setFromCamera(new Vector2((2 * x) / w - 1, 1 - (2 * y) / h), this.camera);
    let best = null;
    for (const { mesh, items } of this.look.batches)
      for (const hit of ray.intersectObject(mesh, false))
        if (!best || hit.distance < best.distance) best = { distance: hit.distance, body: items[hit.instanceId].body };
    return best ? best.body : -1;
  }

  pickByClick() {
    let down = null;
    this.canvas.addEventListener('pointerdown', (e) => { down = [e.clientX, e.clientY]; });
    this.canvas.addEventListener('pointerup', (e) => {
      if (!down || e.button !== 0 || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
      const box = this.canvas.getBoundingClientRect();
      this.onpick?.(this.bodyAt(e.clientX - box.left, e.clientY - box.top));
    });
  }
}
