import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Effort } from './goal.js';

const PAGE = new URL('../README.md', import.meta.url);

/**
 * Replaces the results on the benchmark page: each is between `<!-- NAME -->` and `<!-- /NAME -->`.
 * @throws Error if the page has no place for a result
 */
export function writeResults(results: ReadonlyMap<string, string>): void {
  let page = readFileSync(PAGE, 'utf8');
  for (const [name, text] of results) {
    const place = new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- /${name} -->)`);
    if (!place.test(page))
      throw new Error(`bench/README.md has no <!-- ${name} --> and <!-- /${name} -->.`);
    page = page.replace(place, (_, start, end) => `${start}\n${text.trim()}\n\n${end}`);
  }
  writeFileSync(PAGE, page);
}

/** Describes the run: its day, machine and effort. */
export function describeRun({ seconds, rounds }: Effort): string {
  const day = new Date().toISOString().slice(0, 10);
  const processors = cpus();
  const model = processors[0]?.model.trim() || 'unknown processor';
  return (
    `One run on ${day}: Node.js ${process.version}, ${processors.length} × ${model}, ` +
    `${rounds} rounds of ${seconds} s.`
  );
}
