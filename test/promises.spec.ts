// A page that says "never", "all" or "the same" names the test that holds it to its word.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { cliPromises } from './promises/cli.js';
import { corePromises } from './promises/core.js';
import { graphqlPromises } from './promises/graphql.js';
import { mcpPromises } from './promises/mcp.js';
import { queryPromises } from './promises/query.js';
import { rootPromises } from './promises/root.js';
import { tenantPromises } from './promises/tenant.js';
import { root } from './support/snippets.js';

const PROMISE = /\b(never|all|the same|whatever|always|impossible|exactly)\b/i;

const promises = [
  ...rootPromises,
  ...corePromises,
  ...queryPromises,
  ...tenantPromises,
  ...mcpPromises,
  ...graphqlPromises,
  ...cliPromises,
];

const read = (path: string) => readFileSync(join(root, path), 'utf8');

const pagesIn = (folder: string) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${folder}/${name}`)
    : [];

const pages = [
  'README.md',
  ...readdirSync(join(root, 'libs')).flatMap((lib) => [
    `libs/${lib}/README.md`,
    ...pagesIn(`libs/${lib}/docs`),
  ]),
  ...readdirSync(join(root, 'libs')).map((lib) => `libs/${lib}/skills/fledge-${lib}/SKILL.md`),
  ...pagesIn('docs/pages'),
  ...pagesIn('docs/pages/coming-from'),
];

describe('what pages promise', () => {
  it.each(pages)('in %s has a test', (page) => {
    const prose = read(page).replace(/^```[\s\S]*?^```$/gm, '');
    const lines = prose.split('\n').filter((line) => PROMISE.test(line.replaceAll(/`[^`]*`/g, '')));
    const kept = promises.filter((promise) => promise.page === page);
    expect(lines.filter((line) => !kept.some(({ words }) => line.includes(words)))).toEqual([]);
  });

  it.each(promises)('$page: "$words" is held by "$test"', ({ page, words, spec, test }) => {
    expect(read(page)).toContain(words);
    expect(read(spec)).toContain(test);
  });
});
