import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
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

  it('draws the floors that are enforced', () => {
    const { forbidden } = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as {
      forbidden: { name: string }[];
    };
    const drawn = /^`options`[^.]*/m.exec(text)?.[0].split('→').slice(0, -1) ?? [];
    const floors = drawn.map((floor) => floor.replace(/[`\s]/g, ''));
    expect(floors).toHaveLength(14);
    for (const floor of floors.slice(0, -1)) {
      expect(forbidden.map(({ name }) => name)).toContain(`mcp-${floor}-looks-up`);
      expect(existsSync(join(root, 'libs/mcp/src', floor))).toBe(true);
    }
  });
});
