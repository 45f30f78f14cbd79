// The index of the built site, searched as VitePress searches it.
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import MiniSearch from 'minisearch';
import { search } from '../site/search.mjs';
import { SEARCHES } from './searches.mjs';

const chunks = join(import.meta.dirname, '../.dist/assets/chunks');
const index = join(
  chunks,
  readdirSync(chunks).find((file) => file.startsWith('@localSearchIndexroot')),
);

test('the index is smaller than 600 kB', () => {
  assert.ok(statSync(index).size < 600_000, `${statSync(index).size} bytes`);
});

test('the first or the second result is the page for what users type', async () => {
  const { options, searchOptions } = search.options.miniSearch;
  const { default: json } = await import(index);
  const found = MiniSearch.loadJSON(json, { ...options, searchOptions });
  const wrong = SEARCHES.flatMap(([words, page]) => {
    const [first, second, third] = found.search(words).map(({ id }) => id);
    const isFound = [first, second].some((id) => id?.replace(/#.*/, '') === page);
    return isFound ? [] : [`${words}: ${first}, ${second}, ${third}; not ${page}`];
  });
  assert.deepEqual(wrong, []);
});
