// The first program of a page prints what the page shows after its commands.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from '../support/ended.js';
import { freePort, type Running, start } from '../support/processes.js';
import { blocksOf, compile, root } from '../support/snippets.js';

interface Step {
  readonly commands?: readonly string[];
  readonly output?: { readonly language: string; readonly text: string };
}

const { mustShow, stepsOf } = (await import(join(root, 'matrix/tutorial-steps.mjs'))) as {
  readonly stepsOf: (markdown: string) => readonly Step[];
  readonly mustShow: (printed: string, output: Step['output']) => void;
};

const PAGES = [
  'libs/mcp/README.md',
  'libs/query/README.md',
  'libs/tenant/README.md',
  'libs/graphql/README.md',
  'libs/core/README.md',
  ...['drizzle', 'kysely', 'knex', 'mikro-orm'].map((orm) => `libs/query/docs/${orm}.md`),
];

/** Its program prints its output itself. */
const PRINTS = 'libs/query/docs/functions.md';

/** Commands of a page that are followed by what they print. */
function shownBy(page: string): readonly Required<Step>[] {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks =
    text.match(/^```sh\n(?:(?!```).*\n)+```\n+```(?:text|json)\n[\s\S]*?^```$/gm) ?? [];
  return blocks.flatMap((block) => stepsOf(block)) as readonly Required<Step>[];
}

/** Runs a request to the program. Other commands would change this folder. */
function type(command: string, port: number): string {
  expect(command).toMatch(/^(curl |npx @fledge\/cli mcp (call|list) )/);
  const typed = command
    .replaceAll('http://localhost:3000', `http://localhost:${port}`)
    .replace('npx @fledge/cli', `"${process.execPath}" "${root}/libs/cli/dist/main.js"`);
  return run('sh', ['-c', typed], { cwd: root }).stdout.trim();
}

describe('the first program', () => {
  let files: readonly string[] = [];
  let server: Running | undefined;
  beforeAll(() => {
    files = compile(
      '.snippets-outputs',
      [...PAGES, PRINTS].map((page) => blocksOf(page, 'ts')[0] as string),
    );
  });
  afterEach(() => server?.stop());

  it.each(PAGES.map((page, at) => [page, at] as const))('of %s', async (page, at) => {
    const steps = shownBy(page);
    expect(steps.length).toBeGreaterThan(0);
    const port = await freePort();
    const main = `
      import { NestFactory } from '@nestjs/core';
      import { AppModule } from '${files[at]}';
      await (await NestFactory.create(AppModule)).listen(${port});
      console.log('listens');`;
    server = start(process.execPath, ['--input-type=module', '--eval', main]);
    // Nest logs that it has started just before.
    await server.until(/^listens$/m);
    for (const { commands, output } of steps) {
      const printed = commands.map((command) => type(command, port));
      mustShow(printed.join('\n'), output);
    }
  });

  it(`of ${PRINTS}`, () => {
    const { stdout } = run(process.execPath, [files.at(-1) as string]);
    expect(stdout).toBe(blocksOf(PRINTS, 'text')[0]);
  });
});
