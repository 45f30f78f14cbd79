// Installs Prisma here, once, and generates its client. Nothing of it is downloaded at run time: the
// schema engine, which only migrations need, is stood in for.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const cwd = fileURLToPath(new URL('.', import.meta.url));
const options = { cwd, stdio: ['ignore', 'ignore', 'inherit'] };
if (!existsSync(new URL('node_modules/prisma', import.meta.url))) {
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], options);
}
if (!existsSync(new URL('node_modules/tasks-client/index.js', import.meta.url))) {
  execFileSync('node_modules/.bin/prisma', ['generate', '--schema', 'schema.prisma'], {
    ...options,
    env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1' },
  });
}
