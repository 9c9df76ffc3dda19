// Small things that every part of the page uses.

/** An element; attributes by name, `on…` as listeners, children as text or elements. Text is never HTML. */
export function el(tag, attributes = {}, ...children) {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) out.addEventListener(name.slice(2), value);
    else if (name === 'class') out.className = value;
    else out.setAttribute(name, value === true ? '' : value);
  }
  out.append(...children.filter((c) => c !== null && c !== undefined && c !== false));
  return out;
}

const SVG = 'http://www.w3.org/2000/svg';
const PATHS = {
  first: 'M4 3v10M13 3L6 8l7 5z', back: 'M11 3L4 8l7 5z', play: 'M4 2.5l9 5.5-9 5.5z', pause: 'M4 3h3v10H4zM9 3h3v10H9z', forward: 'M5 3l7 5-7 5z',
  home: 'M2 8l6-5.5L14 8M4 7v6h8V7', theme: 'M8 2a6 6 0 100 12z M8 2a6 6 0 010 12', close: 'M4 4l8 8M12 4l-8 8',
  previous: 'M9 3L4 8l5 5M12 4v4M12 10.5v1', next: 'M7 3l5 5-5 5M4 4v4M4 10.5v1',
};
const FILLED = new Set(['first', 'back', 'play', 'pause', 'forward']);

export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg'), path = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', FILLED.has(name) ? 'icon filled' : name === 'theme' ? 'icon half' : 'icon');
  svg.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}

/** A number in at most so many digits, as a person would write it. */
export function num(x, digits = 3) {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : '-∞';
  if (x === 0) return '0';
  const a = Math.abs(x);
  if (a >= 1e5 || a < 1e-3) return x.toExponential(digits - 1).replace(/\.?0+e/, 'e').replace('e+', 'e');
  return String(Number(x.toPrecision(digits)));
}

export const fixed = (x, digits = 3) => (Number.isFinite(x) ? x.toFixed(digits) : '–');

/** 1, 2 or 5 times a power of ten, at most x. */
export function nice(x) {
  if (!(x > 0) || !Number.isFinite(x)) return 1;
  const p = 10 ** Math.floor(Math.log10(x) + 1e-9), m = x / p;
  return (m >= 4.999 ? 5 : m >= 1.999 ? 2 : 1) * p;
}

export const plural = (n, one, many = one + 's') => `${n} ${n === 1 ? one : many}`;
export const clamp = (x, lo, hi) => Math.min(hi, Math.max(lo, x));
export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export function median(values) {
  if (!values.length) return NaN;
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1];
}
