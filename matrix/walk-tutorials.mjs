// Both tutorials, one after the other in one application, as they stand there. The database of DATABASE_URL's server takes
// the place of the one that a reader starts.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError, run, start, end } from './child.mjs';
import { answering, freePort } from './serve.mjs';
import { mustShow, stepsOf, TUTORIALS } from './tutorial-steps.mjs';
import { timed } from './walk-calls.mjs';
import { ANSWERS } from './walk-readme.mjs';

const root = dirname(import.meta.dirname);
const START_SECONDS = 90;

/** Works in an empty folder that has the registry's address, as if our packages were published. */
export async function takeTutorials({ folder, registry, log }) {
  const database = await createDatabase(log);
  const port = String(await freePort());
  const reader = { folder, log, env: { ...database.env, PORT: port, NO_COLOR: '1' }, server: null };
  await writeFile(join(folder, '.npmrc'), registry.npmrc);
  try {
    for (const tutorial of TUTORIALS) {
      const began = Date.now();
      for (const step of stepsOf(await readFile(join(root, tutorial), 'utf8')))
        await take(step, reader, registry);
      console.log(`        ${tutorial}: ${Math.round((Date.now() - began) / 1000)} s`);
    }
  } finally {
    if (reader.server) await end(reader.server.child, 'SIGKILL');
    await database.drop();
  }
}

async function take({ file, text, commands, output }, reader, registry) {
  if (file) {
    await mkdir(dirname(join(reader.folder, file)), { recursive: true });
    return writeFile(join(reader.folder, file), text);
  }
  let printed = '';
  for (const command of commands)
    printed += await timed(command, () => type(command, reader, registry));
  if (output) mustShow(printed, output);
  return undefined;
}

/** @returns what the command printed */
async function type(command, reader, registry) {
  if (command.startsWith('cd ')) {
    reader.folder = join(reader.folder, command.slice('cd '.length));
    await writeFile(join(reader.folder, '.npmrc'), registry.npmrc);
    return '';
  }
  if (command === 'npm start') {
    await serve(reader);
    return '';
  }
  const typed = [
    command.replaceAll('http://localhost:3000', `http://127.0.0.1:${reader.env.PORT}`),
    ...(command.startsWith('npx @nestjs/cli new ') ? ANSWERS : []),
    ...(command.startsWith('curl ') ? ['--no-progress-meter'] : []),
  ].join(' ');
  const env = { ...reader.env, npm_config_yes: 'true' };
  const options = { cwd: reader.folder, env, log: reader.log, seconds: 300 };
  const printed = await run('sh', ['-c', typed], options).catch((error) => {
    // A tool that answers with an error is a part of a tutorial. Its output is compared.
    if (error instanceof CommandError && command.includes(' mcp call ')) return error.output;
    throw error;
  });
  return `${printed.trim()}\n`;
}

/** Stops the application, and starts it again. */
async function serve(reader) {
  if (reader.server) await end(reader.server.child, 'SIGTERM');
  const { folder, env, log } = reader;
  reader.server = start('npm', ['start'], { cwd: folder, env, log });
  await answering(`http://127.0.0.1:${env.PORT}`, reader.server, START_SECONDS);
}

/** A database of its own. The role of the tutorial belongs to the server. */
async function createDatabase(log) {
  const url = new URL(process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres');
  const name = `fledge_tutorial_${process.pid}`;
  const ask = (sql) =>
    run('psql', [url.href, '-v', 'ON_ERROR_STOP=1', '-c', sql], { cwd: root, log, seconds: 30 });
  await ask(`CREATE DATABASE ${name}`);
  const admin = new URL(url);
  admin.pathname = name;
  const application = new URL(admin);
  application.username = 'task_api';
  application.password = 'made-up';
  return {
    env: { ADMIN_URL: admin.href, DATABASE_URL: application.href },
    async drop() {
      await ask(`DROP DATABASE ${name} WITH (FORCE)`);
      await ask('DROP ROLE IF EXISTS task_api');
    },
  };
}
