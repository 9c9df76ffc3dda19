// Bodies as instanced meshes: one draw for each primitive kind and each distinct mesh.
import { BoxGeometry, BufferAttribute, BufferGeometry, Color, ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshLambertMaterial, Quaternion, SphereGeometry, Vector3, DoubleSide } from 'three';

const FREE = [0x6f9bd6, 0x7fb069, 0xd8975b, 0xb583c4, 0x5fb3b3, 0xd47b8a, 0xb5a642, 0x8f9bb3].map((c) => new Color(c));
const TREES = [0x6b95cf, 0xc98a57, 0x71a765, 0xa97fc0, 0x55a5a5, 0xc8707f].map((c) => new Color(c));
const STATIC = new Color(0x8d929b);
export const AMBER = new Color(0xf5a300);
export const GHOST = new Color(0xd6457f);

function colors(recording) {
  const trees = new Map(), links = new Map();
  let free = 0;
  return recording.bodies.map((body) => {
    if (body.kind === 'free') return FREE[free++ % FREE.length].clone();
    if (body.kind !== 'link') return STATIC.clone();
    if (!trees.has(body.tree)) trees.set(body.tree, trees.size);
    const k = links.get(body.tree) ?? 0;
    links.set(body.tree, k + 1);
    if (body.moves === false) return STATIC.clone();
    // neighbours along a robot differ a little, so that its joints can be seen
    return TREES[trees.get(body.tree) % TREES.length].clone().offsetHSL(0, 0, ((k * 7) % 5 - 2) * 0.028);
  });
}

function place(pose, scale, out = new Matrix4()) {
  return out.compose(new Vector3(pose[0], pose[1], pose[2]), new Quaternion(pose[3], pose[4], pose[5], pose[6]), scale);
}

/** Shape -> pieces of unit geometries: [kind, local matrix]. */
function pieces(shape) {
  const [x, y, z] = shape.size, at = shape.pose, v = (a, b, c) => new Vector3(a, b, c);
  switch (shape.kind) {
    case 'box': return [['box', place(at, v(x, y, z))]];
    case 'sphere': return [['sphere', place(at, v(x, x, x))]];
    case 'ellipsoid': return [['sphere', place(at, v(x, y, z))]];
    case 'cylinder': return [['cylinder', place(at, v(x, x, y))]];
    case 'cone': return [['cone', place(at, v(x, x, y))]];
    case 'capsule': {
      const base = place(at, v(1, 1, 1)), end = (s) => base.clone().multiply(new Matrix4().makeTranslation(0, 0, s * y / 2)).multiply(new Matrix4().makeScale(x, x, x));
      return [['cylinder', place(at, v(x, x, y))], ['sphere', end(1)], ['sphere', end(-1)]];
    }
    case 'mesh': case 'heightfield': return shape.mesh === undefined ? [] : [[`mesh ${shape.mesh}`, place(at, v(1, 1, 1))]];
    default: return [];
  }
}

function unit(kind, many) {
  const round = many ? 14 : 28;
  const upright = (g) => g.rotateX(Math.PI / 2);  // three.js builds along y
  if (kind === 'box') return new BoxGeometry(1, 1, 1);
  if (kind === 'sphere') return new SphereGeometry(1, round, round >> 1);
  if (kind === 'cylinder') return upright(new CylinderGeometry(1, 1, 1, round));
  return upright(new ConeGeometry(1, 1, round));
}

export function meshGeometry(recording, index) {
  const entry = recording.head.meshes[index], v = recording.arrays[entry.vertices], t = recording.arrays[entry.triangles].values;
  const points = new Float32Array(3 * t.length);
  for (let i = 0; i < t.length; ++i)
    for (let k = 0; k < 3; ++k) points[3 * i + k] = entry.origin[k] + v.values[3 * t[i] + k] * v.step;
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(points, 3));
  geometry.computeVertexNormals();  // no vertex is shared: flat
  return geometry;
}

