// Scene, verdict, how it was made: the first answer on opening.
import { el, icon, num, plural } from './util.js';

/** The verdict in words, and how good it is. */
export function verdictWords(verdict) {
  if (!verdict.steps) return { good: true, none: true, text: 'no step was taken' };
  if (verdict.certified) {
    const worst = Math.max(verdict.storedWorst ?? -1, verdict.residual ?? -1);
    const all = verdict.steps === 1 ? 'the step is certified' : `all ${verdict.steps} steps certified`;
    return { good: true, text: `${all} · worst ${num(worst, 2)} ≤ ${num(verdict.tolerance, 2)}` };
  }
  const worst = Number.isNaN(verdict.residual) || verdict.residual === null ? 'not a number' : num(Math.max(verdict.residual, verdict.storedWorst ?? -1), 2);
  const rejected = verdict.rejected ? `${verdict.rejected} rejected, ` : '';
  return { good: false, text: `${rejected}${verdict.uncertified} of ${plural(verdict.steps, 'step')} not certified · worst ${worst} at ${verdict.t.toFixed(3)} s` };
}

function chip(recording, label, actions) {
  const words = verdictWords(recording.verdict);
  const sign = words.none ? '' : words.good ? '✔ ' : '✖ ';
  return el('button', { class: `verdict ${words.none ? 'none' : words.good ? 'good' : 'bad'}`, title: words.good ? 'certificate of every step; go to the worst' : 'go to the worst step', onclick: () => actions.seek(recording.verdict.t) },
    label ? el('i', { class: `run-${label.toLowerCase()}` }) : '', label ? `${label} ` : '', sign + words.text, words.good ? '' : ' →');
}

export function makeHeader(host, recording, other, actions) {
  const { run, head } = recording, fact = (name, value, low) => el('span', { class: `fact ${low ? 'low' : ''}` }, name ? `${name} ` : '', el('b', {}, value));
  const dropped = [...(head.dropped ?? []), ...(other?.head.dropped ?? []).map((d) => `B: ${d}`)];
  const parts = [el('h1', { title: run.command || run.scene }, run.scene), chip(recording, other ? 'A' : '', actions)];
  if (other) parts.push(chip(other, 'B', actions));
  for (const r of [recording, other]) if (r?.verdict.contradiction) parts.push(el('span', { class: 'warning bad' }, r.verdict.contradiction));
  if (dropped.length) parts.push(el('button', { class: 'warning amber', title: dropped.join('\n'), onclick: () => actions.showRun() }, 'reduced'));
  if (run.complete === false) parts.push(el('span', { class: 'warning amber', title: 'its program did not close it: this is what was written until then' }, 'unfinished'));
  const facts = el('div', { class: 'facts' },
    fact('solver', other && other.run.solver !== run.solver ? `${run.solver} / ${other.run.solver}` : run.solver ?? '?'),
    run.dt ? fact('dt', `${num(run.dt * 1e3, 3)} ms`) : '',
    fact('', `${(recording.t1 - recording.t0).toFixed(2)} s, ${plural(recording.frameCount, 'frame')}`),
    fact('bodies', String(recording.dynamicBodies)),
    run.command ? el('span', { class: 'fact low command', title: run.command }, run.command) : '',
    fact('', `Condyle ${run.version ?? ''}`, true));
  host.replaceChildren(...parts, facts, el('div', { class: 'header-buttons' },
    el('button', { 'aria-label': 'help', title: 'keys and what is what (?)', onclick: () => actions.help() }, '?'),
    el('button', { 'aria-label': 'light or dark', title: 'light or dark (T)', onclick: () => actions.theme() }, icon('theme'))));
}
