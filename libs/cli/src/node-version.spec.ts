import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { oldNodeText } from './node-version.js';

const textOf = (path: string) =>
  readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');

describe('oldNodeText', () => {
  it.each(['18.20.4', '20.10.0', '20.18.3'])('refuses %s', (version) => {
    expect(oldNodeText(version)).toBe(
      `fledge: Node.js ${version} is too old. Install Node.js 20.19 or later.\n`,
    );
  });

  it.each(['20.19.0', '22.12.0', '24.0.0-nightly'])('accepts %s', (version) => {
    expect(oldNodeText(version)).toBeUndefined();
  });

  it('says what package.json says', () => {
    expect(JSON.parse(textOf('../package.json')).engines.node).toBe('>=20.19');
  });

  it('is all that the program loads before it, so that older versions get to it', () => {
    const imports = [...textOf('./main.ts').matchAll(/^import .* from '(.*)';$/gm)];
    expect(imports.map(([, from]) => from)).toEqual(['./node-version.js']);
    expect(textOf('./node-version.ts')).not.toMatch(/^import /m);
  });
});
