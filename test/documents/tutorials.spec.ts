// Each step of a tutorial ends with something to see.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../support/snippets.js';

const { stepsOf, TUTORIALS } = (await import(join(root, 'matrix/tutorial-steps.mjs'))) as {
  readonly TUTORIALS: readonly string[];
  readonly stepsOf: (markdown: string) => readonly { readonly output?: object }[];
};

describe.each(TUTORIALS)('%s', (page) => {
  const sections = readFileSync(join(root, page), 'utf8').split(/^## /m);
  const steps = sections.filter((section) => /^\d/.test(section));

  it('shows output in each step', () => {
    expect(steps.length).toBeGreaterThan(3);
    // The first step of the second tutorial installs PostgreSQL.
    const silent = steps.filter((step) => stepsOf(step).every(({ output }) => !output));
    expect(silent.map((step) => step.split('\n')[0])).toEqual(
      page.endsWith('tenants.md') ? ['1. Get PostgreSQL'] : [],
    );
  });
});
