// Contact forces as arrows and friction cones: one instanced draw each. The vertex shader has the law of lengths, so another
// scale costs nothing.
import { BufferAttribute, Color, DynamicDrawUsage, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, ShaderMaterial, DoubleSide } from 'three';

const SMALL = 1000;  // from here on plain arrows, and no second pass

/** Rings of (x, y, place along: 0 start, 1 neck, 2 tip, radius: 0 shaft, 1 head, 2 none). */
function arrowGeometry(sides) {
  const at = [], index = [], ring = (along, radius) => {
    const first = at.length / 4;
    for (let i = 0; i < sides; ++i) at.push(Math.cos((2 * Math.PI * i) / sides), Math.sin((2 * Math.PI * i) / sides), along, radius);
    return first;
  };
  const rings = [ring(0, 0), ring(1, 0), ring(1, 1), ring(2, 2)];
  for (let r = 0; r < 3; ++r)
    for (let i = 0; i < sides; ++i) {
      const a = rings[r] + i, b = rings[r] + ((i + 1) % sides), c = rings[r + 1] + i, d = rings[r + 1] + ((i + 1) % sides);
      index.push(a, b, d);
      if (r < 2) index.push(a, d, c);
      else index[index.length - 1] = c;
    }
  const out = new InstancedBufferGeometry();
  out.setAttribute('shape', new BufferAttribute(new Float32Array(at), 4));
  out.setIndex(index);
  return out;
}

