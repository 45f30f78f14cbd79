// The walk "Get started" of the root README: its commands and its program, as they stand there. Until the packages are
// published, the line that `npm run tarballs` prints replaces the line that installs them.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './child.mjs';
import { withServer } from './serve.mjs';
import { callByClient, callByInspector, mustBeShort, timed } from './walk-calls.mjs';
import { linesOfProgram, startOf } from './walk-steps.mjs';

const root = dirname(import.meta.dirname);

/** What `nest new` would ask. */
export const ANSWERS = ['--package-manager', 'npm', '--skip-git', '--no-observe'];

const CALL = {
  name: 'find_task',
  arguments: { id: 2 },
  answer: /^{"id":2,"title":"Read the README"}$/,
};

/** Works in an empty folder, with the packages of this clone. */
export async function takeReadmeWalk({ folder, log }) {
  const start = startOf(await readFile(join(root, 'README.md'), 'utf8'));
  const install = await timed('npm run tarballs (in the clone)', () => installLineOf(start, log));
  const began = Date.now();
  const app = join(folder, start.folder);
  const type = (command, cwd, answers = []) =>
    timed(command, () => {
      const [program, ...args] = [...command.split(' '), ...answers];
      return run(program, args, { cwd, env: { npm_config_yes: 'true' }, log, seconds: 300 });
    });
  await type(start.create, folder, ANSWERS);
  await type(install, app);
  await writeFile(join(app, start.file), `${start.program}\n`);
  console.log(`        ${start.file}: ${linesOfProgram(start)} lines`);
  const command = start.start.split(' ');
  await withServer({ app, log, command, seconds: 90 }, async (url) => {
    const call = start.call.replace('http://localhost:3000', url);
    const printed = await timed(start.call, () =>
      run('sh', ['-c', call], { cwd: app, log, seconds: 60 }),
    );
    assert.equal(printed.trim(), start.answer);
    mustBeShort((Date.now() - began) / 1000);
    await timed('(the official MCP client)', () => callByClient(CALL, url, {}));
    await timed('(the MCP Inspector)', () => callByInspector(CALL, url, {}, { folder, log }));
  });
}

/** The command that `npm run tarballs` prints for the packages of the README's line. */
async function installLineOf({ install }, log) {
  const output = await run('npm', ['run', '--silent', 'tarballs'], {
    cwd: root,
    log,
    seconds: 300,
  });
  const [line] = output
    .split('\n')
    .flatMap((each) => each.match(/^ {2}(npm install .*)$/)?.[1] ?? []);
  const others = install.split(' ').filter((word) => !word.startsWith('@fledge/'));
  for (const word of others) assert.ok(line.includes(word), `${line} lacks ${word}`);
  return line;
}
