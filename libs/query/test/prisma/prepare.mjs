// Installs Prisma here, once, and generates the clients `tasks-client` of the adapter's specs and `shops-client` of
// those of @fledge/tenant. Nothing of it is downloaded at run time: the schema engine, which only migrations need, is
// stood in for. Specs that run at one time wait for each other.
import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('.', import.meta.url));
const options = { cwd, stdio: ['ignore', 'ignore', 'inherit'] };
const lock = new URL('prepare.lock', import.meta.url);
while (!takeLock()) {
  if (!isRunning(readFileSync(lock, 'utf8'))) rmSync(lock, { force: true });
  await setTimeout(200);
}
process.on('exit', () => rmSync(lock));

if (!isInstalled()) {
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], options);
}
generate('tasks-client', 'schema.prisma');
generate('shops-client', 'shops.prisma');

function isInstalled() {
  const installed = new URL('node_modules/.package-lock.json', import.meta.url);
  const locked = new URL('package-lock.json', import.meta.url);
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(locked).mtimeMs;
}

/** Generates a client, unless it is there and was generated from this schema, of which it keeps a copy. */
function generate(client, path) {
  const generated = new URL(`node_modules/${client}/schema.prisma`, import.meta.url);
  const schema = readFileSync(new URL(path, import.meta.url), 'utf8');
  if (existsSync(generated) && readFileSync(generated, 'utf8') === schema) return;
  execFileSync('node_modules/.bin/prisma', ['generate', '--schema', path], {
    ...options,
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1' },
  });
}

/** Makes the file with the number of this process, unless another process has made it. */
function takeLock() {
  const own = new URL(`prepare.lock.${process.pid}`, import.meta.url);
  writeFileSync(own, String(process.pid));
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(own);
  }
}

function isRunning(pid) {
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
