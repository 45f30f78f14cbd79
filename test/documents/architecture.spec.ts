import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../support/snippets.js';

const pages = ['core', 'mcp', 'query', 'tenant', 'graphql', 'panel', 'cli'].map(
  (lib) => `architecture/${lib}.md`,
);
const text = ['ARCHITECTURE.md', ...pages]
  .map((page) => readFileSync(join(root, page), 'utf8'))
  .join('\n');

describe('ARCHITECTURE.md', () => {
  it('names only paths that exist', () => {
    const paths = [...text.matchAll(/`([\w@.-]+\/[\w@./-]*|[\w.-]+\.(?:json|js|cjs|md))`/g)]
      .map(([, path]) => path as string)
      .filter((path) => /^(libs|apps|bench|test|scripts)\b|\./.test(path));
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('links only files that exist', () => {
    for (const page of ['ARCHITECTURE.md', ...pages, 'libs/mcp/src/extensions/README.md']) {
      const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\(([^)#:]+)/g)];
      const files = links.map(([, link]) => join(root, dirname(page), link as string));
      expect(files.filter((file) => !existsSync(file))).toEqual([]);
    }
  });

  it('draws the floors that are enforced', () => {
    const { forbidden } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
      forbidden: { name: string }[];
    };
    const table = readFileSync(join(root, 'architecture/mcp.md'), 'utf8');
    const drawn = [...table.matchAll(/^\| `([\w/-]+)\/` /gm)].map(([, floor]) => floor as string);
    expect(drawn).toHaveLength(15);
    for (const floor of drawn) expect(existsSync(join(root, 'libs/mcp/src', floor))).toBe(true);
    const rules = drawn.map((floor) => `mcp-${floor.replaceAll('/', '-')}-looks-up`);
    const enforced = forbidden.map(({ name }) => name).filter((name) => rules.includes(name));
    expect(enforced).toEqual(rules);
  });
});
