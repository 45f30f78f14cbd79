// Installs Prisma here, once, and generates its client. Nothing of it is downloaded at run time: the
// schema engine, which only migrations need, is stood in for.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('.', import.meta.url));
const options = { cwd, stdio: ['ignore', 'ignore', 'inherit'] };
if (!existsSync(new URL('node_modules/prisma', import.meta.url))) {
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], options);
}
// The client keeps the schema it was generated from.
const generated = new URL('node_modules/tasks-client/schema.prisma', import.meta.url);
const schema = readFileSync(new URL('schema.prisma', import.meta.url), 'utf8');
if (!existsSync(generated) || readFileSync(generated, 'utf8') !== schema) {
  execFileSync('node_modules/.bin/prisma', ['generate', '--schema', 'schema.prisma'], {
    ...options,
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1' },
  });
}
