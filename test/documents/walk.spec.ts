// The root README says what a newcomer types and how much they write. The matrix does it, from these steps.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../support/snippets.js';

interface Walk {
  readonly name: string;
  readonly steps: readonly { readonly command?: string }[];
}

const { WALKS, linesOf } = (await import(join(root, 'matrix/walk-steps.mjs'))) as {
  readonly WALKS: readonly Walk[];
  readonly linesOf: (walk: Walk) => readonly string[];
};
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the root README', () => {
  it.each(WALKS)('has the commands of $name, without a flag', ({ steps }) => {
    const commands = steps.flatMap(({ command }) => command ?? []);
    expect(commands.filter((command) => !readme.includes(command))).toEqual([]);
    expect(commands.filter((command) => / -/.test(command))).toEqual([]);
  });

  it('counts the lines that are written by hand', () => {
    const stated = [...readme.matchAll(/(\d+) lines by hand/g)].map(([, count]) => Number(count));
    expect(stated).toEqual(WALKS.map((walk) => linesOf(walk).length));
    expect(Math.max(...stated)).toBeLessThan(20);
  });
});
