// The root README says what a newcomer types and how much they write. The matrix does it, from these steps.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../support/snippets.js';

interface Steps {
  readonly steps: readonly { readonly command?: string }[];
}

interface Start {
  readonly install: string;
  readonly program: string;
}

const { EXISTING, linesOf, linesOfProgram, startOf } = (await import(
  join(root, 'matrix/walk-steps.mjs')
)) as {
  readonly EXISTING: Steps;
  readonly linesOf: (walk: Steps) => readonly string[];
  readonly startOf: (readme: string) => Start;
  readonly linesOfProgram: (start: Start) => number;
};
const readme = readFileSync(join(root, 'README.md'), 'utf8');

describe('the root README', () => {
  it('has all that "Get started" needs, so that the matrix can do it', () => {
    const { program, ...typed } = startOf(readme);
    expect(typed).toEqual({
      create: 'npx @nestjs/cli new tasks',
      folder: 'tasks',
      install: expect.stringMatching(/^npm install @fledge\/mcp @fledge\/cli /),
      file: 'src/app.module.ts',
      start: 'npm start',
      call: expect.stringMatching(/^npx @fledge\/cli mcp call find_task /),
      answer: expect.stringContaining('Read the README'),
    });
    const imports = [...program.matchAll(/from '((?:@[^/]+\/)?[^/']+)/g)].map(
      ([, name]) => name as string,
    );
    const others = imports.filter((name) => !/^@nestjs\/(common|core)$/.test(name));
    expect(others).toEqual(['@fledge/mcp']);
    // A required peer, which the program does not import.
    expect(typed.install.split(' ')).toEqual(expect.arrayContaining([...others, 'nestjs-cls']));
  });

  it('has the commands of the walk in an existing application, without a flag', () => {
    const commands = EXISTING.steps.flatMap(({ command }) => command ?? []);
    const added = commands.filter((command) => command.startsWith('npx nest add'));
    expect(added.filter((command) => !readme.includes(command))).toEqual([]);
    expect(commands.filter((command) => / -/.test(command))).toEqual([]);
  });

  it('counts the lines of the program, and those that are written by hand', () => {
    const [, ofProgram] = /(\d+) lines of code/.exec(readme) ?? [];
    const [, byHand] = /(\d+) lines by hand/.exec(readme) ?? [];
    expect(Number(ofProgram)).toBe(linesOfProgram(startOf(readme)));
    expect(Number(byHand)).toBe(linesOf(EXISTING).length);
    expect(Number(byHand)).toBeLessThan(20);
  });
});
