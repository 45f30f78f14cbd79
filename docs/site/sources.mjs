// What the foot of a page says: where its text is edited, and when it changed last.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './links.mjs';
import { documents, root } from './pages.mjs';

const documentOf = new Map(documents().map(([document, page]) => [page, document]));
const dates = readDates();

/** Adds the address of the editor and the date of the last change to the data of a page. */
export function addSource(pageData) {
  const document = documentOf.get(pageData.relativePath);
  const isWritten = document !== undefined && !isGenerated(document);
  pageData.frontmatter.editLink = isWritten;
  if (isWritten) pageData.frontmatter.source = `${REPOSITORY}/edit/main/${document}`;
  const date = dates.get(document);
  if (date !== undefined) pageData.lastUpdated = date;
}

function isGenerated(document) {
  return readFileSync(join(root, document), 'utf8').startsWith('<!-- Generated');
}

/** Milliseconds of the last commit of each document. Empty without the history, as in shallow clones. */
function readDates() {
  const found = new Map();
  if (git('rev-parse', '--is-shallow-repository').trim() !== 'false') return found;
  let time = 0;
  for (const line of git('log', '--name-only', '--format=>%ct', '--', '*.md').split('\n')) {
    if (line.startsWith('>')) time = Number(line.slice(1)) * 1000;
    else if (line !== '' && !found.has(line)) found.set(line, time);
  }
  return found;
}

/** The output of git, or nothing if this is no clone. */
function git(...args) {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
