// `node scripts/habits.mjs [pages]`: counts habits that make sentences hard to read, and lines of
// code per 100 words of prose, for each page. A tool for writers: it never fails. Words in tables
// are counted separately, and empty lines of code are not counted.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Habits, and patterns of words that indicate them. A match is not always a fault. */
const HABITS = {
  pronoun: /\b(those (of|that|with|without|in)|that of|of (it|them)|by it|as it (is|was))\b/gi,
  clause: /(^|[.:] )(What|Which|Whether) [a-z]/g,
  literary:
    /\b(is told|are told|knows?|asks?|learns?|gives up|stands?|comes straight|cures?|hands?)\b/gi,
  negative: /\b(is|are|carries|has|have|had) no (?!longer)[a-z]+/gi,
  preposition: /\b(beside|of which|for which|to which|with which|in place of|for whom|so that)\b/gi,
  dialect: /\b(answers?|answered|refuses?|refused|boots?|revisions?|members?)\b/gi,
};

/** Returns the pages for users, except generated references and changelogs. */
function allPages() {
  const found = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'VERSIONS.md'];
  for (const folder of ['libs', 'apps', 'docs/pages'])
    for (const file of readdirSync(folder, { recursive: true })) {
      const path = join(folder, file);
      if (
        /node_modules|\/dist\/|CHANGELOG|\/skills\/|\/test\/|\/src\//.test(path) ||
        !path.endsWith('.md')
      )
        continue;
      if (!readFileSync(path, 'utf8').startsWith('<!-- Generated')) found.push(path);
    }
  return found;
}

/** @returns lines of code, words of prose, and the number of matches for each habit */
function count(page) {
  const text = readFileSync(page, 'utf8');
  const fence = /^```[\s\S]*?^```$/gm;
  const blocks = text.match(fence) ?? [];
  const lines = blocks.flatMap((block) =>
    block
      .split('\n')
      .slice(1, -1)
      .filter((line) => line.trim() !== ''),
  );
  const prose = text.replace(fence, '').replace(/\]\([^)]*\)|<[^>]+>/g, '');
  const wordsIn = (part) => part.match(/[A-Za-z0-9@`][^\s|]*/g)?.length ?? 0;
  const table = wordsIn(prose.match(/^\|.*\|$/gm)?.join('\n') ?? '');
  const spoken = prose.replace(/`[^`]*`/g, '``');
  const habits = Object.values(HABITS).map((habit) => spoken.match(habit)?.length ?? 0);
  const you = spoken.match(/\b(you|your)\b/gi)?.length ?? 0;
  return { page, code: lines.length, table, words: wordsIn(prose) - table, you, habits };
}

function printRow(name, { code, table, words, you, habits }) {
  const ratio = ((100 * code) / words).toFixed(0);
  const cells = [table, words, code, ratio, you, ...habits].map((cell) =>
    String(cell).padStart(11),
  );
  console.log(`${cells.join('')}  ${name}`);
}

const pages = process.argv.length > 2 ? process.argv.slice(2) : allPages();
const counts = pages.map(count);
const heads = ['in tables', 'prose', 'code', 'per 100', 'you', ...Object.keys(HABITS)];
console.log(`${heads.map((head) => head.padStart(11)).join('')}  page`);
for (const each of counts.toSorted((a, b) => b.words - a.words)) printRow(each.page, each);
const sum = (list) => list.reduce((a, b) => a + b, 0);
printRow(`${counts.length} pages`, {
  code: sum(counts.map(({ code }) => code)),
  table: sum(counts.map(({ table }) => table)),
  words: sum(counts.map(({ words }) => words)),
  you: sum(counts.map(({ you }) => you)),
  habits: Object.keys(HABITS).map((_, at) => sum(counts.map(({ habits }) => habits[at]))),
});