/** All shapes of a recording that `wanted` takes, as a Group of instanced meshes. */
export class Bodies {
  constructor(recording, wanted, look = {}) {
    this.recording = recording;
    this.group = new Group();
    this.batches = [];
    this.colors = look.color ? recording.bodies.map(() => look.color.clone()) : colors(recording);
    this.matrices = recording.bodies.map(() => new Matrix4());
    this.valid = recording.bodies.map(() => true);
    const kinds = new Map();
    for (const shape of recording.head.shapes) {
      if (!wanted(shape)) continue;
      for (const [kind, local] of pieces(shape)) {
        if (!kinds.has(kind)) kinds.set(kind, []);
        const color = !look.color && shape.color ? new Color().setRGB(shape.color[0], shape.color[1], shape.color[2], 'srgb') : null;
        kinds.get(kind).push({ local, body: shape.body, color, alpha: shape.color?.[3] ?? 1 });
      }
    }
    for (const [kind, items] of kinds) {
      const geometry = kind.startsWith('mesh ') ? meshGeometry(recording, Number(kind.slice(5))) : unit(kind, items.length > 300);
      const material = new MeshLambertMaterial({ side: kind.startsWith('mesh ') ? DoubleSide : undefined, transparent: !!look.opacity, opacity: look.opacity ?? 1, depthWrite: !look.opacity, polygonOffset: !!look.opacity, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
      const mesh = new InstancedMesh(geometry, material, items.length);
      mesh.frustumCulled = false;
      mesh.renderOrder = look.opacity ? 2 : 0;
      items.forEach((item, i) => mesh.setColorAt(i, item.color ?? this.colors[item.body]));
      this.batches.push({ mesh, items });
      this.group.add(mesh);
    }
    this.highlighted = new Set();
  }

  get instances() { return this.batches.reduce((n, b) => n + b.items.length, 0); }

  /** Moves every body to where it is in a frame. Bodies that are nowhere are hidden. */
  update(frame) {
    const pose = new Float64Array(7), one = new Vector3(1, 1, 1);
    for (let b = 0; b < this.matrices.length; ++b) {
      this.valid[b] = this.recording.pose(frame, b, pose);
      if (this.valid[b]) place(pose, one, this.matrices[b]);
    }
    const m = new Matrix4(), nowhere = new Matrix4().makeScale(0, 0, 0);
    for (const { mesh, items } of this.batches) {
      for (let i = 0; i < items.length; ++i)
        mesh.setMatrixAt(i, this.valid[items[i].body] ? m.multiplyMatrices(this.matrices[items[i].body], items[i].local) : nowhere);
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  highlight(bodies) {
    this.highlighted = new Set(bodies);
    for (const { mesh, items } of this.batches) {
      items.forEach((item, i) => mesh.setColorAt(i, this.highlighted.has(item.body) ? AMBER : (item.color ?? this.colors[item.body])));
      mesh.instanceColor.needsUpdate = true;
    }
  }

  xray(on) {
    for (const { mesh } of this.batches) {
      mesh.material.transparent = on;
      mesh.material.opacity = on ? 0.32 : 1;
      mesh.material.depthWrite = !on;
      mesh.material.needsUpdate = true;
    }
  }

  /** Corners of the boxes around all shapes of bodies that `take` accepts, eight for each instance. */
  corners(take) {
    const out = [], m = new Matrix4(), p = new Vector3();
    for (const { mesh, items } of this.batches) {
      if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
      const { min, max } = mesh.geometry.boundingBox;
      for (const item of items) {
        if (!this.valid[item.body] || !take(item.body)) continue;
        m.multiplyMatrices(this.matrices[item.body], item.local);
        const eight = [];
        for (let k = 0; k < 8; ++k) eight.push(p.set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z).applyMatrix4(m).clone());
        out.push({ body: item.body, points: eight });
      }
    }
    return out;
  }
}
