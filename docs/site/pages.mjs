// Which page of the site comes from which document of the repository.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

/** Packages in the order of the menu, with the word that the menu shows. */
export const packages = [
  ['mcp', 'MCP tools'],
  ['query', 'Queries'],
  ['tenant', 'Multi-tenancy'],
  ['graphql', 'GraphQL'],
  ['panel', 'Panel'],
  ['cli', 'Command'],
  ['core', 'Request context'],
];

/** Pages of a package that have a fixed place in its menu. The others are guides. */
export const FIXED = ['why', 'options', 'errors', 'production', 'security'];

/** @returns pairs of document and page, both relative: `libs/mcp/docs/access.md`, `mcp/access.md` */
export function documents() {
  return [
    ['README.md', 'start.md'],
    ['CHANGELOG.md', 'changelog.md'],
    ['VERSIONS.md', 'versions.md'],
    ['SECURITY.md', 'reporting.md'],
    ['apps/examples/README.md', 'examples.md'],
    ['bench/README.md', 'benchmarks.md'],
    ...packages.flatMap(([name]) => [
      [`libs/${name}/README.md`, `${name}/index.md`],
      ...markdownIn(`libs/${name}/docs`).map((file) => [
        `libs/${name}/docs/${file}`,
        `${name}/${file}`,
      ]),
    ]),
    ...markdownIn('docs/pages').map((file) => [`docs/pages/${file}`, file]),
  ];
}

function markdownIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((file) => file.endsWith('.md'))
    .sort();
}
