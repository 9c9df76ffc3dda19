// Builds dist/replay.html and dist/study.html from src/: node build.mjs. The same sources give the same bytes.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const read = (...path) => readFileSync(join(here, ...path), 'utf8');

/** What decides the templates: compared by a test that has no Node. */
export function sourceHash() {
  const files = readdirSync(join(here, 'src')).filter((name) => /\.(js|css|html)$/.test(name)).map((name) => `src/${name}`);
  const hash = createHash('sha256');
  for (const file of [...files, 'build.mjs', 'package-lock.json'].sort()) hash.update(`${file}\n`).update(read(file)).update('\n');
  return hash.digest('hex');
}

const ascii = (text) => text.replace(/[^\x00-\x7f]/g, (c) => `&#${c.codePointAt(0)};`);

async function bundle(entry) {
  const out = await build({
    entryPoints: [join(here, 'src', entry)], bundle: true, minify: true, format: 'iife', target: ['es2020'], write: false, charset: 'ascii', legalComments: 'none', logLevel: 'warning',
  });
  // no text of the script may end its element
  return out.outputFiles[0].text.replace(/<\/script/gi, '<\\/script').replace(/<!--/g, '<\\!--').trim();
}

function licences(three) {
  const list = [['uPlot', read('node_modules', 'uplot', 'LICENSE')]];
  if (three) list.unshift(['three.js', read('node_modules', 'three', 'LICENSE')]);
  list.unshift(['Condyle', 'BSD-3-Clause, see the LICENSE file of the project.']);
  return list.map(([name, text]) => `${name}\n\n${text.trim()}`).join('\n\n----\n\n');
}

/** CSS strings know \\25be, not HTML's &#9662;. */
const asciiCss = (text) => text.replace(/[^\x00-\x7f]/g, (c) => `\\${c.codePointAt(0).toString(16)} `);

async function page(name, entry, three) {
  const style = (await build({ stdin: { contents: `${read('node_modules', 'uplot', 'dist', 'uPlot.min.css')}\n${read('src', 'style.css')}`, loader: 'css' }, minify: true, write: false, legalComments: 'none' })).outputFiles[0].text.trim();
  const texts = licences(three);
  if (/<\/|-->/.test(texts)) throw new Error('a licence text would end its element');
  const script = await bundle(entry);
  const out = ascii(read('src', `${name}.html`))
    .replace('<!--condyle:licences-->', () => `<script type="text/plain" id="condyle-licences">\n${ascii(texts)}\n</script>`)
    .replace('/*condyle:style*/', () => asciiCss(style))
    .replace('/*condyle:script*/', () => script);
  if (/[^\x00-\x7f]/.test(out)) throw new Error(`${name}.html is not ASCII`);
  mkdirSync(join(here, 'dist'), { recursive: true });
  writeFileSync(join(here, 'dist', `${name}.html`), out);
  console.log(`dist/${name}.html ${(out.length / 1000).toFixed(0)} kB`);
}

await page('replay', 'main.js', true);
await page('study', 'study.js', false);
writeFileSync(join(here, 'dist', 'SOURCE.sha256'), sourceHash() + '\n');
