// Jest's globalSetup of the tier `packed`. Packs the built libs once, as `npm publish` would, and
// unpacks them. Specs find the folder in FLEDGE_PACKED, which Jest's workers inherit.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packages } from '../../../scripts/packages.mjs';

export default function pack() {
  for (const { folder } of packages()) {
    if (!existsSync(join(folder, 'dist'))) throw new Error(`${folder} is not built: npm run build`);
  }
  // Outside the repository, because an upward search would otherwise find files of the repository.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fledge-packed-')));
  process.env.FLEDGE_PACKED = folder;
  const workspaces = packages().flatMap(({ manifest }) => ['--workspace', manifest.name]);
  const options = ['--json', '--loglevel', 'error', '--pack-destination', folder];
  const said = execFileSync('npm', ['pack', ...options, ...workspaces], { encoding: 'utf8' });
  // Some versions of npm print a list, others print an object by name.
  const packed = Object.values(JSON.parse(said)).map(({ name, filename, files }) => {
    const unpacked = join(folder, 'unpacked', name);
    mkdirSync(unpacked, { recursive: true });
    const tarball = join(folder, filename);
    execFileSync('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);
    return { name, tarball, unpacked, files: files.map(({ path }) => path) };
  });
  writeFileSync(join(folder, 'packed.json'), JSON.stringify(packed));
}
