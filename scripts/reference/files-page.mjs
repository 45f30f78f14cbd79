// Writes architecture/files.md: what each source file is for. Uses the comment after the imports, or
// the comment of the first export that has one.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

const DOCUMENTED =
  /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:@\w+\([^]*?\)\s+)*export (?:abstract |async |declare )*(?:class|function|interface|type|const) (\w+)/;
const EXPORTED =
  /^export (?:abstract |async |declare )*(?:class|function|interface|type|const) (\w+)/gm;

/** A comment with `//` between two blank lines, after the imports. */
const WHOLE_FILE = /^(?:import [^;]*;\n)*\n?((?:\/\/ .*\n)+)\n/;

/** @param libs the names of the libs */
export function filesPage(root, libs) {
  const sections = libs.map((lib) => {
    const src = join(root, 'libs', lib, 'src');
    const files = readdirSync(src, { recursive: true })
      .filter((file) => /(?<!\.spec|\.d)\.ts$/.test(file) && basename(file) !== 'index.ts')
      .map((file) => file.split(sep).join('/'))
      .sort(byFolder);
    const folders = [...new Set(files.map((file) => dirname(file)))];
    const tables = folders.map((folder) => {
      const inside = files.filter((file) => dirname(file) === folder);
      const rows = inside.map((file) => `- \`${basename(file)}\`: ${purposeOf(join(src, file))}`);
      const title = folder === '.' ? `libs/${lib}/src` : `libs/${lib}/src/${folder}`;
      return [`### ${title}`, '', ...rows].join('\n');
    });
    return [`## @fledge/${lib}`, ...tables].join('\n\n');
  });
  return [
    '# Files',
    '`npm run docs -- --reference` writes this page from the comments of the files. Search it for a word of what you look for.',
    ...sections,
    '',
  ].join('\n\n');
}

function byFolder(one, other) {
  const [a, b] = [dirname(one), dirname(other)];
  return a === b ? (one < other ? -1 : 1) : a < b ? -1 : 1;
}

/** The first sentence of the comment, else the names of the exports. */
function purposeOf(file) {
  const text = readFileSync(file, 'utf8');
  const [, comment] = WHOLE_FILE.exec(text) ?? DOCUMENTED.exec(text) ?? [];
  const sentence = comment === undefined ? '' : firstSentence(comment);
  if (sentence !== '') return sentence.replaceAll('<', '&lt;');
  const names = [...text.matchAll(EXPORTED)].map(([, name]) => `\`${name}\``);
  return names.slice(0, 4).join(', ');
}

function firstSentence(comment) {
  const plain = comment
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\*|\/\/) ?/, '').trim())
    .join('\n')
    .split(/\n\n|\n@|^@/)[0]
    .replace(/\s+/g, ' ')
    .replace(/\{@link (\w+)\}/g, '`$1`')
    .trim();
  return /^.*?[.:!?](?=\s+[A-Z`]|$)/.exec(plain)?.[0] ?? plain;
}
