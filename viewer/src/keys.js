// The keyboard. Everything that a mouse can do to time and view has a key.
import { el } from './util.js';

export const HELP = [
  ['Space', 'play or pause'], ['← →', 'one frame; with Shift ten'], ['Home End', 'first, last frame'], ['[ ]', 'slower, faster'],
  ['N B', 'next, previous event: steps not certified first, else touch and release'], ['7 1 3', 'view from top, front, side'], ['H', 'reset the view'],
  ['F', 'forces'], ['K', 'friction cones'], ['P', 'contact points'], ['V C', 'visual, collision shapes'], ['X', 'X-ray'], ['M', 'centre of mass'], ['L', 'loop closures'], ['R', 'axes of bodies'], ['G', 'ghost of the second run'],
  ['0', 'all time in the plots'], ['T', 'light or dark'], ['Esc', 'select nothing'], ['?', 'this list'],
];

export function bindKeys(actions) {
  const map = {
    ' ': () => actions.play(), ArrowLeft: (e) => actions.move(e.shiftKey ? -10 : -1), ArrowRight: (e) => actions.move(e.shiftKey ? 10 : 1),
    Home: () => actions.toFrame(0), End: () => actions.toFrame(Infinity), '[': () => actions.speed(-1), ']': () => actions.speed(1),
    n: () => actions.event(1), b: () => actions.event(-1), 7: () => actions.fit('top'), 1: () => actions.fit('front'), 3: () => actions.fit('side'), h: () => actions.fit('iso'),
    f: () => actions.toggle('forces'), k: () => actions.toggle('cones'), p: () => actions.toggle('points'), v: () => actions.toggle('visual'), c: () => actions.toggle('collision'),
    x: () => actions.toggle('xray'), m: () => actions.toggle('com'), l: () => actions.toggle('loops'), r: () => actions.toggle('frames'), g: () => actions.toggle('ghost'),
    0: () => actions.all(), t: () => actions.theme(), '?': () => actions.help(), Escape: () => actions.select(-1),
  };
  addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName ?? '')) return;
    if (e.key !== '?' && document.querySelector('dialog[open]')) return;  // Escape is the dialog's, and nothing else moves behind it
    if (e.key === ' ' && /^(BUTTON|SUMMARY)$/.test(e.target.tagName ?? '')) return;  // it presses the button
    const act = map[e.key] ?? map[e.key.toLowerCase()];
    if (!act) return;
    act(e);
    e.preventDefault();
  });
}

export function helpDialog() {
  const dialog = el('dialog', { class: 'help', 'aria-label': 'help' },
    el('h2', {}, 'Keys'), el('table', {}, el('tbody', {}, ...HELP.map(([k, what]) => el('tr', {}, el('th', { scope: 'row' }, ...k.split(' ').flatMap((x) => [el('kbd', {}, x), ' '])), el('td', {}, what))))),
    el('p', {}, 'Drag on a plot to zoom all of them, double click for all time, click to go there. Arrows are forces on B from A. An arrow with a break is longer than it is drawn. A step is certified when its residual, computed from the impulses alone, is at most the tolerance.'),
    el('form', { method: 'dialog' }, el('button', {}, 'Close')));
  document.body.append(dialog);
  return dialog;
}
