// The sources of the tutorials compile after each step, in an application that has the packed libs. The matrix takes all
// steps: `npm run matrix -- tutorials`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { consumer } from '../support/consumer.js';
import { root } from '../support/snippets.js';

interface Step {
  readonly file?: string;
  readonly text?: string;
  readonly commands?: readonly string[];
  readonly output?: { readonly text: string };
}

type Sources = Readonly<Record<string, string>>;

const { statesOf, stepsOf, TUTORIALS } = (await import(
  join(root, 'matrix/tutorial-steps.mjs')
)) as {
  readonly TUTORIALS: readonly string[];
  readonly stepsOf: (markdown: string) => readonly Step[];
  readonly statesOf: (steps: readonly Step[]) => readonly Sources[];
};

const steps = TUTORIALS.flatMap((page) => stepsOf(readFileSync(join(root, page), 'utf8')));

describe('the tutorials', () => {
  const { compile } = consumer('all');

  it.each(statesOf(steps).map((files, at) => [at + 1, files] as const))(
    'compile in state %i',
    (state, files) => {
      const options = {
        moduleResolution: 'nodenext',
        strict: true,
        strictPropertyInitialization: false,
      };
      const { errors } = compile({
        name: `tutorial-${state}`,
        files: { ...files, 'package.json': '{ "type": "module" }' },
        compilerOptions: options,
      });
      expect(errors).toEqual([]);
    },
  );
});
