// `node scripts/sample.mjs pages|changelog|comments|messages [count] [seed]`: prints sentences of the documentation or the
// changelog, or comments or messages of the sources, chosen at random but alike for one seed. To review our English, give
// them to somebody who has not seen them, and count those that have to be read twice.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const KINDS = {
  pages: listPages,
  changelog: () => ['CHANGELOG.md'],
  comments: listSources,
  messages: listSources,
};
const READERS = {
  pages: readSentences,
  changelog: readSentences,
  comments: readComments,
  messages: readMessages,
};

const [kind, count = 100, seed = 1] = process.argv.slice(2);
if (!(kind in KINDS)) {
  console.error(`Choose what to sample: ${Object.keys(KINDS).join(', ')}.`);
  process.exit(2);
}
const all = KINDS[kind]().flatMap((file) => READERS[kind](file).map((text) => `${file}: ${text}`));
const random = seededRandom(Number(seed));
for (let i = 0; i < count && all.length > 0; i++) {
  const [chosen] = all.splice(Math.floor(random() * all.length), 1);
  console.log(`${i + 1}. ${chosen}`);
}

function listFiles(folder, pattern) {
  return readdirSync(folder, { recursive: true })
    .map((file) => join(folder, file))
    .filter((file) => pattern.test(file) && !/node_modules|\/dist\/|\.spec\.ts$/.test(file))
    .toSorted();
}

function listPages() {
  const pages = [
    'README.md',
    ...listFiles('libs', /(\/docs\/.*|README)\.md$/),
    ...listFiles('docs/pages', /\.md$/),
  ];
  return pages.filter((page) => !readFileSync(page, 'utf8').startsWith('<!-- Generated'));
}

function listSources() {
  return listFiles('libs', /^libs\/[^/]+\/src\/.*\.ts$/);
}

/** Returns the sentences of a page that have at least four words, without code blocks, tables and headings. */
function readSentences(page) {
  const prose = readFileSync(page, 'utf8')
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/^(\||#|<!--).*$/gm, '')
    .replace(/^- /gm, '\n');
  return prose
    .split(/\n\s*\n/)
    .flatMap((part) => part.replace(/\s+/g, ' ').split(/(?<=[.!?:]) (?=[A-Z`[*])/))
    .filter(hasWords);
}

/** Returns the comments of a source, each as one line. */
function readComments(file) {
  const comments = readFileSync(file, 'utf8').match(/\/\*\*[^]*?\*\/|(?:^ *\/\/.*\n)+/gm) ?? [];
  return comments
    .map((comment) =>
      comment
        .replace(/^\s*(\/\*\*|\*\/|\*|\/\/)|\*\/$/gm, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(hasWords);
}

/** Returns the texts in the code of a source. `...` stands for their values. */
function readMessages(file) {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const messages = [];
  const visit = (node) => {
    const text = textOf(node);
    if (text === undefined) ts.forEachChild(node, visit);
    else messages.push(text.replace(/\s+/g, ' ').trim());
  };
  visit(source);
  // SQL and Lua are no English.
  return messages.filter(
    (text) => hasWords(text) && !/^(SELECT|INSERT|local |redis)|[;{=]/.test(text),
  );
}

function textOf(node) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map(({ literal }) => `...${literal.text}`).join('');
  }
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken)
    return undefined;
  const [left, right] = [textOf(node.left), textOf(node.right)];
  return left === undefined && right === undefined
    ? undefined
    : `${left ?? '...'}${right ?? '...'}`;
}

function hasWords(text) {
  return text.split(' ').length >= 4;
}

/** A small generator of random numbers between 0 and 1 (mulberry32). */
function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
