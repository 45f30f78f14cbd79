// What the registry shows of a package, and what tools that read no `exports` go by.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { packedLibs } from '../support/consumer.js';
import { root } from '../support/snippets.js';

interface Manifest {
  readonly main?: string;
  readonly types?: string;
  readonly typesVersions?: { readonly '*': Readonly<Record<string, readonly string[]>> };
  readonly exports: Readonly<Record<string, { readonly types: string; readonly default: string }>>;
}

describe.each(readdirSync(join(root, 'libs')))('the package of libs/%s', (lib) => {
  const folder = join(root, 'libs', lib);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

  it('has a page', () => {
    expect(manifest).toMatchObject({
      description: expect.stringMatching(/\.$/),
      keywords: expect.arrayContaining(['nestjs']),
      homepage: expect.stringContaining(`/libs/${lib}#readme`),
      bugs: expect.stringMatching(/^https:\/\/.*\/issues$/),
      repository: { type: 'git', directory: `libs/${lib}` },
      license: 'MIT',
    });
  });

  it('names for moduleResolution node10 what its exports name', () => {
    const { '.': main, ...others } = manifest.exports;
    const subpaths = Object.entries(others).filter(([path]) => path !== './package.json');
    expect([manifest.main, manifest.types]).toEqual([main?.default, main?.types]);
    expect(manifest.typesVersions?.['*'] ?? {}).toEqual(
      Object.fromEntries(subpaths.map(([path, { types }]) => [path.slice(2), [types]])),
    );
  });

  it('holds license, README, documentation and a skill for coding agents', () => {
    const paths = packedLibs.find(({ name }) => name === `@fledge/${lib}`)?.files;
    const skill = `skills/fledge-${lib}/SKILL.md`;
    expect(paths).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'docs/errors.md', skill]),
    );
  });

  it('names its skill as its folder, and says when to use it', () => {
    const name = `fledge-${lib}`;
    const text = readFileSync(join(folder, 'skills', name, 'SKILL.md'), 'utf8');
    const [, front] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    const fields = front?.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2));
    const { description, ...others } = Object.fromEntries(fields ?? []) as Record<string, string>;
    expect(others).toEqual({ name });
    expect(description).toMatch(/ Use it (when|to) /);
    // A longer one is cut by agents.
    expect(description?.length).toBeLessThan(1024);
    // Text that YAML would read as something else.
    expect(description).not.toMatch(/: |#|^[@`'"[{]/);
  });
});