const VERTEX = `
attribute vec4 shape; attribute vec3 origin; attribute vec3 force; attribute float state;
uniform float reference, unit, cap, root; uniform float thick;
varying vec3 vNormal2; varying float vState, vAlong, vCapped;
void main() {
  float f = length(force);
  float L = reference * (root > 0.5 ? sqrt(f / unit) : f / unit);
  vCapped = L > cap ? 1.0 : 0.0;
  L = min(L, cap);
  vec3 n = f > 0.0 ? force / f : vec3(0.0, 0.0, 1.0);
  vec3 s = normalize(abs(n.z) < 0.9 ? cross(n, vec3(0.0, 0.0, 1.0)) : cross(n, vec3(1.0, 0.0, 0.0))), t = cross(n, s);
  float r = min(thick, 0.09 * L), head = min(0.42 * L, 6.0 * r);
  float along = shape.z < 0.5 ? 0.0 : shape.z < 1.5 ? L - head : L;
  float radius = shape.w < 0.5 ? r : shape.w < 1.5 ? 2.5 * r : 0.0;
  vec3 side = shape.x * s + shape.y * t;
  vNormal2 = normalMatrix * side; vState = state; vAlong = along / max(L, 1e-12);
  gl_Position = f > 0.0 ? projectionMatrix * modelViewMatrix * vec4(origin + along * n + radius * side, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;
const FRAGMENT = `
uniform vec3 colors[4]; uniform float alpha;
varying vec3 vNormal2; varying float vState, vAlong, vCapped;
void main() {
  // a force too long to be drawn is broken, as drawings of machines have it
  if (vCapped > 0.5 && ((vAlong > 0.44 && vAlong < 0.475) || (vAlong > 0.51 && vAlong < 0.545))) discard;
  vec3 c = vState < 0.5 ? colors[0] : vState < 1.5 ? colors[1] : vState < 2.5 ? colors[2] : colors[3];
  float light = 0.72 + 0.28 * normalize(vNormal2 + vec3(0.0, 0.0, 1e-6)).z;
  gl_FragColor = vec4(c * light, alpha);
  #include <colorspace_fragment>
}`;

const CONE_VERTEX = `
attribute vec4 shape; attribute vec3 origin; attribute vec3 normal2; attribute float mu; attribute float state;
uniform float height; varying float vState, vUp;
void main() {
  vec3 n = normal2;
  vec3 s = normalize(abs(n.z) < 0.9 ? cross(n, vec3(0.0, 0.0, 1.0)) : cross(n, vec3(1.0, 0.0, 0.0))), t = cross(n, s);
  float h = shape.z * height;
  vState = state; vUp = shape.z;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(origin + h * n + mu * h * (shape.x * s + shape.y * t), 1.0);
}`;
const CONE_FRAGMENT = `
uniform vec3 colors[4]; varying float vState, vUp;
void main() {
  vec3 c = vState < 0.5 ? colors[0] : vState < 1.5 ? colors[1] : vState < 2.5 ? colors[2] : colors[3];
  gl_FragColor = vec4(c, 0.10 + 0.22 * smoothstep(0.9, 1.0, vUp));
  #include <colorspace_fragment>
}`;

function instanced(geometry, names, most) {
  const attributes = {};
  for (const [name, size] of Object.entries(names)) {
    attributes[name] = new InstancedBufferAttribute(new Float32Array(size * most), size);
    attributes[name].setUsage(DynamicDrawUsage);
    geometry.setAttribute(name, attributes[name]);
  }
  geometry.instanceCount = 0;
  return attributes;
}

export class Arrows {
  /** @param {number} most instances in any frame */
  constructor(most) {
    this.many = most > SMALL;
    this.count = 0;
    const geometry = arrowGeometry(this.many ? 3 : 10);
    this.attributes = instanced(geometry, { origin: 3, force: 3, state: 1 }, Math.max(1, most));
    const colors = { value: [0, 1, 2, 3].map(() => new Color()) };
    this.uniforms = { reference: { value: 0.1 }, unit: { value: 1 }, cap: { value: 1 }, root: { value: 1 }, thick: { value: 0.01 }, colors, alpha: { value: 1 } };
    const make = (faint) => {
      const material = new ShaderMaterial({
        vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: { ...this.uniforms, alpha: { value: faint ? 0.22 : 1 } },
        transparent: faint, depthTest: !faint, depthWrite: !faint,
      });
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      mesh.renderOrder = faint ? 5 : 1;
      return mesh;
    };
    this.meshes = this.many ? [make(false)] : [make(false), make(true)];
    this.geometry = geometry;

    const cone = [], sides = 20, index = [];
    cone.push(0, 0, 0, 0);
    for (let i = 0; i < sides; ++i) cone.push(Math.cos((2 * Math.PI * i) / sides), Math.sin((2 * Math.PI * i) / sides), 1, 0);
    for (let i = 0; i < sides; ++i) index.push(0, 1 + i, 1 + ((i + 1) % sides));
    this.coneGeometry = new InstancedBufferGeometry();
    this.coneGeometry.setAttribute('shape', new BufferAttribute(new Float32Array(cone), 4));
    this.coneGeometry.setIndex(index);
    this.coneAttributes = instanced(this.coneGeometry, { origin: 3, normal2: 3, mu: 1, state: 1 }, Math.max(1, most));
    this.coneUniforms = { height: { value: 0.1 }, colors };
    this.cones = new Mesh(this.coneGeometry, new ShaderMaterial({
      vertexShader: CONE_VERTEX, fragmentShader: CONE_FRAGMENT, uniforms: this.coneUniforms, transparent: true, depthWrite: false, side: DoubleSide,
    }));
    this.cones.frustumCulled = false;
    this.cones.renderOrder = 3;
    this.cones.visible = false;
  }

  setColors(open, stick, slip, chosen) {
    [open, stick, slip, chosen].forEach((c, i) => this.uniforms.colors.value[i].set(c));
  }

  /** Fills in the contacts of a frame; `chosen` is the index of the one that is amber. */
  update(recording, frame, chosen = -1) {
    const n = recording.contactCount(frame), A = this.attributes, C = this.coneAttributes, c = {};
    let visible = 0;
    for (let k = 0; k < n; ++k) {
      recording.contact(frame, k, c);
      A.origin.array.set(c.point, 3 * k);
      A.force.array.set(c.force, 3 * k);
      A.state.array[k] = k === chosen ? 3 : c.state;
      C.origin.array.set(c.point, 3 * k);
      C.normal2.array.set(c.normal, 3 * k);
      C.mu.array[k] = c.mu;
      C.state.array[k] = k === chosen ? 3 : c.state;
      visible += c.size > 0 ? 1 : 0;
    }
    for (const a of [...Object.values(A), ...Object.values(C)]) {
      a.clearUpdateRanges();
      a.addUpdateRange(0, n * a.itemSize);
      a.needsUpdate = true;
    }
    this.geometry.instanceCount = n;
    this.coneGeometry.instanceCount = n;
    this.count = n;
    this.withForce = visible;
  }
}
