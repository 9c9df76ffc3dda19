// What is known of the body that was clicked.
import { el, fixed, icon, num } from './util.js';

export class Card {
  constructor(host, recording, actions) {
    this.recording = recording;
    this.actions = actions;
    this.root = el('aside', { class: 'card', 'aria-label': 'selected body' });
    this.root.hidden = true;
    host.append(this.root);
  }

  show(body, frame) {
    this.body = body;
    this.root.hidden = !(body > 0);
    if (!(body > 0)) return;
    const { recording } = this, b = recording.bodies[body], pose = new Array(7), ok = recording.frameCount > 0 && recording.pose(frame, body, pose);
    const v = recording.twist(frame, body), sum = [0, 0, 0];
    let touching = 0;
    for (let k = 0, n = recording.contactCount(frame); k < n; ++k) {
      const c = recording.contact(frame, k), s = c.b === body ? 1 : c.a === body ? -1 : 0;
      if (!s) continue;
      ++touching;
      for (let i = 0; i < 3; ++i) sum[i] += s * c.force[i];
    }
    const row = (label, values, digits = 3) => el('tr', {}, el('th', { scope: 'row' }, label), ...(Array.isArray(values) ? values.map((x) => el('td', {}, fixed(x, digits))) : [el('td', { colspan: '4', class: 'wide' }, values)]));
    const rows = [row('kind', b.kind === 'link' ? `link of ${b.tree}` : b.kind === 'free' ? 'free body' : 'does not move')];
    if (b.mass !== undefined) rows.push(row('mass', `${num(b.mass, 4)} kg`));
    if (ok) rows.push(row('place m', pose.slice(0, 3)), row('quat xyzw', pose.slice(3)));
    else rows.push(row('place', 'not a number in this frame'));
    if (body <= recording.moving) rows.push(row('v m/s', v.slice(0, 3)), row('ω rad/s', v.slice(3)));
    rows.push(row('contacts', String(touching)));
    if (touching) rows.push(row('Σ f N', sum, 2));
    this.root.replaceChildren(
      el('header', {}, el('b', {}, b.name), el('button', { class: 'plain', 'aria-label': 'close', onclick: () => this.actions.select(-1) }, icon('close'))),
      el('table', {}, el('tbody', {}, ...rows)),
      body <= recording.moving ? el('div', { class: 'buttons' }, el('button', { onclick: () => this.actions.follow(body) }, 'Follow'), el('button', { onclick: () => this.actions.plot(body) }, 'Plot place')) : '');
  }
}
