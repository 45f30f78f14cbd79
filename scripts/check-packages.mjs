// Packs every lib as npm would publish it, and checks the result with publint and
// are-the-types-wrong.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSound, pack, packages } from './packages.mjs';

const folder = mkdtempSync(join(tmpdir(), 'fledge-pack-'));
let failed = false;
try {
  execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  for (const found of packages()) {
    if (!isSound(pack(found, folder).tarball)) failed = true;
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);
