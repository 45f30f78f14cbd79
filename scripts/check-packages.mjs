// Packs every lib as npm would publish it, and asks publint and are-the-types-wrong about the result.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'fledge-pack-'));
let failed = false;

function ask(...command) {
  const { status } = spawnSync('npx', ['--no-install', ...command], { stdio: 'inherit' });
  failed ||= status !== 0;
}

try {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  for (const lib of readdirSync('libs')) {
    const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: join('libs', lib),
      stdio: ['ignore', 'pipe', 'ignore'],
      encoding: 'utf8',
    });
    const [{ filename }] = Object.values(JSON.parse(packed));
    const tarball = join(folder, filename);
    ask('publint', 'run', tarball, '--strict');
    // CommonJS applications require() the one ESM build, so "CommonJS resolves to ESM" is meant.
    ask('attw', tarball, '--ignore-rules', 'cjs-resolves-to-esm', '--format', 'ascii', '--quiet');
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);
